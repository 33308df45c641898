"""The match statement: what its patterns bind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drift.languages.python.kinds import BLOCK
from drift.languages.python.type_forms import dotted
from drift.languages.python.walk import meaningful_children, part_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.python.walk import Walk


def visit_match(walk: Walk, node: Node) -> Expression:
    subjects = [child for child in meaningful_children(node) if child.type != "block"]
    values = [walk.visit(subject) for subject in subjects]
    subject = values[0] if len(values) == 1 else None
    body = part_of(node, BLOCK)
    for clause in body.named_children if body is not None else ():
        _visit_case(walk, clause, subject)
    return None


def _visit_case(walk: Walk, clause: Node, subject: Expression) -> None:
    if clause.type != "case_clause":
        walk.visit(clause)
        return
    for child in clause.named_children:
        if child.type == "case_pattern":
            _bind_pattern(walk, child, subject)
        else:
            walk.visit(child)


def _bind_pattern(walk: Walk, node: Node, value: Expression) -> None:
    """Bind the names of a pattern; `value` is what it is matched against."""
    if walk.is_too_deep(node):
        return
    walk.level += 1
    match node.type:
        case "dotted_name" | "splat_pattern":
            _bind_name(walk, node, value)
        case "class_pattern":
            _bind_class_pattern(walk, node)
        case "as_pattern":
            _bind_as_pattern(walk, node, value)
        case "list_pattern" | "tuple_pattern" | "dict_pattern":
            item: Expression = None if value is None else ("item", value)
            for child in node.named_children:
                _bind_pattern(walk, child, value if child.type == "splat_pattern" else item)
        case "case_pattern" | "union_pattern":
            for child in node.named_children:
                _bind_pattern(walk, child, value)
        case "string" | "concatenated_string" | "integer" | "float":
            walk.visit(node)
    walk.level -= 1


def _bind_name(walk: Walk, node: Node, value: Expression) -> None:
    """A single name captures; a dotted one is a constant to compare with."""
    if node.type == "dotted_name" and node.named_child_count > 1:
        walk.refer(node.start_byte, dotted(walk.text.text(node)))
        return
    for child in node.named_children:
        walk.bind(walk.name(child), value, child)


def _bind_class_pattern(walk: Walk, node: Node) -> None:
    parts = node.named_children
    instance = _matched_class(walk, parts[0]) if parts else None
    if parts and instance is not None and instance[0] == "instance":
        walk.refer(parts[0].start_byte, instance[1], "type")
    for part in parts[1:]:
        inner = part.named_children[0] if part.type == "case_pattern" and part.named_children else part
        if inner.type != "keyword_pattern":
            _bind_pattern(walk, part, None)
            continue
        keyword, *patterns = inner.named_children
        member: Expression = None if instance is None else ("member", instance, walk.name(keyword))
        for pattern in patterns:
            _bind_pattern(walk, pattern, member)


def _bind_as_pattern(walk: Walk, node: Node, value: Expression) -> None:
    pattern, *names = node.named_children
    _bind_pattern(walk, pattern, value)
    inner = pattern
    while inner.type == "case_pattern" and inner.named_child_count == 1:
        inner = inner.named_children[0]
    matched = value
    if inner.type == "class_pattern" and inner.named_children:
        matched = _matched_class(walk, inner.named_children[0])
    for name in names:
        if name.type == "identifier":
            walk.bind(walk.name(name), matched, name)


def _matched_class(walk: Walk, node: Node) -> Expression:
    path = dotted(walk.text.text(node))
    return None if path is None else ("instance", path)
