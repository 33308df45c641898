"""The shape of a BERT model, as its config.json tells it, within limits."""

from pathlib import Path
from typing import Any, Final, NamedTuple

from drift.memory.embeddings.model_files import unusable

_MOST: Final = {
    "hidden_size": 4_096,
    "num_hidden_layers": 48,
    "num_attention_heads": 64,
    "intermediate_size": 16_384,
    "vocab_size": 1_000_000,
    "max_position_embeddings": 8_192,
    "type_vocab_size": 16,
}
# Sentence models of this family were trained on texts of at most so many pieces.
_MOST_PIECES: Final = 256
_FEWEST_PIECES: Final = 3  # two of them mark the beginning and the end


class Architecture(NamedTuple):
    """Sizes of a model."""

    hidden: int
    layers: int
    heads: int
    intermediate: int
    vocabulary: int
    positions: int
    kinds: int
    epsilon: float

    @property
    def head_width(self) -> int:
        return self.hidden // self.heads

    @property
    def most_pieces(self) -> int:
        return min(self.positions, _MOST_PIECES)


def read_architecture(path: Path, config: dict[str, Any]) -> Architecture:
    """The sizes in a config; CORTEX_UNAVAILABLE naming the first that does not do."""
    if config.get("model_type") != "bert" or config.get("hidden_act") != "gelu":
        raise unusable(path, "only models of type bert with the activation gelu are understood")
    if config.get("position_embedding_type", "absolute") != "absolute":
        raise unusable(path, "only absolute positions are understood")
    sizes = {name: _size(path, config, name) for name in _MOST}
    epsilon = config.get("layer_norm_eps", 1e-12)
    if not isinstance(epsilon, float) or not 0 < epsilon < 1:
        raise unusable(path, "layer_norm_eps is not a number between 0 and 1")
    found = Architecture(*_in_order(sizes), epsilon=epsilon)
    if found.hidden % found.heads:
        raise unusable(path, "hidden_size is not a multiple of num_attention_heads")
    if found.positions < _FEWEST_PIECES:
        raise unusable(path, "max_position_embeddings leaves no room for a word")
    return found


def _in_order(sizes: dict[str, int]) -> tuple[int, int, int, int, int, int, int]:
    hidden, layers, heads, intermediate, vocabulary, positions, kinds = (sizes[name] for name in _MOST)
    return hidden, layers, heads, intermediate, vocabulary, positions, kinds


def _size(path: Path, config: dict[str, Any], name: str) -> int:
    found = config.get(name)
    if not isinstance(found, int) or isinstance(found, bool) or not 1 <= found <= _MOST[name]:
        raise unusable(path, f"{name} is not a whole number from 1 to {_MOST[name]:,}")
    return found
