"""Expressions: what their values are, and the reads, stores and constants in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.expressions import list_of
from drift.languages.java.type_forms import name_type
from drift.languages.limits import MOST_ELEMENTS, MOST_TEXT_CHARACTERS
from drift.languages.objects import cast_form, one_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.objects import ObjectWalk

_TRUTHS: Final = frozenset({"==", "!=", "<", ">", "<=", ">=", "&&", "||"})
_QUOTES: Final = '"""'
STRING: Final = ("literal", "str")
_CLASS: Final = ("member", ("member", ("name", "java"), "lang"), "Class")
NUMBERS: Final = {
    "binary_integer_literal": "int",
    "decimal_floating_point_literal": "double",
    "decimal_integer_literal": "int",
    "hex_floating_point_literal": "double",
    "hex_integer_literal": "int",
    "octal_integer_literal": "int",
}


def string_of(walk: ObjectWalk, node: Node) -> str:
    """The contents of a string literal node, escapes as written."""
    raw = walk.text.text(node)
    width = len(_QUOTES) if raw.startswith(_QUOTES) and len(raw) >= 2 * len(_QUOTES) else 1
    return raw[width:-width].strip("\n") if width > 1 else raw[1:-1]


def _read_string(walk: ObjectWalk, node: Node) -> Expression:
    walk.add_string(node, string_of(walk, node))
    return STRING


def _read_number(walk: ObjectWalk, node: Node) -> Expression:
    walk.add_number(node)
    if NUMBERS[node.type] == "double":
        return ("literal", "float" if walk.text.text(node)[-1:] in "fF" else "double")
    return ("literal", "long" if walk.text.text(node)[-1:] in "lL" else "int")


def _read_name(walk: ObjectWalk, node: Node) -> Expression:
    return walk.read_name(node)


def _read_field(walk: ObjectWalk, node: Node) -> Expression:
    target, field = node.child_by_field_name("object"), node.child_by_field_name("field")
    if target is None or field is None:
        return None
    if field.type == "this":
        return ("instance", name_type(walk, target))
    value: Expression = ("member", walk.visit(target), walk.text.text(field))
    walk.refer(field, value, "value")
    return value


def _read_class_literal(walk: ObjectWalk, node: Node) -> Expression:
    """`Cart.class`, an object of the platform's class of classes, as one that is declared to be of that class."""
    walk.visit_children(node)
    named = node.named_children[0] if node.named_child_count else None
    text = walk.text.text(named) if named is not None else ""
    return (
        ("instance", _CLASS, f"Class<{text}>") if len(text) < MOST_TEXT_CHARACTERS else ("instance", _CLASS)
    )


def _read_item(walk: ObjectWalk, node: Node) -> Expression:
    walk.visit_field(node, "index")
    return ("item", walk.visit_field(node, "array"))


def _read_initializer(walk: ObjectWalk, node: Node) -> Expression:
    values: list[Expression] = []
    for child in node.named_children:
        value = walk.visit(child)
        if len(values) < MOST_ELEMENTS and value not in values:
            values.append(value)
    return list_of(values)


def _read_array_creation(walk: ObjectWalk, node: Node) -> Expression:
    element = walk.visit_field(node, "type")
    for child in node.named_children[1:]:
        walk.visit(child)
    return ("instance", ("list", element))


def _read_binary(walk: ObjectWalk, node: Node) -> Expression:
    """A sum of a thousand strings nests a thousand deep to the left, so that side is a loop."""
    operands: list[Node] = []
    current: Node | None = node
    operator = ""
    while current is not None and current.type == "binary_expression":
        sign, right = current.child_by_field_name("operator"), current.child_by_field_name("right")
        operator = operator or (sign.type if sign is not None else "")
        if right is not None:
            operands.append(right)
        current = current.child_by_field_name("left")
    if current is not None:
        operands.append(current)
    values = []
    for operand in reversed(operands):
        values.append(walk.visit(operand))  # noqa: PERF401 (a comprehension costs a stack frame)
    if operator in _TRUTHS:
        return ("literal", "bool")
    return STRING if operator == "+" and STRING in values else None


