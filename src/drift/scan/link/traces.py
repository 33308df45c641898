"""What is kept of the linking of a file, so that a later change can tell whether it matters to it."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from typing import NamedTuple

from drift.scan.link.exported_facts import ExportedFacts
from drift.scan.link.keys import part_key

_COUNT_BYTES = 4


class Trace(NamedTuple):
    """The keys that were read for a file's links, and what its methods override: (key, who overrides)."""

    reads: frozenset[int]
    offers: frozenset[tuple[int, int]]


NO_TRACE = Trace(frozenset(), frozenset())


def pack_trace(trace: Trace) -> bytes:
    """A trace as bytes."""
    return _pack(sorted(trace.reads), _joined(trace.offers))


def unpack_trace(packed: bytes) -> Trace:
    """The trace that was packed; an empty one of no bytes."""
    reads, offers = _unpack(packed)
    return Trace(frozenset(reads), frozenset(_parted(offers)))


def is_whole(packed: bytes) -> bool:
    """Whether bytes can be a packed trace; damaged ones mostly cannot."""
    rest = len(packed) - _COUNT_BYTES - 4 * int.from_bytes(packed[:_COUNT_BYTES], "little")
    return not packed or (rest >= 0 and rest % 8 == 0)


def is_read_by(packed: bytes, keys: frozenset[int]) -> bool:
    """Whether a packed trace has read one of the keys."""
    return bool(packed) and not keys.isdisjoint(_unpack(packed)[0])


def pack_keys(keys: Iterable[int]) -> bytes:
    """Keys as bytes."""
    return array("I", sorted(keys)).tobytes()


def unpack_keys(packed: bytes) -> array[int]:
    """The keys that were packed."""
    keys: array[int] = array("I")
    keys.frombytes(packed)
    return keys


def changed_keys(before: ExportedFacts, after: ExportedFacts) -> set[int]:
    """The keys of what a file provides differently now."""
    differing = (before.own.items() ^ after.own.items()) | (before.shared.items() ^ after.shared.items())
    return {key for key, _ in differing}


def path_keys(changed: Iterable[str], others: Iterable[str]) -> set[int]:
    """The keys by which imports may name files that came or went: their names, and folders no other file has."""
    folders: set[str] = set()
    for path in others:
        folder = path.rpartition("/")[0]
        while folder and folder not in folders:
            folders.add(folder)
            folder = folder.rpartition("/")[0]
    keys: set[int] = set()
    for path in changed:
        folder, _, name = path.rpartition("/")
        keys.update(part_key(part) for part in name.split("."))
        # A file such as __init__ or index stands for its folder; Rust has words for the files around.
        words = ("crate", "self", "super") if name.endswith(".rs") else ()
        keys.update(part_key(word) for word in (folder.rpartition("/")[2], *words))
        while folder and folder not in folders:
            keys.add(part_key(folder.rpartition("/")[2]))
            folder = folder.rpartition("/")[0]
    return keys


def _joined(pairs: Iterable[tuple[int, int]]) -> array[int]:
    return array("Q", sorted(key << 32 | value for key, value in pairs))


def _parted(joined: Iterable[int]) -> Iterable[tuple[int, int]]:
    return ((each >> 32, each & 0xFFFFFFFF) for each in joined)


def _pack(reads: list[int], offers: array[int]) -> bytes:
    return len(reads).to_bytes(_COUNT_BYTES, "little") + array("I", reads).tobytes() + offers.tobytes()


def _unpack(packed: bytes) -> tuple[array[int], array[int]]:
    count = int.from_bytes(packed[:_COUNT_BYTES], "little")
    end = _COUNT_BYTES + count * 4
    offers: array[int] = array("Q")
    offers.frombytes(packed[end:])
    return unpack_keys(packed[_COUNT_BYTES:end]), offers
