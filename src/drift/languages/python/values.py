"""Expressions of Python: what each says of its value, and the facts inside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.facts import Return
from drift.languages.python.calls import visit_call
from drift.languages.python.environment import note_subscript_read
from drift.languages.python.functions import visit_lambda
from drift.languages.python.strings import joined_value, string_value
from drift.languages.python.targets import assign_elements
from drift.languages.python.type_forms import either
from drift.languages.python.walk import member_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.facts import Expression
    from drift.languages.python.walk import Handler, Walk

_MOST_ELEMENTS: Final = 64  # a longer literal is a table; what it holds is told by its first elements
_MOST_KEY_CHARACTERS: Final = 100
_STRING: Final = ("literal", "str")


def _visit_name(walk: Walk, node: Node) -> Expression:
    name = walk.name(node)
    if name == walk.receiver:
        return ("this",)
    value = ("name", name)
    walk.refer(node, value)
    return value


def _visit_attribute(walk: Walk, node: Node) -> Expression:
    """A chain of members, referred to once, as a whole."""
    members: list[str] = []
    place = node
    while node.type == "attribute":
        children = node.children
        members.append(walk.name(children[-1]))
        node = children[0]
    value: Expression
    is_path = node.type == "identifier"
    if is_path:
        name = walk.name(node)
        value = ("this",) if name == walk.receiver else ("name", name)
    else:
        value = walk.visit(node)
    value = member_of(value, members)
    if is_path and value is not None:
        walk.refer(place, value)
    return value


def _visit_string(walk: Walk, node: Node) -> Expression:
    value = string_value(walk.source[node.start_byte : node.end_byte])
    if value is not None:
        walk.add_string(node, value, walk.naming)
        return _STRING
    _visit_interpolations(walk, node)
    opening = walk.source[node.start_byte : node.start_byte + 3].lower()
    is_bytes = b"b" in opening.partition(b'"')[0].partition(b"'")[0]
    return ("literal", "bytes") if is_bytes else _STRING


def _visit_strings(walk: Walk, node: Node) -> Expression:
    """Literals written side by side."""
    value = joined_value(node, walk.source)
    if value is not None:
        walk.add_string(node, value, walk.naming)
        return _STRING
    for part in node.named_children:
        _visit_interpolations(walk, part)
    return _STRING


def _visit_interpolations(walk: Walk, node: Node) -> None:
    for part in node.named_children:
        if part.type == "interpolation":
            walk.visit_children(part)


def _visit_integer(walk: Walk, node: Node) -> Expression:
    walk.add_number(node, walk.naming)
    return ("literal", "int")


def _visit_float(walk: Walk, node: Node) -> Expression:
    walk.add_number(node, walk.naming)
    return ("literal", "float")


def _visit_bool(_walk: Walk, _node: Node) -> Expression:
    return ("literal", "bool")


def _visit_none(_walk: Walk, _node: Node) -> Expression:
    return ("literal", "none")


def _visit_truth(walk: Walk, node: Node) -> Expression:
    """A comparison or a negation."""
    walk.visit_children(node)
    return ("literal", "bool")


def _visit_unary(walk: Walk, node: Node) -> Expression:
    operand = node.children[-1]
    if operand.type in {"integer", "float"}:
        walk.add_number(node, walk.naming)  # with its sign
        return ("literal", "int" if operand.type == "integer" else "float")
    walk.visit(operand)
    return None


def _visit_binary(walk: Walk, node: Node) -> Expression:
    """Arithmetic; a long sum leans left and is gone down without recursion."""
    operands: list[Node] = []
    while node.type == "binary_operator":
        children = node.children
        operands.append(children[-1])
        node = children[0]
    first = walk.visit(node)
    for operand in reversed(operands):
        walk.visit(operand)
    # A string stays a string under + and %; of other values an operator may make anything.
    return first if first == _STRING else None


def _visit_logical(walk: Walk, node: Node) -> Expression:
    operands: list[Node] = []
    while node.type == "boolean_operator":
        children = node.children
        operands.append(children[-1])
        node = children[0]
    operands.append(node)
    return either([walk.visit(operand) for operand in reversed(operands)])


def _visit_conditional(walk: Walk, node: Node) -> Expression:
    parts = [walk.visit(part) for part in node.named_children if part.type != "comment"]
    return either((parts[0], parts[-1])) if parts else None


def _visit_subscript(walk: Walk, node: Node) -> Expression:
    parts = node.named_children
    if not parts:
        return None
    value = walk.visit(parts[0])
    for index in parts[1:]:
        walk.visit(index)
    note_subscript_read(walk, node, value=value, index=parts[1:])
    value = member_of(value, [])
    if len(parts) > 1 and parts[1].type == "slice":
        return value  # a part of a sequence is one like it
    return None if value is None else ("item", value)


def _visit_sequence(walk: Walk, node: Node) -> Expression:
    values = [walk.visit(element) for element in node.named_children if element.type != "comment"]
    if any(value is not None and value[0] != "literal" for value in values):
        return ("list", *values[:_MOST_ELEMENTS])
    return ("literal", {"list": "list", "set": "set"}.get(node.type, "tuple"))


def _visit_dictionary(walk: Walk, node: Node) -> Expression:
    pairs: list[tuple[str | None, Expression]] = []
    for element in node.named_children:
        if element.type == "pair":
            parts = [part for part in element.named_children if part.type != "comment"]
            walk.visit(parts[0])
            key = joined_value(parts[0], walk.source)
            value = walk.visit(parts[-1])
            pairs.append((key if key and len(key) <= _MOST_KEY_CHARACTERS else None, value))
        elif element.type == "dictionary_splat":
            value = walk.visit(element.children[-1])
            pairs.append((None, None if value is None else ("item", value)))
    if any(value is not None and value[0] != "literal" for _, value in pairs):
        return ("dict", *pairs[:_MOST_ELEMENTS])
    return ("literal", "dict")


def _visit_comprehension(walk: Walk, node: Node) -> Expression:
    """Its variables are bound in the surrounding scope, where no other code can mean them."""
    children = node.named_children
    for clause in children[1:]:
        walk.visit(clause)
    if not children:
        return ("literal", "list")
    body = children[0]
    if body.type == "pair":
        parts = body.named_children
        walk.visit(parts[0])
        value = walk.visit(parts[-1])
        return ("literal", "dict") if value is None else ("dict", (None, value))
    value = walk.visit(body)
    return ("literal", "list") if value is None else ("list", value)


def _visit_for_clause(walk: Walk, node: Node) -> Expression:
    assign_elements(walk, node)
    return None


def _visit_await(walk: Walk, node: Node) -> Expression:
    value = walk.visit(node.children[-1])
    return None if value is None else ("awaited", value)


def _visit_yield(walk: Walk, node: Node) -> Expression:
    draft = walk.drafts[walk.scope]
    if draft.kind != "module":
        draft.modifiers.add("generator")
    parts = node.named_children
    if not parts:
        return None
    value = walk.visit(parts[-1])
    is_from = any(child.type == "from" for child in node.children)
    if value is not None:
        given = ("item", value) if is_from else value
        walk.returns.append(Return(walk.scope, given, walk.line(node), is_yield=True))
    return None


def _visit_walrus(walk: Walk, node: Node) -> Expression:
    children = node.named_children
    value = walk.visit(children[-1])
    if children[0].type == "identifier":
        walk.bind(walk.name(children[0]), value, children[0])
    return value


def _visit_inner(walk: Walk, node: Node) -> Expression:
    """Parentheses: the value of what is inside."""
    value = None
    for child in node.named_children:
        if child.type != "comment":
            value = walk.visit(child)
    return value


def _visit_splat(walk: Walk, node: Node) -> Expression:
    value = walk.visit(node.children[-1])
    return None if value is None else ("item", value)


def _skip(_walk: Walk, _node: Node) -> Expression:
    return None


VALUE_HANDLERS: Final[dict[str, Handler]] = {
    "identifier": _visit_name,
    "attribute": _visit_attribute,
    "call": visit_call,
    "subscript": _visit_subscript,
    "string": _visit_string,
    "concatenated_string": _visit_strings,
    "integer": _visit_integer,
    "float": _visit_float,
    "true": _visit_bool,
    "false": _visit_bool,
    "none": _visit_none,
    "comparison_operator": _visit_truth,
    "not_operator": _visit_truth,
    "unary_operator": _visit_unary,
    "binary_operator": _visit_binary,
    "boolean_operator": _visit_logical,
    "conditional_expression": _visit_conditional,
    "list": _visit_sequence,
    "tuple": _visit_sequence,
    "set": _visit_sequence,
    "expression_list": _visit_sequence,
    "dictionary": _visit_dictionary,
    "list_comprehension": _visit_comprehension,
    "set_comprehension": _visit_comprehension,
    "dictionary_comprehension": _visit_comprehension,
    "generator_expression": _visit_comprehension,
    "for_in_clause": _visit_for_clause,
    "lambda": visit_lambda,
    "await": _visit_await,
    "yield": _visit_yield,
    "named_expression": _visit_walrus,
    "parenthesized_expression": _visit_inner,
    "list_splat": _visit_splat,
    "dictionary_splat": _visit_splat,
    "comment": _skip,
    "ellipsis": _skip,
}
