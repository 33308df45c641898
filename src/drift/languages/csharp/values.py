"""Expressions: what their values are, and the reads, stores and constants in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.csharp.implied import note_wanted
from drift.languages.csharp.type_forms import (
    name_type,
    read_type,
    read_type_arguments,
    with_count,
)
from drift.languages.csharp.walk import CsharpWalk, operands
from drift.languages.expressions import last_name, library_shape, list_of
from drift.languages.limits import MOST_ELEMENTS
from drift.languages.objects import cast_form, one_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Node

    from drift.languages.expressions import Expression

STRING: Final = ("literal", "str")
STRINGS: Final = frozenset({"raw_string_literal", "string_literal", "verbatim_string_literal"})
NUMBERS: Final = frozenset({"integer_literal", "real_literal"})
_WHOLE_SUFFIXES: Final = {"ul": "ulong", "lu": "ulong", "u": "uint", "l": "long"}
_REAL_SUFFIXES: Final = {"f": "float", "d": "double", "m": "decimal"}
_TRUTHS: Final = frozenset({"==", "!=", "<", ">", "<=", ">=", "&&", "||"})
_NO_CLASSES: Final = frozenset({"dict", "list", "literal"})
_OF_TYPES: Final[Expression] = ("instance", ("name", "Type"))  # of what `typeof` gives
_HANDED_OVER: Final = frozenset({"member", "name", "partial", "symbol"})


def string_of(walk: CsharpWalk, node: Node) -> str:
    """The contents of a string literal node, escapes as written."""
    raw = walk.text.text(node).removesuffix("u8")
    if node.type == "raw_string_literal":
        return raw.strip('"').strip("\r\n")
    return raw.removeprefix("@")[1:-1]


def _read_string(walk: CsharpWalk, node: Node) -> Expression:
    walk.add_string(node, string_of(walk, node))
    return STRING


def _read_interpolated(walk: CsharpWalk, node: Node) -> Expression:
    whole = walk.text.text(node)
    # Of texts that are put together those are kept that may be paths, which tests ask for: most others are messages.
    if "/" in whole and " " not in whole:
        walk.add_string(node, whole.lstrip("$@").strip('"'))
    for child in node.named_children:
        if child.type == "interpolation":
            walk.visit_children(child)
    return STRING


def _read_number(walk: CsharpWalk, node: Node) -> Expression:
    walk.add_number(node)
    written = walk.text.text(node)[-2:].lower()
    if node.type == "real_literal":
        return ("literal", _REAL_SUFFIXES.get(written[-1:], "double"))
    return ("literal", _WHOLE_SUFFIXES.get(written) or _WHOLE_SUFFIXES.get(written[-1:], "int"))


def _read_name(walk: CsharpWalk, node: Node) -> Expression:
    """A name; a type parameter is what constrains it: `T.Map(group)`."""
    name = walk.text.text(node)
    is_type = name in walk.generics and name not in walk.locals
    return walk.generics[name] if is_type else walk.read_name(node)


def _read_generic_name(walk: CsharpWalk, node: Node) -> Expression:
    value = name_type(walk, node)
    is_type = value is not None and last_name(value) not in walk.locals
    if is_type:
        value = with_count(node, value)
        walk.refer(node, value, "value")
    read_type_arguments(walk, node)
    return value


def _read_type_value(walk: CsharpWalk, node: Node) -> Expression:
    """A type where a value stands: `string.Join`, `typeof(T)`, `global::A`."""
    return name_type(walk, node)


def _read_typeof(walk: CsharpWalk, node: Node) -> Expression:
    """`typeof(Shape)` stands for the class it names; of a type that is none of a project's it is but a type."""
    kind = read_type(walk, node.child_by_field_name("type"))
    shape = library_shape(kind)
    if shape is None or shape[0] not in _NO_CLASSES:
        return kind
    return ("own", kind[1], _OF_TYPES) if kind is not None and kind[0] == "own" else _OF_TYPES


def _read_sizeof(walk: CsharpWalk, node: Node) -> Expression:
    read_type(walk, node.child_by_field_name("type"))
    return ("literal", "int")


def member_name(walk: CsharpWalk, node: Node | None) -> str:
    """The name behind a dot, without type arguments, which are noted."""
    if node is None:
        return ""
    if node.type != "generic_name":
        return walk.text.text(node)
    read_type_arguments(walk, node)
    return walk.text.text(node.named_children[0]) if node.named_child_count else ""


