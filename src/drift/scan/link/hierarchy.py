"""Lines of descent: a class, then its ancestors in the order in which members are looked for."""

from __future__ import annotations

from typing import Final

from drift.scan.link.analysis import Analysis
from drift.scan.link.tables import CLASS_KINDS
from drift.scan.link.values import SYMBOL, SYMBOL_MASK, Values

_MOST_ANCESTORS: Final = 200

Ancestor = int | str
Line = tuple[Ancestor, ...]


def line_of_descent(analysis: Analysis, owner: int) -> Line:
    """The class and its ancestors by C3 linearisation; those outside the project by their names.

    Where no consistent order exists, the order of writing decides.
    """
    known = analysis.lines_of_descent.get(owner)
    if known is not None:
        return known
    analysis.lines_of_descent[owner] = (owner,)  # what a class that descends from itself sees
    parents = [parent for parent in _parents(analysis, owner) if parent != owner]
    lines: list[list[Ancestor]] = [
        list(line_of_descent(analysis, parent)) if isinstance(parent, int) else [parent] for parent in parents
    ]
    line = (owner, *_merge_lines([*lines, list(parents)], owner))
    analysis.lines_of_descent[owner] = line
    return line


def base_values(analysis: Analysis, owner: int, position: int) -> Values:
    """What one named parent of a class is."""
    symbol = analysis.program.symbol(owner)
    return analysis.evaluate(symbol.bases[position].type, analysis.program.parent(owner))


def _parents(analysis: Analysis, owner: int) -> list[Ancestor]:
    parents: list[Ancestor] = []
    program = analysis.program
    for position in range(len(program.symbol(owner).bases)):
        for value in base_values(analysis, owner, position):
            if isinstance(value, str):
                parents.append(value)
            elif (
                isinstance(value, int)
                and value & 3 == SYMBOL
                and program.symbol(value >> 2).kind in CLASS_KINDS
            ):
                parents.append(value >> 2)
    return list(dict.fromkeys(parents))


def _merge_lines(lines: list[list[Ancestor]], owner: int) -> Line:
    merged: dict[Ancestor, None] = {}
    while len(merged) < _MOST_ANCESTORS:
        lines = [line for line in lines if line]
        if not lines:
            break
        heads = [line[0] for line in lines]
        later = {ancestor for line in lines for ancestor in line[1:]}
        chosen = next((head for head in heads if head not in later), heads[0])
        if chosen != owner:
            merged[chosen] = None
        lines = [[ancestor for ancestor in line if ancestor != chosen] for line in lines]
    return tuple(merged)


def trace_descent(analysis: Analysis) -> None:
    """Find every line of descent before anything is called: later they are only looked up."""
    for table in analysis.program.tables():
        for number, symbol in enumerate(table.symbols):
            if symbol.kind in CLASS_KINDS:
                line_of_descent(analysis, table.first + number)


def attach_methods(analysis: Analysis) -> None:
    """Give methods that stand outside their class (by their receiver's type) to it."""
    program = analysis.program
    for table in program.tables():
        for number, symbol in enumerate(table.symbols):
            is_outside = symbol.kind == "method" and table.symbols[symbol.parent].kind not in CLASS_KINDS
            if not (is_outside and symbol.parameters and symbol.parameters[0].kind == "receiver"):
                continue
            for value in analysis.evaluate(symbol.parameters[0].type, table.first + symbol.parent):
                if isinstance(value, int) and program.symbol(value >> 2).kind in CLASS_KINDS:
                    program.owners[table.first + number] = value >> 2
                    members = program.attached.setdefault(value >> 2, {})
                    members.setdefault(symbol.name, []).append(table.first + number)
                    break


def own_members(analysis: Analysis, owner: int, name: str) -> list[int]:
    """The symbols of that name that a class itself declares, in its body or outside."""
    table = analysis.program.table_of(owner)
    found = [
        table.first + definition.number
        for definition in table.names[owner & SYMBOL_MASK].get(name, ())
        if definition.kind == "symbol"
    ]
    return [*found, *analysis.program.attached.get(owner, {}).get(name, ())]
