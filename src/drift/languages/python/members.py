"""Members of Python values that are read or deleted: attributes, elements, and the code they may run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drift.languages.expressions import part_key
from drift.languages.python.environment import note_subscript_read
from drift.languages.python.kinds import ATTRIBUTE, IDENTIFIER, SLICE, SUBSCRIPT
from drift.languages.python.providers import annotated_value
from drift.languages.python.strings import constant_key
from drift.languages.python.walk import is_too_nested, member_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.expressions import Expression, Known
    from drift.languages.python.walk import Walk

_UP_TO = 2  # the colon and what stands behind it
_GROUPS = frozenset({"expression_list", "tuple", "list", "parenthesized_expression"})


def visit_attribute(walk: Walk, node: Node) -> Expression:
    """A chain of members, referred to once, as a whole."""
    value, is_path = read_path(walk, node)
    if is_path and value is not None:
        walk.refer(node.start_byte, value)
    return value


def read_path(walk: Walk, node: Node) -> tuple[Expression, bool]:
    """The value of a chain of members, each read, and whether it is a plain path: `a.b.c` of a name."""
    names, source = walk.names, walk.source
    members: list[tuple[str, int]] = []
    while node.kind_id == ATTRIBUTE:
        children = node.children
        last = children[-1]
        start = last.start_byte
        members.append((names[source[start : last.end_byte]], start))
        node = children[0]
    if node.kind_id != IDENTIFIER:
        return _read_members(walk, walk.visit(node), members), False
    form = walk.name_forms[source[node.start_byte : node.end_byte]]
    return _read_members(walk, ("this",) if form[1] == walk.receiver else form, members), True


def _read_members(walk: Walk, value: Expression, members: list[tuple[str, int]]) -> Expression:
    if value is None or not members:
        return value
    if is_too_nested(value, len(members)):
        return None
    for name, byte in reversed(members):
        walk.add_access(value, name, byte)
        value = ("member", value, name)
    return value


def visit_subscript(walk: Walk, node: Node) -> Expression:
    return _use_element(walk, node, "__getitem__")


def _use_element(walk: Walk, node: Node, method: str) -> Expression:
    parts = node.named_children
    if not parts:
        return None
    annotated = annotated_value(walk, parts) if method == "__getitem__" else None
    if annotated is not None:
        return annotated
    value = walk.visit(parts[0])
    for index in parts[1:]:
        walk.visit(index)
    note_subscript_read(walk, node, value=value, index=parts[1:])
    value = member_of(value, [])
    walk.add_access(value, method, node.start_byte)
    if len(parts) > 1 and parts[1].kind_id == SLICE:
        return _part_of(walk, value, parts[1])
    return None if value is None else element_of(walk, value, parts[1:])


def element_of(walk: Walk, value: Known, indexes: list[Node]) -> Expression:
    """An element under one of these: the one of a constant key, where that is told."""
    key = constant_key(indexes[0], walk.source) if len(indexes) == 1 else None
    return ("item", value) if key is None else ("item", value, key)


def _part_of(walk: Walk, value: Expression, bounds: Node) -> Expression:
    """A part of a sequence, which is one like it; where it begins further on, its elements have other places."""
    tokens = bounds.children
    if value is None or not tokens or (not tokens[0].is_named and len(tokens) <= _UP_TO):
        return value
    has_step = sum(not one.is_named for one in tokens) > 1
    first = None if has_step else constant_key(tokens[0], walk.source)
    last = constant_key(tokens[-1], walk.source) if tokens[-1].is_named else None
    return ("item", value, part_key(first, last))


def visit_delete(walk: Walk, node: Node) -> Expression:
    """`del a.b, c[k]`: neither is read, but an element is deleted by a method."""
    waiting = node.named_children[::-1]
    while waiting:
        target = waiting.pop()
        if target.kind_id == ATTRIBUTE:
            _delete_member(walk, target)
        elif target.kind_id == SUBSCRIPT:
            _use_element(walk, target, "__delitem__")
        elif target.type in _GROUPS:
            waiting += target.named_children[::-1]
        else:
            walk.visit(target)
    return None


def _delete_member(walk: Walk, node: Node) -> None:
    children = node.children
    value, is_path = read_path(walk, children[0])
    member = member_of(value, [walk.name(children[-1])])
    if is_path and member is not None:
        walk.refer(node.start_byte, member)
