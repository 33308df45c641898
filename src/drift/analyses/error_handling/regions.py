"""The regions that guard code: which lines a try protects, and what its handlers do with what they catch."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal

from drift.languages.facts import CallTrait, HandlingTrait

if TYPE_CHECKING:
    from drift.analyses.error_handling.hierarchy import Hierarchy
    from drift.index.error_queries import PlacedError
    from drift.index.ids import SymbolId

Grade = Literal["rethrows", "transforms", "reports", "recovers", "default", "log", "nothing"]
"""What becomes of a caught error, from most to least: thrown on, thrown as another, given back, dealt with, a
default in its place, a line in a log, nothing."""


@dataclass(slots=True)
class Region:
    """A try and its handlers. `last` is the last line of what it guards."""

    first: int
    last: int
    handlers: list["PlacedError"] = field(default_factory=list)

    def guards(self, line: int, *, is_in_handler: bool) -> bool:
        """Whether what stands on a line is guarded; on the line of a handler the text before it is."""
        if not self.first <= line <= self.last:
            return False
        in_own_handler = any(one.line <= line <= one.end_line for one in self.handlers)
        return not (in_own_handler and is_in_handler)


@dataclass(slots=True)
class Guarding:
    """What a function has of regions, handlers, checks and throws."""

    regions: list[Region] = field(default_factory=list)
    handlers: list["PlacedError"] = field(default_factory=list)
    checks: list["PlacedError"] = field(default_factory=list)
    throws: list["PlacedError"] = field(default_factory=list)

    def catcher(
        self, hierarchy: "Hierarchy", language: str, thrown: str, *, line: int, traits: int = 0
    ) -> "PlacedError | None":
        """The handler that ends an error of a type that comes up on a line; one that throws it on is none."""
        is_in_handler = bool(traits & CallTrait.IN_HANDLER)
        for region in reversed(self.regions):  # the innermost begins last
            if not region.guards(line, is_in_handler=is_in_handler):
                continue
            fitting = (one for one in region.handlers if hierarchy.catches(language, one.types, thrown))
            first = next(fitting, None)
            if first is not None and not first.traits & HandlingTrait.RETHROWS:
                return first
        return None

    def is_in_handler(self, line: int) -> bool:
        """Whether a line is within one of the handlers."""
        return any(one.line <= line <= one.end_line for one in self.handlers)


# In these a region is told with its handlers in it, in others as what it guards alone.
_TOLD_WHOLE: Final = frozenset({"javascript", "php", "cpp"})


def guardings(
    found: Iterable["PlacedError"], language_of: Callable[["SymbolId"], str]
) -> dict["SymbolId", Guarding]:
    """By function what it has; `found` is in the order of the text."""
    by_symbol: dict[SymbolId, list[PlacedError]] = defaultdict(list)
    for each in found:
        by_symbol[each.symbol].append(each)
    return {
        symbol: _guarding(some, is_whole=language_of(symbol) in _TOLD_WHOLE)
        for symbol, some in by_symbol.items()
    }


def _guarding(found: Sequence["PlacedError"], *, is_whole: bool) -> Guarding:
    made = Guarding()
    ends: list[int] = []  # of the regions, as they are told
    for each in found:
        if each.kind == "try":
            made.regions.append(Region(each.line, each.end_line))
            ends.append(each.end_line)
        elif each.kind == "catch":
            number = _owner(made.regions, ends, each, is_whole=is_whole)
            if number is not None:
                region = made.regions[number]
                region.last = min(region.last, each.line)
                region.handlers.append(each)
            made.handlers.append(each)
        elif each.kind == "check":
            made.checks.append(each)
        elif each.kind == "throw":
            made.throws.append(each)
    return made


def _owner(
    regions: Sequence[Region], ends: Sequence[int], handler: "PlacedError", *, is_whole: bool
) -> int | None:
    """The number of the region that a handler is of."""
    for number in range(len(regions) - 1, -1, -1):
        first, end = regions[number].first, ends[number]
        if is_whole:
            if first <= handler.line and handler.end_line <= end:
                return number
        elif end <= handler.line and not _is_over(regions, ends, number, handler.line):
            return number
    return None


def _is_over(regions: Sequence[Region], ends: Sequence[int], number: int, line: int) -> bool:
    """Whether a region lies in another, or in a handler of another, that ends before a line."""
    first, end = regions[number].first, ends[number]
    for other, region in enumerate(regions[:number]):
        if region.first <= first and end <= ends[other] < line:
            return True
        if any(one.line < first and end <= one.end_line < line for one in region.handlers):
            return True
    return False


def grade(handler: "PlacedError") -> Grade:
    """What a handler or a check does about the error."""
    traits = handler.traits
    if traits & HandlingTrait.RETHROWS:
        return "rethrows"
    if traits & HandlingTrait.THROWS_OTHER:
        return "transforms"
    if traits & HandlingTrait.PASSES_ON:
        return "reports"
    if handler.is_empty:
        return "nothing"
    if traits & HandlingTrait.LOGS:
        return "recovers" if traits & HandlingTrait.RETURNS else "log"
    if traits & HandlingTrait.USES_ERROR:
        return "recovers"
    return "default" if traits & HandlingTrait.RETURNS else "recovers"
