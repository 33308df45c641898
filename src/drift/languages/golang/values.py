"""What Go expressions are worth, and the calls, references and constants in them.

Chains (`a.b().c[0].(T).d()`) and runs of operators are walked in a loop from the inside out, so that their
length costs no depth.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.golang.calls import apply_call, read_generic_call, read_variadic
from drift.languages.golang.literals import read_braces, read_composite
from drift.languages.golang.type_forms import read_type_name
from drift.languages.golang.vocabulary import PREDECLARED_FUNCTIONS, PREDECLARED_TYPES

if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.golang.walk import GoWalk

_MOST_MEMBERS: Final = 40  # a longer path of members is no code a person wrote
_READS: Final = frozenset({"selector_expression", "parenthesized_expression"})
_TRUTH_OPERATORS: Final = frozenset({"==", "!=", "<", "<=", ">", ">=", "&&", "||"})


def read_name(go: GoWalk, node: Node) -> Expression:
    value = go.name_form(go.text.text(node))
    _refer_to(go, node, value)
    return value


def _refer_to(go: GoWalk, node: Node, value: Expression) -> None:
    """Note a use of something that is no variable of the function itself."""
    if value is None:
        return
    if value[0] in {"name", "outer"}:
        name = value[1]
        if name in go.locals or name in PREDECLARED_TYPES or name in PREDECLARED_FUNCTIONS:
            return
    elif value[0] != "member":
        return
    go.refer(node, value, "value")


def _read_chain(go: GoWalk, node: Node) -> Expression:
    links: list[tuple[str, Node]] = []  # types are kept, since each asking for one makes a string
    kind = node.type
    while kind in _LINKS and (inner := _inner(node)) is not None:
        links.append((kind, node))
        node = inner
        kind = node.type
    if not links:
        return None
    value = go.name_form(go.text.text(node)) if kind == "identifier" else go.visit(node)
    members = 0
    for kind, link in reversed(links):
        value = _LINKS[kind](go, link, value)
        members = members + 1 if kind == "selector_expression" else 0
        if members > _MOST_MEMBERS:
            value, members = None, 0
    kind, top = links[0]
    if kind in _READS:
        _refer_to(go, top, value)
    return value


def _inner(node: Node) -> Node | None:
    """What a link of a chain is applied to."""
    for child in node.children:
        if child.is_named and child.type != "comment":
            return child
    return None


def _apply_selector(go: GoWalk, node: Node, value: Expression) -> Expression:
    field = node.children[-1]
    if value is not None and value[0] == "member":  # of `order.customer.Name` the customer is read, too
        inner = node.children[0]
        if inner.type != "identifier":
            go.refer(inner.child_by_field_name("field") or inner, value, "value")
    return ("member", value, go.text.text(field)) if field.type == "field_identifier" else None


def _apply_index(go: GoWalk, node: Node, value: Expression) -> Expression:
    index = node.child_by_field_name("index")
    if index is not None and index.type == "identifier" and _names_type(go, index):
        read_type_name(go, index)  # `f[int]` is f, made for a type
        return value
    _refer_to(go, node, value)
    if index is not None:
        go.visit(index)
    return ("item", value)


def _names_type(go: GoWalk, node: Node) -> bool:
    name = go.text.text(node)
    return name not in go.locals and (name in go.types or name in go.generics or name in PREDECLARED_TYPES)


def _apply_slice(go: GoWalk, node: Node, value: Expression) -> Expression:
    _refer_to(go, node, value)
    for field in ("start", "end", "capacity"):
        go.visit_field(node, field)
    return value


def _apply_assertion(go: GoWalk, node: Node, value: Expression) -> Expression:
    _refer_to(go, node, value)
    return ("instance", go.visit_field(node, "type"))


def _apply_nothing(_go: GoWalk, _node: Node, value: Expression) -> Expression:
    return value


_LINKS: Final[dict[str, Callable[[GoWalk, Node, Expression], Expression]]] = {
    "call_expression": apply_call,
    "index_expression": _apply_index,
    "parenthesized_expression": _apply_nothing,
    "selector_expression": _apply_selector,
    "slice_expression": _apply_slice,
    "type_assertion_expression": _apply_assertion,
}


def _read_unary(go: GoWalk, node: Node) -> Expression:
    value = go.visit_field(node, "operand")
    operator = node.children[0].type
    if operator == "<-":
        return ("item", value)
    return ("literal", "bool") if operator == "!" else value


def _read_binary(go: GoWalk, node: Node) -> Expression:
    truth = False
    rights = []
    top = node
    while node.type == "binary_expression":
        if node is top:
            truth = any(child.type in _TRUTH_OPERATORS for child in node.children)
        right = node.child_by_field_name("right")
        left = node.child_by_field_name("left")
        if right is not None:
            rights.append(right)
        if left is None:
            break
        node = left
    values = [go.visit(node)] if node.type != "binary_expression" else []
    values += [go.visit(right) for right in reversed(rights)]
    if truth:
        return ("literal", "bool")
    return next((value for value in values if value and value[0] == "literal"), values[0] if values else None)


def _read_conversion(go: GoWalk, node: Node) -> Expression:
    type_node = node.child_by_field_name("type")
    if type_node is not None and type_node.type == "generic_type":
        return read_generic_call(go, node, type_node)
    form = None if type_node is None else go.visit(type_node)
    go.visit_field(node, "operand")
    return ("instance", form)


def _read_instantiation(go: GoWalk, node: Node) -> Expression:
    """`f[int, string]`: the function, made for types."""
    function, *types = [child for child in node.named_children if child.type != "comment"]
    for child in types:
        go.visit(child)
    value = go.name_form(go.text.text(function)) if function.type == "type_identifier" else go.visit(function)
    _refer_to(go, node, value)
    return value


def _read_string(go: GoWalk, node: Node) -> Expression:
    go.add_string(node, go.text.slice(node.start_byte + 1, node.end_byte - 1))
    return ("literal", "str")


def _read_integer(go: GoWalk, node: Node) -> Expression:
    go.add_number(node)
    return ("literal", "int")


def _read_float(go: GoWalk, node: Node) -> Expression:
    go.add_number(node)
    return ("literal", "float")


def _constantly(kind: str) -> Callable[[GoWalk, Node], Expression]:
    def read_literal(_go: GoWalk, _node: Node) -> Expression:
        return ("literal", kind)

    return read_literal


VALUE_HANDLERS: Final[dict[str, Callable[[GoWalk, Node], Expression]]] = {
    **dict.fromkeys(_LINKS, _read_chain),
    "binary_expression": _read_binary,
    "composite_literal": read_composite,
    "false": _constantly("bool"),
    "float_literal": _read_float,
    "identifier": read_name,
    "imaginary_literal": _read_float,
    "int_literal": _read_integer,
    "interpreted_string_literal": _read_string,
    "iota": _constantly("int"),
    "literal_value": read_braces,
    "nil": _constantly("none"),
    "raw_string_literal": _read_string,
    "rune_literal": _constantly("int"),
    "true": _constantly("bool"),
    "type_conversion_expression": _read_conversion,
    "type_instantiation_expression": _read_instantiation,
    "unary_expression": _read_unary,
    "variadic_argument": read_variadic,
}
