"""When lines were last changed: one look of git at each file, for the lines that are wanted alone."""

import os
import re
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Final

from drift.history import Wanted, opened_history
from drift.index.path_text import text_to_path
from drift.kernel.errors import DriftError
from drift.project.git import run_git

_HEADING: Final = re.compile(rb"([0-9a-f]{40,64}) \d{1,9} (\d{1,9})(?: \d{1,9})?")
_TIME: Final = b"committer-time "
_MOST_LINES: Final = 400  # of a file in one question
_TIMEOUT_SECONDS: Final = 20.0

Times = dict[tuple[str, int], int]


def line_times(root: Path, wanted: Mapping[str, Collection[int]]) -> tuple[Times, int | None]:
    """Seconds since 1970 by file and line, and those of HEAD; nothing where there is no repository."""
    try:
        with opened_history(root, Wanted(commits=1)) as history:
            head_time = history.reach.head_time
    except DriftError:
        return {}, None
    if head_time is None:
        return {}, None
    times: Times = {}
    for file, lines in wanted.items():
        times |= {(file, line): when for line, when in _blame(root, file, lines).items()}
    return times, head_time


def _blame(root: Path, file: str, lines: Collection[int]) -> dict[int, int]:
    ranges = [part for line in sorted(lines)[:_MOST_LINES] for part in ("-L", f"{line},{line}")]
    path = os.fspath(text_to_path(file))
    result = run_git(root, "blame", "--porcelain", *ranges, "--", path, timeout_seconds=_TIMEOUT_SECONDS)
    if result.exit_code != 0:
        return {}  # not committed yet, or fewer lines than the index knew
    found: dict[int, int] = {}
    by_commit: dict[bytes, int] = {}
    commit, line = b"", 0
    for each in result.stdout.split(b"\n"):
        if heading := _HEADING.fullmatch(each):
            commit, line = heading[1], int(heading[2])
            if commit in by_commit:
                found[line] = by_commit[commit]
        elif each.startswith(_TIME) and each[len(_TIME) :].isdigit():
            by_commit[commit] = found[line] = int(each[len(_TIME) :])
    return found
