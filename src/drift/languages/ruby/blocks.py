"""Blocks: their code is that of the method they stand in, and their parameters are what the called method hands them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.ruby.statements import visit_body
from drift.languages.ruby.targets import bind_target

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.ruby.walk import RubyWalk

# Methods that hand their block each element of the object.
_EACH: Final = frozenset(
    {
        "all?", "any?", "chunk_while", "collect", "count", "cycle", "delete_if", "detect", "drop_while", "each",
        "each_entry", "each_value", "each_with_index", "each_with_object", "every", "filter", "filter_map",
        "find", "find_all", "find_each", "find_index", "flat_map", "group_by", "index_by", "keep_if", "map",
        "map!", "max_by", "min_by", "minmax_by", "none?", "one?", "partition", "reject", "reject!",
        "reverse_each", "select", "select!", "sort", "sort_by", "sort_by!", "sum", "take_while",
        "to_h", "to_set", "transform_values", "uniq", "zip",
    }
)  # fmt: skip
_FOLDING: Final = frozenset({"inject", "reduce"})
_ITSELF: Final = frozenset({"tap", "then", "yield_self", "instance_eval", "instance_exec"})
_MAPPING: Final = frozenset({"collect", "filter_map", "flat_map", "map"})
_KEEPING: Final = frozenset(
    {
        "compact", "drop", "dup", "each", "each_with_index", "filter", "find_all", "freeze", "itself", "lazy",
        "reject", "reverse", "rotate", "select", "shuffle", "sort", "sort_by", "take", "take_while", "tap",
        "to_a", "uniq",
    }
)  # fmt: skip
_TAKING: Final = frozenset(
    {"detect", "fetch", "find", "first", "last", "max", "max_by", "min", "min_by", "pop", "sample", "shift"}
)
_GIVING_RESULT: Final = frozenset({"then", "yield_self", "synchronize", "catch", "fetch"})


def read_block(ruby: RubyWalk, node: Node, *, name: str, receiver: Expression, call: int) -> Expression:
    """What a block that the method `name` is given is worth, after gathering its code."""
    outer, item = dict(ruby.variables), ruby.block_item
    handed = _handed(name, receiver, ruby.calls[call].arguments)
    listed = node.child_by_field_name("parameters")
    if listed is None:
        ruby.block_item = handed[0] if handed else None
    else:
        _bind_parameters(ruby, listed, handed)
    value = read_block_body(ruby, node)
    # What a block assigns to variables from outside stays; its own are gone.
    ruby.variables, ruby.block_item = outer, item
    return value


def read_block_body(ruby: RubyWalk, node: Node) -> Expression:
    """What the code of a block is worth."""
    return visit_body(ruby, node.child_by_field_name("body"))


def _handed(
    name: str, receiver: Expression, arguments: tuple[tuple[str | None, Expression], ...]
) -> tuple[Expression, ...]:
    if receiver is None:
        return ()
    if name in _ITSELF:
        return (receiver,)
    given = arguments[0][1] if arguments else None
    if name in _FOLDING:
        return (given, ("item", receiver))
    if name in _EACH:
        return (("item", receiver), given) if name == "each_with_object" else (("item", receiver),)
    return ()


def _bind_parameters(ruby: RubyWalk, listed: Node, handed: tuple[Expression, ...]) -> None:
    names = [child for child in listed.named_children if child.type != "comment"]
    for place, child in enumerate(names):
        value = handed[place] if place < len(handed) else None
        if child.type == "identifier":
            ruby.bind_parameter(child, ruby.text.text(child), value)
        elif child.type == "destructured_parameter":
            bind_target(ruby, child, value)
        else:
            name, default = child.child_by_field_name("name"), child.child_by_field_name("value")
            if default is not None:
                ruby.visit(default)
            if name is not None:
                ruby.bind_parameter(name, ruby.text.text(name), None)
    if len(names) == 2 and len(handed) == 1:  # noqa: PLR2004 - a key and a value
        # Of a hash the second is the value; of a list that is gone through with an index the first is.
        second = names[1]
        if second.type == "identifier":
            ruby.bind(second, ruby.text.text(second), handed[0])


def result_of(name: str, number: int, receiver: Expression, block: Expression) -> Expression:
    """What a call gives where the method is one that all collections have, and nothing else is known of it."""
    own: Expression = ("result", number)
    if receiver is None:
        return own
    if name in _MAPPING and block is not None:
        return ("first", own, ("list", block))
    if name in _KEEPING:
        return ("first", own, receiver)
    if name in _TAKING:
        return ("first", own, ("item", receiver))
    if name in _GIVING_RESULT and block is not None:
        return ("first", own, block)
    return own
