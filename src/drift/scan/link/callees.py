"""What a call calls."""

from __future__ import annotations

from drift.languages.facts import Call
from drift.scan.link.analysis import Analysis
from drift.scan.link.hidden_types import named_types
from drift.scan.link.type_counts import with_arguments
from drift.scan.link.values import Values


def callee_values(analysis: Analysis, call: Call, scope: int) -> Values:
    """What a call calls; functions that stand in for a method where the language has such."""
    callee = call.callee
    if call.kind == "new":
        return named_types(analysis, with_arguments(callee, call.text), scope)
    values = analysis.evaluate(callee, scope)
    if callee is None or callee[0] != "member" or callee[1] is None:
        return values
    return analysis.program.semantics_at(scope).extension_values(analysis, call, scope, values=values)


def with_object(call: Call, values: Values) -> Call:
    """The call as written without the dot, where it is of extension methods: the object is the first argument."""
    callee = call.callee
    if not any(isinstance(value, tuple) and value[0] == "extension" for value in values):
        return call
    assert callee is not None
    assert callee[0] == "member"
    return call._replace(arguments=((None, callee[1]), *call.arguments))