def _read_ternary(walk: ObjectWalk, node: Node) -> Expression:
    walk.visit_field(node, "condition")
    first = walk.visit_field(node, "consequence")
    return one_of((first, walk.visit_field(node, "alternative")))


def _read_unary(walk: ObjectWalk, node: Node) -> Expression:
    operator = node.child_by_field_name("operator")
    value = walk.visit_field(node, "operand")
    return ("literal", "bool") if operator is not None and operator.type == "!" else value


def _read_inner(walk: ObjectWalk, node: Node) -> Expression:
    value: Expression = None
    for child in node.named_children:
        value = walk.visit(child)
    return value


def _read_cast(walk: ObjectWalk, node: Node) -> Expression:
    kind = walk.visit_field(node, "type")
    value = walk.visit_field(node, "value")
    text = walk.type_text(node.child_by_field_name("type"))
    return cast_form(kind, text) if kind is not None else value


def _read_instanceof(walk: ObjectWalk, node: Node) -> Expression:
    walk.visit_field(node, "left")
    kind = walk.visit_field(node, "right")
    name = node.child_by_field_name("name")
    if name is not None:
        walk.declare(name, walk.text.text(name), ("instance", kind), kind)
    walk.visit_field(node, "pattern")
    return ("literal", "bool")


def _read_pattern(walk: ObjectWalk, node: Node) -> Expression:
    """A type and a name for what matches it, in `case Circle c` and in parts of record patterns."""
    kind: Expression = None
    for child in node.named_children:
        if child.type == "identifier":
            value: Expression = None if kind is None else ("instance", kind)
            walk.declare(child, walk.text.text(child), value, kind)
        else:
            kind = walk.visit(child)
    return None


def _read_record_pattern(walk: ObjectWalk, node: Node) -> Expression:
    for child in node.named_children:
        if child.type == "identifier":
            walk.refer(child, ("name", walk.text.text(child)), "type")
        else:
            walk.visit(child)
    return None


def _read_assignment(walk: ObjectWalk, node: Node) -> Expression:
    left, operator = node.child_by_field_name("left"), node.child_by_field_name("operator")
    value = walk.visit_field(node, "right")
    stored = value if operator is not None and operator.type == "=" else None
    if left is None:
        return value
    is_read = operator is not None and operator.type != "="  # `total += 1` reads what it writes
    if left.type == "identifier":
        if is_read:
            walk.read_name(left)
        walk.assign(left, walk.text.text(left), stored)
    elif left.type == "field_access" and (field := left.child_by_field_name("field")) is not None:
        receiver = walk.visit_field(left, "object")
        if is_read:
            walk.refer(field, ("member", receiver, walk.text.text(field)), "value")
        walk.store(field, receiver, name=walk.text.text(field), value=stored)
    else:
        walk.visit(left)
    return value


def _skip(_walk: ObjectWalk, _node: Node) -> Expression:
    return None


VALUE_HANDLERS: Final[dict[str, Callable[[ObjectWalk, Node], Expression]]] = {
    **dict.fromkeys(NUMBERS, _read_number),
    "array_access": _read_item,
    "array_creation_expression": _read_array_creation,
    "array_initializer": _read_initializer,
    "assignment_expression": _read_assignment,
    "binary_expression": _read_binary,
    "block_comment": _skip,
    "cast_expression": _read_cast,
    "character_literal": lambda _walk, _node: ("literal", "char"),
    "class_literal": _read_class_literal,
    "element_value_array_initializer": _read_initializer,
    "false": lambda _walk, _node: ("literal", "bool"),
    "field_access": _read_field,
    "identifier": _read_name,
    "instanceof_expression": _read_instanceof,
    "line_comment": _skip,
    "null_literal": lambda _walk, _node: ("literal", "none"),
    "parenthesized_expression": _read_inner,
    "record_pattern": _read_record_pattern,
    "record_pattern_component": _read_pattern,
    "string_literal": _read_string,
    "super": lambda _walk, _node: ("super",),
    "ternary_expression": _read_ternary,
    "this": lambda _walk, _node: ("this",),
    "true": lambda _walk, _node: ("literal", "bool"),
    "type_pattern": _read_pattern,
    "unary_expression": _read_unary,
}
