"""Errors on their way up: from where they are thrown through the callers to the handler that catches them.

What is not followed: errors of libraries, which no throw of the project shows, and calls that lead nobody knows where.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from drift.analyses.error_handling.boundaries import Boundary, rules
from drift.analyses.error_handling.hierarchy import families, family_name, last_name, root_of
from drift.analyses.error_handling.regions import Guarding, Region
from drift.index.error_queries import CalledFrom
from drift.index.ids import SymbolId
from drift.languages.facts import CallTrait

if TYPE_CHECKING:
    from drift.analyses.error_handling.boundaries import Boundaries
    from drift.analyses.error_handling.hierarchy import Hierarchy
    from drift.index import IndexReader
    from drift.index.error_queries import ErrorFile, PlacedError
    from drift.index.records import SymbolRecord

_MIN_CONFIDENCE: Final = 0.5  # of a call: a guess between two is still followed, one between three is not
_MOST_STEPS: Final = 400_000
_EVERYWHERE: Final = 1 << 30
_CALLBACK: Final = "<callback of "
_CATCH: Final = ".catch"
_CATCH_REACH: Final = 15  # lines from a call to the end of the chain that catches what it promises


class Entry(NamedTuple):
    """A way into the product."""

    symbol: SymbolId
    kind: str
    detail: str


class Hop(NamedTuple):
    """From where an error came up into a function, and the line there."""

    callee: SymbolId
    line: int
    confidence: float


class Unhandled(NamedTuple):
    """An error that comes up to an entry point; `path` goes from there down to the throw, with the lines."""

    entry: Entry
    language: str
    type: str
    path: tuple[tuple[SymbolId, int], ...]
    confidence: float


@dataclass(slots=True)
class Escapes:
    """Where all errors of a project go."""

    leaving: dict[SymbolId, set[str]] = field(default_factory=lambda: defaultdict(set))
    caught: dict[SymbolId, set[tuple[SymbolId, str]]] = field(default_factory=lambda: defaultdict(set))
    passed: dict[SymbolId, set[tuple[SymbolId, str]]] = field(default_factory=lambda: defaultdict(set))
    unhandled: list[Unhandled] = field(default_factory=list)
    answered: dict[Boundary | str, int] = field(default_factory=lambda: defaultdict(int))
    arriving: dict[str, int] = field(default_factory=lambda: defaultdict(int))  # at entries, by language
    is_cut: bool = False


class Walk:
    """What is needed to follow errors."""

    def __init__(
        self,
        reader: "IndexReader",
        hierarchy: "Hierarchy",
        guards: dict[SymbolId, Guarding],
        files: Mapping[int, "ErrorFile"],
    ) -> None:
        self._reader = reader
        self._hierarchy = hierarchy
        self._guards = guards
        self._files = files
        self._callers: dict[SymbolId, list[CalledFrom]] = {}
        self.chained = _chained(reader)  # by function the lines on which what is promised is caught
        self._waiting = frozenset(reader.errors.modified("async"))
        self._steps = 0
        self._guard_deferred()

    def language(self, symbol: SymbolId) -> str:
        return family_name(self._files[symbol >> 16].language)

    def follow(self, entries: Iterable[Entry], boundaries: "Boundaries") -> Escapes:
        """Follow every error to its end."""
        found, by_symbol = Escapes(), defaultdict(list)
        for each in entries:
            by_symbol[each.symbol].append(each)
        symbols = {one.id: one for one in self._reader.symbols.many(by_symbol)}
        for (language, thrown), starts in sorted(self._starts(found).items()):
            via = self._climb(language, thrown, starts, found)
            for symbol in sorted((via.keys() | starts.keys()) & symbols.keys()):
                for entry in by_symbol[symbol]:
                    found.arriving[language] += 1
                    ending = boundaries.ending(language, thrown, symbols[symbol], kind=entry.kind)
                    if ending is not None:
                        found.answered[ending] += 1
                        continue
                    path, confidence = _path(symbol, via, starts)
                    found.unhandled.append(Unhandled(entry, language, thrown, path, confidence))
        return found

    def _starts(self, found: Escapes) -> dict[tuple[str, str], dict[SymbolId, int]]:
        """By language and type the functions that an error leaves in which it is thrown, with a line of a throw."""
        starts: dict[tuple[str, str], dict[SymbolId, int]] = defaultdict(dict)
        for symbol, guarding in self._guards.items():
            if self._files[symbol >> 16].role == "test":
                continue
            for throw in guarding.throws:
                for thrown in self._thrown(symbol, guarding, throw):
                    traits = int(CallTrait.IN_HANDLER) if guarding.is_in_handler(throw.line) else 0
                    language = self.language(symbol)
                    if guarding.catcher(self._hierarchy, language, thrown, line=throw.line, traits=traits):
                        found.caught[symbol].add((symbol, thrown))
                        continue
                    starts[language, thrown].setdefault(symbol, throw.line)
                    found.leaving[symbol].add(thrown)
        return starts

    def _thrown(self, symbol: SymbolId, guarding: Guarding, throw: "PlacedError") -> Iterator[str]:
        language = self.language(symbol)
        family = families().get(language)
        # A handler that throws on what it caught is none: the error is followed past it anyway.
        if not throw.types and guarding.is_in_handler(throw.line):
            return
        for written in throw.types or (root_of(language),):
            name = last_name(written)
            if family is not None and name in family.placeholders:
                continue
            # What a function makes is an error of some type.
            yield name if name[:1].isupper() or language == "cpp" or not throw.types else root_of(language)

    def _climb(
        self, language: str, thrown: str, starts: Mapping[SymbolId, int], found: Escapes
    ) -> dict[SymbolId, Hop]:
        via: dict[SymbolId, Hop] = {}
        frontier = sorted(starts)
        while frontier and not found.is_cut:
            self._load(frontier)
            above: dict[SymbolId, Hop] = {}
            for symbol in frontier:
                for call in self._callers[symbol]:
                    self._steps += 1
                    fate = self._fate(call, language, thrown)
                    if fate == "caught":
                        found.caught[call.caller].add((call.callee, thrown))
                    if fate != "passes":
                        continue
                    found.passed[call.caller].add((call.callee, thrown))
                    if call.caller not in via and call.caller not in starts and call.caller not in above:
                        above[call.caller] = Hop(call.callee, call.line, call.confidence)
            via.update(above)
            for symbol in above:
                found.leaving[symbol].add(thrown)
            frontier = sorted(above)
            found.is_cut = self._steps > _MOST_STEPS
        return via

    def _fate(self, call: CalledFrom, language: str, thrown: str) -> Literal["caught", "lost", "passes"]:
        """What becomes of an error that comes up through a call."""
        guarding = self._guards.get(call.caller)
        if language == "javascript" and call.callee in self._waiting and not call.traits & CallTrait.AWAITED:
            lines = self.chained.get(call.caller, ())
            if any(call.line <= line <= call.line + _CATCH_REACH for line in lines):
                return "caught"
            # What is promised and not waited for fails after the region is left.
            if call.traits & CallTrait.RETURNED:
                return "passes"
            if call.traits & CallTrait.DROPPED:
                return "lost"
        if guarding is None:
            return "passes"
        handler = guarding.catcher(self._hierarchy, language, thrown, line=call.line, traits=call.traits)
        return "passes" if handler is None else "caught"

    def _load(self, symbols: Iterable[SymbolId]) -> None:
        wanted = [each for each in symbols if each not in self._callers]
        for each in wanted:
            self._callers[each] = []
        for call in self._reader.errors.called_from(wanted, min_confidence=_MIN_CONFIDENCE):
            if self._files[call.caller >> 16].role != "test":
                self._callers[call.callee].append(call)
        for one in self._reader.symbols.many(wanted):
            if one.parent_id is not None and _runs_in_place(one):
                self._callers[one.id].append(CalledFrom(one.id, one.parent_id, one.line, 1.0, 0))

    def _guard_deferred(self) -> None:
        """Give the functions that defer a recovery a region that is all of them."""
        recovering = {
            symbol: guarding.handlers
            for symbol, guarding in self._guards.items()
            if guarding.handlers and not guarding.regions and self.language(symbol) == "go"
        }
        for call in self._reader.errors.called_from(recovering, min_confidence=_MIN_CONFIDENCE):
            if call.traits & CallTrait.IN_RESOURCE:
                guarding = self._guards.setdefault(call.caller, Guarding())
                guarding.regions.insert(0, Region(0, _EVERYWHERE, list(recovering[call.callee])))


def _chained(reader: "IndexReader") -> Mapping[SymbolId, list[int]]:
    """By function the lines on which what is promised is caught."""
    found: dict[SymbolId, list[int]] = defaultdict(list)
    for call in reader.errors.calls_ending(_CATCH):
        found[call.caller].append(call.line)
    return found


def _runs_in_place(symbol: "SymbolRecord") -> bool:
    """Whether a function without a name runs where it is written."""
    if not symbol.name.startswith(_CALLBACK):
        return False
    given = symbol.name.removeprefix(_CALLBACK).rstrip(">").removeprefix("new ")
    return given.rpartition(".")[2] in rules()["callbacks"]["in_place"]


def _path(
    entry: SymbolId, via: Mapping[SymbolId, Hop], starts: Mapping[SymbolId, int]
) -> tuple[tuple[tuple[SymbolId, int], ...], float]:
    path: list[tuple[SymbolId, int]] = []
    symbol, confidence = entry, 1.0
    while symbol in via and symbol not in starts:
        hop = via[symbol]
        path.append((symbol, hop.line))
        confidence = min(confidence, hop.confidence)
        symbol = hop.callee
    path.append((symbol, starts[symbol]))
    return tuple(path), confidence


def find_entries(reader: "IndexReader", is_entry: Callable[[str, str], bool]) -> list[Entry]:
    """The ways into the product that errors may come up to, each function once for each way."""
    found = [
        Entry(one.member_id or one.symbol_id, one.kind, one.detail)
        for one in reader.graph.product_entries()
        if is_entry(one.kind, one.detail)
    ]
    return list(dict.fromkeys(found))
