"""The types of `new(...)`, which a value is made of where one of a known type is wanted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from drift.languages.csharp.type_forms import constructed_type, name_type, with_count
from drift.languages.csharp.vocabulary import DICT_TYPES, LIST_TYPES
from drift.languages.csharp.walk import CsharpWalk, operands
from drift.languages.expressions import library_shape

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.expressions import Expression

_IMPLIED: Final = "implicit_object_creation_expression"
_ELEMENTS: Final = frozenset({"collection_expression", "initializer_expression"})
_PASSING_ON: Final = frozenset(
    {"arrow_expression_clause", "collection_element", "expression_element", "parenthesized_expression"}
)
_MOST_LEVELS: Final = 20


def visit_wanted(walk: CsharpWalk, node: Node, wanted: Expression) -> Expression:
    """The value of a node where one of a type is wanted."""
    if wanted is not None:
        note_wanted(walk, node, wanted)
    return walk.visit(node)


def note_wanted(walk: CsharpWalk, node: Node, wanted: Any, level: int = _MOST_LEVELS) -> None:
    """Note what each `new(...)` makes that gives such a value, or an element of it."""
    if wanted is None or not level:
        return
    kind = node.type
    if kind == _IMPLIED:
        walk.implied[node.start_byte] = constructed_type(wanted)
        for child in node.named_children:
            if child.type == "initializer_expression":
                _note_elements(walk, child, wanted, level)
    elif kind in _ELEMENTS:
        _note_elements(walk, node, wanted, level)
    else:
        for child in _giving(node):
            note_wanted(walk, child, wanted, level - 1)


def _giving(node: Node) -> list[Node]:
    """The parts of an expression whose values are its own."""
    if node.type in _PASSING_ON:
        return operands(node)
    if node.type == "conditional_expression":
        found = [node.child_by_field_name("consequence"), node.child_by_field_name("alternative")]
        return [branch for branch in found if branch is not None]
    sign, right = node.child_by_field_name("operator"), node.child_by_field_name("right")
    is_default = node.type == "binary_expression" and sign is not None and sign.type == "??"
    return [right] if is_default and right is not None else []


def _note_elements(walk: CsharpWalk, node: Node, wanted: Any, level: int) -> None:
    """Of a list each element, of a dictionary the last part of each pair."""
    wanted = library_shape(wanted)
    if wanted is None:
        return
    is_list = wanted[0] == "list" and len(wanted) > 1
    if not is_list and wanted[0] != "dict":
        return
    for child in node.named_children:
        if is_list:
            note_wanted(walk, child, wanted[1], level - 1)
        elif child.type == "initializer_expression" and child.named_child_count:
            note_wanted(walk, child.named_children[-1], wanted[1][1], level - 1)
        elif child.type == "assignment_expression" and (right := child.child_by_field_name("right")):
            note_wanted(walk, right, wanted[1][1], level - 1)


def type_wanted(walk: CsharpWalk, node: Node | None, kind: Expression) -> Expression:
    """What a declaration wants: its type as read, or as named where that is a list or task of its own kind."""
    shape = library_shape(kind)
    if node is None or (shape is not None and shape[0] in {"list", "dict"}):
        return kind
    return with_count(node, name_type(walk, node))


def contents_wanted(form: Expression, arguments: list[Expression]) -> Expression:
    """What a collection that is made holds, as a container of the type arguments; None for other classes."""
    name = form[-1] if form is not None else None
    if name in LIST_TYPES and arguments:
        return ("list", arguments[0])
    return ("dict", (None, arguments[-1])) if name in DICT_TYPES and arguments else None
