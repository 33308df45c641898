"""Declarations: namespaces, usings, classes and their like."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from drift.languages.csharp.calls import read_arguments
from drift.languages.csharp.entries import note_class_entries, route_template
from drift.languages.csharp.functions import read_parameters
from drift.languages.csharp.headings import modifiers_of, read_heading, take_doc, visibility_of
from drift.languages.csharp.type_forms import name_type, read_type, read_type_parameters
from drift.languages.expressions import last_name
from drift.languages.facts import Base, Binding, Import
from drift.languages.kinds import SymbolKind
from drift.languages.objects import Heading, OpenClass

if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Node

    from drift.languages.csharp.walk import CsharpWalk
    from drift.languages.expressions import Expression
    from drift.languages.facts import Parameter

_KINDS: Final[Mapping[str, SymbolKind]] = {
    "class_declaration": "class",
    "enum_declaration": "enum",
    "interface_declaration": "interface",
    "record_declaration": "class",
    "struct_declaration": "struct",
}
_NAMESPACES: Final = frozenset({"file_scoped_namespace_declaration", "namespace_declaration"})
_CONDITIONAL: Final = frozenset({"preproc_elif", "preproc_else", "preproc_if"})
_NAMES: Final = frozenset({"alias_qualified_name", "generic_name", "identifier", "qualified_name"})


def _read_using(walk: CsharpWalk, node: Node) -> Expression:
    """`using A.B` brings in all of A.B; a global one does so for every file, as a re-export does."""
    alias = node.child_by_field_name("name")
    named = [child for child in node.named_children if child != alias and child.type in _NAMES]
    if not named:
        return None
    module = "".join(walk.text.text(named[-1]).split()).removeprefix("global::")
    is_global = any(child.type == "global" for child in node.children)
    bound = walk.text.text(alias) if alias is not None else None
    walk.imports.append(
        Import(walk.scope, walk.line(node), module, None if bound else "*", bound, is_reexport=is_global)
    )
    return None


def _read_namespace(walk: CsharpWalk, node: Node) -> Expression:
    """A namespace that is the file's only one is the file's package; others are symbols."""
    name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    name = "".join(walk.text.text(name_node).split()) if name_node is not None else ""
    if body is None:
        walk.package = name
        return None
    if walk.has_one_namespace is None:
        walk.has_one_namespace = _has_one_namespace(walk.root)
    if not walk.scope and not walk.package and walk.has_one_namespace:
        walk.package = name
        walk.visit_children(body)
        return None
    symbol = walk.begin("namespace", name, node)
    number = walk.keep(symbol._replace(signature=f"namespace {name}"[:300]))
    scope, walk.scope = walk.scope, number
    walk.visit_children(body)
    walk.scope = scope
    return None


def _has_one_namespace(root: Node) -> bool:
    """Whether a file has one namespace at its top, be it under `#if`."""
    waiting, count = [root], 0
    while waiting:
        for child in waiting.pop().named_children:
            if child.type in _NAMESPACES:
                count += 1
                if count > 1:
                    return False
            elif child.type in _CONDITIONAL:
                waiting.append(child)
    return count == 1


def _read_class(walk: CsharpWalk, node: Node) -> Expression:
    name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    heading = read_heading(walk, node)
    kind = _KINDS[node.type]
    words = set(heading.words)
    if node.type == "record_declaration":
        words.add("record")
        kind = "struct" if any(child.type == "struct" for child in node.children) else kind
    name = walk.text.text(name_node) if name_node is not None else "<anonymous>"
    visibility = visibility_of(walk, heading)
    is_exported = walk.is_exported_here(visibility)
    number = walk.keep_declaration(
        kind, name, node,
        heading=heading, body=body, visibility=visibility, doc=take_doc(walk, node),
        modifiers=modifiers_of(words, is_exported=is_exported),
    )  # fmt: skip
    scope, walk.scope = walk.scope, number
    generics = read_type_parameters(walk, node)
    opened = OpenClass(number, kind, name, _field_names(walk, body), heading, is_exported=is_exported)
    opened.prefix = route_template(walk, heading, "Route") or ""
    walk.classes.append(opened)
    walk.member_types.append(_member_types(walk, body))
    listed = next((child for child in node.named_children if child.type == "parameter_list"), None)
    if listed is not None:
        _read_primary_constructor(walk, node, listed)
    bases = _read_bases(walk, node, kind)
    walk.symbols[number] = walk.symbols[number]._replace(bases=bases)
    opened.base_names = frozenset(last_name(base.type) for base in bases if base.type)
    if body is not None:
        walk.visit_children(body)
    note_class_entries(walk, opened)
    walk.classes.pop()
    walk.member_types.pop()
    walk.generics, walk.scope = generics, scope
    return None


def _field_names(walk: CsharpWalk, body: Node | None) -> frozenset[str]:
    """The fields and properties that a class declares, known before its methods are read."""
    names: list[Node | None] = []
    for child in body.named_children if body is not None else ():
        if child.type == "property_declaration":
            names.append(child.child_by_field_name("name"))
        elif child.type == "field_declaration":
            for declaration in child.named_children:
                names += [each.child_by_field_name("name") for each in declaration.named_children]
    return frozenset(walk.text.text(name) for name in names if name is not None)


def _member_types(walk: CsharpWalk, body: Node | None) -> dict[str, Node]:
    """The type of each field and property of a class, known before its methods are read."""
    found: dict[str, Node] = {}
    for child in body.named_children if body is not None else ():
        is_property = child.type == "property_declaration"
        for declared in [child] if is_property else child.named_children:
            kind = declared.child_by_field_name("type")
            names = [declared] if is_property else declared.named_children
            if kind is None or not (is_property or declared.type == "variable_declaration"):
                continue
            for one in names:
                name = one.child_by_field_name("name")
                if name is not None:
                    found[walk.text.text(name)] = kind
    return found


def _read_primary_constructor(walk: CsharpWalk, node: Node, listed: Node) -> None:
    """The constructor in a class's head. A record makes properties of what it takes, a class variables."""
    parameters = read_parameters(walk, listed)
    owner = walk.classes[-1]
    owner.components = parameters
    walk.keep_declaration(
        "constructor", owner.name, listed,
        heading=Heading(listed.start_byte), parameters=parameters,
        modifiers=modifiers_of({"primary"}, is_exported=owner.is_exported),
    )  # fmt: skip
    if node.type == "record_declaration":
        _read_components(walk, listed, parameters)
        return
    for parameter in parameters:
        walk.bindings.append(Binding(owner.number, parameter.name, None, walk.line(listed), parameter.type))


