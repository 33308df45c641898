"""Values that hold for one state of an index, kept in memory until the index changes."""

import threading
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Final, Generic, TypeVar

if TYPE_CHECKING:
    from drift.index import IndexReader

_MOST_ASKED: Final = 4  # questions about one state whose answers are kept
_MOST_STATES: Final = 2  # a server mostly serves one project; two, so that comparing them is quick, too

T = TypeVar("T")


class PerState(Generic[T]):
    """One value for each of the last states of indexes that were asked about."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: dict[tuple[str, int], T] = {}

    def get(self, reader: "IndexReader", make: Callable[[], T]) -> T:
        """The value for the state the reader sees, made when first asked for; two threads may make it at once."""
        state = reader.testing.state()
        with self._lock:
            found = self._kept.get(state)
        if found is not None:
            return found
        made = make()
        with self._lock:
            # An older state of the same index is never asked about again.
            for other in [each for each in self._kept if each[0] == state[0] and each != state]:
                del self._kept[other]
            while len(self._kept) >= _MOST_STATES and state not in self._kept:
                del self._kept[next(iter(self._kept))]
            return self._kept.setdefault(state, made)


class PerQuestion(Generic[T]):
    """The values of a few questions about each of the last states of indexes."""

    def __init__(self) -> None:
        self._states: PerState[dict[Hashable, T]] = PerState()

    def get(self, reader: "IndexReader", question: Hashable, make: Callable[[], T]) -> T:
        """The value for a question, made when it is first asked about the state the reader sees."""
        known = self._states.get(reader, dict)
        found = known.get(question)
        if found is None:
            found = make()
            if len(known) >= _MOST_ASKED:
                known.clear()
            known[question] = found
        return found
