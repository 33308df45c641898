"""Composite literals and closures: values that bring members or code with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from drift.languages.expressions import dict_of, list_of
from drift.languages.golang.entries import note_literal
from drift.languages.limits import MOST_ELEMENTS

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.expressions import Entry, Expression
    from drift.languages.golang.walk import GoWalk

_NAMED_TYPES: Final = frozenset({"type_identifier", "qualified_type", "generic_type"})


def read_composite(go: GoWalk, node: Node) -> Expression:
    """`T{...}`, `[]T{...}`, `map[K]V{...}`: a value of that type."""
    type_node, body = node.child_by_field_name("type"), node.child_by_field_name("body")
    if type_node is None or body is None:
        return None
    is_named = type_node.type in _NAMED_TYPES
    before = len(go.references)
    form = go.visit(type_node)
    # A construction is a call; the type's own name is then no second use.
    if is_named and len(go.references) > before and go.references[before].target == form:
        del go.references[before]
    return _read_body(go, body, form, type_text=go.call_text(type_node) if is_named else "")


def _read_body(go: GoWalk, body: Node, form: Expression, *, type_text: str) -> Expression:
    """The value of a literal's braces, given the type written or implied before them."""
    if type_text:
        go.add_call(body, form, text=type_text, kind="new")
    element_type = _element_type(form)
    keyed: dict[str, tuple[Node, Expression]] = {}
    values: list[tuple[str | None, Expression]] = []
    is_nameless = _is_nameless(form)
    for element in body.named_children:
        if element.type == "comment":
            continue
        key, value_node = _split(element)
        value = _read_element(go, value_node, None if is_nameless else element_type)
        name = None if key is None else _read_key(go, key, is_field=bool(type_text) or is_nameless)
        values.append((name, value))
        if name is not None and value_node is not None and type_text:
            keyed[name] = (value_node, value)
            go.store(element, ("instance", form), name=name, value=value)
    if type_text:
        note_literal(go, form, keyed, go.line(body))
    return _value_of(form, values)


def _is_nameless(form: Expression) -> bool:
    """Whether a type is a struct without a name; a map says nothing of its keys."""
    return form is not None and form[0] == "dict" and len(form) > 1 and form[1][0] is not None


def _nameless_value(form: tuple[Any, ...], values: list[tuple[str | None, Expression]]) -> Expression:
    """A value of a struct without a name: its fields by their names, or by their places where none is said."""
    given = {
        name if name is not None or place >= len(form) - 1 else form[place + 1][0]: value
        for place, (name, value) in enumerate(values)
    }
    kept: list[Entry] = []
    for name, kind in form[1:]:
        value = given.get(name)
        declared: Expression = None if kind is None else ("instance", kind)
        kept.append((name, declared if value is None else value))
    return dict_of(kept)


def _value_of(form: Expression, values: list[tuple[str | None, Expression]]) -> Expression:
    if form is not None and _is_nameless(form):
        return _nameless_value(form, values)
    if form is not None and form[0] == "list" and len(form) > 1 and values and _is_nameless(form[1]):
        return list_of(value for _, value in values[:MOST_ELEMENTS])
    if form is not None and form[0] == "list" and len(form) > 1 and form[1] is None:
        return list_of(value for _, value in values[:MOST_ELEMENTS])
    if (
        form is not None
        and form[0] == "dict"
        and len(form) > 1
        and (form[1][1] is None or _is_nameless(form[1][1]))
    ):
        return dict_of(values[:MOST_ELEMENTS])
    return ("instance", form)


def _element_type(form: Expression) -> Expression:
    if form is not None and form[0] == "list" and len(form) > 1:
        return form[1]
    return form[1][1] if form is not None and form[0] == "dict" and len(form) > 1 else None


def _split(element: Node) -> tuple[Node | None, Node | None]:
    """The key, if there is one, and the value of an element."""
    if element.type == "keyed_element":
        return element.child_by_field_name("key"), element.child_by_field_name("value")
    return None, element


def _read_element(go: GoWalk, node: Node | None, element_type: Expression) -> Expression:
    if node is None:
        return None
    inner = node
    if node.type == "literal_element":
        inner = next((child for child in node.named_children if child.type != "comment"), node)
    if inner.type != "literal_value":
        return go.visit(inner)
    go.implied_type = element_type
    return go.visit(inner)


def read_braces(go: GoWalk, node: Node) -> Expression:
    """`{...}` inside another literal, whose type its surroundings imply."""
    form, go.implied_type = go.implied_type, None
    name = form[-1] if form and form[0] in {"name", "member"} else ""
    return _read_body(go, node, form, type_text=name)


def _read_key(go: GoWalk, key: Node, *, is_field: bool) -> str | None:
    """A field's name or a constant string; other keys are values and gathered as such."""
    inner = next((child for child in key.named_children if child.type != "comment"), key)
    if is_field and inner.type == "identifier":
        return go.text.text(inner)
    string = go.string_of(inner)
    if inner.type != "literal_value":
        go.visit(inner)
    return None if is_field else string
