"""Classes, interfaces, traits and enums, and what they declare."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from drift.languages.facts import Base, Store, Symbol
from drift.languages.kinds import SymbolKind
from drift.languages.limits import MOST_SIGNATURE_CHARACTERS, MOST_TEXT_CHARACTERS
from drift.languages.php.entries import note_class
from drift.languages.php.functions import (
    define_function,
    read_decorators,
    read_modifiers,
    read_signature,
    read_visibility,
)
from drift.languages.php.subscribers import note_subscriber
from drift.languages.php.type_forms import read_docblock, read_promised_properties
from drift.languages.php.walk import NAME_TYPES, child_of_type

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.php.walk import Handler, PhpWalk

_KINDS: Final[Mapping[str, SymbolKind]] = {
    "anonymous_class": "class",
    "class_declaration": "class",
    "enum_declaration": "enum",
    "interface_declaration": "interface",
    "trait_declaration": "trait",
}
_COMMAND_NAMES: Final = frozenset({"name", "signature", "defaultName"})  # of Laravel and Symfony
_PLAIN_NAME: Final = "name"  # which a signature goes before
_BODIES: Final = ("declaration_list", "enum_declaration_list")


def _read_class(php: PhpWalk, node: Node) -> Expression:
    name_node = node.child_by_field_name("name")
    name = "class@anonymous" if name_node is None else php.text.text(name_node)
    body = node.child_by_field_name("body") or next(
        (child for child in node.named_children if child.type in _BODIES), None
    )
    symbol = php.begin(_KINDS[node.type], name, node)._replace(
        signature=read_signature(php, node, body),
        doc=php.docblock(php.line(node)),
        decorators=read_decorators(php, node),
        modifiers=read_modifiers(node),
        bases=_read_bases(php, node),
    )
    number = php.keep(symbol)
    outer = (php.scope, php.class_number)
    php.scope = php.class_number = number
    # The docblock of a class that stands for a container promises more than is kept of a doc.
    promised = php.comments.written_above(php.line(node)) if symbol.doc else ""
    for property_name, value in read_promised_properties(php, promised).items():
        php.stores.append(Store(number, ("this",), property_name, value, symbol.line))
    if body is not None:
        php.visit(body)
    note_class(php, number)
    if body is not None:
        note_subscriber(php, number, body)
    php.scope, php.class_number = outer
    return ("symbol", number)


def _read_bases(php: PhpWalk, node: Node) -> tuple[Base, ...]:
    found: list[Base] = []
    for clause in node.named_children:
        if clause.type not in {"base_clause", "class_interface_clause"}:
            continue
        kind = "extends" if clause.type == "base_clause" else "implements"
        found += _name_bases(php, clause, kind)
    return tuple(found)


def _name_bases(php: PhpWalk, node: Node, kind: str) -> list[Base]:
    return [
        Base(php.text.brief(name, MOST_TEXT_CHARACTERS), php.name_form(name), kind)
        for name in node.named_children
        if name.type in NAME_TYPES
    ]


def _read_trait_use(php: PhpWalk, node: Node) -> None:
    """`use T, U { ... }` in a class: the traits are parents of it."""
    if php.class_number is None:
        return
    symbol = php.symbols[php.class_number]
    mixed = _name_bases(php, node, "mixes")
    php.symbols[php.class_number] = symbol._replace(bases=(*symbol.bases, *mixed))


def _read_method(php: PhpWalk, node: Node) -> None:
    name_node = node.child_by_field_name("name")
    name = "" if name_node is None else php.text.text(name_node)
    kind: SymbolKind = "constructor" if name.lower() == "__construct" else "method"
    is_abstract = node.child_by_field_name("body") is None
    symbol = php.begin(kind, name, node)._replace(
        doc=php.docblock(php.line(node)),
        decorators=read_decorators(php, node),
        visibility=read_visibility(php, node),
        modifiers=read_modifiers(node, *(("abstract",) if is_abstract else ())),
    )
    define_function(php, symbol, node)


def _read_properties(php: PhpWalk, node: Node) -> None:
    doc = php.docblock(php.line(node))
    type_node = node.child_by_field_name("type")
    form = None if type_node is None else php.visit(type_node)
    if form is None or form == ("literal", "list"):
        form = read_docblock(php, doc).get("var", ("", form))[1]
    elements = [child for child in node.named_children if child.type == "property_element"]
    hooks = child_of_type(node, "property_hook_list")
    end = node.end_byte if hooks is None else hooks.start_byte
    shared = Symbol("property" if hooks is not None else "field", "", 0, 0, 0, 0, 0, 0)._replace(
        signature=php.text.brief_slice(node.start_byte, end, limit=MOST_SIGNATURE_CHARACTERS).rstrip(" ;"),
        doc=doc,
        decorators=read_decorators(php, node),
        visibility=read_visibility(php, node),
        modifiers=read_modifiers(node),
        value_type=form,
    )
    for element in elements:
        number = _keep_property(php, element, node if len(elements) == 1 else element, shared)
        if hooks is not None:
            _read_hooks(php, hooks, number)


def _keep_property(php: PhpWalk, element: Node, span: Node, shared: Symbol) -> int:
    name = php.text.text(element.child_by_field_name("name") or element).removeprefix("$")
    place = php.begin(shared.kind, name, span)
    number = php.keep(
        place._replace(
            **{
                field: getattr(shared, field)
                for field in ("signature", "doc", "decorators", "visibility", "modifiers", "value_type")
            }
        )
    )
    default = element.child_by_field_name("default_value")
    if default is not None:
        php.constant_name = name
        value = php.visit(default)
        php.constant_name = None
        if name in _COMMAND_NAMES and (signature := php.string_of(default)):
            said = signature.split()[0] if signature.split() else ""
            known = php.command_names.get(php.scope)
            php.command_names[php.scope] = known if known and name == _PLAIN_NAME else said
        if value is not None:
            php.stores.append(Store(php.scope, ("this",), name, value, php.line(element)))
    return number


def _read_hooks(php: PhpWalk, node: Node, number: int) -> None:
    """`get => …; set { … }` of a property, as methods of it."""
    outer, php.scope = php.scope, number
    for hook in node.named_children:
        name_node = child_of_type(hook, "name")
        if hook.type == "property_hook" and name_node is not None:
            symbol = php.begin("method", php.text.text(name_node), hook)
            define_function(php, symbol._replace(modifiers=read_modifiers(hook)), hook)
    php.scope = outer


def _read_case(php: PhpWalk, node: Node) -> None:
    """A case of an enum, which is a value of it."""
    name_node, value = node.child_by_field_name("name"), node.child_by_field_name("value")
    name = "" if name_node is None else php.text.text(name_node)
    symbol = php.begin("constant", name, node)._replace(
        signature=php.text.brief(node, MOST_SIGNATURE_CHARACTERS).rstrip(" ;"),
        doc=php.docblock(php.line(node)),
        decorators=read_decorators(php, node),
        modifiers=("case",),
        value_type=None if php.class_number is None else ("symbol", php.class_number),
    )
    php.keep(symbol)
    if value is not None:
        php.constant_name = name
        php.visit(value)
        php.constant_name = None


CLASS_HANDLERS: Final[dict[str, Handler]] = {
    **dict.fromkeys(_KINDS, _read_class),
    "enum_case": _read_case,
    "method_declaration": _read_method,
    "property_declaration": _read_properties,
    "use_declaration": _read_trait_use,
}
