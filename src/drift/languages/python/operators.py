"""Operators of Python: their values, and the methods of their operands they run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.python.kinds import (
    ATTRIBUTE,
    BINARY_OPERATOR,
    BOOLEAN_OPERATOR,
    COMMENT,
    FLOAT,
    IDENTIFIER,
    INTEGER,
    PARENTHESIZED,
)
from drift.languages.python.methods_run import BINARY, COMPARISONS, TRUTH, UNARY
from drift.languages.python.type_forms import either
from drift.languages.python.walk import is_too_nested, meaningful_children

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.python.walk import Walk

_STRING: Final = ("literal", "str")
_BOOL: Final = ("literal", "bool")


def visit_unary(walk: Walk, node: Node) -> Expression:
    children = node.children
    operand = children[-1]
    kind = operand.kind_id
    if kind in (INTEGER, FLOAT):
        walk.add_number(node, walk.naming)  # with its sign
        return ("literal", "int" if kind == INTEGER else "float")
    value = walk.visit(operand)
    method = UNARY.get(children[0].type)
    if method is not None:
        walk.add_access(value, method, node.start_byte)
    return None


def visit_binary(walk: Walk, node: Node) -> Expression:
    """Arithmetic; a long sum leans left and is gone down without recursion."""
    byte = node.start_byte
    operands: list[tuple[str, Node]] = []
    while node.kind_id == BINARY_OPERATOR:
        children = node.children
        operands.append((children[1].type, children[-1]))
        node = children[0]
    left = walk.visit(node)
    for sign, operand in reversed(operands):
        right = walk.visit(operand)
        note_binary(walk, sign, left, right=right, byte=byte)
        left = operated(sign, left, right)
    return left


def operated(sign: str, left: Expression, right: Expression) -> Expression:
    """What an operator makes of its operands: what the method gives that it runs of one of them."""
    if left == _STRING:
        return left  # a string stays one under + and %
    methods = BINARY.get(sign)
    if right is not None and (right[0] == "operated" or is_too_nested(right)):
        right = None  # a chain leans left: one that leans right as well could nest without bound
    says_nothing = all(operand is None or operand[0] == "literal" for operand in (left, right))
    if methods is None or says_nothing or (left is not None and is_too_nested(left)):
        return None
    return ("operated", left, right, methods[0], methods[1])


def note_binary(walk: Walk, sign: str, left: Expression, *, right: Expression, byte: int) -> None:
    """Note what an operator runs of its operands."""
    methods = BINARY.get(sign)
    if methods is None:
        return
    walk.add_access(left, methods[0], byte)
    if sign != "%" or left != _STRING:  # formatting asks nothing of what is formatted
        walk.add_access(right, methods[1], byte)


def visit_comparison(walk: Walk, node: Node) -> Expression:
    byte = node.start_byte
    left: Expression = None
    methods: tuple[tuple[str, ...], tuple[str, ...]] | None = None
    first = len(walk.references)
    for child in node.children:
        if not child.is_named:
            methods = COMPARISONS.get(child.type)
        elif child.kind_id != COMMENT:
            right = walk.visit(child)
            if methods is not None:
                for method in methods[0]:
                    walk.add_access(left, method, byte)
                for method in methods[1]:
                    walk.add_access(right, method, byte)
            left = right
    if len(walk.references) > first and _asks_type(walk, node.children[0]):
        walk.refer_as_types(first, node.children[-1])
    return _BOOL


def _asks_type(walk: Walk, node: Node) -> bool:
    """Whether an operand is the class of an object: `type(order) is Order`, `order.__class__ in (Order, Bill)`."""
    if node.kind_id == ATTRIBUTE:
        return walk.name(node.children[-1]) == "__class__"
    return node.type == "call" and walk.text.brief(node.children[0], 10) == "type"


def visit_not(walk: Walk, node: Node) -> Expression:
    for operand in node.named_children:
        visit_condition(walk, operand)
    return _BOOL


def visit_logical(walk: Walk, node: Node) -> Expression:
    """Each operand but the last is asked whether it is true."""
    operands = _operands(node)
    values = [visit_condition(walk, operand) for operand in operands[:-1]]
    return either([*values, walk.visit(operands[-1])])


def visit_condition(walk: Walk, node: Node) -> Expression:
    """The value of what is asked whether it is true; a name or a member is asked by a method of its own."""
    while node.kind_id == PARENTHESIZED and len(inner := meaningful_children(node)) == 1:
        node = inner[0]
    kind = node.kind_id
    if kind == BOOLEAN_OPERATOR:
        if walk.is_too_deep(node):
            return None
        walk.level += 1
        value = either([visit_condition(walk, operand) for operand in _operands(node)])
        walk.level -= 1
        return value
    value = walk.visit(node)
    if kind in (IDENTIFIER, ATTRIBUTE):
        walk.add_access(value, TRUTH, node.start_byte)
    return value


def _operands(node: Node) -> list[Node]:
    """Of a chain of `and` and `or`, which leans left, without recursion."""
    operands: list[Node] = []
    while node.kind_id == BOOLEAN_OPERATOR:
        children = node.children
        operands.append(children[-1])
        node = children[0]
    return [node, *reversed(operands)]


def visit_conditional(walk: Walk, node: Node) -> Expression:
    parts = meaningful_children(node)
    values = [
        visit_condition(walk, part) if place == 1 else walk.visit(part) for place, part in enumerate(parts)
    ]
    return either((values[0], values[-1])) if values else None


def visit_tested(walk: Walk, node: Node) -> Expression:
    """`while`, `elif`, `assert`, and `if` in a comprehension: first the condition, then what follows it."""
    condition, *rest = meaningful_children(node) or (None,)
    if condition is not None:
        visit_condition(walk, condition)
    for part in rest:
        if part is not None:
            walk.visit(part)
    return None
