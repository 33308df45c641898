"""What may run functions that no test is seen to run: what calls them, or callers of theirs, from outside the project."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from drift.analyses.callables import CALLABLE_KINDS
from drift.analyses.graph_rows import shown_name
from drift.analyses.outside_parents import unseen_caller
from drift.analyses.unseen_calls import is_accessor
from drift.index import IndexReader
from drift.index.ids import SymbolId
from drift.index.records import SymbolRecord
from drift.kernel.text import plural

_MOST_TOLD: Final = 3
_MOST_STARTED: Final = 10  # functions without a test that are looked at for whether they run at the start
_MOST_BEHIND: Final = 40  # the same, for whether something outside leads to them
_MOST_STEPS: Final = 3  # back from a function to where the program begins
_MOST_CALLS: Final = 4  # back from a function to what is called from outside
_MOST_LOOKED_AT: Final = 200  # users, for what may call them from outside
_LIKELY: Final = 0.5  # what is less sure hands on no doubt: it would be one on everything


class UnseenWay(NamedTuple):
    """What outside the project may call a symbol, or the nearest of those that lead to it."""

    caller: str
    called: SymbolRecord
    is_itself: bool

    def says(self) -> str:
        """The way as a reason of one function."""
        if self.is_itself:
            return f"outside: {self.caller} may call it"
        return f"outside: {self.caller} may call {shown_name(self.called)}, through which it runs"


def find_unseen_way(reader: IndexReader, symbol: SymbolRecord) -> UnseenWay | None:
    """What calls from outside may lead to a symbol, by likely calls of the product; the nearest is told."""
    caller = unseen_caller(reader, symbol)
    itself = UnseenWay(caller, symbol, is_itself=True) if caller is not None else None
    # That accessors are called by the name of their field is true of all of them: a way says more.
    if itself is not None and not is_accessor(symbol):
        return itself
    return _way_back(reader, symbol) or itself


def _way_back(reader: IndexReader, symbol: SymbolRecord) -> UnseenWay | None:
    level, seen = [symbol.id], {symbol.id}
    for _ in range(_MOST_CALLS):
        level = _calling(reader, level, seen)
        seen.update(level)
        if not level or len(seen) > _MOST_LOOKED_AT:
            return None
        for one in reader.symbols.many(level):
            # Who makes the objects of a class is no one way in, and tests that ask for a route are seen.
            if one.kind not in _RUN or is_accessor(one) or reader.facts.entry_points_at(one.id):
                continue
            if (caller := unseen_caller(reader, one)) is not None:
                return UnseenWay(caller, one, is_itself=False)
    return None


_RUN: Final = CALLABLE_KINDS - {"class", "struct", "module", "constructor"}


def _calling(reader: IndexReader, level: Sequence[SymbolId], seen: set[SymbolId]) -> list[SymbolId]:
    """What calls these; of an inner function that is handed on the one around it runs it at the earliest."""
    places = reader.callers.places(level, named=None)
    found = {one.caller_id for one in places if not one.is_test and one.confidence >= _LIKELY}
    found |= {
        one.parent_id
        for one in reader.symbols.many(level)
        if one.parent_id is not None and one.kind == "function" and "." in one.qualname
    }
    return sorted(found - seen)


def unseen_caller_warnings(reader: IndexReader, symbols: Iterable[SymbolRecord]) -> tuple[str, ...]:
    """That what calls these, or what leads to them, from outside may do so in tests, too: each caller once."""
    found: dict[str, tuple[UnseenWay, list[str]]] = {}
    others: list[SymbolRecord] = []
    for number, one in enumerate(symbols):
        way = find_unseen_way(reader, one) if number < _MOST_BEHIND and len(found) < _MOST_TOLD else None
        if way is None:
            others.append(one)
            continue
        _, names = found.setdefault(way.caller, (way, []))
        if not way.is_itself and found[way.caller][0].called.id == way.called.id:
            names.append(shown_name(one))
    told = [_warning(way, names) for way, names in found.values()]
    started = [one for one in others[:_MOST_STARTED] if _runs_at_start(reader, one)]
    if started:
        starting = ", ".join(map(shown_name, started[:_MOST_TOLD]))
        told.append(
            f"{starting} {'runs' if len(started) == 1 else 'run'} when the program starts: "
            "tests that start all of it run that, too, and are not told"
        )
    return tuple(told)


def _warning(way: UnseenWay, names: Sequence[str]) -> str:
    may = f"{way.caller} may call {shown_name(way.called)}"
    if way.is_itself:
        return f"{may}: tests that start it run what it calls, and are not told"
    more = f" and {plural(len(names) - _MOST_TOLD, 'other')}" if len(names) > _MOST_TOLD else ""
    does = "runs" if len(names) == 1 else "run"
    return (
        f"{may}, through which {', '.join(names[:_MOST_TOLD])}{more} {does}: tests that start it are not told"
    )


def _runs_at_start(reader: IndexReader, symbol: SymbolRecord) -> bool:
    """Whether a few calls lead to a symbol from where the program begins."""
    begins = {one.symbol_id for one in reader.graph.product_entries() if one.kind == "main"}
    level, seen = {symbol.id}, {symbol.id}
    for _ in range(_MOST_STEPS if begins else 0):
        level = {place.caller_id for place in reader.callers.places(sorted(level), named=None)} - seen
        if not level.isdisjoint(begins):
            return True
        seen |= level
        if not level or len(seen) > _MOST_LOOKED_AT:
            return False
    return False
