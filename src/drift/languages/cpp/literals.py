"""Literals of C and C++: numbers, characters, strings, and those that a project makes something of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.cpp.built_in import number_type
from drift.languages.cpp.declarators import LITERAL_OPERATOR
from drift.languages.expressions import Expression

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.cpp.walk import CppWalk, Handler


STRING: Final[Expression] = ("instance", ("member", ("name", "std"), "string"))
"""A string of the library."""

_OF_LIBRARY: Final[dict[str, Expression]] = {
    "s": STRING,
    "sv": ("instance", ("member", ("name", "std"), "string_view")),
}


def _read_string(cpp: CppWalk, node: Node) -> Expression:
    if value := cpp.string_of(node):
        cpp.add_string(node, value, cpp.constant_name)
    return ("literal", "str")


def _read_number(cpp: CppWalk, node: Node) -> Expression:
    cpp.add_number(node, cpp.constant_name)
    return number_type(cpp.text.brief(node, 100))


def _read_character(_cpp: CppWalk, _node: Node) -> Expression:
    return ("literal", "int", "char")


def _read_user_literal(cpp: CppWalk, node: Node) -> Expression:
    """`12_km` calls the function that a project has for the suffix; those of the language have no underscore."""
    value = cpp.visit(node.named_children[0])
    suffix = node.named_children[-1]
    name = cpp.text.text(suffix)
    if not name.startswith("_"):
        return _OF_LIBRARY.get(name)
    name = LITERAL_OPERATOR + name
    return ("result", cpp.add_call(suffix, ("name", name), text=name, arguments=((None, value),)))


def _read_truth(_cpp: CppWalk, _node: Node) -> Expression:
    return ("literal", "bool")


def _read_null(_cpp: CppWalk, _node: Node) -> Expression:
    return ("literal", "none")


LITERAL_HANDLERS: Final[dict[str, Handler]] = {
    "char_literal": _read_character,
    "concatenated_string": _read_string,
    "false": _read_truth,
    "null": _read_null,
    "number_literal": _read_number,
    "raw_string_literal": _read_string,
    "string_literal": _read_string,
    "true": _read_truth,
    "user_defined_literal": _read_user_literal,
}
