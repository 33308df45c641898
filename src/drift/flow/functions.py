"""How functions of every language are brought into the small form."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from drift.flow.ir import (
    NOTHING,
    Assign,
    Case,
    Do,
    Function,
    If,
    Name,
    Parameter,
    Return,
    Statement,
    Switch,
)
from drift.flow.lowering import Lowering

if TYPE_CHECKING:
    from tree_sitter import Node

_NAME_FIELDS: Final = ("name", "pattern", "parameter", "left")
_MARKS: Final = frozenset({"annotation", "marker_annotation", "attribute_list", "decorator", "attribute"})
_PLAIN: Final = frozenset({"identifier", "variable_name", "shorthand_property_identifier_pattern"})
_MOST_PARAMETERS: Final = 60


def read_function(low: Lowering, node: Node, fields: tuple[str, ...]) -> Function:
    """A function; outside of functions only its place, for its body is read when it is asked for."""
    named = low.child(node, fields[0])
    name = low.text(named) if named is not None else ""
    body = low.child(node, fields[2])
    parameters = tuple(read_parameters(low, node, fields))
    statements: tuple[Statement, ...] | None = None
    if not low.is_outside:
        statements = (*_unpacked(low, low.child(node, fields[1])), *read_body(low, body))
    return Function(name, node.start_byte, low.line(node), parameters, statements, low.is_cut)


def _unpacked(low: Lowering, given: Node | None) -> Iterator[Statement]:
    """Parameters that are patterns, as assignments at the beginning of the body."""
    for each in given.named_children[:_MOST_PARAMETERS] if given is not None else ():
        pattern = each.child_by_field_name("pattern") or each.child_by_field_name("left") or each
        if pattern.type in {"object_pattern", "array_pattern"}:
            line = low.line(pattern)
            yield Do(Assign(low.expression(pattern), Name(low.text(pattern)[:200]), line), line)


def read_body(low: Lowering, body: Node | None) -> tuple[Statement, ...]:
    """The statements of a body; one that is an expression gives it back."""
    if body is None:
        return ()
    role = low.role(body)
    if role == "arrow":
        inner = low.children(body)
        return (Return(low.expression(inner[0]) if inner else NOTHING, low.line(body)),)
    if role == "block":
        statements = low.statements(body)
        return _with_last(statements) if low.form.gives_last else statements
    return (Return(low.expression(body), low.line(body)),)


def _with_last(statements: tuple[Statement, ...]) -> tuple[Statement, ...]:
    """Statements of which the last one is given back, on whatever way it is reached."""
    if not statements:
        return statements
    last = statements[-1]
    if isinstance(last, Do):
        last = Return(last.value, last.line)
    elif isinstance(last, If):
        last = If(last.test, _with_last(last.then), _with_last(last.other))
    elif isinstance(last, Switch):
        cases = tuple(Case(each.tests, _with_last(each.body)) for each in last.cases)
        last = Switch(last.subject, cases, last.falls)
    return (*statements[:-1], last)


def read_parameters(low: Lowering, node: Node, fields: tuple[str, ...]) -> Iterator[Parameter]:
    """The parameters of a function, behind the receiver where that is one of them."""
    if fields[3:] and (receiver := node.child_by_field_name(fields[3])):
        yield from _listed(low, receiver)
    given = low.child(node, fields[1])
    if given is None:
        single = node.child_by_field_name("parameter")
        if single is not None:
            yield Parameter(low.text(single))
        return
    if given.type in _PLAIN:
        yield Parameter(low.text(given))
        return
    yield from _listed(low, given)


def _listed(low: Lowering, node: Node) -> Iterator[Parameter]:
    for each in node.named_children[:_MOST_PARAMETERS]:
        if low.role(each) == "skip" or each.type in {"keyword_separator", "positional_separator"}:
            continue
        yield from _parameters(low, each)


def _parameters(low: Lowering, node: Node) -> Iterator[Parameter]:
    """The parameter of a node, or several: `a, b string` of Go."""
    if node.type in _PLAIN:
        yield Parameter(low.text(node))
        return
    kind = node.child_by_field_name("type")
    type_text = low.text(kind).lstrip(":").strip() if kind is not None else ""
    marks = tuple(_marks(low, node))
    default = (
        node.child_by_field_name("value")
        or node.child_by_field_name("default_value")
        or node.child_by_field_name("right")
    )
    value = low.expression(default) if default is not None else None
    is_rest = any(word in node.type for word in ("splat", "rest", "variadic", "spread"))
    names = (
        node.children_by_field_name("name")
        or [found for field in _NAME_FIELDS[1:] if (found := node.child_by_field_name(field)) is not None][:1]
    )
    if not names:
        names = [each for each in node.named_children if each.type in _PLAIN][:1]
    if not names and node.type in {"object_pattern", "array_pattern"}:
        names = [node]
    for name in names:
        if name.type in {"object_pattern", "array_pattern"}:
            yield Parameter(low.text(name)[:200], type_text, marks, None, is_rest)
            continue
        yield Parameter(low.text(name).lstrip("*&."), type_text, marks, value, is_rest)


def _marks(low: Lowering, node: Node) -> Iterator[str]:
    """The names of annotations at a parameter."""
    for each in node.named_children:
        for mark in (each, *each.named_children) if each.type in {"modifiers", "attribute_list"} else (each,):
            if mark.type in _MARKS:
                name = mark.child_by_field_name("name") or next(iter(mark.named_children), mark)
                if name.type == "call_expression" and (called := name.child_by_field_name("function")):
                    name = called
                yield low.text(name).rpartition(".")[2]
