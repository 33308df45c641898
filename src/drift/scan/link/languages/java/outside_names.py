"""Names that nothing in the project defines, in a language whose files would not compile with such.

A bare method is then one of what a class around inherits from outside, or of a class outside whose members are
imported whole; a bare type is of a package outside that is imported whole.
"""

from __future__ import annotations

from drift.languages.kinds import TYPE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.destinations import import_destination
from drift.scan.link.hierarchy import line_of_descent
from drift.scan.link.values import NOTHING, SYMBOL_MASK, Values, external_member, merge


def outside_values(analysis: Analysis, name: str, scope: int) -> Values:
    """What an undefined name means, by what a file imports whole; all it may mean where that is several things."""
    is_type = name[:1].isupper()
    inherited = NOTHING if is_type else _inherited_values(analysis, name, scope)
    if inherited:
        return inherited
    table = analysis.program.table_of(scope)
    starred = [import_destination(analysis, table, at) for numbers in table.stars.values() for at in numbers]
    return merge(
        external_member(destination.external, name)
        for destination in starred
        if destination.external is not None and _is_class(destination.external) != is_type
    )


def _inherited_values(analysis: Analysis, name: str, scope: int) -> Values:
    table = analysis.program.table_of(scope)
    number = scope & SYMBOL_MASK
    while number:
        symbol = analysis.program.symbol(table.first + number)
        if symbol.kind in TYPE_KINDS:
            line = line_of_descent(analysis, table.first + number)
            outside = next((one for one in line if isinstance(one, str)), None)
            if outside is not None:
                return external_member(outside, name)
        number = symbol.parent
    return NOTHING


def _is_class(name: str) -> bool:
    return name.rpartition(".")[2][:1].isupper()
