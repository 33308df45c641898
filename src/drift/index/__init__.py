"""The one store of facts about a project: which layers it holds, and how current they are."""

from drift.index.layers import Layer
from drift.index.state import IndexState, IndexWatch, read_index_state

__all__ = ["IndexState", "IndexWatch", "Layer", "read_index_state"]
