"""What people thought of examples, and what that does to the choice of the next ones.

A good one lifts its file by .1, a bad one lowers it by .15 (one bad example costs more trust than a good one builds), an irrelevant
one by .05; three tenths of it go to the folder. A file that was lowered below -.5 by enough of them is no longer shown.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from posixpath import dirname
from typing import Final, Literal, NamedTuple

from drift.project import Project
from drift.state import Feedback, RatingCount, StateStore

ExampleRating = Literal["good", "bad", "irrelevant"]
Rating = Literal["useful", "partial", "not_useful"]

ABOUT: Final = "example"
_RATINGS: Final[Mapping[ExampleRating, Rating]] = {
    "good": "useful",
    "bad": "not_useful",
    "irrelevant": "partial",
}
_DELTAS: Final[Mapping[Rating, float]] = {"useful": 0.1, "not_useful": -0.15, "partial": -0.05}
_TO_FOLDER: Final = 0.3
_EXCLUDED_BELOW: Final = -0.5
_SURE_FROM: Final = 0.5
_HALF_SURE: Final = 3  # ratings after which a file's boost is half certain
_WEIGHT: Final = 0.7
_KEPT_DAYS: Final = 365
_MOST_SHOWN: Final = 5
_SEPARATOR: Final = " "


class Standing(NamedTuple):
    """How the examples of a file were liked."""

    boost: float = 0.0
    ratings: int = 0

    @property
    def confidence(self) -> float:
        return self.ratings / (self.ratings + _HALF_SURE)

    @property
    def is_excluded(self) -> bool:
        return self.boost < _EXCLUDED_BELOW and self.confidence > _SURE_FROM

    @property
    def multiplier(self) -> float:
        """By what the worth of an example in the file is multiplied: between .3 and 1.7."""
        return 1 + _WEIGHT * self.boost


class Likings(NamedTuple):
    """How the examples of all files were liked."""

    files: Mapping[str, Standing]
    folders: Mapping[str, float]

    def of(self, path: str) -> Standing:
        own = self.files.get(path, Standing())
        boost = max(-1.0, min(1.0, own.boost + self.folders.get(dirname(path), 0.0)))
        return Standing(boost, own.ratings)


@dataclass(frozen=True, slots=True)
class RatedRow:
    """Something that was rated, and how often in this way."""

    name: str
    count: int


@dataclass(frozen=True, slots=True)
class FeedbackStats:
    """All that was said of examples within a year."""

    total: int
    good: int
    bad: int
    irrelevant: int
    liked: tuple[RatedRow, ...]
    disliked: tuple[RatedRow, ...]
    bad_files: tuple[RatedRow, ...]
    excluded_files: tuple[str, ...]


def rate_example(
    project: Project,
    *,
    pattern: str,
    file: str,
    line: int | None,
    rating: ExampleRating,
    reason: str | None,
    client: str | None,
    now: datetime,
) -> int:
    """Keep what somebody thinks of an example; its number."""
    subject = _SEPARATOR.join((pattern, file if line is None else f"{file}:{line}"))
    said = Feedback(now, ABOUT, subject, _RATINGS[rating], reason=reason, client=client)
    with closing(StateStore(project.stores.state_db)) as store:
        return store.add_feedback(said)


def read_likings(project: Project, now: datetime) -> Likings:
    """How the examples of files and folders were liked."""
    return _likings(_ratings(project, now))


def feedback_stats(project: Project, now: datetime) -> FeedbackStats:
    """What was said of examples."""
    counts = _ratings(project, now)
    by_rating: Counter[str] = Counter()
    by_pattern: dict[str, Counter[str]] = {"useful": Counter(), "not_useful": Counter()}
    bad_files: Counter[str] = Counter()
    for each in counts:
        pattern, file = _subject(each.subject)
        by_rating[each.rating] += each.count
        if each.rating in by_pattern:
            by_pattern[each.rating][pattern] += each.count
        if each.rating == "not_useful":
            bad_files[file] += each.count
    standings = _likings(counts)
    return FeedbackStats(
        by_rating.total(),
        by_rating["useful"],
        by_rating["not_useful"],
        by_rating["partial"],
        _rows(by_pattern["useful"]),
        _rows(by_pattern["not_useful"]),
        _rows(bad_files),
        tuple(sorted(path for path in standings.files if standings.of(path).is_excluded)),
    )


def _ratings(project: Project, now: datetime) -> list[RatingCount]:
    with closing(StateStore(project.stores.state_db)) as store:
        return store.ratings(since=now.astimezone(UTC) - timedelta(days=_KEPT_DAYS), about=ABOUT)


def _likings(counts: Iterable[RatingCount]) -> Likings:
    files: dict[str, Standing] = {}
    folders: dict[str, float] = {}
    for each in counts:
        _, file = _subject(each.subject)
        change = _DELTAS[each.rating] * each.count
        known = files.get(file, Standing())
        files[file] = Standing(max(-1.0, min(1.0, known.boost + change)), known.ratings + each.count)
        folders[dirname(file)] = folders.get(dirname(file), 0.0) + _TO_FOLDER * change
    return Likings(files, folders)


def _subject(subject: str) -> tuple[str, str]:
    """The convention and the file of what was rated."""
    pattern, _, place = subject.partition(_SEPARATOR)
    file, colon, line = place.rpartition(":")
    return pattern, file if colon and line.isdigit() else place


def _rows(counts: Counter[str]) -> tuple[RatedRow, ...]:
    return tuple(RatedRow(name, count) for name, count in counts.most_common(_MOST_SHOWN))
