"""What changed lately, from git's own log: commits, and the files they touch, renames followed."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Final, NamedTuple

from drift.index.path_text import path_to_text
from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.ranking import Ranked, Sort, as_found
from drift.kernel.text import plural, shorten
from drift.project.git import run_git, user_argument

_MOST_COMMITS: Final = 2_000
_MOST_BYTES: Final = 20_000_000
_LONGEST_SUMMARY: Final = 120
_LONGEST_AUTHOR: Final = 60
_START: Final = re.compile("\x01(?=[0-9a-f]{40,64}\x1f)")
_TYPE: Final = re.compile(r"(?P<type>[a-zA-Z]{2,20})(?:\([^)]{0,80}\))?!?:\s")
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


class Change(NamedTuple):
    """What a commit did to a file: A, M, D, R or another of git's letters."""

    letter: str
    path: str
    old_path: str | None


class Commit(NamedTuple):
    """A commit with its changes inside the project."""

    id: str
    day: str
    author: str
    summary: str
    changes: tuple[Change, ...]

    @property
    def type(self) -> str | None:
        """The conventional type that the summary begins with."""
        found = _TYPE.match(self.summary)
        return found["type"].lower() if found else None


class History(NamedTuple):
    """The commits of a time, newest first; `is_cut` where there were too many to read."""

    commits: tuple[Commit, ...]
    is_cut: bool

    @property
    def is_typed(self) -> bool:
        """Whether the project writes conventional types."""
        typed = sum(one.type is not None for one in self.commits)
        return bool(self.commits) and typed / len(self.commits) >= _LEAST_TYPED


_STATES: Final = {"A": "added", "M": "changed", "D": "deleted", "R": "renamed", "C": "copied", "T": "changed"}


def read_history(root: Path, *, area: str | None, since: date) -> History:
    """The commits since a day that touch an area, a file or folder of the project; merges left out."""
    place = user_argument(area, argument="area").rstrip("/") if area else None
    if run_git(root, "rev-parse", "--git-dir", max_bytes=10_000).exit_code != 0:
        raise DriftError(
            ErrorCode.STORE_UNAVAILABLE,
            f"{root} is not in a git repository, so there is no history to read.",
            Recovery(hint="Run git init, or ask a tool that needs no history."),
        )
    if run_git(root, "rev-parse", "--verify", "--quiet", "HEAD", max_bytes=10_000).exit_code != 0:
        return History((), is_cut=False)
    result = run_git(
        root,
        "log",
        f"--since={since.isoformat()}T00:00:00Z",
        f"--max-count={_MOST_COMMITS}",
        "--no-merges",
        "--relative",
        "--find-renames",
        "--name-status",
        "-z",
        "--format=%x01%H%x1f%ct%x1f%an%x1f%s%x00",
        "HEAD",
        "--",
        *((f":(literal){place}",) if place and place != "." else ()),
        max_bytes=_MOST_BYTES,
    )
    if result.exit_code != 0 and not result.is_cut:
        raise DriftError(ErrorCode.ANALYSIS_FAILED, f"git log failed: {shorten(result.stderr, 300)}")
    chunks = _START.split(result.text)[1:]
    commits = [found for chunk in chunks if (found := _parse(chunk)) is not None]
    touching = tuple(one for one in commits if one.changes or place is None)
    return History(touching, is_cut=result.is_cut or len(chunks) >= _MOST_COMMITS)


def since_day(today: date, days: int) -> date:
    """The day from which the last `days` days begin."""
    return today - timedelta(days=days)


def _parse(chunk: str) -> Commit | None:
    heading, _, rest = chunk.partition("\0")
    fields = heading.split("\x1f", 3)
    if len(fields) != 4 or not fields[1].isdigit():  # noqa: PLR2004 - as the format above has
        return None
    commit, seconds, author, summary = fields
    day = datetime.fromtimestamp(min(int(seconds), 2**33), UTC).date().isoformat()
    words = [word.lstrip("\n") for word in rest.split("\0") if word.strip("\n")]
    changes: list[Change] = []
    position = 0
    while position + 1 < len(words):
        letter = words[position][0]
        is_pair = letter in "RC" and position + 2 < len(words)
        old = words[position + 1] if is_pair else None
        changes.append(Change(letter, words[position + 1 + is_pair], old))
        position += 2 + is_pair
    return Commit(
        commit[:10],
        day,
        path_to_text(shorten(author, _LONGEST_AUTHOR)),
        path_to_text(shorten(summary, _LONGEST_SUMMARY)),
        tuple(changes),
    )


def commit_rows(history: History) -> list[CommitRow]:
    """The commits as rows, newest first."""
    is_typed = history.is_typed
    return [
        CommitRow(one.id, one.day, one.author, one.type if is_typed else None, one.summary, len(one.changes))
        for one in history.commits
    ]


def changed_files(history: History) -> list[ChangedFileRow]:
    """The files touched, most often first; what a file did under earlier names is counted for it."""
    present: dict[str, str] = {}
    commits: Counter[str] = Counter()
    first: dict[str, tuple[str, str]] = {}
    earlier: dict[str, str] = {}
    for commit in history.commits:
        for change in commit.changes:
            name = present.get(change.path, change.path)
            commits[name] += 1
            first.setdefault(name, (commit.day, _STATES.get(change.letter, "changed")))
            if change.letter == "R" and change.old_path:
                present[change.old_path] = name
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


def check_area(root: Path, area: str | None, found: History) -> None:
    if area and not found.commits and not (root / area).exists():
        raise DriftError(
            ErrorCode.FILE_NOT_FOUND, f"{area!r} is not in the project, and no recent commit touched it."
        )


def of_type(history: History, wanted: str) -> History:
    commits = tuple(one for one in history.commits if history.is_typed and one.type == wanted.lower())
    return History(commits, history.is_cut)


def history_warnings(found: History, wanted: str | None) -> tuple[str, ...]:
    warnings = []
    if wanted not in {None, "all"} and found.commits and not found.is_typed:
        warnings.append("commits here carry no conventional types, so none can be chosen by type")
    if found.is_cut:
        warnings.append("there were more commits than could be read; the oldest are left out")
    return tuple(warnings)


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
    found: History
    """Of whatever type."""

    @property
    def summary(self) -> str:
        return f"{plural(len(self.commits), 'commit')} to {plural(len(self.files), 'file')}"

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


def find_recent(root: Path, *, area: str | None, since: date, kind: str | None) -> Recent:
    """The commits since a day to a place, of a conventional type or of all."""
    found = read_history(root, area=area, since=since)
    check_area(root, area, found)
    wanted = found if kind in {None, "all"} else of_type(found, kind or "")
    return Recent(commit_rows(wanted), changed_files(wanted), found)
