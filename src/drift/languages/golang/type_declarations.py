"""Go's declared types: structs with fields and embedding, interfaces with methods, aliases, defined types."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from drift.languages.facts import Base, EnvironmentRead
from drift.languages.golang.functions import define_function
from drift.languages.golang.vocabulary import PREDECLARED_TYPES
from drift.languages.kinds import SymbolKind
from drift.languages.limits import MOST_SIGNATURE_CHARACTERS

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.facts import Symbol
    from drift.languages.golang.walk import GoWalk

# Struct tags of the packages that fill structs from the environment: env:"PORT" envDefault:"80".
_ENVIRONMENT_TAG = re.compile(r'\b(?:env|envconfig):"([A-Za-z_][A-Za-z0-9_]*)')
_DEFAULT_TAG = re.compile(r'\b(?:envDefault|env-default|default):"([^"]*)"')
_KINDS: Final[Mapping[str, SymbolKind]] = {"struct_type": "struct", "interface_type": "interface"}


def read_type_parameters(go: GoWalk, node: Node) -> dict[str, Expression]:
    """The type parameters of a declaration, each with the type that constrains it."""
    found: dict[str, Expression] = {}
    parameters = node.child_by_field_name("type_parameters")
    for declaration in () if parameters is None else parameters.named_children:
        form = go.visit_field(declaration, "type")
        if form is not None and form[0] == "name" and form[1] in PREDECLARED_TYPES:
            form = None
        found.update((go.text.text(name), form) for name in declaration.children_by_field_name("name"))
    return found


def declare_type(go: GoWalk, spec: Node, declaration: Node) -> None:
    """A symbol for a type, with symbols below it for what it holds."""
    name_node, type_node = spec.child_by_field_name("name"), spec.child_by_field_name("type")
    if name_node is None or type_node is None:
        return
    is_single = sum(child.type != "comment" for child in declaration.named_children) == 1
    name = go.text.text(name_node)
    number = go.keep(_type_symbol(go, name, declaration if is_single else spec, kind=type_node.type))
    if go.scope == 0:
        go.types[name] = number
    mark = go.open_scope(number)
    outer = go.generics
    go.generics = {**outer, **read_type_parameters(go, spec)}
    bases: list[Base] = []
    value_type: Expression = None
    if type_node.type == "struct_type":
        bases = _read_fields(go, type_node)
    elif type_node.type == "interface_type":
        bases = _read_elements(go, type_node)
    else:
        value_type = go.visit(type_node)
    go.generics = outer
    go.close_scope(mark)
    go.symbols[number] = go.symbols[number]._replace(bases=tuple(bases), value_type=value_type)


def _type_symbol(go: GoWalk, name: str, node: Node, *, kind: str) -> Symbol:
    symbol = _published(go.begin(_KINDS.get(kind, "type"), name, node))
    text = go.text.brief(node, MOST_SIGNATURE_CHARACTERS)
    signature = text if kind not in _KINDS else text.partition("{")[0].rstrip()
    return symbol._replace(
        signature=signature if signature.startswith("type ") else f"type {signature}",
        doc=go.doc_above(symbol.line),
    )


def _published(symbol: Symbol) -> Symbol:
    """The symbol with its visibility, which in Go is the case of its first letter."""
    if symbol.name[:1].isupper():
        return symbol._replace(modifiers=tuple(sorted({*symbol.modifiers, "exported"})))
    return symbol._replace(visibility="package")


def _read_fields(go: GoWalk, struct: Node) -> list[Base]:
    """The embedded types of a struct; its fields become symbols."""
    bases = []
    for body in struct.named_children:
        for field in body.named_children:
            type_node = field.child_by_field_name("type") if field.type == "field_declaration" else None
            if type_node is None:
                continue
            form = go.visit(type_node)
            names = [go.text.text(name) for name in field.children_by_field_name("name")]
            if not names and form is not None and form[0] in {"name", "member"}:
                bases.append(Base(go.text.brief(type_node, 200), form, "embeds"))
                names = [form[-1]]
            _keep_fields(go, field, names, form)
            _note_environment_tag(go, field)
    return bases


def _keep_fields(go: GoWalk, field: Node, names: list[str], form: Expression) -> None:
    doc = go.doc_above(go.line(field))
    signature = go.text.brief(field, MOST_SIGNATURE_CHARACTERS)
    for name in names:
        symbol = _published(go.begin("field", name, field))
        go.keep(symbol._replace(value_type=form, signature=signature, doc=doc))


def _note_environment_tag(go: GoWalk, field: Node) -> None:
    tag = go.string_of(field.child_by_field_name("tag"))
    found = _ENVIRONMENT_TAG.search(tag) if tag else None
    if tag and found:
        default = _DEFAULT_TAG.search(tag)
        text = default[1] if default else None
        go.environment_reads.append(EnvironmentRead(go.scope, go.line(field), found[1], text))


def _read_elements(go: GoWalk, interface: Node) -> list[Base]:
    """The embedded interfaces of an interface; its methods become symbols. A type set is neither."""
    bases = []
    for element in interface.named_children:
        if element.type == "method_elem" and (name_node := element.child_by_field_name("name")) is not None:
            symbol = _published(go.begin("method", go.text.text(name_node), element))
            symbol = symbol._replace(
                modifiers=tuple(sorted({*symbol.modifiers, "abstract"})), doc=go.doc_above(symbol.line)
            )
            define_function(go, symbol, element)
        elif element.type == "type_elem":
            form = go.visit(element)
            if form is not None and element.named_child_count == 1 and _is_interface_name(element):
                bases.append(Base(go.text.brief(element, 200), form, "embeds"))
    return bases


def _is_interface_name(element: Node) -> bool:
    return element.named_children[0].type in {"type_identifier", "qualified_type", "generic_type"}
