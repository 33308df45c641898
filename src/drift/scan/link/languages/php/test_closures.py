"""Tests of Pest: functions outside of any class, in which `$this` is an object of the class that the file says."""

from __future__ import annotations

from typing import Final

from drift.languages import FileFacts
from drift.languages.expressions import Expression, either_of

_TESTS: Final = frozenset({"it", "test"})
_SAYING: Final = frozenset({"uses", "extend", "extends", "use"})
_ROOT: Final[Expression] = ("member", ("member", ("name", "\\"), "Tests"), "TestCase")
_THIS: Final = ("this",)
_CLASSES: Final = frozenset({"class", "trait", "enum", "interface"})
_MOST_LEVELS: Final = 20


def read_test_closures(facts: FileFacts) -> FileFacts:
    """The same facts, with the object that tests outside of classes are given."""
    if not any(call.text in _TESTS and not call.scope for call in facts.calls):
        return facts
    said = [
        value
        for call in facts.calls
        if not call.scope and call.callee is not None and call.callee[-1] in _SAYING
        for _, value in call.arguments
        if value is not None and value[0] in {"name", "member"}
    ]
    named: list[Expression] = [*said] or [_ROOT]
    given: list[Expression] = [("instance", value) for value in named]
    own = given[0] if len(given) == 1 else either_of(given)
    calls = (
        call if _is_in_class(facts, call.scope) else call._replace(callee=_with_object(call.callee, own))
        for call in facts.calls
    )
    return facts._replace(calls=tuple(calls))


def _is_in_class(facts: FileFacts, scope: int) -> bool:
    while scope:
        if facts.symbols[scope].kind in _CLASSES:
            return True
        scope = facts.symbols[scope].parent
    return False


def _with_object(form: Expression, own: Expression, levels: int = _MOST_LEVELS) -> Expression:
    """An expression in which `$this` is another object; in the place of what a call gives stands that call."""
    if form == _THIS:
        return own
    if form is None or form[0] != "member" or not levels:
        return form
    return ("member", _with_object(form[1], own, levels - 1), form[2])
