"""Constants by their paths, and the classes and modules that a path opens on the way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.facts import Base, Binding
from drift.languages.limits import MOST_TEXT_CHARACTERS

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.facts import Symbol
    from drift.languages.ruby.walk import RubyWalk

_MOST_ON_THE_WAY: Final = 16  # modules that one path of constants names: what is written by people has a few


def path_form(ruby: RubyWalk, node: Node | None) -> Expression:
    """What a constant or a path of constants stands for; None for anything else."""
    names: list[str] = []
    while node is not None and node.type == "scope_resolution":
        name = node.child_by_field_name("name")
        if name is None or name.type != "constant":
            return None
        names.append(ruby.text.text(name))
        node = node.child_by_field_name("scope")
        if node is None:
            names[-1] = f"::{names[-1]}"
    if node is not None:
        if node.type != "constant":
            return None
        names.append(ruby.text.text(node))
    form: Expression = None
    for name_text in reversed(names):
        form = ("name", name_text) if form is None else ("member", form, name_text)
    return form


def refer_around(ruby: RubyWalk, node: Node) -> None:
    """Note the modules that a path of constants names on its way: of `A::B::C` both `A` and `A::B`."""
    for _ in range(_MOST_ON_THE_WAY):
        scope = node.child_by_field_name("scope") if node.type == "scope_resolution" else None
        form = path_form(ruby, scope)
        if scope is None or form is None:
            return
        ruby.refer(scope, form, "name")
        node = scope


def open_path(ruby: RubyWalk, node: Node) -> tuple[int, str]:
    """What the constant that a path ends in stands in, and its name: `class A::B` is B of A.

    Modules that only a path names are symbols as if they were opened around: so it means the same where they are.
    """
    names: list[str] = []
    last: Node | None = node
    is_absolute = False
    while last is not None and last.type == "scope_resolution":
        name = last.child_by_field_name("name")
        names.append("" if name is None else ruby.text.text(name))
        last = last.child_by_field_name("scope")
        is_absolute = last is None
    if last is not None:
        names.append(ruby.text.brief(last, MOST_TEXT_CHARACTERS))
    parent = 0 if is_absolute else ruby.scope
    for name_text in reversed(names[1:]):
        parent = _open_module(ruby, node, name_text, parent)
    return parent, names[0] if names else ""


def _open_module(ruby: RubyWalk, node: Node, name: str, parent: int) -> int:
    known = ruby.opened.get((parent, name))
    if known is not None:
        return known
    symbol = ruby.begin("trait", name, node)._replace(
        parent=parent, complexity=None, modifiers=("implied",), signature=f"module {name}"
    )
    number = ruby.opened[parent, name] = ruby.keep(symbol)
    return number


def open_symbol(ruby: RubyWalk, symbol: Symbol) -> int:
    """The number of a class or module that is opened here."""
    number = ruby.keep(symbol)
    ruby.opened.setdefault((symbol.parent, symbol.name), number)
    return number


def add_base(ruby: RubyWalk, node: Node, form: Expression, kind: str) -> None:
    """A further parent of the class at hand."""
    if ruby.class_number is not None:
        symbol = ruby.symbols[ruby.class_number]
        base = Base(ruby.text.brief(node, MOST_TEXT_CHARACTERS), form, kind)
        ruby.symbols[ruby.class_number] = symbol._replace(bases=(*symbol.bases, base))


def bind_in_class(ruby: RubyWalk, node: Node, name: str, value: Expression) -> None:
    """A name of the class at hand that is no variable."""
    if ruby.class_number is not None:
        ruby.bindings.append(Binding(ruby.class_number, name, value, ruby.line(node)))
