"""Expressions of Python: what each says of its value, and the facts inside it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from drift.languages.expressions import dict_of, list_of
from drift.languages.facts import Return
from drift.languages.limits import MOST_ELEMENTS
from drift.languages.python.calls import visit_call
from drift.languages.python.functions import visit_lambda
from drift.languages.python.kinds import DICTIONARY_SPLAT, IDENTIFIER, INTERPOLATION, PAIR, TYPE_CONVERSION
from drift.languages.python.members import visit_attribute, visit_subscript
from drift.languages.python.methods_run import ITERATION
from drift.languages.python.operators import (
    visit_binary,
    visit_comparison,
    visit_conditional,
    visit_logical,
    visit_not,
    visit_tested,
    visit_unary,
)
from drift.languages.python.strings import constant_key, is_path, joined_value, string_value
from drift.languages.python.targets import assign_elements
from drift.languages.python.walk import meaningful_children

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.python.walk import Handler, Walk

_STRING: Final = ("literal", "str")
_STANDING: Final = ("module", "class")  # of which tables are read by others
_BUILT_PATH: Final = re.compile(rb"""[fFrR]{1,2}(["'])((?:\{[\w.\[\]]{1,80}\})?/[^"'\n\\]{1,300})\1\Z""")


def _visit_name(walk: Walk, node: Node) -> Expression:
    start = node.start_byte
    value = walk.name_forms[walk.source[start : node.end_byte]]
    name = value[1]
    if name == walk.receiver:
        return ("this",)
    if name not in walk.locals:  # a reference to a local would be dropped when its function ends
        walk.refer(start, value)
    return value


def _visit_string(walk: Walk, node: Node) -> Expression:
    raw = walk.source[node.start_byte : node.end_byte]
    value = string_value(raw)
    if value is not None:
        walk.add_string(node, value, walk.naming)
        if is_path(value):
            walk.refer(node.start_byte + max(raw.find(value.encode()), 0), ("path", value), "string")
        return _STRING
    built = _BUILT_PATH.match(raw)
    if built is not None:  # of texts that are put together, paths alone are told by what they have of a text
        walk.add_string(node, built[2].decode("utf-8", "replace"), walk.naming)
    _visit_interpolations(walk, node)
    opening = raw[:3].lower()
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
        if part.kind_id == INTERPOLATION:
            _visit_interpolation(walk, part)


def _visit_interpolation(walk: Walk, node: Node) -> None:
    """`{e}` asks e for its text, `{e!r}` for its representation."""
    parts = meaningful_children(node)
    if not parts:
        return
    value = walk.visit(parts[0])
    is_plain = True
    for part in parts[1:]:
        walk.visit(part)
        if part.kind_id == TYPE_CONVERSION and walk.name(part) != "!s":
            is_plain = False
    walk.add_access(value, "__str__" if is_plain else "__repr__", node.start_byte)


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


def _visit_sequence(walk: Walk, node: Node) -> Expression:
    values = [walk.visit(element) for element in meaningful_children(node)]
    if any(value is not None and value[0] != "literal" for value in values):
        return list_of(values[:MOST_ELEMENTS])
    return ("literal", {"list": "list", "set": "set"}.get(node.type, "tuple"))


def _visit_dictionary(walk: Walk, node: Node) -> Expression:
    pairs: list[tuple[str | None, Expression]] = []
    for element in node.named_children:
        if element.kind_id == PAIR:
            parts = meaningful_children(element)
            walk.visit(parts[0])
            value = _named_in_full(walk, parts[-1], walk.visit(parts[-1]))
            pairs.append((constant_key(parts[0], walk.source), value))
        elif element.kind_id == DICTIONARY_SPLAT:
            value = walk.visit(element.children[-1])
            pairs.append((None, None if value is None else ("item", value)))
    telling = [pair for pair in pairs if pair[1] is not None and pair[1][0] != "literal"]
    if telling:
        return dict_of((pairs if len(pairs) <= MOST_ELEMENTS else telling)[:MOST_ELEMENTS])
    return ("literal", "dict")


def _named_in_full(walk: Walk, node: Node, value: Expression) -> Expression:
    """What an entry of a table of a file or class holds, where texts name it: settings and plugins are kept so."""
    if walk.drafts[walk.scope].kind not in _STANDING:
        return value
    if value == _STRING:
        text = string_value(walk.source[node.start_byte : node.end_byte])
        if text is not None and "." in text and is_path(text):
            return ("first", ("path", text), value)
    elif value is not None and value[0] == "literal" and node.type in {"tuple", "list"}:
        held = [_named_in_full(walk, each, _STRING) for each in meaningful_children(node)]
        if any(each != _STRING for each in held):
            return list_of(held[:MOST_ELEMENTS])
    return value


def _visit_comprehension(walk: Walk, node: Node) -> Expression:
    """Its variables are bound in the surrounding scope, where no other code can mean them."""
    children = node.named_children
    for clause in children[1:]:
        walk.visit(clause)
    if not children:
        return ("literal", "list")
    body = children[0]
    if body.kind_id == PAIR:
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
    walk.add_access(value, "__await__", node.start_byte)
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
        if is_from:
            for method in ITERATION:
                walk.add_access(value, method, node.start_byte)
        walk.returns.append(Return(walk.scope, given, walk.line(node), is_yield=True))
    return None


def _visit_walrus(walk: Walk, node: Node) -> Expression:
    children = node.named_children
    value = walk.visit(children[-1])
    if children[0].kind_id == IDENTIFIER:
        walk.bind(walk.name(children[0]), value, children[0])
    return value


def _visit_inner(walk: Walk, node: Node) -> Expression:
    """Parentheses: the value of what is inside."""
    value = None
    for child in meaningful_children(node):
        value = walk.visit(child)
    return value


def _visit_splat(walk: Walk, node: Node) -> Expression:
    value = walk.visit(node.children[-1])
    return None if value is None else ("item", value)


def _skip(_walk: Walk, _node: Node) -> Expression:
    return None


VALUE_HANDLERS: Final[dict[str, Handler]] = {
    "identifier": _visit_name,
    "attribute": visit_attribute,
    "call": visit_call,
    "subscript": visit_subscript,
    "string": _visit_string,
    "concatenated_string": _visit_strings,
    "integer": _visit_integer,
    "float": _visit_float,
    "true": _visit_bool,
    "false": _visit_bool,
    "none": _visit_none,
    "comparison_operator": visit_comparison,
    "not_operator": visit_not,
    "unary_operator": visit_unary,
    "binary_operator": visit_binary,
    "boolean_operator": visit_logical,
    "conditional_expression": visit_conditional,
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
    "if_clause": visit_tested,
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
