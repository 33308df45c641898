"""Inheritance as it is written without classes: `Child.prototype = Object.create(Parent.prototype)`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drift.languages.expressions import Expression
from drift.languages.facts import Base
from drift.languages.typescript.vocabulary import ALL_MEMBERS

if TYPE_CHECKING:
    from drift.languages.typescript.walk import Walk


def prototype_owner(value: Expression) -> Expression:
    """The function or class whose prototype an expression is; None for other things."""
    return value[1] if value is not None and value[0] == "member" and value[2] == "prototype" else None


def add_parent(walk: Walk, child: Expression, parent: Expression) -> None:
    """Note that a function or class of this file descends from another."""
    number = walk.symbol_by_name.get(str(child[1])) if child is not None and child[0] == "name" else None
    text = _path_text(parent)
    if number is None or text is None:
        return
    symbol = walk.symbols[number]
    base = Base(text, parent)
    if symbol.kind in {"class", "function"} and parent != child and base not in symbol.bases:
        walk.symbols[number] = symbol._replace(bases=(*symbol.bases, base))


def inherit_by_store(walk: Walk, receiver: Expression, name: str, value: Expression) -> None:
    """Note what a store says of descent: of `Child.prototype`, or of its `__proto__`."""
    if name == "prototype":
        add_parent(walk, receiver, _instance_of(walk, value))
    elif name == "__proto__":
        add_parent(walk, prototype_owner(receiver), prototype_owner(value))


def _instance_of(walk: Walk, value: Expression) -> Expression:
    """The function whose object a prototype is: `Object.create(Parent.prototype)`, `new Parent()`."""
    if value is None:
        return None
    if value[0] == "dict":
        return prototype_owner(next((part for key, part in value[1:] if key == ALL_MEMBERS), None))
    if value[0] != "result" or walk.calls[value[1]].kind != "new":
        return None
    return walk.calls[value[1]].callee


def _path_text(value: Expression) -> str | None:
    """A path of names as it is written; None for what is no such path."""
    names: list[str] = []
    while value is not None and value[0] == "member":
        names.append(str(value[2]))
        value = value[1]
    if value is None or value[0] != "name":
        return None
    return ".".join([str(value[1]), *reversed(names)])
