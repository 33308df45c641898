"""Texts as vectors: the forward pass of a BERT sentence model, in numpy."""

from collections.abc import Sequence
from hashlib import blake2b
from math import sqrt
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from drift.memory.embeddings.architecture import Architecture, read_architecture
from drift.memory.embeddings.model_files import CONFIG, TOKENIZER, WEIGHTS, read_json, unusable
from drift.memory.embeddings.weights import Matrix, Weights, read_weights
from drift.memory.embeddings.wordpiece import WordPiece, read_wordpiece

_Pieces = npt.NDArray[np.int64]

_BATCH: Final = 8
_BLOCK: Final = 16_384
# Added where there is no piece: nothing of it is left after exp.
_HIDDEN_BIAS: Final = np.float32(-1e4)
_PREFIXES: Final = ("", "bert.", "0.auto_model.")
_EMBEDDINGS: Final = "embeddings.LayerNorm"
_DIGEST_BYTES: Final = 8


class Encoder(NamedTuple):
    """A model that is ready. `name` differs between models whose vectors must not be mixed."""

    name: str
    folder: Path
    architecture: Architecture
    words: WordPiece
    weights: Weights

    @property
    def width(self) -> int:
        return self.architecture.hidden

    def encode(self, texts: Sequence[str]) -> Matrix:
        """A vector of length one for each text, in order."""
        read = [self.words.read(text, most=self.architecture.most_pieces) for text in texts]
        # Texts of like length go together, so that little of a batch is padding.
        order = sorted(range(len(read)), key=lambda place: len(read[place]))
        vectors = np.zeros((len(read), self.width), np.float32)
        for first in range(0, len(order), _BATCH):
            chosen = order[first : first + _BATCH]
            vectors[chosen] = self._encode_batch([read[place] for place in chosen])
        if not np.isfinite(vectors).all():
            raise unusable(self.folder / WEIGHTS, "its weights give no finite numbers")
        return vectors

    def _encode_batch(self, batch: Sequence[Sequence[int]]) -> Matrix:
        longest = max(map(len, batch))
        pieces = np.zeros((len(batch), longest), np.int64)
        is_piece = np.zeros((len(batch), longest), np.float32)
        for row, read in enumerate(batch):
            pieces[row, : len(read)] = read
            is_piece[row, : len(read)] = 1
        with np.errstate(all="ignore"):  # numbers that are not finite are found by the caller
            last = _forward(self.architecture, self.weights, pieces, is_piece)
            mean = (last * is_piece[:, :, None]).sum(axis=1) / is_piece.sum(axis=1, keepdims=True)
            return _as_matrix(mean / np.linalg.norm(mean, axis=1, keepdims=True))


def load_encoder(folder: Path) -> Encoder:
    """The model in a folder. Raises CORTEX_UNAVAILABLE naming the file that does not do, and why."""
    config, config_bytes = read_json(folder / CONFIG)
    architecture = read_architecture(folder / CONFIG, config)
    given, tokenizer_bytes = read_json(folder / TOKENIZER)
    words = read_wordpiece(folder / TOKENIZER, given, vocabulary=architecture.vocabulary)
    weights = read_weights(folder / WEIGHTS, _shapes(architecture), prefixes=_PREFIXES)
    name = _name(config_bytes, tokenizer_bytes, weights)
    return Encoder(name, folder, architecture, words, weights)


def _name(config: bytes, tokenizer: bytes, weights: Weights) -> str:
    """A digest of all that is small: trained together with the rest, it differs when that does."""
    digest = blake2b(digest_size=_DIGEST_BYTES)
    for part in (config, tokenizer, weights.header):
        digest.update(blake2b(part).digest())
    for tensor in weights.tensors.values():
        if tensor.ndim == 1:
            digest.update(tensor.tobytes())
    return digest.hexdigest()


def _shapes(model: Architecture) -> dict[str, tuple[int, ...]]:
    """Every tensor the forward pass reads."""
    hidden = model.hidden
    found: dict[str, tuple[int, ...]] = {
        "embeddings.word_embeddings.weight": (model.vocabulary, hidden),
        "embeddings.position_embeddings.weight": (model.positions, hidden),
        "embeddings.token_type_embeddings.weight": (model.kinds, hidden),
        **_norm_shapes(_EMBEDDINGS, hidden),
    }
    for layer in range(model.layers):
        at = f"encoder.layer.{layer}."
        for part in ("query", "key", "value"):
            found |= _linear_shapes(f"{at}attention.self.{part}", hidden, hidden)
        found |= _linear_shapes(f"{at}attention.output.dense", hidden, hidden)
        found |= _linear_shapes(f"{at}intermediate.dense", model.intermediate, hidden)
        found |= _linear_shapes(f"{at}output.dense", hidden, model.intermediate)
        found |= _norm_shapes(f"{at}attention.output.LayerNorm", hidden)
        found |= _norm_shapes(f"{at}output.LayerNorm", hidden)
    return found


