"""Classes and interfaces: their parents and members."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.expressions import Expression
from drift.languages.facts import Base
from drift.languages.kinds import SymbolKind
from drift.languages.limits import MOST_SIGNATURE_CHARACTERS, MOST_TEXT_CHARACTERS
from drift.languages.typescript.angular_components import note_template
from drift.languages.typescript.applications import note_module
from drift.languages.typescript.calls import follow
from drift.languages.typescript.functions import (
    add_function,
    is_function,
    read_modifiers,
    sort_modifiers,
)
from drift.languages.typescript.objects import accessor_kind, computed_label, member_name
from drift.languages.typescript.patterns import read_decorators
from drift.languages.typescript.types import dotted, either, read_type_parameters, type_arguments
from drift.languages.typescript.walk import NamedFunction

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tree_sitter import Node

    from drift.languages.typescript.walk import Handler, Walk

_FUNCTION_MEMBERS: Final = frozenset({"method_definition", "abstract_method_signature", "method_signature"})
_LISTS_OF_MEMBERS: Final = frozenset({"interface_body", "object_type"})
_FIELDS: Final = frozenset({"public_field_definition", "field_definition", "property_signature"})


def add_class(walk: Walk, node: Node, name: str, *, span: Node | None = None) -> int:
    """Note a class and all that is in it; gives back its number."""
    decorator_nodes = [child for child in node.children if child.type == "decorator"]
    decorator_nodes, walk.pending_decorators = [*walk.pending_decorators, *decorator_nodes], []
    body = node.child_by_field_name("body")
    index, modifiers = walk.reserve_symbol(), sort_modifiers(walk.take_modifiers(), read_modifiers(node))
    walk.fill_symbol(
        index, "class", name, node=span or node, parent=walk.scope, doc=walk.take_doc(span or node)
    )
    decorators = read_decorators(walk, decorator_nodes, index)
    outer_scope, outer_types = walk.scope, walk.type_parameters
    walk.scope = index
    read_type_parameters(walk, node.child_by_field_name("type_parameters"))
    bases = _read_heritage(walk, node)
    here = walk.symbols[index]
    walk.symbols[index] = here._replace(
        signature=_header(walk, here.start_byte, body, node),
        decorators=decorators,
        bases=bases,
        modifiers=modifiers,
    )
    if body is not None and not walk.leaves_inside_out(index, node):
        _visit_members(walk, body, index)
        note_template(walk, decorator_nodes, index)
    walk.scope, walk.type_parameters = outer_scope, outer_types
    note_module(walk, decorator_nodes, index)
    return index


def _header(walk: Walk, start: int, body: Node | None, node: Node) -> str:
    end = body.start_byte if body is not None else node.end_byte
    return walk.text.brief_slice(start, max(start, end), limit=MOST_SIGNATURE_CHARACTERS)


def _read_heritage(walk: Walk, node: Node) -> tuple[Base, ...]:
    bases: list[Base] = []
    for heritage in node.children:
        if heritage.type != "class_heritage":
            continue
        for clause in heritage.named_children:
            if clause.type == "extends_clause":
                bases.extend(_read_extends(walk, clause))
            elif clause.type == "implements_clause":
                bases.extend(read_type_bases(walk, clause, "implements"))
            elif clause.type != "comment":
                bases.append(_read_base_value(walk, clause))
    return tuple(bases)


def _read_extends(walk: Walk, clause: Node) -> list[Base]:
    bases: list[Base] = []
    for child in clause.named_children:
        if child.type == "type_arguments":
            type_arguments(walk, child)
        elif child.type != "comment":
            bases.append(_read_base_value(walk, child))
    return bases


def _read_base_value(walk: Walk, node: Node) -> Base:
    kind = "mixes" if node.type == "call_expression" else "extends"
    return Base(walk.text.brief(node, MOST_TEXT_CHARACTERS), follow(walk, node).value, kind)


def read_type_bases(walk: Walk, clause: Node, kind: str) -> list[Base]:
    """The types a class implements or an interface extends, by name; their arguments are references."""
    bases: list[Base] = []
    for child in clause.named_children:
        named = child
        if child.type == "generic_type":
            named = child.child_by_field_name("name") or child
            type_arguments(walk, child.child_by_field_name("type_arguments"))
        elif child.type == "comment":
            continue
        parts = [part.strip() for part in walk.name_of(named).split(".")]
        bases.append(Base(walk.text.brief(child, MOST_TEXT_CHARACTERS), dotted(parts), kind))
    return bases


def _visit_members(walk: Walk, body: Node, owner: int) -> None:
    decorators: list[Node] = []
    outer_line: int | None = None
    for child in body.named_children:
        kind = child.type
        if kind == "decorator":
            outer_line = outer_line or walk.line_of(child)
            decorators.append(child)
            continue
        if kind == "comment":
            continue
        walk.outer_line, walk.pending_decorators = outer_line, decorators
        decorators, outer_line = [], None
        add_member(walk, child, owner)
        walk.pending_decorators = []


def add_member(walk: Walk, node: Node, owner: int) -> None:
    """Note one member of a class, an interface or an object type."""
    if node.type in _FUNCTION_MEMBERS:
        _add_method(walk, node, owner)
    elif node.type in _FIELDS:
        _add_field(walk, node, owner)
    elif node.type == "class_static_block":
        walk.visit_field(node, "body")
    else:
        walk.visit(node)


def _read_surroundings(walk: Walk, node: Node) -> tuple[list[Node], str, str]:
    """The decorators, visibility and doc of a member."""
    own = [child for child in node.children if child.type == "decorator"]
    decorators, walk.pending_decorators = [*walk.pending_decorators, *own], []
    visibility = "public"
    for child in node.children:
        if child.type == "accessibility_modifier":
            visibility = walk.name_of(child)
        elif child.type == "private_property_identifier":
            visibility = "private"
    return decorators, visibility, walk.take_doc(node)


def _add_method(walk: Walk, node: Node, owner: int) -> None:
    decorators, visibility, doc = _read_surroundings(walk, node)
    name_node = node.child_by_field_name("name")
    name = member_name(walk, name_node) or computed_label(walk, name_node)
    kind = "constructor" if name == "constructor" else accessor_kind(node)
    modifiers: tuple[str, ...] = ()
    if node.type == "method_signature":
        modifiers = ("overload",) if walk.symbols[owner].kind == "class" else ("abstract",)
    index = len(walk.symbols)
    function = NamedFunction(
        kind,
        name,
        node,
        owner,
        modifiers=modifiers,
        visibility=visibility,
        decorators=read_decorators(walk, decorators, index),
        doc=doc,
    )
    add_function(walk, node, function)


def _add_field(walk: Walk, node: Node, owner: int) -> None:
    decorator_nodes, visibility, doc = _read_surroundings(walk, node)
    name_node = node.child_by_field_name("name") or node.child_by_field_name("property")
    name = member_name(walk, name_node) or computed_label(walk, name_node)
    value, type_node = node.child_by_field_name("value"), node.child_by_field_name("type")
    decorators = read_decorators(walk, decorator_nodes, len(walk.symbols))
    if value is not None and is_function(value):
        modifiers = read_modifiers(node)
        header = NamedFunction("method", name, node, owner, modifiers, visibility, decorators, doc)
        add_function(walk, value, header)
        if type_node is not None:
            walk.visit(type_node)
        return
    index = walk.reserve_symbol()
    declared = walk.visit(type_node) if type_node is not None else None
    walk.fill_symbol(
        index,
        "field",
        name,
        node=node,
        parent=owner,
        decorators=decorators,
        visibility=visibility,
        modifiers=sort_modifiers(read_modifiers(node)),
        doc=doc,
        value_type=declared,
        header_end=value.start_byte if value is not None else node.end_byte,
    )
    if value is not None:
        walk.object_owner = index if value.type == "object" else None
        walk.store(("this",), name, _visit_named(walk, value, name), node=node)


def _visit_named(walk: Walk, value: Node, name: str) -> Expression:
    outer, walk.constant_name = walk.constant_name, name
    result = walk.visit(value)
    walk.constant_name, walk.object_owner = outer, None
    return result


def _class_expression(walk: Walk, node: Node) -> Expression:
    name = walk.name_of(node.child_by_field_name("name")) or "<class>"
    return ("symbol", add_class(walk, node, name))


def _class_declaration(walk: Walk, node: Node) -> Expression:
    return ("symbol", add_class(walk, node, walk.name_of(node.child_by_field_name("name")) or "default"))


def _interface(walk: Walk, node: Node) -> Expression:
    def read_bases() -> tuple[Base, ...]:
        return tuple(
            base
            for child in node.children
            if child.type == "extends_type_clause"
            for base in read_type_bases(walk, child, "extends")
        )

    index = add_type(walk, node, "interface", read_bases)
    return ("symbol", index)


def add_type(walk: Walk, node: Node, kind: SymbolKind, read_bases: Callable[[], tuple[Base, ...]]) -> int:
    """Note an interface or a type alias, with its members where it lists them."""
    name = walk.name_of(node.child_by_field_name("name"))
    body = node.child_by_field_name("body") or node.child_by_field_name("value")
    modifiers = sort_modifiers(walk.take_modifiers())
    index = walk.declare(kind, name, node, modifiers=modifiers, doc=walk.take_doc(node))
    outer_scope, outer_types = walk.scope, walk.type_parameters
    walk.scope = index
    read_type_parameters(walk, node.child_by_field_name("type_parameters"))
    bases, value = read_bases(), None
    is_listed = body is not None and body.type in _LISTS_OF_MEMBERS
    listed = [body] if body is not None and is_listed else []
    if body is not None and body.type == "intersection_type":
        bases, listed, value = _read_parts(walk, body)
    elif body is not None and not is_listed:
        value = walk.visit(body)
    end = body if is_listed else None
    here = walk.symbols[index]
    signature = _header(walk, here.start_byte, end, node).rstrip(" =;")
    walk.symbols[index] = here._replace(signature=signature, bases=bases, value_type=value)
    for part in listed:
        _visit_members(walk, part, index)
    walk.scope, walk.type_parameters = outer_scope, outer_types
    return index


def _read_parts(walk: Walk, node: Node) -> tuple[tuple[Base, ...], list[Node], Expression]:
    """`A & B & { c: C } & (() => void)`: its parents, its own members, and what else it is.

    Intersections nest to the left, without limit.
    """
    bases: list[Base] = []
    listed: list[Node] = []
    others: list[Expression] = []
    stack = [node]
    while stack:
        here = stack.pop()
        if here.type in {"intersection_type", "parenthesized_type"}:
            stack.extend(reversed(here.named_children))
        elif here.type == "object_type":
            listed.append(here)
        elif here.type != "comment":
            form = walk.visit(here)
            if form is not None and form[0] in {"name", "member"}:
                bases.append(Base(walk.text.brief(here, MOST_TEXT_CHARACTERS), form, "extends"))
            else:
                others.append(form)
    return tuple(bases), listed, either(others)


def _type_alias(walk: Walk, node: Node) -> Expression:
    return ("symbol", add_type(walk, node, "type", tuple))


HANDLERS: Final[Mapping[str, Handler]] = {
    "class": _class_expression,
    "class_declaration": _class_declaration,
    "abstract_class_declaration": _class_declaration,
    "interface_declaration": _interface,
    "type_alias_declaration": _type_alias,
}
