"""What nodes of a script hold: what a function gives back, its parameters, the names of an object."""

from typing import TYPE_CHECKING, Final

from drift.analyses.contracts.script_values import Values

if TYPE_CHECKING:
    from tree_sitter import Node

_FUNCTIONS: Final = frozenset(
    {
        "function_declaration",
        "function_expression",
        "arrow_function",
        "method_definition",
        "generator_function_declaration",
    }
)


def handed_out(node: "Node") -> "Node":
    """What a function that is given in the place of a value returns last; another node is itself."""
    body = node.child_by_field_name("body") if node.type == "arrow_function" else None
    if body is None:
        return node
    if body.type != "statement_block":
        return body.named_children[0] if body.type == "parenthesized_expression" else body
    returns = [
        each for each in body.named_children if each.type == "return_statement" and each.named_children
    ]
    return returns[-1].named_children[0] if returns else node


def function_around(node: "Node") -> "Node | None":
    """The innermost function that a node stands in."""
    around = node.parent
    while around is not None and around.type not in _FUNCTIONS:
        around = around.parent
    return around


def parameters_of(function: "Node", values: Values) -> dict[str, "Node | None"]:
    """The parameters of a function with their types."""
    listed = function.child_by_field_name("parameters")
    if listed is None:
        single = function.child_by_field_name("parameter")
        return {values.text(single): None} if single is not None else {}
    found: dict[str, Node | None] = {}
    for each in listed.named_children:
        pattern = each.child_by_field_name("pattern") or each.child_by_field_name("left") or each
        found[values.text(pattern)] = each.child_by_field_name("type")
    return found


def keys_of(node: "Node", values: Values) -> tuple[str, ...] | None:
    """The names of an object; None where more is put into it than is written."""
    found: list[str] = []
    for child in node.named_children:
        if child.type == "pair":
            key = child.child_by_field_name("key")
            if key is None or key.type == "computed_property_name":
                return None
            found.append(values.text(key).strip("'\""))
        elif child.type == "shorthand_property_identifier":
            found.append(values.text(child))
        elif child.type == "spread_element":
            return None
    return tuple(found)
