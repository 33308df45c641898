"""Statements: variables and what they are given, regions that catch, and what is given back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.expressions import with_type_arguments
from drift.languages.objects import one_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.objects import ObjectWalk


def with_dimensions(kind: Expression, declarator: Node) -> Expression:
    """The type of one declarator, where `int x[]` makes an array of what was declared."""
    is_array = declarator.child_by_field_name("dimensions") is not None
    return ("list", kind) if is_array else kind


def _read_block(walk: ObjectWalk, node: Node) -> Expression:
    mark = walk.mark()
    for child in node.named_children:
        walk.visit(child)
    walk.release(mark)
    return None


def _read_variables(walk: ObjectWalk, node: Node) -> Expression:
    kind, written = walk.visit_field(node, "type"), node.child_by_field_name("type")
    text = walk.text.text(written) if written is not None else ""
    for declarator in node.children_by_field_name("declarator"):
        name = declarator.child_by_field_name("name")
        value = walk.visit_field(declarator, "value")
        if name is not None:
            declared = with_type_arguments(with_dimensions(kind, declarator), text)
            walk.declare(name, walk.text.text(name), value, declared)
    return None


def _read_enhanced_for(walk: ObjectWalk, node: Node) -> Expression:
    mark = walk.mark()
    kind = walk.visit_field(node, "type")
    value = walk.visit_field(node, "value")
    name = node.child_by_field_name("name")
    if name is not None:
        walk.declare(name, walk.text.text(name), ("item", value), kind)
    walk.visit_field(node, "body")
    walk.release(mark)
    return None


def _read_if(walk: ObjectWalk, node: Node) -> Expression:
    """A long run of `else if` nests one deeper each, so it is a loop. Names that patterns bind stay in force."""
    current: Node | None = node
    while current is not None and current.type == "if_statement":
        walk.visit_field(current, "condition")
        walk.visit_field(current, "consequence")
        current = current.child_by_field_name("alternative")
    if current is not None:
        walk.visit(current)
    return None


def _read_try(walk: ObjectWalk, node: Node) -> Expression:
    mark = walk.mark()
    body = node.child_by_field_name("body")
    if body is not None:
        walk.handle(body, "try")
    for child in node.named_children:
        walk.visit(child)
    walk.release(mark)
    return None


def _read_resource(walk: ObjectWalk, node: Node) -> Expression:
    name = node.child_by_field_name("name")
    if name is None:
        walk.visit_children(node)
        return None
    kind = walk.visit_field(node, "type")
    walk.declare(name, walk.text.text(name), walk.visit_field(node, "value"), kind)
    return None


def _read_catch(walk: ObjectWalk, node: Node) -> Expression:
    mark = walk.mark()
    body = node.child_by_field_name("body")
    caught = next((child for child in node.named_children if child.type == "catch_formal_parameter"), None)
    types: list[Node] = []
    if caught is not None:
        listed = next((child for child in caught.named_children if child.type == "catch_type"), None)
        types = listed.named_children if listed is not None else []
        name = caught.child_by_field_name("name")
        kind = one_of([walk.visit(each) for each in types])
        if name is not None:
            walk.declare(name, walk.text.text(name), ("instance", kind), kind)
    walk.handle(node, "catch", types, is_empty=body is not None and _is_empty(body))
    if body is not None:
        walk.visit(body)
    walk.release(mark)
    return None


def _is_empty(block: Node) -> bool:
    return all(child.type.endswith("comment") for child in block.named_children)


def _read_finally(walk: ObjectWalk, node: Node) -> Expression:
    walk.handle(node, "finally", is_empty=all(_is_empty(child) for child in node.named_children))
    walk.visit_children(node)
    return None


def _read_throw(walk: ObjectWalk, node: Node) -> Expression:
    thrown = node.named_children[0] if node.named_child_count else None
    types = []
    if thrown is not None and thrown.type == "object_creation_expression":
        types = [kind] if (kind := thrown.child_by_field_name("type")) is not None else []
    walk.handle(node, "throw", types)
    if thrown is not None:
        walk.visit(thrown)
    return None


def _read_return(walk: ObjectWalk, node: Node) -> Expression:
    for child in node.named_children:
        if not child.type.endswith("comment"):
            walk.give_back(node, walk.visit(child))
    return None


def _read_switch(walk: ObjectWalk, node: Node) -> Expression:
    mark = walk.mark()
    walk.visit_field(node, "condition")
    walk.results.append([])
    walk.visit_field(node, "body")
    walk.release(mark)
    return one_of(walk.results.pop())


def _read_rule(walk: ObjectWalk, node: Node) -> Expression:
    """`case A -> value`; what stands behind the arrow of a switch statement is a value no one takes."""
    for child in node.named_children:
        if child.type == "expression_statement" and child.named_child_count:
            value = walk.visit(child.named_children[0])
            if walk.results:
                walk.results[-1].append(value)
        else:
            walk.visit(child)
    return None


def _read_yield(walk: ObjectWalk, node: Node) -> Expression:
    for child in node.named_children:
        value = walk.visit(child)
        if walk.results:
            walk.results[-1].append(value)
    return None


def _read_labeled(walk: ObjectWalk, node: Node) -> Expression:
    for child in node.named_children[1:]:
        walk.visit(child)
    return None


def _skip(_walk: ObjectWalk, _node: Node) -> Expression:
    return None


STATEMENT_HANDLERS: Final[dict[str, Callable[[ObjectWalk, Node], Expression]]] = {
    "block": _read_block,
    "break_statement": _skip,
    "catch_clause": _read_catch,
    "constructor_body": _read_block,
    "continue_statement": _skip,
    "enhanced_for_statement": _read_enhanced_for,
    "finally_clause": _read_finally,
    "for_statement": _read_block,
    "if_statement": _read_if,
    "labeled_statement": _read_labeled,
    "local_variable_declaration": _read_variables,
    "resource": _read_resource,
    "return_statement": _read_return,
    "switch_expression": _read_switch,
    "switch_rule": _read_rule,
    "throw_statement": _read_throw,
    "try_statement": _read_try,
    "try_with_resources_statement": _read_try,
    "yield_statement": _read_yield,
}
