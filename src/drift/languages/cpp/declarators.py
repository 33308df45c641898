"""Declarators: from `*(*f)(int)` to the name that is declared and whether it is a function."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.cpp.walk import CppWalk
    from drift.languages.expressions import Expression

LITERAL_OPERATOR: Final = 'operator ""'  # and the suffix of the literals that it makes something of
_NAMES: Final = frozenset(
    {
        "destructor_name", "field_identifier", "identifier", "operator_cast", "operator_name",
        "qualified_identifier", "structured_binding_declarator", "template_function", "template_method",
        "type_identifier",
    }
)  # fmt: skip
_IDENTIFIERS: Final = frozenset({"field_identifier", "identifier", "namespace_identifier", "type_identifier"})
_WRAPPERS: Final = frozenset(
    {"array_declarator", "pointer_declarator", "pointer_type_declarator", "reference_declarator"}
)


class Declared(NamedTuple):
    """What a declarator declares. `function` is the node with its parameters, if it is a function."""

    name: Node
    function: Node | None
    is_array: bool
    is_pointer: bool
    is_reference: bool = False


def unwrap(declarator: Node | None) -> Declared | None:
    """The name inside a declarator; None where there is none, as in an abstract one."""
    function: Node | None = None
    is_array = is_pointer = is_reference = False
    node = declarator
    while node is not None and node.type not in _NAMES:
        kind = node.type
        if kind == "function_declarator":
            function = node
        elif kind in _WRAPPERS:
            # `(*f)(int)`: behind the parentheses there is a pointer, so f is none itself.
            function = None
            is_array = is_array or kind == "array_declarator"
            is_pointer = is_pointer or kind == "pointer_declarator"
            is_reference = is_reference or kind == "reference_declarator"
        node = node.child_by_field_name("declarator") or _inner(node)
    if node is None:
        return None
    if node.type == "qualified_identifier" and function is None:
        function = _cast_inside(node)
    if node.type == "operator_cast":
        function = node
    return Declared(node, function, is_array, is_pointer, is_reference)


def _inner(node: Node) -> Node | None:
    """Parenthesised and reference declarators hold theirs without a field."""
    for child in node.named_children:
        if child.type in _NAMES or child.type.endswith("declarator"):
            return child
    return None


def _cast_inside(node: Node) -> Node | None:
    """The conversion operator of `A::operator bool()`, which is its own function declarator."""
    inner: Node | None = node
    while inner is not None and inner.type == "qualified_identifier":
        inner = inner.child_by_field_name("name")
    return inner if inner is not None and inner.type == "operator_cast" else None


def segments(cpp: CppWalk, node: Node) -> list[str]:
    """The names of `a::b<T>::c`, without template arguments; a leading `::` is an empty name."""
    found: list[str] = []
    waiting: Node | None = node
    while waiting is not None and waiting.type == "qualified_identifier":
        scope = waiting.child_by_field_name("scope")
        found.append("" if scope is None else plain_name(cpp, scope))
        waiting = waiting.child_by_field_name("name")
    if waiting is not None:
        found.append(plain_name(cpp, waiting))
    return found


def plain_name(cpp: CppWalk, node: Node) -> str:
    """A name without template arguments: `f` of `f<int>`, `operator bool` of its declarator."""
    kind = node.type
    if kind in _IDENTIFIERS:
        return cpp.text.text(node)
    if kind in {"template_function", "template_type", "template_method"}:
        name = node.child_by_field_name("name")
        return "" if name is None else plain_name(cpp, name)
    if kind == "dependent_name":
        return plain_name(cpp, node.named_children[0]) if node.named_child_count else ""
    if kind == "operator_cast":
        target = node.child_by_field_name("type")
        return "operator" if target is None else f"operator {cpp.text.brief(target, 100)}"
    if kind == "qualified_identifier":
        return "::".join(segments(cpp, node))
    text = cpp.text.brief(node, 200)
    if kind == "operator_name" and '"' in text:
        return LITERAL_OPERATOR + text.rpartition('"')[2].strip()
    return (
        text.replace(" ", "")
        if kind in {"operator_name", "destructor_name"} and not text[-1:].isalpha()
        else text
    )


def path_form(names: list[str]) -> Expression:
    """`a::b::c` as an expression; an empty first name is the global scope."""
    form: Expression = None
    for place, name in enumerate(names):
        if place == 0:
            form = ("name", name or "::")
        elif name:
            form = ("member", form, name)
    return form
