"""What is kept of the linking of a file, so that a later change can tell whether it matters to it."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Iterable
from typing import NamedTuple

from drift.scan.link.exported_facts import ExportedFacts
from drift.scan.link.keys import presence_key

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


def is_read_by(packed: bytes, keys: frozenset[int], pairs: Collection[tuple[int, int]] = ()) -> bool:
    """Whether a packed trace has read one of the keys, or both of one of the pairs."""
    if not packed:
        return False
    reads = _unpack(packed)[0]
    if not keys.isdisjoint(reads):
        return True
    found = {key for pair in pairs for key in pair}.intersection(reads) if pairs else ()
    return any(one in found and other in found for one, other in pairs)


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


def presence_keys(
    before: Iterable[ExportedFacts], after: Iterable[ExportedFacts], *, is_elsewhere: Callable[[int], bool]
) -> set[int]:
    """The keys of what a project has now for the first time, or no more, by what its changed files provide.

    `is_elsewhere` says whether another file provides what a key names.
    """
    then, now = ({key for each in one for key in each.shared} for one in (before, after))
    return {presence_key(key) for key in then ^ now if not is_elsewhere(key)}


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
