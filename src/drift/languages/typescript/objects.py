"""Object literals and the functions that are their members."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.expressions import dict_of
from drift.languages.kinds import SymbolKind
from drift.languages.typescript.functions import add_function, is_function, visit_value
from drift.languages.typescript.literals import string_value
from drift.languages.typescript.vocabulary import ALL_MEMBERS
from drift.languages.typescript.walk import NamedFunction

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.typescript.walk import Handler, Walk

_MOST_ENTRIES: Final = 64
# Of a larger object, as the exports of a whole file are, only what names code is worth knowing.
_MOST_NAMED_ENTRIES: Final = 1024
_NAMED_VALUES: Final = frozenset({"symbol", "name"})
_MOST_LABEL: Final = 60


def member_name(walk: Walk, node: Node | None) -> str | None:
    """The name of a member as code reaches it; None if it is computed."""
    if node is None:
        return None
    if node.type == "computed_property_name":
        walk.visit_children(node)
        return string_value(walk, node.named_children[0]) if node.named_child_count else None
    if node.type == "string":
        return string_value(walk, node)
    return walk.name_of(node)


def computed_label(walk: Walk, node: Node | None) -> str:
    """What a member is called whose name is computed: `[Symbol.iterator]`."""
    return walk.text.brief(node, _MOST_LABEL) if node is not None else "<computed>"


def accessor_kind(node: Node, kind: SymbolKind = "method") -> SymbolKind:
    """`property` for a getter or setter, else the kind given."""
    for child in node.children:
        if child.type in {"get", "set"}:
            return "property"
        if child.type == "formal_parameters":
            break
    return kind


def _object(walk: Walk, node: Node) -> Expression:
    owner, walk.object_owner, walk.outer_line = walk.object_owner, None, None
    entries: list[tuple[str | None, Expression]] = []
    for child in node.named_children:
        if child.type == "pair":
            entries.append(_visit_pair(walk, child, owner))
        elif child.type == "method_definition":
            name = member_name(walk, child.child_by_field_name("name"))
            function = _member(walk, child, name, owner, kind=accessor_kind(child))
            entries.append((name, ("symbol", add_function(walk, child, function))))
        elif child.type == "shorthand_property_identifier":
            entries.append((walk.name_of(child), walk.visit(child)))
        elif child.type == "spread_element" and child.named_child_count:
            source = walk.visit(child.named_children[0])
            if source is not None and source[0] not in {"list", "literal"}:
                entries.append((ALL_MEMBERS, source))
        else:
            walk.visit(child)
    return dict_of(_kept_entries(entries))


def _kept_entries(entries: list[tuple[str | None, Expression]]) -> list[tuple[str | None, Expression]]:
    if len(entries) <= _MOST_ENTRIES:
        return entries
    further = [
        entry
        for entry in entries[_MOST_ENTRIES:_MOST_NAMED_ENTRIES]
        if entry[0] is not None and entry[1] is not None and entry[1][0] in _NAMED_VALUES
    ]
    return [*entries[:_MOST_ENTRIES], *further]


def _member(
    walk: Walk, node: Node, name: str | None, owner: int | None, *, kind: SymbolKind
) -> NamedFunction:
    parent = owner if owner is not None else walk.scope
    key = node.child_by_field_name("key") or node.child_by_field_name("name")
    label = name or computed_label(walk, key)
    if owner is None and walk.symbols[parent].kind == "class":
        # Of an object that a decorator or the value of a field is given, it is no method of the class.
        kind, label = "function", f"<{label}>"
    return NamedFunction(kind, label, node, parent, doc=walk.take_doc(node))


def _visit_pair(walk: Walk, node: Node, owner: int | None) -> tuple[str | None, Expression]:
    name = member_name(walk, node.child_by_field_name("key"))
    value = node.child_by_field_name("value")
    if value is None:
        return (name, None)
    if is_function(value):
        function = _member(walk, node, name, owner, kind="method")
        return (name, ("symbol", add_function(walk, value, function)))
    if owner is not None and value.type == "object" and name is not None and has_functions(value):
        index = walk.reserve_symbol()
        walk.fill_symbol(index, "property", name, node=node, parent=owner, doc=walk.take_doc(node))
        walk.object_owner = index
    key = ALL_MEMBERS if name == "__proto__" else name
    outer = walk.constant_name
    if name is not None and name.isupper() and value.type in {"string", "template_string"}:
        walk.constant_name = name  # of settings in an object the key says which it is
    found = visit_value(walk, value, f"<{name}>")
    walk.constant_name = outer
    return (key, found)


def has_functions(node: Node) -> bool:
    """Whether an object literal has functions among its own members."""
    return any(
        child.type == "method_definition"
        or (child.type == "pair" and is_function(child.child_by_field_name("value")))
        for child in node.named_children
    )


HANDLERS: Final[Mapping[str, Handler]] = {"object": _object}
