"""Calls of the library that say more than that something outside is called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drift.languages.expressions import dict_of, list_of, place_key
from drift.languages.facts import EnvironmentRead

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.cpp.walk import CppWalk
    from drift.languages.expressions import Expression


def value_of(form: Expression) -> Expression:
    """A value of the type that a cast names."""
    return form if form is None or form[0] == "literal" else ("instance", form)


def held_value(form: Expression) -> Expression:
    """An object of a type that holds others: `std::vector<Box>{}` holds values of Box."""
    if form is None:
        return None
    if form[0] == "own":
        return ("own", ("instance", form[1]), held_value(form[2]))
    if form[0] == "list":
        return list_of(value_of(part) for part in form[1:])
    return dict_of((key, value_of(part)) for key, part in form[1:]) if form[0] == "dict" else value_of(form)


def part_taken(cpp: CppWalk, named: Node, types: list[Expression], held: Expression) -> Expression:
    """What `std::get<1>(pair)` and `std::get<Box>(variant)` give."""
    listed = named.child_by_field_name("arguments")
    if held is None or listed is None or len(types) != 1:
        return None
    text = cpp.text.text(listed).strip("<> ")
    if text.isdigit():
        return ("item", held, place_key(int(text)))
    return None if types[0] is None else value_of(types[0])


def note_environment(cpp: CppWalk, node: Node, listed: Node) -> None:
    name = cpp.string_of(listed.named_children[0]) if listed.named_child_count else None
    if name:
        cpp.environment_reads.append(EnvironmentRead(cpp.scope, cpp.line(node), name))
