"""Objects of tests that stand in for others: what implements their type never runs in their place."""

from __future__ import annotations

from functools import cache
from typing import Final

from drift.languages import Call
from drift.languages.expressions import Expression
from drift.languages.frameworks import load_frameworks
from drift.scan.link.analysis import Analysis
from drift.scan.link.hierarchy import class_around, declared_members

_MOST_STEPS: Final = 2  # `verify(store).save(cart)`, `doReturn(1).when(store).save(cart)`


@cache
def _annotations() -> frozenset[str]:
    return load_frameworks("java").names("mocks", "annotations")


def is_of_mock(analysis: Analysis, call: Call, scope: int) -> bool:
    """Whether a method is called on a field that a tool fills with a stand-in."""
    callee = call.callee
    return callee is not None and callee[0] == "member" and _is_mock(analysis, callee[1], scope, _MOST_STEPS)


def _is_mock(analysis: Analysis, form: Expression, scope: int, steps: int) -> bool:
    if form is None or not steps:
        return False
    if form[0] == "result":
        given = analysis.program.table_of(scope).facts.calls[form[1]].arguments
        return len(given) > 0 and _is_mock(analysis, given[0][1], scope, steps - 1)
    if form[0] == "name":
        name = form[1]
    elif form[0] == "member" and form[1] == ("this",):
        name = form[2]
    else:
        return False
    owner = class_around(analysis, scope)
    fields = declared_members(analysis, owner, name) if owner is not None else ()
    return any(
        one.name.rpartition(".")[2] in _annotations()
        for field in fields
        for one in analysis.program.symbol(field).decorators
    )
