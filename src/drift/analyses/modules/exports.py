"""Exports that nothing in the project uses, each with the reasons why it may be alive all the same."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from drift.analyses.dead_code.finding import DeadCode, DeadSymbol
from drift.kernel.ranking import Ranked, Sort

_OFFERED: Final = frozenset({"export", "public-name"})


@dataclass(frozen=True, slots=True)
class ExportRow:
    """An exported name without a use here: how likely it is dead, and what speaks against that."""

    symbol: str
    kind: str
    file: str
    line: int
    confidence: float
    may_be_alive: tuple[str, ...]


def unused_exports(found: DeadCode, paths: Collection[str] | None) -> Ranked[DeadSymbol]:
    """What is exported and has no use, in some files or in all."""
    rows = [
        one
        for one in found.found
        if any(doubt.kind in _OFFERED for doubt in one.doubts) and (paths is None or one.symbol.path in paths)
    ]
    usual: Sort[DeadSymbol] = Sort(lambda one: (-one.confidence, one.symbol.path, one.symbol.line), "desc")
    return Ranked(rows, {"confidence": usual}, identity=lambda one: int(one.symbol.id))


def export_row(one: DeadSymbol) -> ExportRow:
    symbol = one.symbol
    reasons = tuple(f"{doubt.kind}: {doubt.evidence}" for doubt in one.doubts)
    return ExportRow(symbol.qualname, symbol.kind, symbol.path, symbol.line, one.confidence, reasons)
