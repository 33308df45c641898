"""Operators on objects, which are methods of their class where it has them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.facts import OF_FIELD, OF_POINTED, UNARY

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.cpp.walk import CppWalk
    from drift.languages.expressions import Expression


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
    elif value == ("this",):
        is_constant = None if kind == "this" else False
    else:
        is_constant = (
            False if value is not None and value[0] == "result" and kind == "call_expression" else None
        )
    if is_constant is not None:
        cpp.add_access(left, ("operated", value, right, name, "const" if is_constant else ""), name)
