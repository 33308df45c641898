"""Patterns and queries: the names they bind, and what each is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.csharp.type_forms import read_type
from drift.languages.csharp.walk import CsharpWalk, operands

if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Node

    from drift.languages.expressions import Expression


_MEMBERS: Final = "member_access_expression"


def _read_declaration_pattern(walk: CsharpWalk, node: Node) -> Expression:
    """`Circle c`, `Circle { Radius: > 3 } c` and `var x`."""
    kind = read_type(walk, node.child_by_field_name("type"))
    name = node.child_by_field_name("name")
    around = walk.matched
    walk.matched = around if kind is None else ("instance", kind)
    for child in node.named_children:
        if child.type in {"positional_pattern_clause", "property_pattern_clause"}:
            walk.visit(child)
    walk.matched = around
    if name is not None:
        walk.declare(name, walk.text.text(name), None if kind is None else ("instance", kind), kind)
    return None


def _read_subpattern(walk: CsharpWalk, node: Node) -> Expression:
    """`Length: > 3`: the name before the colon is the member that is looked at, no value of its own."""
    children, around = node.named_children, walk.matched
    walk.matched = _member_matched(walk, children[0]) if len(children) > 1 else None
    for child in children[1:] if len(children) > 1 else children:
        walk.visit(child)
    walk.matched = around
    return None


def _member_matched(walk: CsharpWalk, named: Node) -> Expression:
    """The member that a pattern names, `Owner.Name` of what is looked at, which is noted as read."""
    value = walk.matched
    for part in named.named_children if named.type == _MEMBERS else (named,):
        if value is None or part.type != "identifier":
            return None
        name = walk.text.text(part)
        walk.note_member(part, value, name)
        value = ("member", value, name)
    return value


def _read_constant_pattern(walk: CsharpWalk, node: Node) -> Expression:
    """A value to compare with; for `x is Circle` the grammar cannot tell the type from a constant."""
    for child in operands(node):
        walk.visit(child)
    return None


def _read_type_pattern(walk: CsharpWalk, node: Node) -> Expression:
    read_type(walk, node.child_by_field_name("type"))
    return None


def _read_is(walk: CsharpWalk, node: Node) -> Expression:
    value, around = walk.visit_field(node, "expression"), walk.matched
    walk.matched = value
    walk.visit_field(node, "pattern")
    walk.matched = around
    return ("literal", "bool")


def read_tuple_names(walk: CsharpWalk, pattern: Node, value: Expression) -> None:
    """The names of `var (a, (b, c))`, each an item of the value."""
    waiting = [pattern]
    while waiting:
        node = waiting.pop()
        if node.type == "identifier":
            walk.declare(node, walk.text.text(node), ("item", value))
        elif node.type in {"parenthesized_variable_designation", "tuple_pattern"}:
            waiting += reversed(node.named_children)


def _read_tuple_pattern(walk: CsharpWalk, node: Node) -> Expression:
    read_tuple_names(walk, node, None)
    return None


def _read_query(walk: CsharpWalk, node: Node) -> Expression:
    """A query gives a collection of what its last `select` gives."""
    mark = walk.mark()
    selected: Expression = None
    for child in node.named_children:
        if child.type == "identifier":  # the name behind `into`
            walk.declare(child, walk.text.text(child), ("item", selected))
        else:
            selected = walk.visit(child)
    walk.release(mark)
    return ("list", selected)


def _read_from(walk: CsharpWalk, node: Node) -> Expression:
    kind = read_type(walk, node.child_by_field_name("type"))
    name = node.child_by_field_name("name")
    found = operands(node)
    value = walk.visit(found[-1]) if found and found[-1] != name else None
    if name is not None:
        walk.declare(name, walk.text.text(name), ("item", value), kind)
    return None


def _read_join(walk: CsharpWalk, node: Node) -> Expression:
    children = [child for child in node.named_children if child.type != "comment"]
    if len(children) > 1 and children[0].type == "identifier":
        value = walk.visit(children[1])
        walk.declare(children[0], walk.text.text(children[0]), ("item", value))
        children = children[2:]
    for child in children:
        walk.visit(child)
    return None


def _read_let(walk: CsharpWalk, node: Node) -> Expression:
    children = operands(node)
    if len(children) > 1 and children[0].type == "identifier":
        walk.declare(children[0], walk.text.text(children[0]), walk.visit(children[-1]))
    return None


def _read_join_into(walk: CsharpWalk, node: Node) -> Expression:
    for child in node.named_children:
        if child.type == "identifier":
            walk.declare(child, walk.text.text(child), None)
    return None


def _read_first(walk: CsharpWalk, node: Node) -> Expression:
    """What `select` and `group ... by` give."""
    found = operands(node)
    values = []
    for child in found:
        values.append(walk.visit(child))  # noqa: PERF401 (a comprehension costs a stack frame)
    return values[0] if values else None


PATTERN_HANDLERS: Final[dict[str, Callable[[CsharpWalk, Node], Expression]]] = {
    "constant_pattern": _read_constant_pattern,
    "declaration_pattern": _read_declaration_pattern,
    "from_clause": _read_from,
    "group_clause": _read_first,
    "is_pattern_expression": _read_is,
    "join_clause": _read_join,
    "join_into_clause": _read_join_into,
    "let_clause": _read_let,
    "query_expression": _read_query,
    "recursive_pattern": _read_declaration_pattern,
    "select_clause": _read_first,
    "subpattern": _read_subpattern,
    "tuple_pattern": _read_tuple_pattern,
    "type_pattern": _read_type_pattern,
    "var_pattern": _read_declaration_pattern,
}
