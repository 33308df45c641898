"""Churn: how often and how much each file changed, from the commits behind HEAD.

What it does: counts commits, authors and lines by file under its present name, in a window that ends with HEAD's day.
Why it matters: what changes often and is complex is where the next fault is made.
Example: a file that forty of a month's fifty commits touch.
Known limits: merges count through the commits they join; lines of files that are no text are not counted.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.history import Wanted, follow_renames, opened_history
from drift.index.path_text import path_to_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from drift.history import Commit

_COMMITS_WEIGHT: Final = 0.6
_LINES_WEIGHT: Final = 0.4
HOTSPOT_SCORE: Final = 0.5
STABLE_SCORE: Final = 0.1
_SECONDS_A_DAY: Final = 86_400
_HALF_LIFE_DAYS: Final = 90  # after which a changed line counts half, where recency matters


@dataclass(frozen=True, slots=True)
class FileChurn:
    """A file under its present name. Lines are null where none of its changes could be counted, as of binary files."""

    file: str
    commits: int
    authors: int
    added: int | None
    removed: int | None
    score: float
    first: str
    last: str
    is_present: bool


class Churn(NamedTuple):
    """What changed in a window of days that ends with HEAD's."""

    files: tuple[FileChurn, ...]
    commits: int
    authors: Mapping[str, int]
    """Commits by author."""
    until: str | None
    since: str | None
    notes: tuple[str, ...] = ()


class _Counted:
    """One file while commits are read, newest first."""

    def __init__(self) -> None:
        self.commits = 0
        self.authors: set[str] = set()
        self.added: int | None = None
        self.removed: int | None = None
        self.last = self.first = 0
        self.letter = "M"

    def note(self, commit: Commit, letter: str, added: int | None, removed: int | None) -> None:
        if not self.commits:
            self.last, self.letter = commit.time, letter
        self.commits += 1
        self.authors.add(commit.mail or commit.author)
        self.first = commit.time
        if added is not None and removed is not None:
            self.added, self.removed = (self.added or 0) + added, (self.removed or 0) + removed

    @property
    def lines(self) -> int:
        return (self.added or 0) + (self.removed or 0)


def read_churn(root: Path, *, days: int, area: str | None = None) -> Churn:
    """The churn of a project, or of a file or folder in it."""
    commits, notes, head_time = _commits(root, days)
    if head_time is None:
        return Churn((), 0, {}, None, None, ("the repository has no commit yet",))
    counted: dict[str, _Counted] = defaultdict(_Counted)
    authors: dict[str, int] = defaultdict(int)
    total = 0
    for commit, changes in follow_renames(commits):
        inside = [(name, change) for name, change in changes if _is_inside(name, area)]
        if not inside:
            continue
        total += 1
        authors[commit.author] += 1
        for name, change in inside:
            counted[name].note(commit, change.letter, change.added, change.removed)
    end = datetime.fromtimestamp(head_time, UTC).date()
    return Churn(
        _ranked(counted),
        total,
        dict(sorted(authors.items(), key=lambda one: (-one[1], one[0]))),
        end.isoformat(),
        (end - timedelta(days=days)).isoformat(),
        notes,
    )


def recent_lines(root: Path, *, days: int) -> Mapping[str, float]:
    """Changed lines by file under its present name, each line worth less the longer ago it changed."""
    commits, _, head_time = _commits(root, days)
    found: dict[str, float] = defaultdict(float)
    for commit, changes in follow_renames(commits):
        age = max(0, (head_time or commit.time) - commit.time) / _SECONDS_A_DAY
        weight = 0.5 ** (age / _HALF_LIFE_DAYS)
        for name, change in changes:
            found[path_to_text(name)] += weight * ((change.added or 0) + (change.removed or 0))
    return found


def _commits(root: Path, days: int) -> tuple[list[Commit], tuple[str, ...], int | None]:
    """The commits of the window with their lines, newest first."""
    with opened_history(root, Wanted(days=days + 1)) as history:
        reach = history.reach
        if reach.head_time is None:
            return [], (), None
        since = reach.head_time - days * _SECONDS_A_DAY
        commits = history.with_lines(history.since(since))
        is_short = reach.oldest_time is not None and reach.oldest_time >= since
        return commits, reach.notes() if is_short else (), reach.head_time


def _is_inside(path: str, area: str | None) -> bool:
    return area in {None, "", "."} or path == area or path.startswith(f"{area}/")


def _ranked(counted: Mapping[str, _Counted]) -> tuple[FileChurn, ...]:
    most_commits = max((one.commits for one in counted.values()), default=0)
    most_lines = max((one.lines for one in counted.values()), default=0)
    rows = [
        FileChurn(
            path_to_text(name),
            one.commits,
            len(one.authors),
            one.added,
            one.removed,
            _score(one, most_commits, most_lines),
            _day(one.first),
            _day(one.last),
            one.letter != "D",
        )
        for name, one in counted.items()
    ]
    return tuple(sorted(rows, key=lambda row: (-row.score, row.file)))


def _score(one: _Counted, most_commits: int, most_lines: int) -> float:
    """0 to 1: its share of the most commits and of the most lines that any file has."""
    lines = one.lines / most_lines if most_lines else 0.0
    return round(_COMMITS_WEIGHT * one.commits / most_commits + _LINES_WEIGHT * lines, 4)


def _day(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).date().isoformat()


def hotspots(files: Iterable[FileChurn], most: int = 10) -> tuple[FileChurn, ...]:
    """The files that changed most, of those that are there."""
    return tuple(one for one in files if one.is_present and one.score > HOTSPOT_SCORE)[:most]
