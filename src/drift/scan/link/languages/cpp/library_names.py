"""Names that a C++ file sees of the library and of the project: what a call of one means."""

from __future__ import annotations

from typing import Final

from drift.languages.facts import Call
from drift.scan.link.analysis import Analysis
from drift.scan.link.values import NOTHING, Values, is_instance, symbol_of

_LIBRARY: Final = "std"
# Functions for numbers and whatever else, which projects often have for classes of their own, too.
_SHARED: Final = frozenset(
    "abs begin clamp distance end fill find hash iter_swap max min move round size swap to_string".split()  # noqa: SIM905  # a list of strings is harder to read
)


def project_or_library(analysis: Analysis, call: Call, scope: int, values: Values) -> Values:
    """What a bare name means in a file that uses the library whole: the project's function for objects of the project.

    Where an argument may be anything, it is not known.
    """
    callee = call.callee
    if callee is None or callee[0] != "name" or callee[1] not in _SHARED or not call.arguments:
        return values
    program = analysis.program
    table = program.table_of(scope)
    functions = [value for value in values if isinstance(value, int)]
    if not functions or any(program.symbol(value).kind != "function" for value in map(symbol_of, functions)):
        return values
    if not any(one.name == "*" and one.module == _LIBRARY for one in table.facts.imports):
        return values
    given = [analysis.evaluate(value, scope) for _, value in call.arguments]
    if any(isinstance(one, int) and is_instance(one) for part in given for one in part):
        return values
    return (f"{_LIBRARY}.{callee[1]}",) if all(given) else NOTHING
