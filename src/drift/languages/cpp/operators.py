"""Operators on objects, which are methods of their class where it has them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.facts import OF_FIELD, OF_POINTED, OF_RIGHT, UNARY

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.cpp.walk import CppWalk
    from drift.languages.expressions import Expression


TRUTH: Final = "operator bool"
_STREAMING: Final = frozenset({"<<", ">>"})
_FLAGS: Final = frozenset({"&", "|", "^"})  # which constants of an enum are put together by
_METHODS: Final = frozenset({"constructor", "method"})


def _may_be_field(cpp: CppWalk, left: Node, value: Expression) -> bool:
    """Whether the left side is a field, of which the file may not say whether it is a pointer."""
    if left.type == "field_expression":
        return value is not None and value[0] == "member" and value[1] is not None
    is_method = cpp.symbols[cpp.scope].kind in _METHODS
    return left.type == "identifier" and is_method and cpp.text.text(left) not in cpp.known


def _is_element(cpp: CppWalk, left: Node, value: Expression) -> bool:
    """Whether the left side is `x[i]`, and x no pointer or array as far as the file says."""
    if left.type != "subscript_expression" or value is None or value[0] != "item":
        return False
    indexed = left.child_by_field_name("argument")
    if indexed is None:
        return False
    if indexed.type == "identifier" and cpp.text.text(indexed) in cpp.objects:
        return True
    inner = value[1]
    is_inside = _is_element(cpp, indexed, inner) or _is_pointed_at(cpp, indexed, inner)
    return is_inside or _may_be_field(cpp, indexed, inner)


def _is_pointed_at(cpp: CppWalk, left: Node, value: Expression) -> bool:
    """Whether the left side is `*p` or `(*p)`, and p no object with an operator of its own for that."""
    inner = left
    while inner.type == "parenthesized_expression" and inner.named_child_count == 1:
        inner = inner.named_children[0]
    if inner.type != "pointer_expression" or value is None or value[0] != "name":
        return False
    named = inner.child_by_field_name("argument")
    is_named = named is not None and named.type == "identifier"
    sign = cpp.text.source[inner.start_byte : inner.start_byte + 1]
    return is_named and sign == b"*" and value[1] in cpp.known and value[1] not in cpp.objects


def _is_text(value: Expression) -> bool:
    return value is not None and value[0] == "literal" and value[1] == "str"


def note_operator(
    cpp: CppWalk, left: Node, value: Expression, *, operator: str, right: Expression = UNARY
) -> None:
    """Note that an operator stands behind or before the object `value`, written as `left`.

    What may be a pointer is left out: to it operators do what the language says.
    """
    kind = left.type
    name = f"operator{operator}"
    if _may_be_field(cpp, left, value):
        cpp.add_access(left, ("operated", value, right, name, OF_FIELD), name)
        return
    if _is_element(cpp, left, value) or _is_pointed_at(cpp, left, value):
        cpp.add_access(left, ("operated", value, right, name, OF_POINTED), name)
        return
    if kind == "identifier":
        is_constant = cpp.objects.get(cpp.text.text(left))
    elif kind == "qualified_identifier":
        is_constant = False if operator in _FLAGS else None
    elif value == ("this",):
        is_constant = None if kind == "this" else False
    else:
        is_constant = (
            False if value is not None and value[0] == "result" and kind == "call_expression" else None
        )
    if is_constant is None and operator == "[]" and _is_text(right):
        is_constant = False  # a pointer is not indexed with a text
    if is_constant is not None:
        cpp.add_access(left, ("operated", value, right, name, "const" if is_constant else ""), name)


def note_right_operand(
    cpp: CppWalk, right: Node, value: Expression, *, operator: str, first: Expression, is_number: bool = False
) -> None:
    """Note that an operator stands before the object `value`, in a chain that begins with `first`.

    Behind a number, as behind `<<`, what may be an object is worth asking for.
    """
    kind = right.type
    is_object = kind == "identifier" and cpp.text.text(right) in cpp.objects
    if (operator in _STREAMING or is_number) and not is_object:
        is_given = kind == "call_expression" and value is not None and value[0] == "result"
        is_field = kind == "field_expression" and _may_be_field(cpp, right, value)
        is_own = kind == "pointer_expression" and value == ("this",)
        is_object = is_given or is_field or is_own or _is_pointed_at(cpp, right, value)
    if is_object:
        name = f"operator{operator}"
        cpp.add_access(right, ("operated", value, first, name, OF_RIGHT), name)


def note_truth(cpp: CppWalk, node: Node | None) -> None:
    """Note that an object is asked whether it is true, which its class may say."""
    while node is not None and node.type in {"condition_clause", "parenthesized_expression"}:
        node = next((child for child in node.named_children if child.type != "comment"), None)
    if node is None or not cpp.is_cpp:
        return
    value: Expression = None
    is_constant = False
    if node.type == "identifier" and (name := cpp.text.text(node)) in cpp.objects:
        value, is_constant = ("name", name), cpp.objects[name]
    elif node.type == "pointer_expression" and cpp.text.slice(node.start_byte, node.end_byte) == "*this":
        value = ("this",)
    if value is not None:
        cpp.add_access(node, ("operated", value, UNARY, TRUTH, "const" if is_constant else ""), TRUTH)
