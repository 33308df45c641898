"""Statements: variables and what they are given, regions that catch, and what is given back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.csharp.implied import type_wanted, visit_wanted
from drift.languages.csharp.patterns import read_tuple_names
from drift.languages.csharp.type_forms import read_type
from drift.languages.csharp.walk import CsharpWalk, operands
from drift.languages.expressions import with_type_arguments
from drift.languages.objects import one_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Node

    from drift.languages.expressions import Expression


def declarator_value(declarator: Node) -> Node | None:
    """What a variable is given where it is declared."""
    found = operands(declarator)
    is_given = any(child.type == "=" for child in declarator.children)
    return found[-1] if is_given and len(found) > 1 else None


def _read_block(walk: CsharpWalk, node: Node) -> Expression:
    mark = walk.mark()
    for child in node.named_children:
        walk.visit(child)
    walk.release(mark)
    return None


def _read_variables(walk: CsharpWalk, node: Node) -> Expression:
    type_node = node.child_by_field_name("type")
    kind = read_type(walk, type_node)
    for declarator in node.named_children:
        if declarator.type != "variable_declarator":
            continue
        name, value_node = declarator.child_by_field_name("name"), declarator_value(declarator)
        wanted = type_wanted(walk, type_node, kind)
        value = visit_wanted(walk, value_node, wanted) if value_node is not None else None
        if name is not None:
            text = walk.text.text(type_node) if type_node is not None else ""
            walk.declare(name, walk.text.text(name), value, with_type_arguments(kind, text))
        elif declarator.named_child_count:
            read_tuple_names(walk, declarator.named_children[0], value)
    return None


def _read_foreach(walk: CsharpWalk, node: Node) -> Expression:
    mark = walk.mark()
    kind = read_type(walk, node.child_by_field_name("type"))
    value = walk.visit_field(node, "right")
    left = node.child_by_field_name("left")
    if left is not None and left.type == "identifier":
        walk.declare(left, walk.text.text(left), ("item", value), kind)
    elif left is not None:
        read_tuple_names(walk, left, ("item", value))
    walk.visit_field(node, "body")
    walk.release(mark)
    return None


def _read_if(walk: CsharpWalk, node: Node) -> Expression:
    """A long run of `else if` nests one deeper each, so it is a loop. Names that patterns bind stay in force."""
    current: Node | None = node
    while current is not None and current.type == "if_statement":
        walk.visit_field(current, "condition")
        walk.visit_field(current, "consequence")
        current = current.child_by_field_name("alternative")
    if current is not None:
        walk.visit(current)
    return None


def _read_try(walk: CsharpWalk, node: Node) -> Expression:
    body = node.child_by_field_name("body")
    if body is not None:
        walk.handle(body, "try")
    walk.visit_children(node)
    return None


def _read_catch(walk: CsharpWalk, node: Node) -> Expression:
    mark = walk.mark()
    body = node.child_by_field_name("body")
    caught = next((child for child in node.named_children if child.type == "catch_declaration"), None)
    type_node = caught.child_by_field_name("type") if caught is not None else None
    kind = read_type(walk, type_node)
    name = caught.child_by_field_name("name") if caught is not None else None
    if name is not None:
        walk.declare(name, walk.text.text(name), ("instance", kind), kind)
    types = [type_node] if type_node is not None else []
    walk.handle(node, "catch", types, is_empty=body is not None and _is_empty(body))
    for child in node.named_children:
        if child.type != "catch_declaration":
            walk.visit(child)
    walk.release(mark)
    return None


def _is_empty(block: Node) -> bool:
    return all(child.type == "comment" for child in block.named_children)


def _read_finally(walk: CsharpWalk, node: Node) -> Expression:
    walk.handle(node, "finally", is_empty=all(_is_empty(child) for child in node.named_children))
    walk.visit_children(node)
    return None


def _read_throw(walk: CsharpWalk, node: Node) -> Expression:
    thrown = next(iter(operands(node)), None)
    kind = thrown.child_by_field_name("type") if thrown is not None else None
    is_new = thrown is not None and thrown.type == "object_creation_expression" and kind is not None
    walk.handle(node, "throw", [kind] if is_new and kind is not None else [])
    if thrown is not None:
        walk.visit(thrown)
    return None


def _read_return(walk: CsharpWalk, node: Node) -> Expression:
    for child in operands(node):
        walk.give_back(node, visit_wanted(walk, child, walk.symbols[walk.scope].return_type))
    return None


def _read_yield(walk: CsharpWalk, node: Node) -> Expression:
    walk.add_modifier(walk.scope, "generator")
    for child in operands(node):
        walk.give_back(node, walk.visit(child), is_yield=True)
    return None


def _read_switch(walk: CsharpWalk, node: Node) -> Expression:
    """A switch expression gives one of the values its arms give."""
    results: list[Expression] = []
    given: Expression = None
    around = walk.matched
    for child in operands(node):
        if child.type == "switch_expression_arm":
            walk.matched = given
            results.append(walk.visit(child))
        else:
            given = walk.visit(child)
    walk.matched = around
    return one_of(results)


def _read_arm(walk: CsharpWalk, node: Node) -> Expression:
    mark = walk.mark()
    value: Expression = None
    for child in operands(node):
        value = walk.visit(child)
        walk.matched = None  # which the pattern alone is laid on
    walk.release(mark)
    return value


def _read_lock(walk: CsharpWalk, node: Node) -> Expression:
    for child in operands(node):
        walk.visit(child)
    return None


def _read_labeled(walk: CsharpWalk, node: Node) -> Expression:
    for child in node.named_children[1:]:
        walk.visit(child)
    return None


def _read_conditional_code(walk: CsharpWalk, node: Node) -> Expression:
    """Code under `#if`: all branches are read, the condition names symbols of the compiler only."""
    condition = node.child_by_field_name("condition")
    for child in node.named_children:
        if child != condition:
            walk.visit(child)
    return None


def _skip(_walk: CsharpWalk, _node: Node) -> Expression:
    return None


STATEMENT_HANDLERS: Final[dict[str, Callable[[CsharpWalk, Node], Expression]]] = {
    "block": _read_block,
    "break_statement": _skip,
    "catch_clause": _read_catch,
    "continue_statement": _skip,
    "finally_clause": _read_finally,
    "for_statement": _read_block,
    "foreach_statement": _read_foreach,
    "goto_statement": _skip,
    "if_statement": _read_if,
    "labeled_statement": _read_labeled,
    "lock_statement": _read_lock,
    "preproc_define": _skip,
    "preproc_elif": _read_conditional_code,
    "preproc_error": _skip,
    "preproc_if": _read_conditional_code,
    "preproc_line": _skip,
    "preproc_nullable": _skip,
    "preproc_pragma": _skip,
    "preproc_region": _skip,
    "preproc_endregion": _skip,
    "preproc_undef": _skip,
    "preproc_warning": _skip,
    "return_statement": _read_return,
    "switch_expression": _read_switch,
    "switch_expression_arm": _read_arm,
    "throw_expression": _read_throw,
    "throw_statement": _read_throw,
    "try_statement": _read_try,
    "using_statement": _read_block,
    "variable_declaration": _read_variables,
    "yield_statement": _read_yield,
}
