"""Types whose names members of the class around have too: `Layout Layout { get; }`, `new Value(text)` in `Value()`.

Where C# wants a type, members do not count.
"""

from __future__ import annotations

from drift.languages.facts import Expression
from drift.scan.link.analysis import Analysis
from drift.scan.link.hierarchy import class_around
from drift.scan.link.tables import CLASS_KINDS
from drift.scan.link.values import NOTHING, SYMBOL, Values


def hidden_types(analysis: Analysis, named: Expression, scope: int) -> Values:
    """The classes that a name means outside of the classes around, the nearest first; none in other languages."""
    program = analysis.program
    is_name = named is not None and (named[0] == "name" or (named[0] == "generic" and named[1][0] == "name"))
    if not is_name or program.table_of(scope).facts.language != "csharp":
        return NOTHING
    around = class_around(analysis, scope)
    while around is not None:
        outer = program.parent(around)
        found = analysis.evaluate(named, outer)
        if any(
            isinstance(one, int) and one & 3 == SYMBOL and program.symbol(one >> 2).kind in CLASS_KINDS
            for one in found
        ):
            return found
        around = class_around(analysis, outer)
    return NOTHING
