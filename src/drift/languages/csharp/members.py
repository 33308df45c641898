"""Members that hold values: fields, properties, indexers, events, enum members."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.csharp.functions import read_parameters
from drift.languages.csharp.headings import modifiers_of, read_heading, take_doc, visibility_of
from drift.languages.csharp.implied import note_wanted, type_wanted, visit_wanted
from drift.languages.csharp.statements import declarator_value
from drift.languages.csharp.type_forms import read_type
from drift.languages.csharp.values import NUMBERS, STRINGS, string_of
from drift.languages.facts import COMPUTED
from drift.languages.objects import Heading

if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Node

    from drift.languages.csharp.walk import CsharpWalk
    from drift.languages.expressions import Expression


def _read_field(walk: CsharpWalk, node: Node) -> Expression:
    declaration = next((child for child in node.named_children if child.type == "variable_declaration"), None)
    if declaration is None:
        return None
    heading = read_heading(walk, node)
    visibility = visibility_of(walk, heading)
    is_constant = "const" in heading.words or {"static", "readonly"} <= heading.words
    words = heading.words | ({"event"} if node.type == "event_field_declaration" else set())
    type_node = declaration.child_by_field_name("type")
    kind = read_type(walk, type_node)
    doc = take_doc(walk, node)
    declarators = [child for child in declaration.named_children if child.type == "variable_declarator"]
    for declarator in declarators:
        name_node = declarator.child_by_field_name("name")
        if name_node is None:
            continue
        name = walk.text.text(name_node)
        is_alone = len(declarators) == 1
        walk.keep_declaration(
            "constant" if is_constant else "field", name, node if is_alone else declarator,
            heading=heading if is_alone else Heading(declarator.start_byte, heading.decorators),
            visibility=visibility, doc=doc, value_type=kind,
            modifiers=modifiers_of(words, is_exported=walk.is_exported_here(visibility)),
        )  # fmt: skip
        value_node = declarator_value(declarator)
        if value_node is not None:
            note_wanted(walk, value_node, type_wanted(walk, type_node, kind))
        _read_initial_value(walk, name_node, value_node, constant_name=name if is_constant else None)
    return None


def _read_initial_value(
    walk: CsharpWalk, name_node: Node, value_node: Node | None, *, constant_name: str | None
) -> None:
    if value_node is None:
        return
    if constant_name and value_node.type in STRINGS:
        walk.add_string(value_node, string_of(walk, value_node), constant_name)
    elif constant_name and value_node.type in NUMBERS:
        walk.add_number(value_node, constant_name)
    else:
        value = walk.visit(value_node)
        walk.store(name_node, ("this",), name=walk.text.text(name_node), value=value)


def _read_property(walk: CsharpWalk, node: Node) -> Expression:
    """A property, an indexer or an event with accessors: one symbol, whose code is that of its accessors."""
    accessors, value_node = node.child_by_field_name("accessors"), node.child_by_field_name("value")
    name_node, type_node = node.child_by_field_name("name"), node.child_by_field_name("type")
    heading = read_heading(walk, node)
    visibility = visibility_of(walk, heading)
    is_arrow = value_node is not None and value_node.type == "arrow_expression_clause"
    words = set(heading.words)
    if node.type == "event_declaration":
        words.add("event")
    name = walk.text.text(name_node) if name_node is not None else "this[]"
    number = walk.keep_declaration(
        "property", name, node,
        heading=heading, body=accessors or (value_node if is_arrow else None), visibility=visibility,
        doc=take_doc(walk, node), modifiers=modifiers_of(words, is_exported=walk.is_exported_here(visibility)),
    )  # fmt: skip
    scope, walk.scope = walk.scope, number
    kind = read_type(walk, type_node)
    parameters = read_parameters(walk, node.child_by_field_name("parameters"))
    symbol = walk.symbols[number]
    has_code = is_arrow or _has_code(accessors)
    walk.symbols[number] = symbol._replace(
        value_type=kind, return_type=kind, return_text=walk.type_text(type_node), parameters=parameters,
        complexity=symbol.complexity if has_code else None,
    )  # fmt: skip
    if has_code:
        walk.add_modifier(number, COMPUTED)
    _read_accessors(walk, accessors, number)
    if is_arrow and value_node is not None:
        walk.give_back(value_node, visit_wanted(walk, value_node, type_wanted(walk, type_node, kind)))
    walk.scope = scope
    if not is_arrow and name_node is not None:
        if value_node is not None:
            note_wanted(walk, value_node, type_wanted(walk, type_node, kind))
        _read_initial_value(walk, name_node, value_node, constant_name=None)
    return None


def _has_code(accessors: Node | None) -> bool:
    return accessors is not None and any(
        accessor.child_by_field_name("body") is not None for accessor in accessors.named_children
    )


def _read_accessors(walk: CsharpWalk, accessors: Node | None, number: int) -> None:
    mark = walk.mark()
    for parameter in walk.symbols[number].parameters:
        walk.hide(parameter.name)
    for accessor in accessors.named_children if accessors is not None else ():
        inner = walk.mark()
        name, body = accessor.child_by_field_name("name"), accessor.child_by_field_name("body")
        is_reader = name is not None and name.type == "get"
        if not is_reader:
            walk.hide("value")  # what the property is given
        if body is not None:
            value = walk.visit(body)
            if is_reader and body.type == "arrow_expression_clause":
                walk.give_back(body, value)
        walk.release(inner)
    walk.release(mark)


def _read_enum_member(walk: CsharpWalk, node: Node) -> Expression:
    name_node, value_node = node.child_by_field_name("name"), node.child_by_field_name("value")
    if name_node is None:
        return None
    name = walk.text.text(name_node)
    owner = walk.classes[-1] if walk.classes else None
    walk.keep_declaration(
        "constant", name, node,
        heading=read_heading(walk, node), doc=take_doc(walk, node),
        value_type=("symbol", owner.number) if owner is not None else None,
        modifiers=modifiers_of({"const"}, is_exported=owner is not None and owner.is_exported),
    )  # fmt: skip
    if value_node is not None and value_node.type in NUMBERS:
        walk.add_number(value_node, name)
    elif value_node is not None:
        walk.visit(value_node)
    return None


MEMBER_HANDLERS: Final[dict[str, Callable[[CsharpWalk, Node], Expression]]] = {
    "enum_member_declaration": _read_enum_member,
    "event_declaration": _read_property,
    "event_field_declaration": _read_field,
    "field_declaration": _read_field,
    "indexer_declaration": _read_property,
    "property_declaration": _read_property,
}
