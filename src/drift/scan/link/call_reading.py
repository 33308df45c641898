"""Calls as linking reads them, where the way they are written hides what is called."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from drift.languages.expressions import Expression
from drift.languages.facts import Call, FileFacts
from drift.scan.link.type_counts import with_arguments

_CLASSES: Final = frozenset({"class", "interface", "struct", "enum"})


Variables = Mapping[int, set[str]]
"""The names of variables by the scope they stand in."""


def read_constructor_calls(facts: FileFacts, variables: Variables = MappingProxyType({})) -> FileFacts:
    """The same facts: `super(…)` and `this(…)` call constructors, and `f()` calls no variable f among those given."""
    return facts._replace(calls=tuple(_read_call(facts, call, variables) for call in facts.calls))


def _read_call(facts: FileFacts, call: Call, variables: Variables) -> Call:
    callee = call.callee
    if callee is None:
        return call
    if call.kind == "new" and callee in {("this",), ("super",)}:
        return call._replace(callee=_constructed(facts, call.scope, is_parent=callee == ("super",)))
    if call.kind == "call" and callee[0] == "name" and _is_variable(facts, call.scope, callee[1], variables):
        return call._replace(callee=("member", ("this",), callee[1]))
    return call


def read_parent_calls(facts: FileFacts) -> FileFacts:
    """The same facts, in which `super(…)` calls the parent of the class around."""
    if not any(call.callee == ("super",) for call in facts.calls):
        return facts
    calls = (
        call._replace(callee=_constructed(facts, call.scope, is_parent=True))
        if call.callee == ("super",)
        else call
        for call in facts.calls
    )
    return facts._replace(calls=tuple(calls))


def _constructed(facts: FileFacts, scope: int, *, is_parent: bool) -> Expression:
    while scope and facts.symbols[scope].kind not in _CLASSES:
        scope = facts.symbols[scope].parent
    if not scope:
        return None
    if not is_parent:
        return ("symbol", scope)
    parent = next((base for base in facts.symbols[scope].bases if base.kind == "extends"), None)
    return None if parent is None else with_arguments(parent.type, parent.text)


def variables_of(facts: FileFacts) -> dict[int, set[str]]:
    """The variables and parameters of a file, where those and methods have names of their own."""
    found: dict[int, set[str]] = {}
    for binding in facts.bindings:
        found.setdefault(binding.scope, set()).add(binding.name)
    for number, symbol in enumerate(facts.symbols):
        if symbol.parameters:
            found.setdefault(number, set()).update(parameter.name for parameter in symbol.parameters)
    return found


def _is_variable(facts: FileFacts, scope: int, name: str, variables: Variables) -> bool:
    while scope and facts.symbols[scope].kind not in _CLASSES:
        if name in variables.get(scope, ()):
            return True
        scope = facts.symbols[scope].parent
    return False
