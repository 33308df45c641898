"""One run that no call in the text shows, and what is behind steps of any kind."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypeVar

from drift.index.ids import SymbolId

T = TypeVar("T")


class Run(NamedTuple):
    """A symbol that comes to run another, and how surely; `needed`: where an object of this class is at hand."""

    user: SymbolId
    used: SymbolId
    confidence: float
    needed: SymbolId | None = None


def reached_from(start: T, steps: Mapping[T, Iterable[T]]) -> set[T]:
    """The start and all that its steps lead to, directly or through others."""
    reached, pending = {start}, [start]
    while pending:
        more = [each for each in steps.get(pending.pop(), ()) if each not in reached]
        reached.update(more)
        pending += more
    return reached
