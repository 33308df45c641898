"""Functions that the outside hands to a callback: `resolve` of a promise, `done` of a test, `next` of a handler."""

from __future__ import annotations

from drift.languages.facts import Call
from drift.scan.link.analysis import Analysis
from drift.scan.link.scopes import find_name
from drift.scan.link.values import SYMBOL_MASK, Values


def handed_over(analysis: Analysis, call: Call, scope: int) -> str | None:
    """What outside the project gave the function that a call runs; None where that is not known.

    So it is where the call is of a parameter of a function that is written as an argument for something outside:
    nobody else can call that function.
    """
    callee = call.callee
    if callee is None or callee[0] != "name":
        return None
    found = find_name(analysis, callee[1], scope)
    if found is None or [one.kind for one in found.definitions] != ["parameter"]:
        return None
    table = analysis.program.table_of(found.scope)
    takers: Values = ()
    for number in table.calls_with.get(found.scope & SYMBOL_MASK, ()):
        taker = table.facts.calls[number]
        takers = analysis.evaluate(taker.callee, table.first + taker.scope)
    names = [value for value in takers if isinstance(value, str)]
    return names[0] if len(names) == 1 and len(takers) == 1 else None
