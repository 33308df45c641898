"""Tensors out of a safetensors file: each checked against the shape the model must have, before it is read."""

from collections.abc import Mapping
from math import prod
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from drift.memory.embeddings.model_files import open_file, parse_object, unusable

Matrix = npt.NDArray[np.float32]

_LENGTH_BYTES: Final = 8
_MOST_HEADER_BYTES: Final = 10_000_000
_MOST_BYTES: Final = 600_000_000
_TYPES: Final[Mapping[str, np.dtype[Any]]] = {"F32": np.dtype("<f4"), "F16": np.dtype("<f2")}


class Weights(NamedTuple):
    """The tensors that were asked for, as 32-bit floats, and the header they stood under."""

    tensors: Mapping[str, Matrix]
    header: bytes


def read_weights(path: Path, shapes: Mapping[str, tuple[int, ...]], *, prefixes: tuple[str, ...]) -> Weights:
    """The tensors of these names and shapes, under the first prefix that fits; others are left unread.

    They are read rather than mapped: a mapped file that somebody shortens takes the process with it.
    """
    with open_file(path) as file:
        size = file.seek(0, 2)
        if size > _MOST_BYTES:
            raise unusable(path, f"it has more than {_MOST_BYTES:,} bytes")
        header = _read_header(path, file, size)
        entries = parse_object(path, header)
        first = next(iter(shapes))
        prefix = next((one for one in prefixes if one + first in entries), "")
        begin = _LENGTH_BYTES + len(header)
        places = {
            name: _place(path, prefix + name, entries.get(prefix + name), shape=shape, room=size - begin)
            for name, shape in shapes.items()
        }
        # Tensors that lie over one another could take far more memory than the file is long.
        if sum(prod(shapes[name]) * kind.itemsize for name, (_, kind) in places.items()) > size - begin:
            raise unusable(path, "its tensors overlap")
        tensors = {
            name: _read_tensor(path, file, begin + offset, shape=shapes[name], kind=kind)
            for name, (offset, kind) in places.items()
        }
    return Weights(tensors, header)


def _read_header(path: Path, file: BinaryIO, size: int) -> bytes:
    file.seek(0)
    length = int.from_bytes(file.read(_LENGTH_BYTES), "little")
    if size < _LENGTH_BYTES or length > min(_MOST_HEADER_BYTES, size - _LENGTH_BYTES):
        raise unusable(path, "its header is longer than the file or than is allowed")
    return file.read(length)


def _place(
    path: Path, name: str, entry: object, *, shape: tuple[int, ...], room: int
) -> tuple[int, np.dtype[Any]]:
    """Where a tensor begins after the header, and what its numbers are."""
    if not isinstance(entry, dict):
        raise unusable(path, f"it has no tensor {name}")
    kind = _TYPES.get(str(entry.get("dtype")))
    if kind is None:
        raise unusable(path, f"{name} is not of type {' or '.join(_TYPES)}")
    if entry.get("shape") != list(shape):
        raise unusable(path, f"{name} has not the shape {list(shape)} that config.json asks for")
    match entry.get("data_offsets"):
        case [int(begin), int(end)] if (
            0 <= begin <= end <= room and end - begin == prod(shape) * kind.itemsize
        ):
            return begin, kind
    raise unusable(path, f"the place of {name} is not within the file, or not as long as its shape")


def _read_tensor(
    path: Path, file: BinaryIO, offset: int, *, shape: tuple[int, ...], kind: np.dtype[Any]
) -> Matrix:
    file.seek(offset)
    data = file.read(prod(shape) * kind.itemsize)
    if len(data) != prod(shape) * kind.itemsize:
        raise unusable(path, "it became shorter while it was read")
    return np.frombuffer(data, dtype=kind).reshape(shape).astype(np.float32, copy=False)
