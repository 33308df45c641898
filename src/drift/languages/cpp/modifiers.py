"""The words around a declaration: storage, qualifiers, virtual and friends, attributes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.facts import Decorator
from drift.languages.limits import MOST_TEXT_CHARACTERS

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.cpp.walk import CppWalk

_WORDS: Final = frozenset(
    {
        "storage_class_specifier",
        "type_qualifier",
        "virtual_specifier",
        "virtual",
        "virtual_function_specifier",
    }
)
_MEANINGS: Final = {
    "default_method_clause": "default",
    "delete_method_clause": "deleted",
    "explicit_function_specifier": "explicit",
    "noexcept": "noexcept",
    "pure_virtual_clause": "abstract",
}
# The qualifiers of a result or a variable's type are no property of a function.
_OF_VALUES: Final = frozenset({"const", "volatile", "_Atomic", "restrict", "__restrict__"})


def read_modifiers(cpp: CppWalk, node: Node, function: Node | None) -> tuple[str, ...]:
    """The modifiers of a declaration and of its function declarator."""
    found: set[str] = set()
    for child in node.children:
        kind = child.type
        if kind == ",":
            break  # further declarators, of which there may be thousands
        if kind in _WORDS:
            word = cpp.text.text(child)
            if function is None or word not in _OF_VALUES:
                found.add(word)
        elif kind in _MEANINGS:
            found.add(_MEANINGS[kind])
    for child in () if function is None else function.children:
        if child.type in _WORDS:
            found.add(cpp.text.text(child))
        elif child.type in _MEANINGS:
            found.add(_MEANINGS[child.type])
    return tuple(sorted(word for word in found if word.isidentifier()))


def read_attributes(cpp: CppWalk, node: Node) -> tuple[Decorator, ...]:
    """`[[nodiscard]]` and `__attribute__((noreturn))` of a declaration."""
    found: list[Decorator] = []
    for child in node.children:
        if child.type == ",":
            break
        if child.type == "attribute_declaration":
            parts = [part for part in child.named_children if part.type == "attribute"]
        elif child.type == "attribute_specifier" and child.named_child_count:
            parts = child.named_children[0].named_children
        else:
            continue
        for part in parts:
            name = part.child_by_field_name("name") or part.child_by_field_name("function") or part
            found.append(
                Decorator(
                    cpp.text.brief(name, MOST_TEXT_CHARACTERS),
                    cpp.text.brief(part, MOST_TEXT_CHARACTERS),
                    cpp.line(part),
                )
            )
    return tuple(found)
