"""JSX elements: a component is called with its attributes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from drift.languages.expressions import Expression
from drift.languages.facts import Call, MarkupBinding
from drift.languages.typescript.calls import follow
from drift.languages.typescript.functions import visit_value
from drift.languages.typescript.page_routes import is_row_element, note_element
from drift.languages.typescript.template_events import EVENT
from drift.languages.typescript.types import type_arguments

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tree_sitter import Node

    from drift.languages.typescript.walk import Handler, Walk

_NAMES: Final = frozenset({"identifier", "member_expression"})
_ON_EVENT: Final = re.compile(r"on[A-Z]")
_FRAMES: Final = 2  # of the stack, that an element takes beside the visit of it


def _visit_element(walk: Walk, node: Node) -> Expression:
    """The call that an element is; lower-case tags are the browser's own and no calls."""
    opening = node.child_by_field_name("open_tag") or node
    name = opening.child_by_field_name("name")
    walk.has_markup.add(walk.scope)
    walk.depth += _FRAMES
    index = None
    if name is not None and _is_component(walk, name):
        chain = follow(walk, name)
        line, column = walk.place_of(name)
        index = len(walk.calls)
        walk.calls.append(Call(walk.scope, line, column, chain.value, chain.text))
    tag = walk.name_of(name)
    if index is None and tag:
        walk.note_element(opening, tag)
    attributes = tuple(
        value for child in opening.named_children if (value := _visit_attribute(walk, child, tag, name))
    )
    if index is not None:
        walk.calls[index] = walk.calls[index]._replace(arguments=attributes)
        if walk.has_pages and is_row_element(tag):
            note_element(walk, opening, attributes)
    if opening is not node:
        for child in node.named_children:
            if child.type not in {"jsx_opening_element", "jsx_closing_element", "jsx_text", "comment"}:
                visit_value(walk, child, f"<child of {tag}>")
    walk.depth -= _FRAMES
    return ("result", index) if index is not None else None


def _is_component(walk: Walk, name: Node) -> bool:
    if name.type in {"member_expression", "nested_identifier"}:
        return True
    first = walk.name_of(name)[:1]
    return name.type == "identifier" and (first.isupper() or first in {"_", "$"})


def _visit_attribute(
    walk: Walk, node: Node, tag: str, name: Node | None
) -> tuple[str | None, Expression] | None:
    if name is not None and node.id == name.id:
        return None
    if node.type == "type_arguments":
        type_arguments(walk, node)
        return None
    if node.type != "jsx_attribute":
        walk.visit(node)
        return None
    children = node.named_children
    key = walk.name_of(children[0]) if children else ""
    if len(children) < 2:  # noqa: PLR2004 - a name and perhaps a value; alone it means true
        return (key, ("literal", "bool"))
    value = children[1]
    if value.type == "jsx_expression" and value.named_child_count == 1:
        value = value.named_children[0]
    if value.type in _NAMES and _ON_EVENT.match(key):
        handler = walk.name_of(value).rpartition(".")[2]
        walk.markup_bindings.append(MarkupBinding(walk.scope, walk.line_of(node), tag, key, EVENT, handler))
    return (key, visit_value(walk, value, f"<{key} of {tag}>"))


HANDLERS: Final[Mapping[str, Handler]] = {
    "jsx_element": _visit_element,
    "jsx_self_closing_element": _visit_element,
}
