"""What Rust expressions are worth, and the calls, references and constants in them.

Chains (`a.b()?.c[0].await`) and runs of operators are walked in a loop from the inside out, so that their
length costs no depth. Blocks, `if` and `match` are worth what they end in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.expressions import either_of, list_of
from drift.languages.facts import Return
from drift.languages.limits import MOST_ELEMENTS
from drift.languages.rust.calls import apply_call, read_struct
from drift.languages.rust.macros import read_macro, read_tokens
from drift.languages.rust.patterns import match_pattern
from drift.languages.rust.type_forms import read_path
from drift.languages.rust.walk import COMMENTS

if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.rust.walk import RustWalk

_MOST_MEMBERS: Final = 40  # a longer path of fields is no code a person wrote
_MOST_ALTERNATIVES: Final = 12
_TRUTH_OPERATORS: Final = frozenset({"==", "!=", "<", "<=", ">", ">=", "&&", "||"})
_PATHS: Final = frozenset({"identifier", "scoped_identifier", "self"})


def _read_name(rust: RustWalk, node: Node) -> Expression:
    name = rust.text.text(node)
    value = rust.name_form(name)
    if name not in rust.matched:
        rust.refer_to(node, value)
    return value


def _read_path_value(rust: RustWalk, node: Node) -> Expression:
    value = read_path(rust, node)
    rust.refer_to(node, value)
    return value


def _read_this(_rust: RustWalk, _node: Node) -> Expression:
    return ("this",)


def _read_chain(rust: RustWalk, node: Node) -> Expression:
    links: list[tuple[str, Node]] = []  # types are kept, since each asking for one makes a string
    kind = node.type
    while kind in _LINKS and (inner := _inner(node, kind)) is not None:
        links.append((kind, node))
        node = inner
        kind = node.type
    if not links:
        return None
    is_path = kind in _PATHS
    if kind == "identifier":
        value = rust.name_form(rust.text.text(node))
    else:
        value = read_path(rust, node) if kind == "scoped_identifier" else rust.visit(node)
    members = 0
    for kind, link in reversed(links):
        value = _LINKS[kind](rust, link, value)
        members = members + 1 if kind == "field_expression" else 0
        if members > _MOST_MEMBERS:
            value, members = None, 0
    kind, top = links[0]
    if kind in _READS and is_path:
        rust.refer_to(top, value)
    return value


def _inner(node: Node, kind: str) -> Node | None:
    """What a link of a chain is applied to."""
    if kind in {"reference_expression", "unary_expression"}:
        last = node.children[-1] if node.children else None
        return last if last is not None and last.is_named and last.type not in COMMENTS else None
    return next((child for child in node.named_children if child.type not in COMMENTS), None)


def _apply_field(rust: RustWalk, node: Node, value: Expression) -> Expression:
    field = node.child_by_field_name("field")
    if value is not None and value[0] == "member":  # of `order.customer.name` the customer is read, too
        inner = node.children[0]
        if inner.type != "identifier":  # a name that a pattern gave to a member
            rust.refer(inner.child_by_field_name("field") or inner, value, "value")
    return None if field is None else ("member", value, rust.text.text(field))


def _apply_index(rust: RustWalk, node: Node, value: Expression) -> Expression:
    rust.refer_to(node, value)
    for child in node.named_children[1:]:
        rust.visit(child)
    return ("item", value)


def _apply_awaited(_rust: RustWalk, _node: Node, value: Expression) -> Expression:
    return None if value is None else ("awaited", value)


def _apply_type_arguments(rust: RustWalk, node: Node, value: Expression) -> Expression:
    listed = node.child_by_field_name("type_arguments")
    given = [] if listed is None else [child for child in listed.named_children if child.type != "lifetime"]
    forms = [rust.visit(child) for child in given]
    rust.type_argument = forms[0] if len(forms) == 1 else None
    return value


def _apply_cast(rust: RustWalk, node: Node, value: Expression) -> Expression:
    rust.refer_to(node, value)
    return ("instance", rust.visit_field(node, "type"))


def _apply_unary(rust: RustWalk, node: Node, value: Expression) -> Expression:
    sign = node.children[0].type
    if sign == "*" and value == ("this",) and rust.stars_inside and _stars(node) >= rust.stars_inside:
        return None if rust.self_form is None else ("instance", rust.self_form)
    return ("literal", "bool") if sign == "!" else value


def _stars(node: Node | None) -> int:
    """How many `*` stand one before the other."""
    count = 0
    while node is not None and node.type == "unary_expression" and node.children[0].type == "*":
        count += 1
        node = _inner(node, node.type)
    return count


def _apply_nothing(_rust: RustWalk, _node: Node, value: Expression) -> Expression:
    return value


_LINKS: Final[dict[str, Callable[[RustWalk, Node, Expression], Expression]]] = {
    "await_expression": _apply_awaited,
    "call_expression": apply_call,
    "field_expression": _apply_field,
    "generic_function": _apply_type_arguments,
    "index_expression": _apply_index,
    "parenthesized_expression": _apply_nothing,
    "reference_expression": _apply_nothing,
    "try_expression": _apply_awaited,
    "type_cast_expression": _apply_cast,
    "unary_expression": _apply_unary,
}
_READS: Final = frozenset(
    {
        "field_expression",
        "generic_function",
        "parenthesized_expression",
        "reference_expression",
        "unary_expression",
    }
)


def _read_binary(rust: RustWalk, node: Node) -> Expression:
    is_truth = any(child.type in _TRUTH_OPERATORS for child in node.children)
    rights: list[Node] = []
    while node.type == "binary_expression":
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if right is not None:
            rights.append(right)
        if left is None:
            break
        node = left
    values = [] if node.type == "binary_expression" else [rust.visit(node)]
    values += [rust.visit(right) for right in reversed(rights)]
    if is_truth:
        return ("literal", "bool")
    return next((value for value in values if value and value[0] == "literal"), values[0] if values else None)


def read_block(rust: RustWalk, node: Node) -> Expression:
    """What a block ends in, if that is an expression."""
    value: Expression = None
    last = None
    mark = len(rust.rebound)
    for child in node.named_children:
        kind = child.type
        if kind == "attribute_item":
            rust.attributes.append(child)
        elif kind not in COMMENTS:
            value = rust.visit(child)
            rust.attributes.clear()
            last = kind
    rust.end_block(mark)
    return value if last not in _STATEMENTS else None


_STATEMENTS: Final = frozenset({"let_declaration", "empty_statement", None})


def _read_statement(rust: RustWalk, node: Node) -> Expression:
    """Nothing after a semicolon; without one the value of the `if` or `match` it is."""
    value: Expression = None
    for child in node.named_children:
        value = rust.visit(child)
    return None if node.children and node.children[-1].type == ";" else value


def _read_if(rust: RustWalk, node: Node) -> Expression:
    """One of the branches; a run of `else if` is walked in a loop."""
    values: list[Expression] = []
    branch: Node | None = node
    outer = rust.matched
    while branch is not None and branch.type == "if_expression":
        rust.matched = outer.copy()
        rust.visit_field(branch, "condition")
        values.append(rust.visit_field(branch, "consequence"))
        rust.matched = outer
        clause = branch.child_by_field_name("alternative")
        branch = (
            None
            if clause is None
            else next((c for c in clause.named_children if c.type not in COMMENTS), None)
        )
    if branch is not None:
        values.append(rust.visit(branch))
    return _either(values)


def _either(values: list[Expression]) -> Expression:
    known: list[Expression] = []
    for value in values:
        if value is not None and value not in known:
            known.append(value)
        if len(known) == _MOST_ALTERNATIVES:
            break
    return either_of(known) if len(known) > 1 else next(iter(known), None)


def _read_match(rust: RustWalk, node: Node) -> Expression:
    value = rust.visit_field(node, "value")
    body = node.child_by_field_name("body")
    results: list[Expression] = []
    outer = rust.matched
    for arm in () if body is None else body.named_children:
        rust.matched = outer.copy()
        pattern = arm.child_by_field_name("pattern")
        if pattern is not None:
            match_pattern(rust, pattern, value)
        results.append(rust.visit_field(arm, "value"))
    rust.matched = outer
    return _either(results)


def _read_return(rust: RustWalk, node: Node) -> Expression:
    value: Expression = None
    for child in node.named_children:
        value = rust.visit(child)
    if value is not None:
        rust.returns.append(Return(rust.scope, value, rust.line(node), node.type == "yield_expression"))
    return None


def _read_list(rust: RustWalk, node: Node) -> Expression:
    length = node.child_by_field_name("length")
    values = [rust.visit(c) for c in node.named_children if c.type not in COMMENTS and c != length]
    if length is not None:
        rust.visit(length)
    return list_of(values[:MOST_ELEMENTS])


def _read_string(rust: RustWalk, node: Node) -> Expression:
    rust.add_string(node, rust.string_of(node) or "")
    return ("literal", "bytes" if rust.text.source[node.start_byte : node.start_byte + 1] == b"b" else "str")


def _read_integer(rust: RustWalk, node: Node) -> Expression:
    rust.add_number(node)
    return ("literal", "int")


def _read_float(rust: RustWalk, node: Node) -> Expression:
    rust.add_number(node)
    return ("literal", "float")


def _constantly(kind: str) -> Callable[[RustWalk, Node], Expression]:
    def read_literal(_rust: RustWalk, _node: Node) -> Expression:
        return ("literal", kind)

    return read_literal


VALUE_HANDLERS: Final[dict[str, Callable[[RustWalk, Node], Expression]]] = {
    **dict.fromkeys(_LINKS, _read_chain),
    "array_expression": _read_list,
    "binary_expression": _read_binary,
    "block": read_block,
    "boolean_literal": _constantly("bool"),
    "char_literal": _constantly("str"),
    "expression_statement": _read_statement,
    "float_literal": _read_float,
    "identifier": _read_name,
    "if_expression": _read_if,
    "integer_literal": _read_integer,
    "macro_invocation": read_macro,
    "match_expression": _read_match,
    "raw_string_literal": _read_string,
    "return_expression": _read_return,
    "scoped_identifier": _read_path_value,
    "self": _read_this,
    "string_literal": _read_string,
    "struct_expression": read_struct,
    "token_tree": read_tokens,
    "tuple_expression": _read_list,
    "yield_expression": _read_return,
}