def _read_member(walk: CsharpWalk, node: Node) -> Expression:
    target, name_node = node.child_by_field_name("expression"), node.child_by_field_name("name")
    if target is None or name_node is None:
        return None
    receiver, name = walk.visit(target), member_name(walk, name_node)
    if target.type == "typeof_expression":
        receiver = _OF_TYPES  # `typeof(Shape).Assembly` is the platform's, and nothing of Shape runs
    value: Expression = ("member", receiver, name)
    if node.start_byte in walk.expected:  # a mock is told of a property
        walk.refer(name_node, value, "value")
    else:
        walk.note_member(name_node, receiver, name)
    return value


def _read_conditional_access(walk: CsharpWalk, node: Node) -> Expression:
    """`a?.b` and `a?[0]`, whose values are those of `a.b` and `a[0]`."""
    receiver = walk.visit_field(node, "condition")
    binding = node.named_children[-1] if node.named_child_count else None
    if binding is None:
        return None
    if binding.type != "member_binding_expression":
        walk.visit_children(binding)
        return ("item", receiver)
    name_node = binding.child_by_field_name("name")
    name = member_name(walk, name_node)
    walk.note_member(binding, receiver, name)
    return ("member", receiver, name)


def _read_item(walk: CsharpWalk, node: Node) -> Expression:
    value = walk.visit_field(node, "expression")
    walk.visit_field(node, "subscript")
    return ("item", value)


def read_elements(walk: CsharpWalk, node: Node) -> Expression:
    """The elements of a collection, an array or a tuple."""
    values: list[Expression] = []
    for child in operands(node):
        value = walk.visit(child)
        if len(values) < MOST_ELEMENTS and value not in values:
            values.append(value)
    return list_of(values)


def _read_last(walk: CsharpWalk, node: Node) -> Expression:
    value: Expression = None
    for child in operands(node):
        value = walk.visit(child)
    return value


def _read_prefix(walk: CsharpWalk, node: Node) -> Expression:
    value = walk.visit_operand(node)
    return ("literal", "bool") if node.child_count and node.children[0].type == "!" else value


def _read_array(walk: CsharpWalk, node: Node) -> Expression:
    made = node.child_by_field_name("type")
    kind = read_type(walk, made)
    for child in made.named_children if made is not None else ():
        if child.type == "array_rank_specifier":  # `new int[Count()]`
            walk.visit_children(child)
    for child in node.named_children[1:]:
        walk.visit(child)
    return ("instance", kind)


def _read_binary(walk: CsharpWalk, node: Node) -> Expression:
    """A sum of a thousand strings nests a thousand deep to the left, so that side is a loop."""
    parts: list[Node] = []
    current: Node | None = node
    operator = ""
    while current is not None and current.type == "binary_expression":
        sign, right = current.child_by_field_name("operator"), current.child_by_field_name("right")
        operator = operator or (sign.type if sign is not None else "")
        if right is not None:
            parts.append(right)
        current = current.child_by_field_name("left")
    if current is not None:
        parts.append(current)
    values = []
    for part in reversed(parts):
        values.append(walk.visit(part))  # noqa: PERF401 (a comprehension costs a stack frame)
    if operator == "??":
        return one_of(values)
    if operator in _TRUTHS:
        return ("literal", "bool")
    return STRING if operator == "+" and STRING in values else None


def _read_conditional(walk: CsharpWalk, node: Node) -> Expression:
    walk.visit_field(node, "condition")
    first = walk.visit_field(node, "consequence")
    return one_of((first, walk.visit_field(node, "alternative")))


def _read_cast(walk: CsharpWalk, node: Node) -> Expression:
    """`(T)x` and `x as T`."""
    is_as = node.type == "as_expression"
    value = walk.visit_field(node, "left" if is_as else "value")
    type_node = node.child_by_field_name("right" if is_as else "type")
    kind = read_type(walk, type_node)
    return cast_form(kind, walk.type_text(type_node)) if kind is not None else value


def _read_await(walk: CsharpWalk, node: Node) -> Expression:
    return ("awaited", walk.visit_operand(node))


def _read_default(walk: CsharpWalk, node: Node) -> Expression:
    kind = read_type(walk, node.child_by_field_name("type"))
    return ("instance", kind) if kind is not None else None


def _read_declaration_value(walk: CsharpWalk, node: Node) -> Expression:
    """`out var x` and the parts of `(int a, var b) = ...`."""
    kind = read_type(walk, node.child_by_field_name("type"))
    name = node.child_by_field_name("name")
    if name is not None:
        walk.declare(name, walk.text.text(name), None if kind is None else ("instance", kind), kind)
    return None if kind is None else ("instance", kind)


