"""Classes written in several parts, in one file or in more: what each part declares, all of them have."""

from __future__ import annotations

from drift.languages.kinds import TYPE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.keys import space_key
from drift.scan.link.type_counts import arity_of
from drift.scan.link.values import Values, is_symbol, symbol_of


def other_parts(analysis: Analysis, owner: int) -> list[int]:
    """The other parts of a class; those of a class inside another are not looked for."""
    program = analysis.program
    is_whole = "partial" not in program.symbol(owner).modifiers  # as nearly all are
    parts = [] if is_whole else parts_in(analysis, owner, program.table_of(owner).facts.language)
    return [*parts, *program.semantics_at(owner).other_parts(analysis, owner)]


def parts_in(analysis: Analysis, owner: int, language: str) -> list[int]:
    """The other parts of a class that are written in a language; none of one that is whole."""
    symbol, table = analysis.program.symbol(owner), analysis.program.table_of(owner)
    if "partial" not in symbol.modifiers or symbol.parent not in table.spaces:
        return []
    name = (language, table.facts.package, symbol.name)
    # Found once for all parts, as each has all others.
    parts = analysis.cached(("parts", name, arity_of(symbol)), _find_parts, name, arity_of(symbol))
    return [part for part in parts if part != owner]


def _find_parts(analysis: Analysis, name: tuple[str, str, str], arity: int) -> list[int]:
    program = analysis.program
    return [
        other.first + definition.number
        for other in program.tables_at(program.providing(space_key(*name)))
        for scope in other.spaces
        for definition in program.definitions(other, scope, name[2]) or ()
        if definition.kind == "symbol"
        and _is_part(analysis, other.first + definition.number)
        and arity_of(program.symbol(other.first + definition.number)) == arity
    ]


def whole_classes(analysis: Analysis, values: Values) -> Values:
    """The values with the first part of each class in the place of all: it has what the others declare."""
    if len(values) == 1:
        return values
    program = analysis.program
    seen: set[tuple[str, str, int]] = set()
    kept = []
    for value in values:
        if is_symbol(value) and _is_part(analysis, symbol_of(value)):
            symbol, table = program.symbol(symbol_of(value)), program.table_of(symbol_of(value))
            if symbol.parent in table.spaces:
                name = (table.facts.package, symbol.name, arity_of(symbol))
                if name in seen:
                    continue
                seen.add(name)
        kept.append(value)
    return tuple(kept)


def _is_part(analysis: Analysis, number: int) -> bool:
    symbol = analysis.program.symbol(number)
    return symbol.kind in TYPE_KINDS and "partial" in symbol.modifiers
