"""Types that function templates make objects of: which of their variables, and what a call gives for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.cpp.declarators import plain_name
from drift.languages.cpp.type_forms import TRANSPARENT, is_class_form
from drift.languages.expressions import list_of
from drift.languages.facts import CONSTRUCTING

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.cpp.walk import CppWalk
    from drift.languages.expressions import Expression

GIVEN_TYPES: Final = CONSTRUCTING + "<>"
"""Of a call that gives a template types: what it calls and the types, as a list."""

_MAKERS: Final = frozenset({"make_shared", "make_unique"})
_MAKING: Final = "create"  # of a pointer's class: `QSharedPointer<Box>::create(1)`


def note_made(cpp: CppWalk, node: Node | None) -> None:
    """Note that a function template makes an object of a type, if that is a variable of it."""
    if node is None or not cpp.type_parameters:
        return
    name = cpp.text.text(node)
    if name not in cpp.type_parameters:
        return
    number = cpp.scope
    while cpp.symbols[number].name == "<lambda>":
        number = cpp.symbols[number].parent
    symbol = cpp.symbols[number]
    if symbol.kind not in {"function", "method"} or "template" not in symbol.modifiers:
        return
    known = symbol.value_type
    made = known[1] if known is not None and known[0] == "partial" else None
    variables: tuple[Expression, ...] = made[1:] if made is not None and made[0] == "list" else ()
    if ("name", name) not in variables:
        cpp.symbols[number] = symbol._replace(value_type=("partial", list_of((*variables, ("name", name)))))


def note_given_types(cpp: CppWalk, place: Node, callee: Expression, types: list[Expression]) -> None:
    """Note the classes that a call gives a template of the project, which may make objects of them."""
    if callee is not None and any(map(is_class_form, types)):
        cpp.add_access(place, list_of((callee, *types)), GIVEN_TYPES)


def type_made(cpp: CppWalk, function: Node, last: Node, types: list[Expression], *, name: str) -> Expression:
    """The type that a call makes an object of: `std::make_unique<Box>(1)`, `QSharedPointer<Box>::create(1)`."""
    if name in _MAKERS and types:
        listed = last.child_by_field_name("arguments")
        note_made(cpp, listed.named_children[0] if listed is not None and listed.named_child_count else None)
        return types[0]
    if function.type == "identifier":
        note_made(cpp, function)
    elif function.type == "qualified_identifier" and (made := _pointer_made(cpp, function)) is not None:
        note_made(cpp, made)
        return cpp.visit(made)
    return None


def _pointer_made(cpp: CppWalk, function: Node) -> Node | None:
    """The type of `Pointer<Type>::create`, as it is written there."""
    scope, name = function.child_by_field_name("scope"), function.child_by_field_name("name")
    if scope is None or scope.type != "template_type" or plain_name(cpp, scope) not in TRANSPARENT:
        return None
    if name is None or cpp.text.text(name) != _MAKING:
        return None
    listed = scope.child_by_field_name("arguments")
    return listed.named_children[0] if listed is not None and listed.named_child_count else None
