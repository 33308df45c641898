"""What memories mean, as vectors of a local model: optional, derived, and never in the way of a search by words.

Nothing here imports numpy before a model is named or installed and a question is asked.
"""

from drift.memory.embeddings.meanings import Closeness, Filled, Meanings, State
from drift.memory.embeddings.model import Model
from drift.memory.embeddings.model_files import OFF, installed_model

__all__ = ["OFF", "Closeness", "Filled", "Meanings", "Model", "State", "installed_model"]
