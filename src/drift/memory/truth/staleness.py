"""Whether the code that memories cite is still as it was, at a look: what an answer says beside each that is not.

A citation keeps the hash of what stood there, so this reads the cited files and nothing else. Where they went is
asked of the history only when a memory is validated.
"""

import os
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from drift.kernel.errors import DriftError
from drift.kernel.paths import resolve_inside
from drift.memory.citations import read_cited, split_lines
from drift.memory.details import write_place
from drift.memory.named_code import find_definition, names_in
from drift.memory.records import FileLink, Memory
from drift.memory.search.intents import is_passing
from drift.memory.truth.citation_checks import CitationState, Renames, check_citation, compare_citation

_MOST_FILES: Final = 40  # read for one answer
_MOST_NAMES: Final = 6
_NOT_AS_IT_WAS: Final = frozenset({CitationState.CHANGED, CitationState.MISSING})
SHARE_LEFT: Final = 0.5
"""Of the confidence in a memory whose code changed or is gone; it may still hold."""
SCORE_LEFT: Final = 0.8
"""Of its score among the answers to a question."""


class _Seen(NamedTuple):
    """A file as it was looked at: by these a later look knows that it has not changed."""

    root: str
    path: str
    stamp: tuple[int, int, int]


def find_stale(root: Path, memories: Iterable[Memory]) -> dict[str, str]:
    """What changed of the code that each memory cites, by id; nothing of those whose code is as it was."""
    found: dict[str, str] = {}
    read: set[str] = set()
    # What happened is not made false by what came after.
    for memory in (one for one in memories if not is_passing(one.type)):
        for link in memory.files:
            read.add(link.path)
            if len(read) > _MOST_FILES:
                return found
            note = _note(root, link, memory)
            if note is not None:
                found.setdefault(memory.id, note)
    return found


def explain_stale(root: Path, memory: Memory) -> tuple[str, ...]:
    """What became of each citation of one memory that is not as it was, with where git says it went."""
    renames = Renames(root)
    checks = (check_citation(root, link, renames) for link in memory.files if link.content_hash is not None)
    return tuple(one.evidence for one in checks if one.state in _NOT_AS_IT_WAS)


def _note(root: Path, link: FileLink, memory: Memory) -> str | None:
    """What changed of one citation. Of a file without a hash it can be told only that it is gone."""
    seen = _look(root, link.path)
    if seen is None:
        return f"{link.path} is gone"
    if link.content_hash is None:
        return None
    state = _compared(seen, link)
    return _describe(seen, link, memory) if state in _NOT_AS_IT_WAS else None


def _describe(seen: _Seen, link: FileLink, memory: Memory) -> str:
    place = write_place(link)
    names = [name for name in names_in(memory_text(memory)) if link.start_line is not None][:_MOST_NAMES]
    lines = _lines(seen)
    there = {name: find_definition(lines, name) for name in names}
    for name, span in there.items():
        if span is not None:
            return f"{name} changed since, now {link.path}:{span[0]}"
    if names and not any(name.rpartition(".")[2].encode() in line for name in names for line in lines):
        return f"{names[0]} is gone from {link.path}"
    return f"{place} changed since"


def memory_text(memory: Memory) -> str:
    """What a memory says of code: its title, its text and the functions it is linked to."""
    return "\n".join((*(f"`{name}`" for name in memory.functions), memory.title, memory.text))


def _look(root: Path, path: str) -> _Seen | None:
    try:
        if not os.path.lexists(f"{root}/{path}"):  # at a tenth of the price of the refusal below
            return None
        inside = resolve_inside(root, path, must_exist=True)
        found = (root / inside).stat()
    except (DriftError, OSError):
        return None
    return _Seen(str(root), inside, (found.st_mtime_ns, found.st_size, found.st_ino))


@lru_cache(maxsize=2_048)
def _compared(seen: _Seen, link: FileLink) -> CitationState:
    try:
        return compare_citation(link, read_cited(Path(seen.root), seen.path))
    except DriftError:
        return CitationState.MISSING


@lru_cache(maxsize=64)
def _lines(seen: _Seen) -> list[bytes]:
    try:
        return split_lines(read_cited(Path(seen.root), seen.path))
    except DriftError:
        return []
