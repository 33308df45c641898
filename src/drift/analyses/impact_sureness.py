"""How surely what a change may touch is touched: by all steps of the way to it, not by the last alone."""

from typing import TYPE_CHECKING, Final

from drift.analyses.definitions import declarations_of
from drift.index.ids import SymbolId

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from drift.index import IndexReader
    from drift.index.caller_queries import CallPlace

_STEPS: Final = 100  # of one way; none that is walked is as long


def _calling(reader: "IndexReader", starts: "Collection[SymbolId]") -> "list[CallPlace]":
    own = {*starts, *declarations_of(reader, reader.symbols.many(starts))}
    return [*reader.callers.places(sorted(own)), *reader.callers.places_above(own)]


class Sureness:
    """How surely symbols come to run what changes, by the ways on which they were reached."""

    def __init__(
        self,
        reader: "IndexReader",
        starts: "Collection[SymbolId]",
        overridden: "Collection[SymbolId]",
        origins: "Mapping[SymbolId, SymbolId]",
    ) -> None:
        self._reader = reader
        self._origins = origins
        self._overridden = frozenset(overridden).difference(starts)
        self._shares: dict[SymbolId, float] = {}
        for place in _calling(reader, starts) if self._overridden else ():
            self._shares[place.caller_id] = max(place.confidence, self._shares.get(place.caller_id, 0.0))
        self._known: dict[SymbolId, float] = {}

    def of(self, symbol: SymbolId) -> float:
        """Of a whole way; 1.0 where no step of it is in doubt."""
        way = [symbol]
        while len(way) < _STEPS and way[-1] not in self._known and way[-1] in self._origins:
            way.append(self._origins[way[-1]])
        sure = self._known.get(way[-1], 1.0)
        for user, used in zip(reversed(way[:-1]), reversed(way[1:]), strict=True):
            sure *= self.of_step(user, used)
            self._known[user] = sure
        return sure

    def of_step(self, user: SymbolId, used: SymbolId) -> float:
        """Of one step: a call of a method that what changes overrides runs it as likely as each that does."""
        hop = self._reader.graph.hop(user, used)
        sure = 1.0 if hop is None else hop.confidence
        return min(sure, self._shares.get(user, sure)) if used in self._overridden else sure

    def of_test(self, path: tuple[SymbolId, ...], confidence: float) -> float:
        """Of a test that comes to what changes on this way."""
        if len(path) > 1 and path[-1] in self._overridden:
            return confidence * self._shares.get(path[-2], 1.0)
        return confidence

    def is_by_override(self, used: SymbolId) -> bool:
        """Whether a step leads to what changes only because that overrides what is called."""
        return used in self._overridden
