"""Secrets in history: what commits added, whether or not it is still there.

What it does: reads the added lines of commits, newest first, and tells each secret once, with the commit that added it first.
Why it matters: a secret that was deleted is still in every clone.
Known limits: at most so many commits and bytes are read, which the answer says; what only a merge added is not seen.
"""

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, NamedTuple

from drift.analyses.secrets.findings import Secret, scan_values
from drift.analyses.secrets.judging import Level
from drift.analyses.secrets.project import at_least, is_code_file, rank
from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.ranking import Ranked, Sort
from drift.kernel.redaction import Severity
from drift.kernel.text import plural
from drift.project.git import run_git

_MOST_COMMITS: Final = 5_000
_COMMITS_AT_ONCE: Final = 250
_MOST_BYTES_AT_ONCE: Final = 48_000_000
_MOST_BYTES: Final = 256_000_000
_SECONDS: Final = 60.0
_HUNK: Final = re.compile(rb"@@ -\d{1,9}(?:,\d{1,9})? \+(\d{1,9})")
_COMMIT: Final = b"\x01commit "


@dataclass(frozen=True, slots=True)
class PastSecret:
    """A secret and the commit that added it first; `is_present` where its value still stands in a file."""

    secret: Secret
    commit: str
    date: str
    is_present: bool


class PastSecrets(NamedTuple):
    """What was found in history, and how far back was read."""

    rows: tuple[PastSecret, ...]
    commits: int
    is_whole: bool

    @property
    def summary(self) -> str:
        gone = sum(not each.is_present for each in self.rows)
        whole = "" if self.is_whole else "; not all commits could be read"
        return (
            f"{plural(len(self.rows), 'secret')} in {plural(self.commits, 'commit')}, "
            f"{gone} of them no longer in the files{whole}"
        )

    def kept(self, level: Level, severity: Severity | None) -> "PastSecrets":
        """Those that are as sure and as grave as wanted."""
        wanted = set(at_least((each.secret for each in self.rows), level, severity))
        return self._replace(rows=tuple(each for each in self.rows if each.secret in wanted))

    def ranked(self) -> Ranked[PastSecret]:
        return Ranked(
            self.rows,
            {
                "severity": Sort(lambda one: (*rank(one.secret), one.commit)),
                "date": Sort(lambda one: (one.date, *rank(one.secret), one.commit), "asc"),
            },
        )


class _Added(NamedTuple):
    """Lines that a commit added to a file in one place."""

    commit: str
    date: str
    path: str
    line: int
    content: bytes


def find_in_history(
    root: Path, present: Callable[[str], bool], *, check_cancelled: Callable[[], None] = lambda: None
) -> PastSecrets:
    """The secrets that commits of all branches added. `present` says whether a value still stands in a file."""
    found: dict[tuple[str, str], PastSecret] = {}
    commits = read = 0
    is_whole = True
    while commits < _MOST_COMMITS and read < _MOST_BYTES:
        check_cancelled()
        output, is_broken = _log(root, skip=commits)
        read += len(output)
        count = output.count(_COMMIT)
        for added in _added_lines(output):
            for secret, value in scan_values(added.path, added.content, is_code=is_code_file(added.path)):
                placed = replace(secret, line=added.line + secret.line - 1)
                found[secret.rule, value] = PastSecret(placed, added.commit, added.date, present(value))
        commits += max(count, int(is_broken))  # a commit that could not be read whole is passed by
        is_whole = is_whole and not is_broken
        if count < _COMMITS_AT_ONCE and not is_broken:
            break
    else:
        is_whole = False
    rows = sorted(found.values(), key=lambda each: rank(each.secret))
    return PastSecrets(tuple(rows), commits, is_whole)


def _log(root: Path, *, skip: int) -> tuple[bytes, bool]:
    """What some commits added, and whether it is cut: too much, or, in a clone without all objects, not there."""
    result = run_git(
        root, "log", "--all", "--no-merges", "--no-color", "--no-renames", "--diff-filter=AM", "-p", "--unified=0",
        f"--skip={skip}", f"--max-count={_COMMITS_AT_ONCE}", "--format=%x01commit %H %cs",
        timeout_seconds=_SECONDS, max_bytes=_MOST_BYTES_AT_ONCE,
    )  # fmt: skip
    is_broken = bool(result.exit_code) or result.is_cut
    if is_broken and not result.stdout and not skip:
        raise DriftError(
            ErrorCode.STORE_UNAVAILABLE,
            f"git could not tell the history: {result.stderr.strip()[:200]}",
            Recovery(hint="Look at the files alone: history=false."),
        )
    return result.stdout, is_broken and bool(result.stdout)


def _added_lines(output: bytes) -> Iterator[_Added]:
    commit = date = path = ""
    line = 0
    added: list[bytes] = []
    for each in output.split(b"\n"):
        if each.startswith(b"+") and not each.startswith(b"+++ ") and line:
            added.append(each[1:])
            continue
        if added:
            yield _Added(commit, date, path, line, b"\n".join(added))
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
        yield _Added(commit, date, path, line, b"\n".join(added))
