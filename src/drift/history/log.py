"""Git's log, read and taken apart: the one place that asks for it."""

import os
import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from drift.history.commits import Change, Commit
from drift.kernel.errors import DriftError, ErrorCode
from drift.kernel.text import shorten
from drift.project.git import GitResult, run_git

# Fields end in NUL, which neither a message nor a name can hold; so nothing written in a commit can feign another.
_FORMAT: Final = "--format=%H%x00%P%x00%ct%x00%an%x00%ae%x00%s%x00"
_FIELDS: Final = 6
_SHAPE: Final = ("--relative", "--find-renames", "-z")
_EXACT: Final = ("--relative", "--find-renames=100%", "-z")
"""Without the content of files, which a partial clone leaves away: renames are told where nothing else changed."""
_HASH: Final = re.compile(rb"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_STATUS: Final = re.compile(rb"\n?([A-Z])[0-9]{0,3}")
_MOST_BYTES: Final = 64_000_000
_LATEST_TIME: Final = 2**33  # in the year 2242; a commit may claim any
_LONGEST_SUBJECT: Final = 300
_LONGEST_NAME: Final = 120
_TIMEOUT_SECONDS: Final = 30.0
_FEWEST: Final = 8  # commits whose lines are counted at once, or not at all

LineCounts = dict[bytes, tuple[int | None, int | None]]
"""Lines added and removed, by path."""


class Chunk(NamedTuple):
    """Commits of the log, newest first; `is_end`: there are none behind them."""

    commits: list[Commit]
    is_end: bool


def read_log(
    root: Path,
    revision: str,
    *,
    skip: int = 0,
    most: int,
    bounds: Collection[str] = (),
    lacks_files: bool = False,
) -> Chunk:
    """The commits of a revision or a range of them. Those of `bounds` begin a shallow clone: what they changed is not known.

    With `lacks_files` git has no content of old files, so that renames with other changes are told as new files.
    """
    asked = ("--name-status", _FORMAT, f"--skip={skip}", f"--max-count={most}", revision, "--")
    try:
        result = _run(root, "log", *(_EXACT if lacks_files else _SHAPE), *asked)
    except DriftError:
        if lacks_files:
            raise
        # A file of an old commit may be missing where nothing says that it would.
        result = _run(root, "log", *_EXACT, *asked)
    commits = list(_parse_log(result.stdout.split(b"\0")))
    if result.is_cut and len(commits) > 1:
        commits.pop()  # its changes may be cut, too; it is read again with the next
    if bounds:
        commits = [each._replace(changes=()) if each.hash in bounds else each for each in commits]
    return Chunk(commits, is_end=not result.is_cut and len(commits) < most)


def list_hashes(root: Path, revision: str, *, most: int) -> list[str] | None:
    """The hashes of the commits of a range; None where git does not know its ends, or there are more."""
    result = run_git(
        root, "rev-list", f"--max-count={most + 1}", revision, "--",
        timeout_seconds=_TIMEOUT_SECONDS, max_bytes=_MOST_BYTES,
    )  # fmt: skip
    hashes = result.text.split()
    return hashes if result.exit_code == 0 and not result.is_cut and len(hashes) <= most else None


def newest_hashes(root: Path, *, most: int) -> list[str]:
    """The hashes of the newest commits up to HEAD, newest first; none where git knows no HEAD here."""
    result = run_git(root, "rev-list", f"--max-count={most}", "HEAD", "--", timeout_seconds=_TIMEOUT_SECONDS)
    return result.text.split() if result.exit_code == 0 else []


def count_lines(root: Path, hashes: Sequence[str]) -> dict[str, LineCounts]:
    """Lines added and removed by each of the commits, file by file; merges and what git does not know left out."""
    asked = ("--no-walk=unsorted", "--ignore-missing", "--numstat", "--format=%H%x00")
    try:
        result = _run(root, "log", *_SHAPE, *asked, *hashes, "--")
    except DriftError:
        if len(hashes) <= _FEWEST:
            return {}  # what one of them changed is not here, so that nobody can count it
        half = len(hashes) // 2
        return {**count_lines(root, hashes[:half]), **count_lines(root, hashes[half:])}
    found = dict(_parse_counts(result.stdout.split(b"\0")))
    if result.is_cut and found:
        found.popitem()
    return found


def _run(root: Path, *args: str) -> GitResult:
    result = run_git(root, *args, timeout_seconds=_TIMEOUT_SECONDS, max_bytes=_MOST_BYTES)
    if result.exit_code != 0 and not result.is_cut:
        raise DriftError(ErrorCode.ANALYSIS_FAILED, f"git log failed: {shorten(result.stderr, 300)}")
    return result


def _parse_log(tokens: list[bytes]) -> Iterator[Commit]:
    at, end = 0, len(tokens)
    while at + _FIELDS <= end:
        if not _HASH.fullmatch(tokens[at]):
            at += 1
            continue
        hashed, parents, time, author, mail, subject = tokens[at : at + _FIELDS]
        at += _FIELDS
        changes: list[Change] = []
        while at < end and not tokens[at]:
            at += 1  # the end of the heading
        while at + 1 < end and (status := _STATUS.fullmatch(tokens[at])):
            letter = status[1].decode()
            old = tokens[at + 1] if letter in "RC" else None
            at += 2 if old is None else 3
            if at > end:
                break  # cut in between
            changes.append(Change(letter, os.fsdecode(tokens[at - 1]), os.fsdecode(old) if old else None))
        yield Commit(
            hashed.decode(),
            tuple(parents.decode("ascii", "replace").split()),
            _read_time(time),
            _text(author, _LONGEST_NAME),
            _text(mail, _LONGEST_NAME),
            _text(subject, _LONGEST_SUBJECT),
            tuple(changes),
        )


def _parse_counts(tokens: list[bytes]) -> Iterator[tuple[str, LineCounts]]:
    at, end = 0, len(tokens)
    while at < end:
        if not _HASH.fullmatch(tokens[at]):
            at += 1
            continue
        hashed, counts = tokens[at].decode(), LineCounts()
        at += 1
        while at < end and not _HASH.fullmatch(tokens[at]):
            added, _, rest = tokens[at].lstrip(b"\n").partition(b"\t")
            removed, tab, path = rest.partition(b"\t")
            at += 1
            if tab and not path:  # a rename: the old path and the new one follow
                path = tokens[at + 1] if at + 1 < end else b""
                at += 2
            if path:
                counts[path] = (_count(added), _count(removed))
        yield hashed, counts


def _read_time(value: bytes) -> int:
    return min(int(value), _LATEST_TIME) if value.isdigit() and len(value) < 20 else 0  # noqa: PLR2004 - digits of 64 bits


def _count(value: bytes) -> int | None:
    return int(value) if value.isdigit() and len(value) < 12 else None  # noqa: PLR2004 - more lines than any file has


def _text(value: bytes, most: int) -> str:
    return shorten(value.decode("utf-8", "replace"), most)
