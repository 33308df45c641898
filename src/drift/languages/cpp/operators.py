"""Operators on objects, which are methods of their class where it has them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drift.languages.facts import UNARY

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.cpp.walk import CppWalk
    from drift.languages.facts import Expression


def note_operator(
    cpp: CppWalk, left: Node, value: Expression, *, operator: str, right: Expression = UNARY
) -> None:
    """Note that an operator stands behind or before the object `value`, written as `left`.

    What may be a pointer is left out: to it operators do what the language says.
    """
    kind = left.type
    if kind == "identifier":
        is_constant = cpp.objects.get(cpp.text.text(left))
    elif value == ("this",):
        is_constant = None if kind == "this" else False
    else:
        is_constant = (
            False if value is not None and value[0] == "result" and kind == "call_expression" else None
        )
    if is_constant is not None:
        name = f"operator{operator}"
        cpp.add_access(left, ("operated", value, right, name, "const" if is_constant else ""), name)
