"""Whether what a memory cites is still there: the file, the lines, and where they went."""

import os
import time
from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import Final, NamedTuple

from drift.history import Wanted, opened_history
from drift.kernel.errors import DriftError
from drift.kernel.paths import resolve_inside
from drift.memory.citations import (
    HASH_DIGITS,
    find_lines,
    hash_file_content,
    hash_lines,
    read_cited,
    split_lines,
)
from drift.memory.records import FileLink, Memory
from drift.project.git import run_git

_MOST_RENAMES: Final = 10  # of one file
_MOST_ASKED: Final = 50  # missing files the history is asked about, at about 10 ms each
_MOST_SECONDS: Final = 5.0
_LATEST: Final = Wanted(commits=1)  # further back only as long as nothing is known of a file


class CitationState(StrEnum):
    """What became of a citation."""

    INTACT = "intact"
    MOVED = "moved"  # the same, at another place
    UNHASHED = "unhashed"  # it is there, and nothing was kept to compare it with
    CHANGED = "changed"
    MISSING = "missing"


# What each leaves of the belief in a memory. Changed code may still be as the memory says.
STATE_SCORES: Final[Mapping[CitationState, float]] = {
    CitationState.INTACT: 1.0,
    CitationState.MOVED: 1.0,
    CitationState.UNHASHED: 1.0,
    CitationState.CHANGED: 0.5,
    CitationState.MISSING: 0.0,
}


class CitationCheck(NamedTuple):
    """What was found of one citation. `now` is where it is, when that is not where it was said to be."""

    link: FileLink
    state: CitationState
    evidence: str
    now: FileLink | None = None


class Renames:
    """Where files of a project went, by its git history. Asked only for files that are missing."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._asked = 0
        self._known: dict[str, str | None] = {}

    @cached_property
    def _deadline(self) -> float:
        """When no more of the history is read for the sake of a file nothing is known of."""
        return time.monotonic() + _MOST_SECONDS

    def follow(self, path: str) -> str | None:
        """The path under which a missing file is there now; None if git does not know."""
        step, seen = path, {path}
        for _ in range(_MOST_RENAMES):
            renamed = self._renamed(step)
            if renamed is None or renamed in seen:
                return None
            if (self._root / renamed).is_file():
                return renamed
            seen.add(renamed)
            step = renamed
        return None

    def _renamed(self, path: str) -> str | None:
        if path in self._uncommitted:
            return self._uncommitted[path]
        if path not in self._known:
            self._known[path] = self._ask_history(path)
        return self._known[path]

    @cached_property
    def _uncommitted(self) -> Mapping[str, str]:
        options = ("-M", "--relative", "--name-status", "-z", "--diff-filter=R")
        fields = _output(self._root, "diff", *options, "HEAD").split(b"\0")
        names = [os.fsdecode(one) for one in fields]
        return {names[at + 1]: names[at + 2] for at in range(0, len(names) - 2, 3)}

    def _ask_history(self, path: str) -> str | None:
        self._asked += 1
        if self._asked > _MOST_ASKED:
            return None
        try:
            left = self._deadline - time.monotonic()
            with opened_history(self._root, _LATEST, most_seconds=max(left, 0)) as history:
                return history.renamed_to(path)
        except DriftError:
            return None  # no repository, or git does not answer


def check_citation(root: Path, link: FileLink, renames: Renames) -> CitationCheck:
    """What became of a citation. Files are opened only inside the root."""
    try:
        return _compare(link, link, read_cited(root, link.path))
    except DriftError as error:
        missing = error.message
    renamed = renames.follow(link.path)
    if renamed is None:
        return CitationCheck(link, CitationState.MISSING, missing)
    there = FileLink(renamed, link.start_line, link.end_line, link.content_hash)
    try:
        found = _compare(link, there, read_cited(root, renamed))
    except DriftError as error:
        return CitationCheck(
            link, CitationState.MISSING, f"{missing}; renamed to {renamed}, but {error.message}"
        )
    state = CitationState.MOVED if found.state is CitationState.INTACT else found.state
    evidence = f"renamed to {renamed}; {found.evidence}"
    return CitationCheck(link, state, evidence, found.now or there)


def citing_missing_files(root: Path, memories: Iterable[Memory]) -> frozenset[str]:
    """The ids of memories that cite a file which is not there under its path."""
    gone: dict[str, bool] = {}

    def is_gone(path: str) -> bool:
        if path not in gone:
            try:
                resolve_inside(root, path, must_exist=True)
            except DriftError:
                gone[path] = True
            else:
                gone[path] = False
        return gone[path]

    return frozenset(one.id for one in memories if any(is_gone(link.path) for link in one.files))


def compare_citation(link: FileLink, content: bytes) -> CitationState:
    """What became of a citation whose file is there under its path, with this content."""
    return _compare(link, link, content).state


def _compare(link: FileLink, at: FileLink, content: bytes) -> CitationCheck:
    """The citation against the content of the file it is `at`."""
    if link.start_line is None:
        if link.content_hash is None or len(link.content_hash) != HASH_DIGITS:
            return CitationCheck(link, CitationState.UNHASHED, f"{at.path} is there; no hash to compare")
        if hash_file_content(content) == link.content_hash:
            return CitationCheck(link, CitationState.INTACT, f"{at.path} is unchanged")
        return CitationCheck(link, CitationState.CHANGED, f"{at.path} has changed since")
    return _compare_lines(link, at, split_lines(content))


def _compare_lines(link: FileLink, at: FileLink, lines: list[bytes]) -> CitationCheck:
    start = link.start_line or 1
    end = link.end_line or start
    place = f"{at.path}:{start}-{end}"
    if link.content_hash is None or len(link.content_hash) != HASH_DIGITS:
        is_there = end <= len(lines)
        evidence = (
            f"{place} is there; no hash to compare" if is_there else f"{at.path} ends at line {len(lines)}"
        )
        return CitationCheck(link, CitationState.UNHASHED if is_there else CitationState.MISSING, evidence)
    if hash_lines(lines[start - 1 : end]) == link.content_hash:
        return CitationCheck(link, CitationState.INTACT, f"{place} is unchanged")
    count = end - start + 1
    first = find_lines(lines, link.content_hash, count=count, near=start)
    if first is None:
        return CitationCheck(link, CitationState.CHANGED, f"the lines of {place} are nowhere in it")
    now = FileLink(at.path, first, first + count - 1, link.content_hash)
    return CitationCheck(link, CitationState.MOVED, f"the lines of {place} begin at {first}", now)


def _output(root: Path, *args: str) -> bytes:
    """What git says; nothing where there is no git, no repository, or no answer in time."""
    try:
        result = run_git(root, *args, timeout_seconds=5.0)
    except DriftError:
        return b""
    return b"" if result.exit_code or result.is_cut else result.stdout
