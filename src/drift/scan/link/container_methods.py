"""What the methods of containers and generators do with elements, by the names languages share."""

from __future__ import annotations

from typing import Any, Final

from drift.languages.expressions import ENTRY, KEYS, Expression, list_of, place_key
from drift.languages.facts import Call
from drift.languages.kinds import TYPE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.containers import entry_values
from drift.scan.link.returns import returned_values, yielded_values
from drift.scan.link.values import (
    NOTHING,
    Form,
    MethodValue,
    Value,
    Values,
    as_instance,
    is_reference,
    is_symbol,
    merge,
    symbol_of,
)

_TAKING: Final = frozenset(
    {
        "get", "pop", "popleft", "setdefault", "shift", "find", "at", "peek", "poll", "remove", "first", "last",
        "getFirst", "getLast", "getOrDefault", "unwrap", "expect", "next", "__getitem__", "First", "Last",
        "FirstOrDefault", "Single", "Find", "Pop", "Peek", "Dequeue", "orElse", "orElseGet", "orElseThrow", "block",
        "blockFirst", "blockLast",
    }
)  # fmt: skip
_KEEPING: Final = frozenset(
    {
        "values", "copy", "reverse", "slice", "filter", "sort", "concat", "iter", "iter_mut", "into_iter",
        "stream", "collect", "toList", "ToList", "ToArray", "Where", "OrderBy", "keys", "__iter__", "__enter__",
        "findFirst", "findAny", "sorted", "distinct", "limit", "skip", "parallelStream",
    }
)  # fmt: skip
_PAIRING: Final = frozenset({"items", "entries"})
_MAPPING: Final = frozenset({"map", "Select", "flatMap"})
_ENTERING: Final = frozenset({"__enter__", "__aenter__", "__next__", "__anext__", "send", "asend"})


OWN_KIND: Final = ".mapped"
"""The kind of a container whose class is of the project: what its methods run is said by the class beside it."""


def call_method(analysis: Analysis, method: MethodValue, call: Call, scope: int) -> Values:
    """What calling a method of a container or a generator gives."""
    _, owner, name = method
    if isinstance(owner, int):
        # A generator function made a context manager gives on entry what it yields.
        return yielded_values(analysis, symbol_of(owner)) if name in _ENTERING else (owner,)
    number = owner[1]
    semantics = analysis.program.semantics_at(scope)
    if is_of_framework(analysis.containers[number].kind):
        return semantics.set_result(analysis, method, call, scope) or NOTHING
    if (given := _given_by_language(analysis, number, call, scope, name)) is not None:
        return given
    if name in _TAKING:
        fallback = call.arguments[-1][1] if len(call.arguments) > 1 else None
        return merge([entry_values(analysis, number), analysis.evaluate(fallback, scope)])
    if name in _KEEPING:
        return (owner,)
    if name in _PAIRING:
        return (_filled(analysis, ("pairs", number), scope, ("list", ("held", number))),)
    if name in _MAPPING:
        return (_filled(analysis, ("mapped", number, scope, call.line, call.column), scope, None, call),)
    if semantics.names_container_results:
        outside = method_name(analysis, method)
        return NOTHING if outside is None else (outside,)
    return NOTHING


def _given_by_language(analysis: Analysis, number: int, call: Call, scope: int, name: str) -> Values | None:
    """What a method of a container gives whose name only one language has; None for other names."""
    semantics = analysis.program.semantics_at(scope)
    is_map = analysis.containers[number].kind == "dict"
    if name in semantics.placing_methods and is_map:
        return (_placed(analysis, number, call, scope),)
    if name in semantics.pointing_methods:
        return (("container", number),) if is_map else entry_values(analysis, number)
    parts = semantics.parts_given.get(name)
    if parts is None or call.callee is None:
        return None
    return _parts_given(analysis, number, call, scope, parts)


def _parts_given(analysis: Analysis, number: int, call: Call, scope: int, parts: str) -> Values:
    """A list of the keys or values of a map, or of pairs of an element and something beside it."""
    is_map = analysis.containers[number].kind == "dict"
    receiver = call.callee[1] if call.callee is not None and call.callee[0] == "member" else None
    entry: Expression = ("item", receiver, ENTRY) if receiver is not None else None
    if parts == "values" and is_map:
        return (_filled(analysis, ("values", number), scope, ("held", number)),)
    if parts == "keys" and is_map:
        return (_filled(analysis, ("keys", number), scope, ("key", receiver, KEYS)),)
    if parts == "grouped" and receiver is not None:
        return (_filled(analysis, ("grouped", number), scope, receiver),)
    if parts == "held":
        return entry_values(analysis, number)
    if parts == "counted":
        return (_filled(analysis, ("counted", number), scope, list_of((None, entry))),)
    if parts == "paired" and call.arguments and call.arguments[0][1] is not None:
        other: Expression = ("item", call.arguments[0][1], ENTRY)
        key = ("paired", number, scope, call.line, call.column)
        return (_filled(analysis, key, scope, list_of((entry, other))),)
    return (("container", number),)


def _placed(analysis: Analysis, number: int, call: Call, scope: int) -> Value:
    """A pair of the entry of a map that something was put in, and whether it was."""
    value, made = analysis.container(("placed", number), "dict", scope)
    if made is not None:
        receiver = call.callee[1] if call.callee is not None and call.callee[0] == "member" else None
        made.entries.append((place_key(0), receiver, scope))
    return value


def is_of_framework(kind: str) -> bool:
    """Whether a container is one that a framework makes, which goes by its full name."""
    return "." in kind


def _filled(analysis: Analysis, key: Any, scope: int, entry: Form, call: Call | None = None) -> Value:
    value, made = analysis.container(key, "list", scope)
    if made is not None and entry is not None:
        made.entries.append((None, entry, scope))
    if made is not None and call is not None:
        for _, argument in call.arguments:
            made.entries.append((None, ("called", argument), scope))
    return value


def method_name(analysis: Analysis, method: MethodValue) -> str | None:
    """The full name of a container's method; None for one of a generator, and where a class of the project has it."""
    owner = method[1]
    if isinstance(owner, int):
        return None
    container = analysis.containers[owner[1]]
    if container.kind == OWN_KIND:
        return None
    if is_of_framework(container.kind):
        return f"{container.kind}.{method[2]}"
    prefix = analysis.program.semantics(analysis.program.table_of(container.scope)).builtin_prefix
    return f"{prefix}{container.kind}.{method[2]}"


def called_values(analysis: Analysis, argument: Expression, scope: int) -> Values:
    """What the functions that an expression means give back; of a class that is named as one, `Row::new`, its objects."""
    found: list[Values] = []
    for value in analysis.evaluate(argument, scope):
        inner = value[1] if isinstance(value, tuple) and value[0] == "partial" else value
        if inner is not value and is_symbol(inner) and _is_type(analysis, inner):
            found.append((as_instance(inner),))
        elif is_reference(inner):
            found.append(returned_values(analysis, symbol_of(inner)))
    return merge(found)


def _is_type(analysis: Analysis, value: int) -> bool:
    return analysis.program.symbol(symbol_of(value)).kind in TYPE_KINDS
