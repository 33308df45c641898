"""Ruby literals: strings, symbols, numbers, lists and hashes, and the code inside them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.expressions import dict_of, list_of
from drift.languages.facts import Constant
from drift.languages.limits import MOST_ELEMENTS
from drift.languages.taken_pages import PAGE

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.expressions import Entry, Expression
    from drift.languages.ruby.walk import Handler, RubyWalk


def _read_string(ruby: RubyWalk, node: Node) -> Expression:
    value = ruby.string_of(node)
    if value is not None:
        ruby.add_string(node, value, ruby.constant_name)
        return ("literal", "str")
    ruby.add_built_path(node)
    _read_interpolations(ruby, node)
    return ("literal", "str")


def _read_interpolations(ruby: RubyWalk, node: Node) -> None:
    for child in node.named_children:
        if child.type == "interpolation":
            for inner in child.named_children:
                ruby.add_access(inner, ruby.visit(inner), "to_s")


def _read_document(ruby: RubyWalk, node: Node) -> None:
    """The text of a here document, which stands behind the line that it is part of."""
    parts = [child for child in node.named_children if child.type != "heredoc_end"]
    if all(child.type in {"heredoc_content", "escape_sequence"} for child in parts):
        text = ruby.text.slice(parts[0].start_byte, parts[-1].end_byte) if parts else ""
        ruby.add_string(node, text.strip(), ruby.constant_name)
    _read_interpolations(ruby, node)


def _read_text(ruby: RubyWalk, node: Node) -> Expression:
    _read_interpolations(ruby, node)
    return ("literal", "str")


def _read_chained(ruby: RubyWalk, node: Node) -> Expression:
    """Literals that stand beside each other are one text, also where a line ends between them."""
    parts = [child for child in node.named_children if child.type != "comment"]
    whole = "".join(ruby.text.text(one)[1:-1] for one in parts)
    if all(ruby.string_of(one) is not None for one in parts) or ("/" in whole and " " not in whole):
        ruby.add_string(node, whole, ruby.constant_name)
    for child in parts:
        _read_interpolations(ruby, child)
    return ("literal", "str")


def _read_symbol(ruby: RubyWalk, node: Node) -> Expression:
    # render :new names a page; other symbols are too many to keep.
    around = node.parent.parent if node.parent is not None and node.parent.type == "argument_list" else None
    method = around.child_by_field_name("method") if around is not None else None
    name = ruby.string_of(node)
    if method is not None and ruby.text.text(method) == "render" and name:
        ruby.constants.append(Constant(ruby.scope, ruby.line(node), PAGE, name))
    return ("literal", "str")


def _read_regex(ruby: RubyWalk, node: Node) -> Expression:
    _read_interpolations(ruby, node)
    return ("literal", "regex")


def _read_integer(ruby: RubyWalk, node: Node) -> Expression:
    ruby.add_number(node, ruby.constant_name)
    return ("literal", "int")


def _read_float(ruby: RubyWalk, node: Node) -> Expression:
    ruby.add_number(node, ruby.constant_name)
    return ("literal", "float")


def _read_truth(_ruby: RubyWalk, _node: Node) -> Expression:
    return ("literal", "bool")


def _read_nil(_ruby: RubyWalk, _node: Node) -> Expression:
    return ("literal", "none")


def _read_array(ruby: RubyWalk, node: Node) -> Expression:
    values: list[Expression] = []
    for child in node.named_children:
        if child.type == "comment":
            continue
        value = ruby.visit(child)
        if len(values) < MOST_ELEMENTS:
            values.append(value)
    return list_of(values)


def _read_words(ruby: RubyWalk, node: Node) -> Expression:
    for child in node.named_children[:MOST_ELEMENTS]:
        value = ruby.string_of(child)
        if value is not None and node.type == "string_array":
            ruby.add_string(child, value, ruby.constant_name)
    return ("list", ("literal", "str"))


def _read_hash(ruby: RubyWalk, node: Node) -> Expression:
    entries: list[Entry] = []
    for child in node.named_children:
        if child.type == "pair":
            entry = read_pair(ruby, child)
            if len(entries) < MOST_ELEMENTS:
                entries.append(entry)
        elif child.type != "comment":
            ruby.visit(child)
    return dict_of(entries)


def read_pair(ruby: RubyWalk, node: Node) -> Entry:
    """The constant key of a pair, where it is one, and its value; `key:` alone is the variable or method of that name."""
    key, value = node.child_by_field_name("key"), node.child_by_field_name("value")
    name = ruby.string_of(key)
    if name is None and key is not None:
        ruby.visit(key)
    if value is not None:
        return name, ruby.visit(value)
    if name is None:
        return None, None
    bound = ruby.variables.get(name)
    return name, ("name", bound) if bound is not None else ruby.own_member(name)


def _read_splat(ruby: RubyWalk, node: Node) -> Expression:
    value: Expression = None
    for child in node.named_children:
        value = ruby.visit(child)
    return None if value is None else ("item", value)


LITERAL_HANDLERS: Final[dict[str, Handler]] = {
    "array": _read_array,
    "chained_string": _read_chained,
    "character": _read_text,
    "complex": _read_float,
    "delimited_symbol": _read_regex,
    "false": _read_truth,
    "float": _read_float,
    "hash": _read_hash,
    "heredoc_beginning": _read_text,
    "heredoc_body": _read_document,
    "integer": _read_integer,
    "nil": _read_nil,
    "rational": _read_float,
    "regex": _read_regex,
    "simple_symbol": _read_symbol,
    "splat_argument": _read_splat,
    "string": _read_string,
    "string_array": _read_words,
    "subshell": _read_text,
    "symbol_array": _read_words,
    "true": _read_truth,
}