def _read_assignment(walk: CsharpWalk, node: Node) -> Expression:
    left, sign = node.child_by_field_name("left"), node.child_by_field_name("operator")
    right = node.child_by_field_name("right")
    if left is not None and right is not None:
        note_wanted(walk, right, _assigned_type(walk, left))
    value = walk.visit_field(node, "right")
    operator = sign.type if sign is not None else ""
    # `Changed += OnChanged` hands a method over; other compound values are of no known kind.
    is_handed_over = operator == "+=" and value is not None and value[0] in _HANDED_OVER
    stored = value if operator in {"=", "??="} or is_handed_over else None
    if left is not None:
        store_in(walk, left, stored)
    return value


def _assigned_type(walk: CsharpWalk, target: Node) -> Expression:
    """The type of what is assigned to: a variable, or a member of the class around."""
    if target.type == "identifier":
        return _declared_type(walk, walk.text.text(target))
    owner, name = target.child_by_field_name("expression"), target.child_by_field_name("name")
    is_own = target.type == "member_access_expression" and owner is not None and owner.type == "this"
    return _member_type(walk, walk.text.text(name)) if is_own and name is not None else None


def _declared_type(walk: CsharpWalk, name: str) -> Expression:
    """The type that a variable, or a field of the class, is declared to be of, where that is already read."""
    if name in walk.locals:
        scope = walk.locals[name]
        found = (one.type for one in reversed(walk.bindings) if one.scope == scope and one.name == name)
        return next((form for form in found if form is not None), None)
    return _member_type(walk, name)


def _member_type(walk: CsharpWalk, name: str) -> Expression:
    owner = walk.classes[-1].number if walk.classes else 0
    read = next((one.value_type for one in walk.symbols if one.parent == owner and one.name == name), None)
    node = walk.member_types[-1].get(name) if read is None and walk.member_types else None
    return read if node is None else with_count(node, name_type(walk, node))


def store_in(walk: CsharpWalk, target: Node, value: Expression) -> None:
    """Note that what an expression names is given a value."""
    if target.type == "identifier":
        walk.assign_named(target, value)
    elif target.type == "member_access_expression":
        receiver = walk.visit_field(target, "expression")
        name = target.child_by_field_name("name")
        if name is not None:
            written = member_name(walk, name)
            walk.note_member(name, receiver, written)
            walk.store(name, receiver, name=written, value=value)
    elif target.type == "tuple_expression":
        for argument in target.named_children:
            inner = argument.named_children[-1] if argument.named_child_count else None
            if inner is not None and inner.type == "identifier":
                walk.assign_named(inner, ("item", value))
            elif inner is not None:
                walk.visit(inner)
    else:
        walk.visit(target)


def _skip(_walk: CsharpWalk, _node: Node) -> Expression:
    return None


VALUE_HANDLERS: Final[dict[str, Callable[[CsharpWalk, Node], Expression]]] = {
    **dict.fromkeys(NUMBERS, _read_number),
    **dict.fromkeys(STRINGS, _read_string),
    "alias_qualified_name": _read_type_value,
    "array_creation_expression": _read_array,
    "array_type": _read_type_value,
    "arrow_expression_clause": _read_last,
    "as_expression": _read_cast,
    "assignment_expression": _read_assignment,
    "await_expression": _read_await,
    "base": lambda _walk, _node: ("super",),
    "binary_expression": _read_binary,
    "boolean_literal": lambda _walk, _node: ("literal", "bool"),
    "cast_expression": _read_cast,
    "character_literal": lambda _walk, _node: ("literal", "char"),
    "checked_expression": _read_last,
    "collection_element": _read_last,
    "collection_expression": read_elements,
    "comment": _skip,
    "conditional_access_expression": _read_conditional_access,
    "conditional_expression": _read_conditional,
    "declaration_expression": _read_declaration_value,
    "default_expression": _read_default,
    "discard": _skip,
    "element_access_expression": _read_item,
    "expression_element": _read_last,
    "generic_name": _read_generic_name,
    "identifier": _read_name,
    "implicit_array_creation_expression": _read_last,
    "interpolated_string_expression": _read_interpolated,
    "member_access_expression": _read_member,
    "null_literal": lambda _walk, _node: ("literal", "none"),
    "parenthesized_expression": _read_last,
    "postfix_unary_expression": _read_last,
    "predefined_type": _read_type_value,
    "prefix_unary_expression": _read_prefix,
    "ref_expression": _read_last,
    "sizeof_expression": _read_sizeof,
    "this": lambda _walk, _node: ("this",),
    "tuple_expression": read_elements,
    "typeof_expression": _read_typeof,
}
