"""What the outside hands to a callback: `resolve` of a promise, `done` of a test, the request of a handler."""

from __future__ import annotations

from typing import Final

from drift.languages.expressions import Expression
from drift.languages.facts import Call
from drift.scan.link.analysis import Analysis
from drift.scan.link.scopes import Found, find_name
from drift.scan.link.tables import FileTable
from drift.scan.link.values import SYMBOL_MASK, Values

_MOST_STEPS: Final = 8  # from a call back to the parameter its receiver comes from
# What these hand over are elements or results, of which nobody outside need be the maker.
_PASSING_ON: Final = frozenset(
    {
        "catch", "each", "every", "filter", "find", "findIndex", "findLast", "flatMap", "forEach", "from", "map",
        "mapValues", "pipe", "reduce", "reduceRight", "replace", "some", "sort", "tap", "then",
    }
)  # fmt: skip
_INERT: Final = frozenset({"literal", "symbol"})  # expressions that hold no object of the project


def handed_over(analysis: Analysis, call: Call, scope: int) -> str | None:
    """What outside the project gave the function that a call runs, or its object; None where that is not known.

    So it is where the call is of a parameter of a function that is written as an argument for something outside:
    nobody else can call that function. For a member of the parameter nothing of the project may have been given
    along with it.
    """
    callee = call.callee
    if callee is None:
        return None
    if callee[0] == "name":
        found = _parameter(analysis, callee[1], scope)
        return None if found is None else _taker(analysis, found, is_whole=True)
    found = _root_parameter(analysis, callee, scope)
    return None if found is None else _taker(analysis, found, is_whole=False)


def is_of_request(analysis: Analysis, call: Call, scope: int) -> bool:
    """Whether a method is called of what a framework hands to the function that a route leads to.

    The framework makes that, whatever stands before the function and whatever methods the project has.
    """
    found = _root_parameter(analysis, call.callee, scope)
    if found is None or not _is_chain(analysis, call.callee, scope):
        return False
    own, facts = found.scope & SYMBOL_MASK, analysis.program.table_of(found.scope).facts
    is_handler = any(entry.symbol == own and entry.kind == "http" for entry in facts.entry_points)
    return is_handler and _taker(analysis, found, is_whole=True) is not None


def _is_chain(analysis: Analysis, callee: Expression, scope: int) -> bool:
    """Whether each member on the way is called, as in `res.status(1).send()`: `req.user` may be of the project."""
    calls = analysis.program.table_of(scope).facts.calls
    here = callee
    for _ in range(_MOST_STEPS):
        if here is None or here[0] != "member":
            return False
        if here[1] is None or here[1][0] != "result":
            return here[1] is not None and here[1][0] == "name"
        here = calls[here[1][1]].callee
    return False


def _parameter(analysis: Analysis, name: str, scope: int) -> Found | None:
    found = find_name(analysis, name, scope)
    return found if found and [one.kind for one in found.definitions] == ["parameter"] else None


def _root_parameter(analysis: Analysis, callee: Expression, scope: int) -> Found | None:
    """The parameter that a path of members, calls and variables begins with, in a language of such callbacks."""
    table = analysis.program.table_of(scope)
    if not analysis.program.semantics(table).has_object_literals:
        return None
    here = callee
    for _ in range(_MOST_STEPS):
        if here is None:
            return None
        if here[0] in {"member", "item", "awaited"}:
            here = here[1]
        elif here[0] == "result":
            call = table.facts.calls[here[1]]
            here, scope = call.callee, table.first + call.scope
        elif here[0] == "name":
            found = find_name(analysis, here[1], scope)
            if found is None or len(found.definitions) != 1:
                return None
            if found.definitions[0].kind != "value":
                return found if found.definitions[0].kind == "parameter" else None
            here, scope = found.definitions[0].value, found.scope
        else:
            return None
    return None


def _taker(analysis: Analysis, found: Found, *, is_whole: bool) -> str | None:
    """The thing outside that a function with the parameter is written as an argument for."""
    table = analysis.program.table_of(found.scope)
    takers: Values = ()
    for number in table.calls_with.get(found.scope & SYMBOL_MASK, ()):
        taker = table.facts.calls[number]
        if not (is_whole or _gives_nothing_along(analysis, table, taker)):
            return None
        takers = analysis.evaluate(taker.callee, table.first + taker.scope)
    names = [value for value in takers if isinstance(value, str)]
    return names[0] if len(names) == 1 and len(takers) == 1 else None


def _gives_nothing_along(analysis: Analysis, table: FileTable, call: Call) -> bool:
    """Whether a call, and those its receiver is the result of, are given constants and functions alone."""
    for _ in range(_MOST_STEPS):
        if call.text.rpartition(".")[2] in _PASSING_ON:
            return False
        scope = table.first + call.scope
        if not all(_is_inert(analysis, value, scope) for _, value in call.arguments):
            return False
        here = call.callee
        while here is not None and here[0] in {"member", "item", "awaited"}:
            here = here[1]
        if here is None or here[0] != "result":
            return True
        call = table.facts.calls[here[1]]
    return False


def _is_inert(analysis: Analysis, value: Expression, scope: int) -> bool:
    if value is None or value[0] in _INERT:
        return True
    if value[0] == "dict":
        return all(part is None or part[0] in _INERT for _, part in value[1:])
    values = analysis.evaluate(value, scope)
    return bool(values) and all(isinstance(one, str) for one in values)
