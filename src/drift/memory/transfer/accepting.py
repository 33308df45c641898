"""Memories of a store that nobody here wrote: looked at in a copy, and taken in with less confidence if a person wants it."""

import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.reading import opened
from drift.memory.records import Importance, Memory
from drift.memory.saving import clean_draft
from drift.memory.storage.bulk import AddedMany, OnConflict
from drift.memory.storage.listing import Listing
from drift.memory.store import MemoryStore
from drift.memory.wire import memory_from_wire, memory_to_wire

MOST_CONFIDENCE: Final = 0.5
"""What is left of the confidence of a memory that somebody else may have written."""
_ACTOR: Final = "accept"
_PAGE: Final = 200
_CHUNK: Final = 1_000_000
_MOST_BYTES: Final = 500_000_000


@contextmanager
def looking_at(root: Path, path: Path) -> Iterator[MemoryStore]:
    """The store at a path in a project, to be read from a copy: neither it nor what lies beside it is changed."""
    with tempfile.TemporaryDirectory() as room:
        copy = Path(room) / "cortex.db"
        for ending in ("", "-wal"):
            _copy(root, f"{path.relative_to(root).as_posix()}{ending}", Path(f"{copy}{ending}"))
        with closing(MemoryStore(copy)) as store:
            yield store


def read_memories(store: MemoryStore) -> Iterator[Memory]:
    """The memories of a store that hold today, newest first. Raises CORTEX_UNAVAILABLE."""
    after: str | None = None
    while True:
        page = store.list(Listing(), after=after, limit=_PAGE)
        yield from page.memories
        if len(page.memories) < _PAGE:
            return
        after = page.memories[-1].id


def take_in(memories: Iterator[Memory], store: MemoryStore, *, origin: str) -> AddedMany:
    """Keep them as of unsure origin: less confident, of normal importance, never used and not proved by anyone."""
    return store.add_many(
        (_humbled(one, origin) for one in memories), actor=_ACTOR, on_conflict=OnConflict.SKIP
    )


def _humbled(memory: Memory, origin: str) -> Memory:
    clean, _ = clean_draft(memory)
    humble = replace(
        clean,
        confidence=min(clean.confidence, MOST_CONFIDENCE),
        importance=min(clean.importance, Importance.NORMAL, key=list(Importance).index),
        source=f"accepted from {origin}",
        superseded_by=None,
        supersedes=(),
        last_validated_ms=None,
        last_accessed_ms=None,
        access_count=0,
    )
    return memory_from_wire(memory_to_wire(humble))  # which checks every field of it


def _copy(root: Path, source: str, target: Path) -> None:
    try:
        with opened(root, source, follow_links=False) as given, target.open("xb") as copy:
            while chunk := given.read(_CHUNK):
                if copy.tell() > _MOST_BYTES:
                    raise DriftError(
                        ErrorCode.TOO_LARGE,
                        f"{source} has more than {_MOST_BYTES:,} bytes, so it is not read",
                    )
                copy.write(chunk)
    except FileNotFoundError:
        return
    except OSError as error:
        raise DriftError(
            ErrorCode.CORTEX_UNAVAILABLE,
            f"{source} cannot be read: {error.strerror or error}",
            Recovery(hint="A link is not followed. Dismiss it with: drift memory accept --discard"),
        ) from error
