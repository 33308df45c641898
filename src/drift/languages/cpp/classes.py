"""Classes, structs, unions and enums, and what they declare."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from drift.languages.cpp.declarators import path_form, plain_name, segments, unwrap
from drift.languages.cpp.entries import opens_slots
from drift.languages.cpp.expansions import read_uses, skip_uses
from drift.languages.cpp.functions import declare_function
from drift.languages.cpp.modifiers import read_attributes, read_modifiers
from drift.languages.cpp.signals import opens_signals
from drift.languages.cpp.type_forms import declared_type, read_type, template_arguments
from drift.languages.cpp.walk import sorted_modifiers
from drift.languages.facts import Base, Store, Symbol
from drift.languages.kinds import SymbolKind
from drift.languages.limits import MOST_SIGNATURE_CHARACTERS, MOST_TEXT_CHARACTERS

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.cpp.walk import CppWalk, Handler
    from drift.languages.expressions import Expression

_KINDS: Final[Mapping[str, SymbolKind]] = {
    "class_specifier": "class",
    "struct_specifier": "struct",
    "union_specifier": "struct",
}
_BASES: Final = frozenset({"qualified_identifier", "template_type", "type_identifier"})
_MOST_BLANKS: Final = 20
_ACCESSES: Final = frozenset({"public", "protected", "private"})


def _read_class(cpp: CppWalk, node: Node) -> Expression:
    """A class with its body, or the name of one that is declared elsewhere."""
    name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if body is None:
        cpp.template = None
        return _declared_ahead(cpp, node, name_node) or _name_elsewhere(cpp, name_node)
    name = cpp.given_name or ("" if name_node is None else plain_name(cpp, name_node))
    name = name.rpartition("::")[2]  # `class Outer::Inner {`: the signature says whose it is
    cpp.given_name = ""
    if not name:
        # Members of an unnamed struct or union are used as if they stood outside of it.
        for child in body.named_children:
            cpp.visit(child)
        return None
    if name_node is not None and name_node.type == "template_type":
        template_arguments(cpp, name_node)
    kind = _KINDS[node.type]
    symbol = cpp.start(kind, name, node)
    extra = ("union",) if node.type == "union_specifier" else ()
    number = cpp.keep(
        symbol._replace(
            signature=_signature(cpp, symbol, body),
            doc=cpp.take_doc(symbol.line),
            bases=_read_bases(cpp, node),
            decorators=read_attributes(cpp, node),
            visibility=_visibility(cpp),
            modifiers=sorted_modifiers(symbol.modifiers, read_modifiers(cpp, node, None), extra),
        )
    )
    outer = (cpp.scope, cpp.access, cpp.known, cpp.is_slot, cpp.is_signal)
    cpp.scope, cpp.access, cpp.known = number, "private" if kind == "class" else "public", set()
    cpp.is_slot = cpp.is_signal = False
    skip_uses(cpp, body.start_byte)
    for child in body.named_children:
        if cpp.expansions:
            read_uses(cpp, child.start_byte)
        cpp.visit(child)
    read_uses(cpp, body.end_byte)
    cpp.scope, cpp.access, cpp.known, cpp.is_slot, cpp.is_signal = outer
    return ("symbol", number)


def _signature(cpp: CppWalk, symbol: Symbol, body: Node) -> str:
    end = body.start_byte
    return cpp.text.brief_slice(symbol.start_byte, end, limit=MOST_SIGNATURE_CHARACTERS).strip()


def _visibility(cpp: CppWalk) -> str:
    if cpp.is_in_class:
        return cpp.access
    return "private" if cpp.is_hidden else "public"


def _name_elsewhere(cpp: CppWalk, name_node: Node | None) -> Expression:
    return None if name_node is None else read_type(cpp, name_node)


def _declared_ahead(cpp: CppWalk, node: Node, name_node: Node | None) -> Expression:
    """What `namespace Ui { class Box; }` names, which is never a class around that namespace; None for other uses."""
    symbol, names = cpp.symbols[cpp.scope], []
    if symbol.kind != "namespace" or name_node is None or name_node.type != "type_identifier":
        return None
    if not cpp.text.source[node.end_byte : node.end_byte + _MOST_BLANKS].lstrip().startswith(b";"):
        return None
    while symbol.kind == "namespace":
        names.append(symbol.name)
        symbol = cpp.symbols[symbol.parent]
    form = path_form(["", *reversed(names), plain_name(cpp, name_node)])
    cpp.refer(name_node, form, "type")
    return form


def _read_bases(cpp: CppWalk, node: Node) -> tuple[Base, ...]:
    found: list[Base] = []
    for clause in node.named_children:
        if clause.type != "base_class_clause":
            continue
        for base in clause.named_children:
            if base.type not in _BASES:
                continue
            names = segments(cpp, base) if base.type == "qualified_identifier" else [plain_name(cpp, base)]
            if base.type == "template_type":
                template_arguments(cpp, base)
            form = None if names[0] in cpp.type_parameters else path_form(names)
            found.append(Base(cpp.text.brief(base, MOST_TEXT_CHARACTERS), form))
    return tuple(found)


def _read_access(cpp: CppWalk, node: Node) -> None:
    word = cpp.text.text(node).rstrip(": ")
    if word in _ACCESSES:
        cpp.access, cpp.is_slot, cpp.is_signal = word, opens_slots(cpp, node), opens_signals(cpp, node)


def _read_field(cpp: CppWalk, node: Node) -> None:
    """A field, several fields, or a method that is only declared."""
    header = cpp.template
    type_node = node.child_by_field_name("type")
    form = read_type(cpp, type_node)
    default = node.child_by_field_name("default_value")
    for declarator in node.children_by_field_name("declarator"):
        declared = unwrap(declarator)
        if declared is None:
            continue
        cpp.template = header
        if declared.function is not None:
            is_abstract = default is not None and cpp.text.text(default) == "0"
            declare_function(cpp, node, declared, is_abstract=is_abstract)
            continue
        name = plain_name(cpp, declared.name)
        _keep_field(cpp, node, name, declared_type(form, declared))
        if default is not None:
            cpp.constant_name = name
            is_braced = default.type == "initializer_list" and default.named_child_count == 1
            value = cpp.visit(default.named_children[0] if is_braced else default)
            cpp.constant_name = None
            cpp.stores.append(Store(cpp.scope, ("this",), name, value, cpp.line(node)))
    cpp.template = None


def _keep_field(cpp: CppWalk, node: Node, name: str, form: Expression) -> None:
    modifiers = read_modifiers(cpp, node, None)
    is_constant = "constexpr" in modifiers or {"const", "static"} <= set(modifiers)
    symbol = cpp.start("constant" if is_constant else "field", name, node)
    cpp.keep(
        symbol._replace(
            signature=cpp.text.brief(node, MOST_SIGNATURE_CHARACTERS).rstrip(" ;"),
            doc=cpp.take_doc(symbol.line, is_member=True),
            decorators=read_attributes(cpp, node),
            visibility=_visibility(cpp),
            modifiers=sorted_modifiers(symbol.modifiers, modifiers),
            value_type=form,
        )
    )


def _read_enum(cpp: CppWalk, node: Node) -> Expression:
    name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if body is None:
        return _name_elsewhere(cpp, name_node)
    name = cpp.given_name or ("" if name_node is None else plain_name(cpp, name_node))
    cpp.given_name = ""
    number: int | None = None
    outer = cpp.scope
    if name:
        symbol = cpp.start("enum", name, node)
        is_scoped = any(child.type in {"class", "struct"} for child in node.children)
        number = cpp.keep(
            symbol._replace(
                signature=_signature(cpp, symbol, body),
                doc=cpp.take_doc(symbol.line),
                visibility=_visibility(cpp),
                modifiers=("scoped",) if is_scoped else (),
            )
        )
        cpp.scope = number
    for child in body.named_children:
        if child.type == "enumerator":
            _read_enumerator(cpp, child, number)
        else:
            cpp.visit(child)
    cpp.scope = outer
    return None if number is None else ("symbol", number)


def _read_enumerator(cpp: CppWalk, node: Node, enum: int | None) -> None:
    name_node, value = node.child_by_field_name("name"), node.child_by_field_name("value")
    name = "" if name_node is None else cpp.text.text(name_node)
    symbol = cpp.begin("constant", name, node)
    cpp.keep(
        symbol._replace(
            signature=cpp.text.brief(node, MOST_SIGNATURE_CHARACTERS),
            doc=cpp.take_doc(symbol.line, is_member=True),
            modifiers=("case",),
            value_type=("literal", "int") if enum is None else ("symbol", enum),
        )
    )
    if value is not None:
        cpp.constant_name = name
        cpp.visit(value)
        cpp.constant_name = None


def _read_friend(cpp: CppWalk, node: Node) -> None:
    """Functions that are defined as friends are real; friendship itself is no fact."""
    outer, cpp.scope = cpp.scope, cpp.symbols[cpp.scope].parent
    for child in node.named_children:
        if child.type == "function_definition":
            cpp.visit(child)
    cpp.scope = outer


CLASS_HANDLERS: Final[dict[str, Handler]] = {
    **dict.fromkeys(_KINDS, _read_class),
    "access_specifier": _read_access,
    "enum_specifier": _read_enum,
    "field_declaration": _read_field,
    "friend_declaration": _read_friend,
}
