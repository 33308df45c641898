"""What commits added, line by line: some commits at once, newest first."""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.project.git import run_git

COMMITS_AT_ONCE: Final = 250
_MOST_BYTES: Final = 48_000_000
_SECONDS: Final = 60.0
_HUNK: Final = re.compile(rb"@@ -\d{1,9}(?:,\d{1,9})? \+(\d{1,9})")
_COMMIT: Final = b"\x01commit "


class Added(NamedTuple):
    """Lines that a commit added to a file in one place."""

    commit: str
    date: str
    path: str
    line: int
    content: bytes


class AddedPage(NamedTuple):
    """What some commits added; broken where it is cut: too much, or, in a clone without all objects, not there."""

    lines: Iterator[Added]
    commits: int
    size: int
    is_broken: bool


def added_lines(root: Path, *, skip: int) -> AddedPage:
    """What the next commits of all branches added, behind those that are skipped.

    Raises:
        DriftError: git could not tell anything.
    """
    result = run_git(
        root, "log", "--all", "--no-merges", "--no-color", "--no-renames", "--diff-filter=AM", "-p", "--unified=0",
        f"--skip={skip}", f"--max-count={COMMITS_AT_ONCE}", "--format=%x01commit %H %cs",
        timeout_seconds=_SECONDS, max_bytes=_MOST_BYTES,
    )  # fmt: skip
    is_broken = bool(result.exit_code) or result.is_cut
    output = result.stdout
    if is_broken and not output and not skip:
        raise DriftError(
            ErrorCode.STORE_UNAVAILABLE,
            f"git could not tell the history: {result.stderr.strip()[:200]}",
            Recovery(hint="Look at the files alone: history=false."),
        )
    return AddedPage(_read(output), output.count(_COMMIT), len(output), is_broken and bool(output))


def _read(output: bytes) -> Iterator[Added]:
    commit = date = path = ""
    line = 0
    added: list[bytes] = []
    for each in output.split(b"\n"):
        if each.startswith(b"+") and not each.startswith(b"+++ ") and line:
            added.append(each[1:])
            continue
        if added:
            yield Added(commit, date, path, line, b"\n".join(added))
            added = []
        if each.startswith(_COMMIT):
            commit, _, date = each[len(_COMMIT) :].decode("ascii", "replace").partition(" ")
            path, line = "", 0
        elif each.startswith(b"diff --git "):
            path, line = "", 0
        elif each.startswith(b"+++ b/"):
            path = os.fsdecode(each[6:].rstrip(b"\t"))
        elif path and (hunk := _HUNK.match(each)) is not None:
            line = int(hunk[1])
    if added:
        yield Added(commit, date, path, line, b"\n".join(added))
