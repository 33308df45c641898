"""Declarations: packages, imports, classes and their members."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from drift.languages.expressions import last_name
from drift.languages.facts import Base, Import
from drift.languages.java.entries import hands_down, note_class_entries, note_composed, route_prefix
from drift.languages.java.functions import FUNCTION_HANDLERS, read_parameter
from drift.languages.java.headings import modifiers_of, read_heading, take_doc, visibility_of
from drift.languages.java.statements import with_dimensions
from drift.languages.java.type_forms import name_type, read_type_parameters
from drift.languages.java.values import NUMBERS, string_of
from drift.languages.kinds import SymbolKind
from drift.languages.objects import Heading, ObjectWalk, OpenClass

if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.facts import Parameter

_KINDS: Final[Mapping[str, SymbolKind]] = {
    "annotation_type_declaration": "interface",
    "class_declaration": "class",
    "enum_declaration": "enum",
    "interface_declaration": "interface",
    "record_declaration": "class",
}
_BASE_KINDS: Final = {
    "extends_interfaces": "extends",
    "super_interfaces": "implements",
    "superclass": "extends",
}


def _read_package(walk: ObjectWalk, node: Node) -> Expression:
    for child in node.named_children:
        if child.type in {"identifier", "scoped_identifier"}:
            walk.package = "".join(walk.text.text(child).split())
    return None


def _read_import(walk: ObjectWalk, node: Node) -> Expression:
    """`a.b.C` is the name C of a.b; a static import has the class for its module."""
    dotted, is_wildcard = "", False
    for child in node.named_children:
        if child.type in {"identifier", "scoped_identifier"}:
            dotted = "".join(walk.text.text(child).split())
        elif child.type == "asterisk":
            is_wildcard = True
    if not dotted:
        return None
    module, _, name = dotted.rpartition(".")
    line = walk.line(node)
    walk.note_imported(dotted)
    if is_wildcard:
        walk.imports.append(Import(walk.scope, line, dotted, "*", None))
    else:
        walk.imports.append(Import(walk.scope, line, module, name, name))
    return None


def _read_class(walk: ObjectWalk, node: Node) -> Expression:
    kind = _KINDS[node.type]
    name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    heading = read_heading(walk, node)
    name = walk.text.text(name_node) if name_node is not None else "<anonymous>"
    visibility = visibility_of(walk, heading)
    words = {*heading.words, *(["record"] if node.type == "record_declaration" else [])}
    if node.type == "annotation_type_declaration":
        words.add("annotation")
    is_exported = walk.is_exported_here(visibility)
    number = walk.keep_declaration(
        kind, name, node,
        heading=heading, body=body, visibility=visibility, doc=take_doc(walk, node),
        modifiers=modifiers_of(words, is_exported=is_exported),
    )  # fmt: skip
    scope, walk.scope = walk.scope, number
    generics = read_type_parameters(walk, node)
    bases = _read_bases(walk, node)
    walk.symbols[number] = walk.symbols[number]._replace(bases=bases)
    opened = OpenClass(
        number, kind, name, _field_names(walk, node, body), heading,
        base_names=_simple_names(bases), is_exported=is_exported, prefix=route_prefix(walk, heading),
    )  # fmt: skip
    if node.type == "annotation_type_declaration" or hands_down(walk, opened):
        note_composed(walk, opened)
    _read_members(walk, node, body, opened=opened)
    walk.generics, walk.scope = generics, scope
    return ("symbol", number)


def _read_members(walk: ObjectWalk, node: Node, body: Node | None, *, opened: OpenClass) -> None:
    walk.classes.append(opened)
    if node.type == "record_declaration":
        _read_components(walk, node, body)
    if body is not None:
        walk.visit_children(body)
    note_class_entries(walk, opened)
    walk.classes.pop()


def _simple_names(bases: tuple[Base, ...]) -> frozenset[str]:
    return frozenset(last_name(base.type) for base in bases if base.type)


def _read_bases(walk: ObjectWalk, node: Node) -> tuple[Base, ...]:
    bases: list[Base] = []
    for child in node.named_children:
        kind = _BASE_KINDS.get(child.type)
        if kind is None:
            if child.type == "permits":
                walk.visit(child)
            continue
        listed = child.named_children
        if listed and listed[0].type == "type_list":
            listed = listed[0].named_children
        for each in listed:
            walk.visit(each)
            bases.append(Base(walk.text.brief(each, 200), name_type(walk, each), kind))
    return tuple(bases)


def _field_names(walk: ObjectWalk, node: Node, body: Node | None) -> frozenset[str]:
    """The fields that a class declares, known before its methods are read."""
    names: set[str] = set()
    for child in body.named_children if body is not None else ():
        if child.type == "field_declaration":
            for declarator in child.children_by_field_name("declarator"):
                name = declarator.child_by_field_name("name")
                if name is not None:
                    names.add(walk.text.text(name))
    if node.type == "record_declaration" and (listed := node.child_by_field_name("parameters")) is not None:
        for parameter in listed.named_children:
            name = parameter.child_by_field_name("name")
            if name is not None:
                names.add(walk.text.text(name))
    return frozenset(names)


def _read_components(walk: ObjectWalk, node: Node, body: Node | None) -> None:
    """The components of a record: a property each, and the constructor that takes them all."""
    listed = node.child_by_field_name("parameters")
    if listed is None:
        return
    owner = walk.classes[-1]
    components: list[Parameter] = []
    for child in listed.named_children:
        heading = read_heading(walk, child)
        parameter = read_parameter(walk, child)
        if parameter is not None:
            components.append(parameter)
            walk.keep_declaration(
                "property", parameter.name, child,
                heading=heading, value_type=parameter.type, modifiers=modifiers_of({"component", "final"}, is_exported=owner.is_exported),
            )  # fmt: skip
    owner.components = tuple(components)
    if not _has_canonical_constructor(body, len(components)):
        walk.keep_declaration(
            "constructor", owner.name, listed,
            heading=Heading(listed.start_byte), parameters=owner.components, modifiers=modifiers_of({"primary"}, is_exported=owner.is_exported),
        )  # fmt: skip


def _has_canonical_constructor(body: Node | None, component_count: int) -> bool:
    for child in body.named_children if body is not None else ():
        if child.type == "compact_constructor_declaration":
            return True
        if child.type == "constructor_declaration":
            listed = child.child_by_field_name("parameters")
            if listed is not None and listed.named_child_count == component_count:
                return True
    return False


def _read_field(walk: ObjectWalk, node: Node) -> Expression:
    heading = read_heading(walk, node)
    visibility = visibility_of(walk, heading)
    words = heading.words | ({"final", "static"} if node.type == "constant_declaration" else set())
    is_constant = {"final", "static"} <= words
    kind = walk.visit_field(node, "type")
    doc = take_doc(walk, node)
    declarators = node.children_by_field_name("declarator")
    for declarator in declarators:
        name_node = declarator.child_by_field_name("name")
        if name_node is None:
            continue
        name = walk.text.text(name_node)
        is_alone = len(declarators) == 1
        walk.keep_declaration(
            "constant" if is_constant else "field", name, node if is_alone else declarator,
            heading=heading if is_alone else Heading(declarator.start_byte, heading.decorators),
            visibility=visibility, doc=doc, value_type=with_dimensions(kind, declarator),
            modifiers=modifiers_of(words, is_exported=walk.is_exported_here(visibility)),
        )  # fmt: skip
        _read_initial_value(walk, declarator, name if is_constant else None)
    return None


def _read_initial_value(walk: ObjectWalk, declarator: Node, constant_name: str | None) -> None:
    value_node, name_node = declarator.child_by_field_name("value"), declarator.child_by_field_name("name")
    if value_node is None or name_node is None:
        return
    if constant_name and value_node.type == "string_literal":
        walk.add_string(value_node, string_of(walk, value_node), constant_name)
    elif constant_name and value_node.type in NUMBERS:
        walk.add_number(value_node, constant_name)
    else:
        value = walk.visit(value_node)
        walk.store(name_node, ("this",), name=walk.text.text(name_node), value=value)


def _read_enum_constant(walk: ObjectWalk, node: Node) -> Expression:
    """One value of an enum: a constant that is built by the enum's constructor and may have members."""
    name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if name_node is None or not walk.classes:
        return None
    owner = walk.classes[-1]
    name = walk.text.text(name_node)
    heading = read_heading(walk, node)
    enum: Expression = ("symbol", owner.number)
    number = walk.keep_declaration(
        "constant", name, node,
        heading=heading, body=body, value_type=enum, doc=take_doc(walk, node),
        bases=(Base(owner.name, enum),) if body is not None else (),
        modifiers=modifiers_of({"final", "static"}, is_exported=owner.is_exported),
    )  # fmt: skip
    arguments = node.child_by_field_name("arguments")
    if arguments is not None:
        values: list[tuple[None, Expression]] = []
        for child in arguments.named_children:
            values.append((None, walk.visit(child)))  # noqa: PERF401 (a comprehension costs a stack frame)
        walk.add_call(name_node, enum, text=name, arguments=tuple(values), kind="new")
    if body is not None:
        scope, walk.scope = walk.scope, number
        opened = OpenClass(number, "class", name, _field_names(walk, node, body), heading)
        _read_members(walk, node, body, opened=opened)
        walk.scope = scope
    return None


def _read_annotation(walk: ObjectWalk, node: Node) -> Expression:
    """An annotation outside a heading, as in front of a type."""
    walk.visit_field(node, "arguments")
    return None


def _read_pair(walk: ObjectWalk, node: Node) -> Expression:
    return walk.visit_field(node, "value")


def _skip(_walk: ObjectWalk, _node: Node) -> Expression:
    return None


DECLARATION_HANDLERS: Final[dict[str, Callable[[ObjectWalk, Node], Expression]]] = {
    **dict.fromkeys(_KINDS, _read_class),
    **FUNCTION_HANDLERS,
    "annotation": _read_annotation,
    "constant_declaration": _read_field,
    "element_value_pair": _read_pair,
    "enum_constant": _read_enum_constant,
    "field_declaration": _read_field,
    "import_declaration": _read_import,
    "marker_annotation": _skip,
    "module_declaration": _skip,
    "package_declaration": _read_package,
}
