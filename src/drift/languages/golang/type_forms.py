"""Types as expressions: pointers are what they point to, containers are `list` and `dict` forms.

`[]T`, `[n]T` and `chan T` become `("list", T)`, `map[K]V` becomes `("dict", (None, V))`, so that an item of
a value of such a type is a value of T. A type parameter is what constrains it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.expressions import dict_of
from drift.languages.golang.vocabulary import PREDECLARED_TYPES

if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.golang.walk import GoWalk


def read_type_name(go: GoWalk, node: Node) -> Expression:
    name = go.text.text(node)
    if name in go.generics:
        return go.generics[name]
    form: Expression = ("name", name) if name in PREDECLARED_TYPES else go.type_name_form(name)
    if name not in PREDECLARED_TYPES or name in go.types:
        go.refer(node, form, "type")
    return form


def read_qualified_type(go: GoWalk, node: Node) -> Expression:
    package, name = node.child_by_field_name("package"), node.child_by_field_name("name")
    if package is None or name is None:
        return None
    form: Expression = ("member", go.type_name_form(go.text.text(package)), go.text.text(name))
    go.refer(node, form, "type")
    return form


def _read_inner_type(go: GoWalk, node: Node) -> Expression:
    inner = [go.visit(child) for child in node.named_children if child.type != "comment"]
    return inner[0] if len(inner) == 1 else None


def _read_element_type(go: GoWalk, node: Node) -> Expression:
    go.visit_field(node, "length")
    return ("list", go.visit_field(node, "element"))


def _read_channel_type(go: GoWalk, node: Node) -> Expression:
    return ("list", go.visit_field(node, "value"))


def _read_map_type(go: GoWalk, node: Node) -> Expression:
    go.visit_field(node, "key")
    return ("dict", (None, go.visit_field(node, "value")))


def _read_generic_type(go: GoWalk, node: Node) -> Expression:
    form = go.visit_field(node, "type")
    arguments = node.child_by_field_name("type_arguments")
    if arguments is not None:
        for argument in arguments.named_children:
            go.visit(argument)
    return form


def _read_function_type(go: GoWalk, node: Node) -> Expression:
    """Nothing that has members; the types it names are gathered."""
    for child in node.named_children:
        if child.type != "parameter_list":
            go.visit(child)
            continue
        for parameter in child.named_children:
            go.visit_field(parameter, "type")
    return None


def _read_anonymous_struct(go: GoWalk, node: Node) -> Expression:
    """A struct without a name is what its fields hold, by their names."""
    held: list[tuple[str | None, Expression]] = []
    for fields in node.named_children:
        for field in fields.named_children:
            form = go.visit_field(field, "type")
            held += [(go.text.text(name), form) for name in field.children_by_field_name("name")]
    return dict_of(held) if held else None


def _read_anonymous_interface(go: GoWalk, node: Node) -> Expression:
    for element in node.named_children:
        if element.type == "method_elem":
            _read_function_type(go, element)
        elif element.type == "type_elem":
            go.visit(element)
    return None


def _skip(_go: GoWalk, _node: Node) -> Expression:
    return None


TYPE_HANDLERS: Final[dict[str, Callable[[GoWalk, Node], Expression]]] = {
    "array_type": _read_element_type,
    "channel_type": _read_channel_type,
    "field_identifier": _skip,
    "function_type": _read_function_type,
    "generic_type": _read_generic_type,
    "implicit_length_array_type": _read_element_type,
    "interface_type": _read_anonymous_interface,
    "map_type": _read_map_type,
    "negated_type": _read_inner_type,
    "parenthesized_type": _read_inner_type,
    "pointer_type": _read_inner_type,
    "qualified_type": read_qualified_type,
    "slice_type": _read_element_type,
    "struct_type": _read_anonymous_struct,
    "type_constraint": _read_inner_type,
    "type_elem": _read_inner_type,
    "type_identifier": read_type_name,
}
