"""How well each function deals with errors, as a figure whose parts are told.

It begins at 50. What is done about errors adds to it, what loses them takes away; the weights are those of the design,
but for calls that are not guarded: an error that a caller above handles may well pass through, so that only those count
that nothing catches on any way to an entry point.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.analyses.error_handling.findings import Finding
from drift.analyses.error_handling.regions import Guarding, grade
from drift.analyses.error_handling.rows import HandlerRow, ProfileRow
from drift.index.ids import SymbolId
from drift.languages.facts import HandlingTrait

if TYPE_CHECKING:
    from drift.index.records import SymbolRecord

_START: Final = 50
_LEVELS: Final = (("excellent", 80), ("good", 60), ("fair", 40))
_RECOVERING: Final = frozenset({"recovers", "reports", "default"})
_LOST: Final = {"swallowed-error": ("swallows", -25), "bare-catch": ("catches anything", -5),
    "unhandled-async": ("nobody awaits", -20), "async-void": ("nobody awaits", -20)}  # fmt: skip


class Known(NamedTuple):
    """What is known of all functions."""

    guards: Mapping[SymbolId, Guarding]
    findings: Mapping[SymbolId, list[Finding]]
    leaving: Mapping[SymbolId, set[str]]
    unguarded: Collection[SymbolId]  # on a way from an entry point to a throw that nothing catches
    awaiting: Collection[SymbolId]  # that await in a region
    chaining: Collection[SymbolId]  # that catch what is promised


def by_symbol(findings: Iterable[Finding]) -> dict[SymbolId, list[Finding]]:
    """The findings of each function."""
    found: dict[SymbolId, list[Finding]] = defaultdict(list)
    for one in findings:
        found[one.symbol].append(one)
    return found


def score(symbol: SymbolId, known: Known) -> dict[str, int]:
    """The parts of a function's quality."""
    guarding = known.guards.get(symbol, Guarding())
    handling = [*guarding.handlers, *guarding.checks]
    grades = {grade(one) for one in handling}
    traits = 0
    for one in handling:
        traits |= one.traits
    parts = {"start": _START}
    given = (
        ("handles errors", 20, bool(handling)),
        ("recovers", 15, bool(grades & _RECOVERING)),
        ("transforms", 10, "transforms" in grades),
        ("keeps the cause", 5, bool(traits & HandlingTrait.KEEPS_CAUSE)),
        ("awaits in a region", 10, symbol in known.awaiting),
        ("catches promises", 5, symbol in known.chaining),
        ("calls nothing guards", -20, symbol in known.unguarded),
    )
    parts.update((name, weight) for name, weight, is_so in given if is_so)
    parts.update(_LOST[one.kind] for one in known.findings.get(symbol, ()) if one.kind in _LOST)
    return parts


def level_of(quality: int) -> str:
    """The word for a quality."""
    return next((name for name, least in _LEVELS if quality >= least), "poor")


def profile(symbol: "SymbolRecord", known: Known) -> ProfileRow:
    """All that is known of one function."""
    guarding = known.guards.get(symbol.id, Guarding())
    parts = score(symbol.id, known)
    quality = max(0, min(100, sum(parts.values())))
    handlers = sorted((*guarding.handlers, *guarding.checks), key=lambda one: one.line)
    return ProfileRow(
        symbol.qualname if symbol.kind != "module" else "(file)",
        symbol.path,
        symbol.line,
        quality,
        level_of(quality),
        parts,
        tuple(sorted({name for one in guarding.throws for name in one.types})),
        tuple(sorted(known.leaving.get(symbol.id, ()))),
        tuple(HandlerRow(one.line, one.types, grade(one)) for one in handlers),
    )