def _read_components(walk: CsharpWalk, listed: Node, parameters: tuple[Parameter, ...]) -> None:
    nodes = [child for child in listed.named_children if child.type == "parameter"]
    for parameter, child in zip(parameters, nodes, strict=False):
        walk.keep_declaration(
            "property", parameter.name, child,
            heading=Heading(child.start_byte), value_type=parameter.type, return_text=parameter.type_text,
            modifiers=modifiers_of({"component"}, is_exported=walk.classes[-1].is_exported),
        )  # fmt: skip


def _read_bases(walk: CsharpWalk, node: Node, kind: SymbolKind) -> tuple[Base, ...]:
    """The types after the colon. Only their names tell classes from interfaces: `I` and a capital."""
    listed = next((child for child in node.named_children if child.type == "base_list"), None)
    bases: list[Base] = []
    for child in listed.named_children if listed is not None else ():
        if child.type == "argument_list":
            _call_base(walk, child)
            continue
        if child.type == "predefined_type":  # what an enum is stored as
            continue
        type_node = child
        if child.type == "primary_constructor_base_type":
            type_node = child.child_by_field_name("type") or child
            for inner in child.named_children:
                if inner.type == "argument_list":
                    _call_base(walk, inner)
        read_type(walk, type_node)
        target = name_type(walk, type_node)
        bases.append(Base(walk.text.brief(type_node, 200), target, _base_kind(kind, target)))
    return tuple(bases)


def _base_kind(kind: SymbolKind, target: Expression) -> str:
    if kind == "interface":
        return "extends"
    name = last_name(target)
    is_interface = len(name) > 1 and name[0] == "I" and name[1].isupper()
    return "implements" if kind == "struct" or is_interface else "extends"


def _call_base(walk: CsharpWalk, listed: Node) -> None:
    """`class A(int x) : B(x)` calls B's constructor."""
    walk.add_call(listed, ("super",), text="base", arguments=read_arguments(walk, listed), kind="new")


def _read_delegate(walk: CsharpWalk, node: Node) -> Expression:
    """A delegate is a type with the signature of a function."""
    name_node, type_node = node.child_by_field_name("name"), node.child_by_field_name("type")
    heading = read_heading(walk, node)
    visibility = visibility_of(walk, heading)
    number = walk.keep_declaration(
        "type", walk.text.text(name_node) if name_node is not None else "<anonymous>", node,
        heading=heading, visibility=visibility, doc=take_doc(walk, node),
        modifiers=modifiers_of({*heading.words, "delegate"}, is_exported=walk.is_exported_here(visibility)),
    )  # fmt: skip
    scope, walk.scope = walk.scope, number
    generics = read_type_parameters(walk, node)
    walk.symbols[number] = walk.symbols[number]._replace(
        parameters=read_parameters(walk, node.child_by_field_name("parameters")),
        return_type=read_type(walk, type_node),
        return_text=walk.type_text(type_node),
    )
    walk.generics, walk.scope = generics, scope
    return None


def _skip(_walk: CsharpWalk, _node: Node) -> Expression:
    return None


DECLARATION_HANDLERS: Final[dict[str, Callable[[CsharpWalk, Node], Expression]]] = {
    **dict.fromkeys(_KINDS, _read_class),
    **dict.fromkeys(_NAMESPACES, _read_namespace),
    "delegate_declaration": _read_delegate,
    "extern_alias_directive": _skip,
    "global_attribute": _skip,
    "using_directive": _read_using,
}
