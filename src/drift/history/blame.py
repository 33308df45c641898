"""When lines were last changed: one look of git at each file, for the lines that are wanted alone."""

import re
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from drift.history.opening import Wanted, opened_history
from drift.kernel.errors import DriftError
from drift.project.git import run_git

_HEADING: Final = re.compile(rb"([0-9a-f]{40,64}) \d{1,9} (\d{1,9})(?: \d{1,9})?")
_TIME: Final = b"committer-time "
_MOST_LINES: Final = 400  # of a file in one question
_TIMEOUT_SECONDS: Final = 20.0


class LineOrigin(NamedTuple):
    """The commit that brought a line as it is, and when, in seconds since 1970."""

    commit: str
    time: int


Origins = dict[tuple[str, int], LineOrigin]


def line_origins(root: Path, wanted: Mapping[str, Collection[int]]) -> tuple[Origins, int | None]:
    """Where lines come from, by path and line, and the time of HEAD; nothing where there is no repository.

    Paths are as the operating system names them. Lines that are not committed are left out.
    """
    try:
        with opened_history(root, Wanted(commits=1)) as history:
            head_time = history.reach.head_time
    except DriftError:
        return {}, None
    if head_time is None:
        return {}, None
    origins: Origins = {}
    for file, lines in wanted.items():
        origins |= {(file, line): origin for line, origin in _blame(root, file, lines).items()}
    return origins, head_time


def _blame(root: Path, file: str, lines: Collection[int]) -> dict[int, LineOrigin]:
    ranges = [part for line in sorted(lines)[:_MOST_LINES] for part in ("-L", f"{line},{line}")]
    result = run_git(root, "blame", "--porcelain", *ranges, "--", file, timeout_seconds=_TIMEOUT_SECONDS)
    if result.exit_code != 0:
        return {}  # not committed yet, or fewer lines than the index knew
    found: dict[int, LineOrigin] = {}
    by_commit: dict[bytes, LineOrigin] = {}
    commit, line = b"", 0
    for each in result.stdout.split(b"\n"):
        if heading := _HEADING.fullmatch(each):
            commit, line = heading[1], int(heading[2])
            if commit in by_commit:
                found[line] = by_commit[commit]
        elif each.startswith(_TIME) and each[len(_TIME) :].isdigit():
            by_commit[commit] = found[line] = LineOrigin(commit.decode(), int(each[len(_TIME) :]))
    return {line: origin for line, origin in found.items() if origin.commit.strip("0")}
