"""Runs of statements that stand in more than one place, each as long as all its places agree.

A walk over the tree of common beginnings, as a suffix tree has them, without building it: places that begin with the
same two statements are followed on as long as they go on alike, and apart from where they part.
"""

import itertools
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

_MOST_STEPS: Final = (
    10_000_000  # places looked at: a file that repeats one line a million times is nobody's clone
)
_LEAST: Final = 2  # statements; what is said in one is found apart


class Repeat(NamedTuple):
    """The same statements in several places: where each begins, and how many statements there are."""

    places: tuple[int, ...]
    length: int


class Repeats:
    """The repeats of labelled statements; `is_whole` is false where there was no end of them."""

    def __init__(self, labels: Sequence[int], *, most_steps: int = _MOST_STEPS) -> None:
        self._most_steps = most_steps
        self._labels = [*labels, -1 - len(labels)]
        self._steps = 0
        self.is_whole = True

    def __iter__(self) -> Iterator[Repeat]:
        """Those that cannot be made longer in either direction without losing a place."""
        for places in self._pairs():
            yield from self._follow(places)
            if self._steps > self._most_steps:
                self.is_whole = False
                return

    def singles(self) -> Iterator[tuple[int, ...]]:
        """The places of each statement that stands more than once, whatever is around it."""
        found: dict[int, list[int]] = defaultdict(list)
        for place, label in enumerate(self._labels):
            if label > 0:
                found[label].append(place)
        return map(tuple, found.values())

    def _pairs(self) -> Iterator[list[int]]:
        labels = self._labels
        found: dict[int, list[int]] = defaultdict(list)
        for place, (label, following) in enumerate(itertools.pairwise(labels)):
            # Rows of one or two statements after each other are tables, and have as many repeats as pairs of rows.
            is_row = following == labels[place - 1] and label in {following, labels[place - 2]}
            if label > 0 and following > 0 and not is_row:
                found[label << 32 | following].append(place)
        return (places for places in found.values() if len(places) > 1)

    def _follow(self, start: list[int]) -> Iterator[Repeat]:
        labels = self._labels
        waiting = [(start, _LEAST)]
        while waiting:
            places, length = waiting.pop()
            if self._begins_earlier(places):
                continue  # found from there, with all that follows
            while True:
                self._steps += len(places)
                if self._steps > self._most_steps:
                    return
                ways: dict[int, list[int]] = defaultdict(list)
                for place in places:
                    ways[labels[place + length]].append(place)
                if len(ways) > 1:
                    break
                length += 1
            yield Repeat(tuple(places), length)
            waiting += [(way, length + 1) for way in ways.values() if len(way) > 1]

    def _begins_earlier(self, places: Sequence[int]) -> bool:
        labels = self._labels
        before = labels[places[0] - 1] if places[0] else -1
        return before > 0 and all(place and labels[place - 1] == before for place in places)
