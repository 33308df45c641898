"""Classes, modules, methods, aliases and constants of Ruby."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from drift.languages.facts import METACLASS, Base
from drift.languages.kinds import SymbolKind
from drift.languages.limits import MOST_SIGNATURE_CHARACTERS, MOST_TEXT_CHARACTERS
from drift.languages.ruby.constants import bind_in_class, open_path, open_symbol, path_form, refer_around
from drift.languages.ruby.entries import note_class, note_method
from drift.languages.ruby.forwarding import add_alias
from drift.languages.ruby.functions import define_method, method_modifiers, read_signature
from drift.languages.ruby.macros import add_attributes
from drift.languages.ruby.statements import visit_body
from drift.languages.ruby.walk import CLASS_METHOD, arguments_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.ruby.walk import Handler, RubyWalk

_CONSTRUCTOR: Final = "initialize"
_CLASS_METHODS: Final = (
    "ClassMethods"  # what a concern gives to the classes that include it, not to their objects
)
_HOOKS: Final = frozenset(
    {"initialize", "initialize_copy", "initialize_dup", "initialize_clone", "respond_to_missing?"}
)
_MAKING_CLASSES: Final[Mapping[tuple[str, str], SymbolKind]] = {("Struct", "new"): "struct", ("Data", "define"): "struct", ("Class", "new"): "class", ("Module", "new"): "trait"}  # fmt: skip


def _read_class(ruby: RubyWalk, node: Node) -> Expression:
    name_node = node.child_by_field_name("name")
    if name_node is None:
        return None
    kind: SymbolKind = "class" if node.type == "class" else "trait"
    parent, name = open_path(ruby, name_node)
    doc = ruby.doc_above(ruby.line(node))
    superclass = node.child_by_field_name("superclass")
    bases: tuple[Base, ...] = ()
    if superclass is not None and superclass.named_child_count:
        named = superclass.named_children[0]
        form = path_form(ruby, named)
        if form is None:
            form = ruby.visit(named)
        else:
            refer_around(ruby, named)
        bases = (Base(ruby.text.brief(named, MOST_TEXT_CHARACTERS), form, "extends"),)
    symbol = ruby.begin(kind, name, node)._replace(
        parent=parent, signature=read_signature(ruby, node), doc=doc, bases=bases
    )
    number = open_symbol(ruby, symbol)
    if kind == "trait" and name == _CLASS_METHODS and ruby.class_number is not None:
        bind_in_class(ruby, node, METACLASS, ("symbol", number))
    with ruby.inside(number, is_class=True):
        visit_body(ruby, node.child_by_field_name("body"))
    note_class(ruby, number)
    return ("symbol", number)


def _read_singleton_class(ruby: RubyWalk, node: Node) -> None:
    outer = (ruby.is_singleton, ruby.visibility)
    ruby.is_singleton, ruby.visibility = True, "public"
    visit_body(ruby, node.child_by_field_name("body"))
    ruby.is_singleton, ruby.visibility = outer


def _read_method(ruby: RubyWalk, node: Node) -> Expression:
    """The name of the method as a symbol, which is what `def` gives."""
    name_node = node.child_by_field_name("name")
    name = "" if name_node is None else ruby.text.text(name_node)
    owner = ruby.class_number
    modifiers = method_modifiers(ruby, is_singleton=ruby.is_singleton)
    is_constructor = name == _CONSTRUCTOR and not ruby.is_singleton and owner is not None
    kind: SymbolKind = "constructor" if is_constructor else "method"
    if owner is None or (ruby.method is not None and ruby.symbols[ruby.method].kind == "function"):
        kind, modifiers = "function", ()
    symbol = ruby.begin(kind, name, node)._replace(
        signature=read_signature(ruby, node),
        doc=ruby.doc_above(ruby.line(node)),
        visibility="public" if kind == "function" else _visibility(ruby, name),
        modifiers=modifiers,
    )
    if kind != "function" and owner is not None:
        symbol = symbol._replace(parent=owner)
    number = define_method(ruby, symbol, node)
    note_method(ruby, number)
    return ("literal", "str")


def _visibility(ruby: RubyWalk, name: str) -> str:
    return "public" if name in _HOOKS else ruby.visibility


def _read_singleton_method(ruby: RubyWalk, node: Node) -> Expression:
    """`def self.name`, `def Class.name`, and methods of a single object."""
    name_node, owner = node.child_by_field_name("name"), node.child_by_field_name("object")
    name = "" if name_node is None else ruby.text.text(name_node)
    symbol = ruby.begin("method", name, node)._replace(
        signature=read_signature(ruby, node), doc=ruby.doc_above(ruby.line(node))
    )
    parent: int | None = ruby.class_number
    if owner is not None and owner.type in {"constant", "scope_resolution"}:
        parent = _class_named(ruby, owner)
    elif owner is None or owner.type != "self":
        parent = None
    if parent is None:
        define_method(ruby, symbol._replace(kind="function"), node)
        return ("literal", "str")
    with ruby.inside(parent, is_class=True):
        number = define_method(ruby, symbol._replace(parent=parent, modifiers=(CLASS_METHOD,)), node)
        note_method(ruby, number)
    return ("literal", "str")


def _class_named(ruby: RubyWalk, node: Node) -> int:
    """The class whose method `def Class.name` declares: the one around, or one that is opened for it."""
    if ruby.class_number is not None and ruby.text.text(node) == ruby.symbols[ruby.class_number].name:
        return ruby.class_number
    parent, name = open_path(ruby, node)
    known = ruby.opened.get((parent, name))
    if known is not None:
        return known
    symbol = ruby.begin("trait", name, node)._replace(parent=parent, modifiers=("implied",))
    return open_symbol(ruby, symbol)


def _read_alias(ruby: RubyWalk, node: Node) -> None:
    new, old = node.child_by_field_name("name"), node.child_by_field_name("alias")
    if new is None or old is None or new.type == "global_variable":
        return
    add_alias(ruby, node, _plain_name(ruby, new), _plain_name(ruby, old))


def _plain_name(ruby: RubyWalk, node: Node) -> str:
    return ruby.text.text(node).lstrip(":")


def define_constant(ruby: RubyWalk, node: Node, left: Node, right: Node | None) -> Expression:
    """A constant; one that holds a new class is that class."""
    made = _made_kind(ruby, right)
    parent, name = open_path(ruby, left)
    doc = ruby.doc_above(ruby.line(node))
    if made is not None and right is not None:
        return _define_made_class(ruby, node, right, (made, name, parent, doc))
    outer, ruby.constant_name = ruby.constant_name, name
    value = None if right is None else ruby.visit(right)
    ruby.constant_name = outer
    symbol = ruby.begin("constant", name, node)._replace(
        parent=parent,
        signature=ruby.text.brief(node, MOST_SIGNATURE_CHARACTERS),
        doc=doc,
        visibility="public",
        value_type=value,
    )
    ruby.keep(symbol)
    return value


def _made_kind(ruby: RubyWalk, right: Node | None) -> SymbolKind | None:
    if right is None or right.type != "call":
        return None
    owner, method = right.child_by_field_name("receiver"), right.child_by_field_name("method")
    if owner is None or method is None:
        return None
    return _MAKING_CLASSES.get((ruby.text.text(owner).lstrip(":"), ruby.text.text(method)))


def _define_made_class(
    ruby: RubyWalk, node: Node, call: Node, heading: tuple[SymbolKind, str, int, str]
) -> Expression:
    """`Point = Struct.new(:x, :y) do … end` and `Fault = Class.new(StandardError)`."""
    kind, name, parent, doc = heading
    arguments = arguments_of(call)
    bases: tuple[Base, ...] = ()
    if kind != "struct" and arguments:
        form = path_form(ruby, arguments[0])
        bases = (Base(ruby.text.brief(arguments[0], MOST_TEXT_CHARACTERS), form, "extends"),)
    end = call.child_by_field_name("block")
    signature = ruby.text.brief_slice(
        node.start_byte, node.end_byte if end is None else end.start_byte, limit=MOST_SIGNATURE_CHARACTERS
    )
    symbol = ruby.begin(kind, name, node)._replace(parent=parent, signature=signature, doc=doc, bases=bases)
    number = open_symbol(ruby, symbol)
    with ruby.inside(number, is_class=True):
        if kind == "struct":
            names = [one for one in arguments if one.type == "simple_symbol"]
            add_attributes(ruby, names, is_writable=ruby.text.text(call).startswith("Struct"))
        block = call.child_by_field_name("block")
        if block is not None:
            visit_body(ruby, block.child_by_field_name("body"))
    note_class(ruby, number)
    return ("symbol", number)


DECLARATION_HANDLERS: Final[dict[str, Handler]] = {
    "alias": _read_alias,
    "class": _read_class,
    "method": _read_method,
    "module": _read_class,
    "singleton_class": _read_singleton_class,
    "singleton_method": _read_singleton_method,
}
