"""Whether a call may be of a method that has its name alone: who may call that, and how many arguments it takes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from drift.languages.facts import Call, Parameter
from drift.scan.link.analysis import Analysis
from drift.scan.link.hierarchy import class_of, line_of_descent
from drift.scan.link.unique_names import is_test_file

_SPREAD: Final = frozenset({"*", "**"})


def may_mean(analysis: Analysis, method: int, call: Call, scope: int) -> bool:
    """Whether the language lets this call run that method, as far as both are written."""
    program = analysis.program
    semantics, symbol = program.semantics_at(scope), program.symbol(method)
    is_of_object = call.callee is not None and call.callee[0] == "member"
    is_private = is_of_object and semantics.keeps_private and symbol.visibility == "private"
    if is_private and class_of(analysis, method) != class_of(analysis, scope):
        return False
    if is_of_object and semantics.unheld_parents and _is_unheld(analysis, method, scope):
        return False
    # What a macro or a decorator made of it may take anything.
    is_remade = bool(symbol.decorators) and semantics.has_remaking_decorators
    if semantics.arguments_fit == "any" or is_remade or not semantics.states_parameters(symbol):
        return True
    return _fits(symbol.parameters, call, is_exact=semantics.arguments_fit == "exact")


def _is_unheld(analysis: Analysis, method: int, scope: int) -> bool:
    """Whether a method is of objects that only their framework and tests have."""
    program, owner = analysis.program, class_of(analysis, method)
    line = () if owner is None else line_of_descent(analysis, owner)
    endings = tuple(program.semantics_at(scope).unheld_parents)
    if not any(isinstance(one, str) and one.endswith(endings) for one in line):
        return False
    table = program.table_of(scope)
    return not is_test_file(table.path, table.facts.language)


def _fits(parameters: Sequence[Parameter], call: Call, *, is_exact: bool) -> bool:
    """Whether so many arguments can be given; what is spread may be any number, a block comes beside them."""
    if any(keyword in _SPREAD or _may_be_spread(value) for keyword, value in call.arguments):
        return True
    taken = [one for one in parameters if one.kind == "plain" and one.name[:1] != "&"]
    kinds = {one.kind for one in parameters}
    given = sum(keyword is None for keyword, _ in call.arguments)
    has_keywords = given < len(call.arguments)
    least = sum(one.default_text is None for one in taken)
    # A hash without brackets is one more value; by keywords any of the parameters may be given.
    if (given + 1 if has_keywords else given) < least and not (has_keywords and kinds & {"plain"}):
        return False
    return not is_exact or "rest" in kinds or given <= len(taken)


def _may_be_spread(value: object) -> bool:
    return isinstance(value, tuple) and value[:1] == ("item",)
