"""Methods that run for any name that a class does not have: `__call` and `__callStatic` of PHP."""

from __future__ import annotations

from typing import Final

from drift.languages.facts import Call
from drift.scan.link.analysis import Analysis
from drift.scan.link.values import INSTANCE, NOTHING, Values

_OF_OBJECT: Final = "__call"
_OF_CLASS: Final = "__callStatic"


def magic_call_values(analysis: Analysis, call: Call, scope: int) -> Values:
    """What runs for a method that no class in the line of the object has; nothing where none says so."""
    callee = call.callee
    if callee is None or callee[0] != "member" or call.text.endswith(")"):
        return NOTHING  # `($this->callback)()` calls what a property holds
    if analysis.program.table_of(scope).facts.language != "php":
        return NOTHING
    owners = [value for value in analysis.evaluate(callee[1], scope) if isinstance(value, int)]
    is_object = bool(owners) and all(value & 3 == INSTANCE for value in owners)
    return analysis.evaluate(("member", callee[1], _OF_OBJECT if is_object else _OF_CLASS), scope)
