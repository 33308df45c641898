"""Counting how others import: the nearer they are, the more their way counts."""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Final, NamedTuple, TypeVar

from drift.index.records import ImportRecord

T = TypeVar("T")

_SAME_FOLDER: Final = 4
_SAME_TREE: Final = 2
_ELSEWHERE: Final = 1


class Vote(NamedTuple):
    """What most do, how many do it, and how many there are."""

    counted: int
    total: int

    @property
    def share(self) -> float:
        """How much of the whole, rounded for reading."""
        return round(self.counted / self.total, 2) if self.total else 0.0


def elect(
    imports: Iterable[ImportRecord], way_of: Callable[[ImportRecord], T | None], *, folder: str
) -> tuple[T, Vote] | None:
    """The way that most of the imports choose, those nearest to a folder counting most."""
    weights: Counter[T] = Counter()
    counts: Counter[T] = Counter()
    for each in imports:
        way = way_of(each)
        if way is not None:
            weights[way] += _nearness(each.path, folder)
            counts[way] += 1
    if not weights:
        return None
    best = max(weights, key=lambda way: (weights[way], repr(way)))
    return best, Vote(counts[best], counts.total())


def _nearness(path: str, folder: str) -> int:
    home = path.rpartition("/")[0]
    if home == folder:
        return _SAME_FOLDER
    return _SAME_TREE if home.partition("/")[0] == folder.partition("/")[0] else _ELSEWHERE


def say(vote: Vote, what: str) -> str:
    """A vote as evidence: `12 of 14 imports of it`."""
    return f"{vote.counted} of {vote.total} {what}"
