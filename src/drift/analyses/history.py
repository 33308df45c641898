"""What changed lately: commits, and the files they touch, renames followed."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Final, NamedTuple

from drift.history import Commit, Wanted, follow_renames, opened_history
from drift.index.path_text import path_to_text
from drift.kernel.errors import DriftError, ErrorCode
from drift.kernel.ranking import Ranked, Sort, as_found
from drift.kernel.text import plural, shorten
from drift.project.git import user_argument

_LONGEST_SUMMARY: Final = 120
_LONGEST_AUTHOR: Final = 60
_HASH_DIGITS: Final = 10
# Fewer commits than this with a type are chance: `note: …` looks like one.
_LEAST_TYPED: Final = 0.5


_MOST_FILES: Final = 15


@dataclass(frozen=True, slots=True)
class CommitRow:
    """A commit; `type` is its conventional type, where the project writes them."""

    commit: str
    date: str
    author: str
    type: str | None
    summary: str
    files: int


@dataclass(frozen=True, slots=True)
class ChangedFileRow:
    """A file under its present name; `state` is the last thing that happened to it."""

    file: str
    commits: int
    last: str
    state: str
    renamed_from: str | None = None


class Lately(NamedTuple):
    """The commits of a time, newest first, and what has to be said of how they were read."""

    commits: tuple[Commit, ...]
    last_day: date | None = None
    """That of HEAD, with which the time ends; none without a commit."""
    notes: tuple[str, ...] = ()

    @property
    def is_typed(self) -> bool:
        """Whether the project writes conventional types."""
        typed = sum(one.type is not None for one in self.commits)
        return bool(self.commits) and typed / len(self.commits) >= _LEAST_TYPED


_STATES: Final = {"A": "added", "M": "changed", "D": "deleted", "R": "renamed", "C": "copied", "T": "changed"}


def read_lately(root: Path, *, area: str | None, days: int) -> Lately:
    """The commits of the days up to HEAD's that touch an area, a file or folder of the project; merges left out."""
    place = user_argument(area, argument="area").rstrip("/") if area else None
    with opened_history(root, Wanted(days=days + 1)) as history:
        reach = history.reach
        if reach.head_time is None:
            return Lately(())
        last_day = datetime.fromtimestamp(reach.head_time, UTC).date()
        since = datetime.combine(last_day - timedelta(days=days), time.min, UTC)
        seconds = int(since.timestamp())
        commits = history.since(seconds, area=None if place in {None, "."} else place)
        is_short = reach.oldest_time is not None and reach.oldest_time >= seconds
        return Lately(tuple(commits), last_day, reach.notes() if is_short else ())


def commit_rows(lately: Lately) -> list[CommitRow]:
    """The commits as rows, newest first."""
    is_typed = lately.is_typed
    return [
        CommitRow(
            one.hash[:_HASH_DIGITS],
            datetime.fromtimestamp(one.time, UTC).date().isoformat(),
            shorten(one.author, _LONGEST_AUTHOR),
            one.type if is_typed else None,
            shorten(one.subject, _LONGEST_SUMMARY),
            len(one.changes),
        )
        for one in lately.commits
    ]


def changed_files(lately: Lately) -> list[ChangedFileRow]:
    """The files touched, most often first; what a file did under earlier names is counted for it."""
    commits: Counter[str] = Counter()
    first: dict[str, tuple[str, str]] = {}
    earlier: dict[str, str] = {}
    for commit, changes in follow_renames(lately.commits):
        day = datetime.fromtimestamp(commit.time, UTC).date().isoformat()
        for name, change in changes:
            commits[name] += 1
            first.setdefault(name, (day, _STATES.get(change.letter, "changed")))
            if change.letter == "R" and change.old_path:
                earlier[name] = change.old_path
    rows = [
        ChangedFileRow(path_to_text(name), count, *first[name], _text(earlier.get(name)))
        for name, count in commits.items()
    ]
    return sorted(rows, key=lambda row: (-row.commits, row.file))


def _text(path: str | None) -> str | None:
    return path_to_text(path) if path is not None else None


@dataclass(frozen=True, slots=True)
class RecentData:
    """Commits of the time, newest first, and the files they touch most. `types` counts conventional types."""

    commits: tuple[CommitRow, ...]
    files: tuple[ChangedFileRow, ...]
    types: dict[str, int]
    authors: int


def check_area(root: Path, area: str | None, found: Lately) -> None:
    if area and not found.commits and not (root / area).exists():
        raise DriftError(
            ErrorCode.FILE_NOT_FOUND, f"{area!r} is not in the project, and no recent commit touched it."
        )


def of_type(lately: Lately, wanted: str) -> Lately:
    is_typed = lately.is_typed
    return lately._replace(
        commits=tuple(one for one in lately.commits if is_typed and one.type == wanted.lower())
    )


def history_warnings(found: Lately, wanted: str | None) -> tuple[str, ...]:
    warnings = []
    if wanted not in {None, "all"} and found.commits and not found.is_typed:
        warnings.append("commits here carry no conventional types, so none can be chosen by type")
    return (*warnings, *found.notes)


COMMIT_SORTS: Final[Mapping[str, Sort[CommitRow]]] = {
    "date": Sort(as_found, "desc"),  # as git tells them
    "author": Sort(lambda row: (row.author.lower(),)),
    "files": Sort(lambda row: (-row.files,), "desc"),
}
_GONE: Final = "The history has changed since this cursor was given"


class Recent(NamedTuple):
    """What changed lately, as an answer tells it."""

    commits: list[CommitRow]
    files: list[ChangedFileRow]
    found: Lately
    """Of whatever type."""

    @property
    def summary(self) -> str:
        return f"{plural(len(self.commits), 'commit')} to {plural(len(self.files), 'file')}"

    @property
    def until(self) -> str:
        """The day with which the time ends, in words."""
        return f" up to {self.found.last_day.isoformat()}" if self.found.last_day else ""

    def ranked(self) -> Ranked[CommitRow]:
        return Ranked(self.commits, COMMIT_SORTS, identity=lambda row: row.commit, gone=_GONE)

    def data(self, shown: tuple[CommitRow, ...]) -> RecentData:
        types = Counter(row.type for row in self.commits if row.type)
        authors = len({row.author for row in self.commits})
        return RecentData(shown, tuple(self.files[:_MOST_FILES]), dict(types.most_common()), authors)

    @property
    def present_file(self) -> str | None:
        """The most touched file that is there; names that begin with a dot are settings, seldom in the index."""
        present = (row.file for row in self.files if row.state != "deleted")
        return next((file for file in present if not file.rpartition("/")[2].startswith(".")), None)


def find_recent(root: Path, *, area: str | None, days: int, kind: str | None) -> Recent:
    """The commits of the last days to a place, of a conventional type or of all."""
    found = read_lately(root, area=area, days=days)
    check_area(root, area, found)
    wanted = found if kind in {None, "all"} else of_type(found, kind or "")
    return Recent(commit_rows(wanted), changed_files(wanted), found)
