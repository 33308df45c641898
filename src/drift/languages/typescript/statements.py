"""Statements: conditions, loops, returns, and the handling of exceptions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.expressions import Expression
from drift.languages.facts import Handling, Return
from drift.languages.typescript.functions import visit_value
from drift.languages.typescript.modules import note_given_back
from drift.languages.typescript.patterns import bind_pattern, bound_names

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tree_sitter import Node

    from drift.languages.typescript.walk import Handler, Walk

_MOST_TYPE_TEXT: Final = 120


def _if(walk: Walk, node: Node) -> Expression:
    """All branches. `else if` nests in the else, without limit, so it is followed in a loop."""
    here: Node | None = node
    while here is not None:
        walk.visit_field(here, "condition")
        walk.visit_field(here, "consequence")
        clause = here.child_by_field_name("alternative")
        here = None
        for child in clause.named_children if clause is not None else ():
            if child.type == "if_statement":
                here = child
            else:
                walk.visit(child)
    return None


def _block(walk: Walk, node: Node) -> Expression:
    walk.blocks += 1
    walk.visit_children(node)
    walk.blocks -= 1
    return None


def _for_in(walk: Walk, node: Node) -> Expression:
    left = node.child_by_field_name("left")
    value = walk.visit_field(node, "right")
    operator = node.child_by_field_name("operator")
    item: Expression = ("item", value) if value is not None else None
    if operator is not None and operator.type == "in":
        item = ("literal", "str")
    elif any(child.type == "await" for child in node.children):
        item = ("awaited", item) if item is not None else None
    if left is not None:
        if node.child_by_field_name("kind") is not None:
            bind_pattern(walk, left, item)
        else:
            assign_pattern(walk, left, item)
    walk.visit_field(node, "body")
    return None


def assign_pattern(walk: Walk, pattern: Node, value: Expression) -> None:
    """Give the parts of a value to variables and members that exist already."""
    for bound in bound_names(walk, pattern, value):
        if bound.default is not None:
            walk.visit(bound.default)
        if bound.node.type in {"identifier", "shorthand_property_identifier_pattern"}:
            walk.assign(walk.name_of(bound.node), bound.value, bound.node)
        else:
            walk.visit(bound.node)


def _return(walk: Walk, node: Node) -> Expression:
    for child in node.named_children:
        if child.type != "comment":
            since = len(walk.reads)
            value = visit_value(walk, child, "<returned function>")
            note_given_back(walk, value, since=since)
            walk.returns.append(Return(walk.scope, value, walk.line_of(node)))
    return None


def _throw(walk: Walk, node: Node) -> Expression:
    types: tuple[str, ...] = ()
    for child in node.named_children:
        walk.visit(child)
        if child.type == "new_expression" and (name := child.child_by_field_name("constructor")) is not None:
            types = (walk.text.brief(name, _MOST_TYPE_TEXT),)
    _handle(walk, node, "throw", types)
    return None


def _handle(
    walk: Walk, node: Node, kind: str, types: tuple[str, ...] = (), *, is_empty: bool = False
) -> None:
    end_line = walk.text.line_of(max(node.start_byte, node.end_byte - 1))
    walk.handlings.append(Handling(walk.scope, walk.line_of(node), end_line, kind, types, is_empty))


def _try(walk: Walk, node: Node) -> Expression:
    _handle(walk, node, "try")
    walk.visit_children(node)
    return None


def _catch(walk: Walk, node: Node) -> Expression:
    _handle(walk, node, "catch", is_empty=_is_empty(node.child_by_field_name("body")))
    parameter = node.child_by_field_name("parameter")
    if parameter is not None:
        bind_pattern(walk, parameter, None)
    walk.visit_field(node, "type")
    walk.visit_field(node, "body")
    return None


def _finally(walk: Walk, node: Node) -> Expression:
    _handle(walk, node, "finally", is_empty=_is_empty(node.child_by_field_name("body")))
    walk.visit_field(node, "body")
    return None


def _is_empty(body: Node | None) -> bool:
    return body is None or all(child.type in {"comment", "empty_statement"} for child in body.named_children)


def _skip(_walk: Walk, _node: Node) -> Expression:
    return None


HANDLERS: Final[Mapping[str, Handler]] = {
    "if_statement": _if,
    "for_statement": _block,
    "statement_block": _block,
    "switch_body": _block,
    "for_in_statement": _for_in,
    "return_statement": _return,
    "throw_statement": _throw,
    "try_statement": _try,
    "catch_clause": _catch,
    "finally_clause": _finally,
    "break_statement": _skip,
    "continue_statement": _skip,
    "comment": _skip,
    "hash_bang_line": _skip,
}
