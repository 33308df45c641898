"""Methods as Ruby declares them: parameters, docs, and the walk through a body in its own scope."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.facts import Parameter, Return
from drift.languages.limits import MOST_SIGNATURE_CHARACTERS, MOST_TEXT_CHARACTERS
from drift.languages.ruby.statements import visit_body
from drift.languages.ruby.walk import CLASS_METHOD
from drift.languages.ruby.yard import read_promises

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tree_sitter import Node

    from drift.languages.facts import Symbol
    from drift.languages.ruby.walk import RubyWalk
    from drift.languages.ruby.yard import Promise

_KINDS: Final = {
    "block_parameter": "plain",
    "forward_parameter": "rest",
    "hash_splat_parameter": "keywords",
    "keyword_parameter": "keyword",
    "optional_parameter": "plain",
    "splat_parameter": "rest",
}
_MARKS: Final = {
    "block_parameter": "&",
    "forward_parameter": "...",
    "hash_splat_parameter": "**",
    "splat_parameter": "*",
}


def define_method(ruby: RubyWalk, symbol: Symbol, node: Node) -> int:
    """The number of a method's symbol, after gathering its parameters and body in its scope."""
    promised = read_promises(symbol.doc)
    number = ruby.keep(symbol)
    with ruby.inside(number, is_class=False):
        body = node.child_by_field_name("body")
        parameters = read_parameters(ruby, node.child_by_field_name("parameters"), promised)
        result = promised.get("return")
        ruby.symbols[number] = symbol._replace(
            parameters=parameters,
            return_text=None if result is None else result.text,
            return_type=None if result is None else result.type,
        )
        if body is not None:
            value = visit_body(ruby, body)
            ruby.returns.append(Return(number, value, ruby.line(body)))
    return number


def read_signature(ruby: RubyWalk, node: Node) -> str:
    """A declaration up to its body, on one line."""
    body = node.child_by_field_name("body")
    ends = [
        child.end_byte
        for field in ("name", "parameters", "superclass", "object", "value")
        if (child := node.child_by_field_name(field)) is not None
    ]
    end = max(ends, default=node.end_byte if body is None else body.start_byte)
    return ruby.text.brief_slice(node.start_byte, end, limit=MOST_SIGNATURE_CHARACTERS)


def read_parameters(
    ruby: RubyWalk, node: Node | None, promised: Mapping[str, Promise]
) -> tuple[Parameter, ...]:
    """The parameters of a method or lambda; their names are variables from here on."""
    found: list[Parameter] = []
    for child in () if node is None else node.named_children:
        if child.type == "destructured_parameter":
            _take_inner(ruby, child)
            continue
        if child.type not in _KINDS and child.type != "identifier":
            continue  # `**nil`, comments
        name_node = child if child.type == "identifier" else child.child_by_field_name("name")
        name = ruby.text.brief(name_node, MOST_TEXT_CHARACTERS) if name_node is not None else ""
        default = child.child_by_field_name("value")
        if default is not None:
            ruby.visit(default)
        promise = promised.get(name)
        if name:
            ruby.take_name(name)
        found.append(
            Parameter(
                name or _MARKS.get(child.type, ""),
                _KINDS.get(child.type, "plain"),
                None if promise is None else promise.text,
                None if promise is None else promise.type,
                None if default is None else ruby.text.brief(default, MOST_TEXT_CHARACTERS),
            )
        )
    return tuple(found)


def _take_inner(ruby: RubyWalk, node: Node) -> None:
    for child in node.named_children:
        if child.type == "identifier":
            ruby.bind(child, ruby.text.text(child), None)
        else:
            _take_inner(ruby, child)


def method_modifiers(ruby: RubyWalk, *, is_singleton: bool) -> tuple[str, ...]:
    """What a method is beside its name: one of the class, or of both the module and its users."""
    if is_singleton:
        return (CLASS_METHOD,)
    return ("static",) if ruby.is_module_function else ()
