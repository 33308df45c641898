"""What C and C++ assign: new values of variables, members and elements."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.cpp.operators import note_operator
from drift.languages.cpp.walk import parts_of
from drift.languages.facts import Binding, Store

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.cpp.walk import CppWalk, Handler
    from drift.languages.expressions import Expression


def _read_assignment(cpp: CppWalk, node: Node) -> Expression:
    left, right = parts_of(node, "left", "right")
    value = None if right is None else cpp.visit(right)
    if left is None:
        return value
    operator = node.child_by_field_name("operator")
    sign = "=" if operator is None else operator.type
    if sign != "=":
        changed = cpp.visit(left)
        if cpp.is_cpp:
            note_operator(cpp, left, changed, operator=sign, right=value)
    elif left.type == "identifier":
        _assign(cpp, left, value)
        if cpp.is_cpp:
            note_operator(cpp, left, ("name", cpp.text.text(left)), operator="=", right=value)
    elif left.type == "field_expression":
        target = cpp.visit(left)
        if target is not None and target[0] == "member":
            cpp.stores.append(Store(cpp.scope, target[1], target[2], value, cpp.line(left)))
            if cpp.is_cpp:
                note_operator(cpp, left, target, operator="=", right=value)
    else:
        target = cpp.visit(left)
        if cpp.is_cpp and target is not None:
            note_operator(cpp, left, target, operator="=", right=value)
    return value


def _assign(cpp: CppWalk, left: Node, value: Expression) -> None:
    """A new value for a variable of the function, a member of its object, or a variable of the file."""
    name, line = cpp.text.text(left), cpp.line(left)
    if name in cpp.known:
        cpp.bindings.append(Binding(cpp.scope, name, cpp.given_object(name, value), line))
    elif cpp.symbols[cpp.scope].kind in {"constructor", "method"}:
        cpp.stores.append(Store(cpp.scope, ("this",), name, value, line))
    else:
        cpp.bindings.append(Binding(0, name, value, line))


ASSIGNMENT_HANDLERS: Final[dict[str, Handler]] = {"assignment_expression": _read_assignment}