def _linear_shapes(name: str, out: int, into: int) -> dict[str, tuple[int, ...]]:
    return {f"{name}.weight": (out, into), f"{name}.bias": (out,)}


def _norm_shapes(name: str, width: int) -> dict[str, tuple[int, ...]]:
    return {f"{name}.weight": (width,), f"{name}.bias": (width,)}


def _forward(model: Architecture, weights: Weights, pieces: _Pieces, is_piece: Matrix) -> Matrix:
    """The last layer's state of every piece."""
    tensors = weights.tensors
    state = tensors["embeddings.word_embeddings.weight"][pieces]
    state = state + tensors["embeddings.position_embeddings.weight"][: pieces.shape[1]]
    state = state + tensors["embeddings.token_type_embeddings.weight"][0]
    state = _norm(model, weights, _EMBEDDINGS, state)
    bias = ((1 - is_piece) * _HIDDEN_BIAS)[:, None, None, :]
    for layer in range(model.layers):
        at = f"encoder.layer.{layer}."
        seen = _attend(model, weights, at, state=state, bias=bias)
        state = _norm(model, weights, f"{at}attention.output.LayerNorm", state + seen)
        thought = _gelu(_linear(weights, f"{at}intermediate.dense", state))
        thought = _linear(weights, f"{at}output.dense", thought)
        state = _norm(model, weights, f"{at}output.LayerNorm", state + thought)
    return state


def _attend(model: Architecture, weights: Weights, at: str, *, state: Matrix, bias: Matrix) -> Matrix:
    texts, longest, hidden = state.shape

    def heads(part: str) -> Matrix:
        found = _linear(weights, f"{at}attention.self.{part}", state)
        return found.reshape(texts, longest, model.heads, model.head_width).transpose(0, 2, 1, 3)

    asked = heads("query") @ heads("key").transpose(0, 1, 3, 2)
    asked = asked * np.float32(1 / sqrt(model.head_width)) + bias
    asked = np.exp(asked - asked.max(axis=-1, keepdims=True))
    asked = asked / asked.sum(axis=-1, keepdims=True)
    seen = (asked @ heads("value")).transpose(0, 2, 1, 3).reshape(texts, longest, hidden)
    return _linear(weights, f"{at}attention.output.dense", seen)


def _linear(weights: Weights, name: str, state: Matrix) -> Matrix:
    flat = state.reshape(-1, state.shape[-1]) @ weights.tensors[f"{name}.weight"].T
    flat += weights.tensors[f"{name}.bias"]
    return flat.reshape(*state.shape[:-1], -1)


def _norm(model: Architecture, weights: Weights, name: str, state: Matrix) -> Matrix:
    centred = state - state.mean(axis=-1, keepdims=True)
    spread = np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + np.float32(model.epsilon))
    return _as_matrix(centred / spread * weights.tensors[f"{name}.weight"] + weights.tensors[f"{name}.bias"])


def _gelu(state: Matrix) -> Matrix:
    """Each value times the normal distribution's share below it, in its place.

    Block by block, since a block's steps stay in the processor's cache: that halves the time of an encoding.
    """
    flat = state.reshape(-1)
    for first in range(0, flat.size, _BLOCK):
        block = flat[first : first + _BLOCK]
        block *= _share_below(block)
    return flat.reshape(state.shape)


def _share_below(values: Matrix) -> Matrix:
    """The normal distribution's share below each value; erf as in Abramowitz and Stegun 7.1.26, to 1.5e-7."""
    size = np.abs(values)
    size *= np.float32(sqrt(0.5))
    step = size * np.float32(0.3275911)
    step += 1
    np.reciprocal(step, out=step)
    series = step * np.float32(1.061405429)
    for factor in (-1.453152027, 1.421413741, -0.284496736, 0.254829592):
        series += np.float32(factor)
        series *= step
    size *= size
    np.negative(size, out=size)
    series *= np.exp(size, out=size)
    erf = np.copysign(1 - series, values)
    erf += 1
    erf *= np.float32(0.5)
    return _as_matrix(erf)


def _as_matrix(found: npt.NDArray[np.floating]) -> Matrix:
    return found.astype(np.float32, copy=False)
