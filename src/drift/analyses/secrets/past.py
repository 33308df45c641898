"""Secrets in history: what commits added, whether or not it is still there.

What it does: reads the added lines of commits, newest first, and tells each secret once, with the commit that added it first.
Why it matters: a secret that was deleted is still in every clone.
Known limits: at most so many commits and bytes are read, which the answer says; what only a merge added is not seen.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, NamedTuple

from drift.analyses.secrets.findings import Secret, scan_values
from drift.analyses.secrets.judging import Level
from drift.analyses.secrets.project import at_least, is_code_file, rank
from drift.history import COMMITS_AT_ONCE, added_lines
from drift.kernel.ranking import Ranked, Sort
from drift.kernel.redaction import Severity
from drift.kernel.text import plural

_MOST_COMMITS: Final = 5_000
_MOST_BYTES: Final = 256_000_000


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


def find_in_history(
    root: Path, present: Callable[[str], bool], *, check_cancelled: Callable[[], None] = lambda: None
) -> PastSecrets:
    """The secrets that commits of all branches added. `present` says whether a value still stands in a file."""
    found: dict[tuple[str, str], PastSecret] = {}
    commits = read = 0
    is_whole = True
    while commits < _MOST_COMMITS and read < _MOST_BYTES:
        check_cancelled()
        page = added_lines(root, skip=commits)
        read += page.size
        for added in page.lines:
            for secret, value in scan_values(added.path, added.content, is_code=is_code_file(added.path)):
                placed = replace(secret, line=added.line + secret.line - 1)
                found[secret.rule, value] = PastSecret(placed, added.commit, added.date, present(value))
        # A commit that could not be read whole is passed by.
        commits += max(page.commits, int(page.is_broken))
        is_whole = is_whole and not page.is_broken
        if page.commits < COMMITS_AT_ONCE and not page.is_broken:
            break
    else:
        is_whole = False
    rows = sorted(found.values(), key=lambda each: rank(each.secret))
    return PastSecrets(tuple(rows), commits, is_whole)
