"""What constant lists and tables hold: roles, states, codes of errors, each with its key where it has one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.facts import Member
from drift.languages.limits import MOST_ELEMENTS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from drift.languages.facts import FileFacts, Symbol
    from drift.languages.syntax import SourceText

MOST_CHARACTERS: Final = 120
"""Of a key or a value; a longer one is no word of a list."""

_FIXED: Final = frozenset({"const", "final", "readonly", "static"})
_HOLDING: Final = frozenset({"constant", "field", "property", "variable"})
_COLLECTIONS: Final = frozenset(
    {
        "array", "array_creation_expression", "array_expression", "array_initializer", "collection_expression",
        "dictionary", "hash", "initializer_expression", "initializer_list", "list", "literal_value", "object", "set",
        "string_array", "symbol_array", "tuple",
    }
)  # fmt: skip
# Whose arguments are elements: `List.of("a")` of Java. Of other calls those that are collections themselves.
_MAKING: Final = frozenset({b"of", b"asList"})
_MAP: Final = b"Map.of"  # of Java: keys and values in turn
_PAIRS: Final = frozenset({"array_element_initializer", "assignment_expression", "keyed_element", "pair"})
_MAYBE_PAIRS: Final = frozenset({"initializer_expression", "initializer_list"})
_KEY_AND_VALUE: Final = 2
_WRAPPING: Final = frozenset(
    {"bare_string", "bare_symbol", "collection_element", "expression_element", "literal_element"}
)
_WORDS: Final = (
    "string",
    "number",
    "integer",
    "float",
    "int_",
    "char",
    "decimal",
    "symbol",
    "true",
    "false",
    "boolean",
)
_NAMES: Final = frozenset(
    {
        "attribute", "class_constant_access_expression", "constant", "field_access", "identifier",
        "member_access_expression", "member_expression", "name", "property_identifier", "scoped_identifier",
        "scope_resolution", "selector_expression",
    }
)  # fmt: skip
_MOST_DEPTH: Final = 6  # from what declares a constant to what it holds
_QUOTES: Final = "\"'`:"


def constant_members(facts: FileFacts, *, root: Node, text: SourceText) -> Iterator[Member]:
    """The members of the file's constants that are lists or tables of words and numbers."""
    is_go = facts.language == "go"  # which has no constants of more than one value
    for number, symbol in enumerate(facts.symbols):
        if symbol.kind not in _HOLDING or not _may_hold(symbol, is_go=is_go and not symbol.parent):
            continue
        node = root.descendant_for_byte_range(symbol.start_byte, symbol.end_byte - 1)
        held = None if node is None else _collection_in(node, text)
        if held is not None:
            for line, key, value in _members(held, text):
                yield Member(number, line, key, value)


def _may_hold(symbol: Symbol, *, is_go: bool) -> bool:
    is_fixed = symbol.kind == "constant" or not _FIXED.isdisjoint(symbol.modifiers) or is_go
    value = symbol.signature.partition("=")[2] or symbol.signature
    return is_fixed and ("[" in value or "{" in value or "(" in value)


def _collection_in(node: Node, text: SourceText) -> Node | None:
    """The collection that a declaration gives a value, through what wraps it: `Object.freeze({…})`, `%w[a b].freeze`."""
    for _ in range(_MOST_DEPTH):
        if node.type in _COLLECTIONS:
            return node
        if node.type == "method_invocation" and (name := node.child_by_field_name("name")) is not None:
            arguments = node.child_by_field_name("arguments")
            return arguments if text.source[name.start_byte : name.end_byte] in _MAKING else None
        inner = node.child_by_field_name("receiver") or (
            node.named_children[-1] if node.named_child_count else None
        )
        if inner is None:
            return None
        # What a type or a cast says stands behind the value.
        node = node.named_children[0] if node.type in {"as_expression", "satisfies_expression"} else inner
    return None


def _members(held: Node, text: SourceText) -> Iterator[tuple[int, str | None, str]]:
    children = held.named_children[:MOST_ELEMENTS]
    before = text.source[max(0, held.start_byte - len(_MAP)) : held.start_byte]
    entries = zip(children[::2], children[1::2], strict=False) if before == _MAP else map(_entry, children)
    for key, value in entries:
        shown = None if value is None else _word(value, text)
        if value is not None and shown is not None:
            name = None if key is None else text.brief(key, MOST_CHARACTERS).strip("[]").strip(_QUOTES)
            yield text.line_of(value.start_byte), name, shown


def _entry(node: Node) -> tuple[Node | None, Node | None]:
    """The key and the value of an element."""
    node = _unwrapped(node)
    parts = node.named_children
    if node.type in _PAIRS or (node.type in _MAYBE_PAIRS and len(parts) == _KEY_AND_VALUE):
        key = _unwrapped(parts[0]) if len(parts) >= _KEY_AND_VALUE else None
        return key, _unwrapped(parts[-1]) if parts else None
    return None, node


def _unwrapped(node: Node) -> Node:
    while node.type in _WRAPPING and node.named_child_count == 1 and "string" not in node.type:
        node = node.named_children[0]
    return node


def _word(node: Node, text: SourceText) -> str | None:
    """A word, a number or a name as written; None for anything else."""
    if node.end_byte - node.start_byte > 4 * MOST_CHARACTERS:
        return None
    if node.type not in _NAMES and not any(word in node.type for word in _WORDS):
        return None
    return text.brief(node, MOST_CHARACTERS).strip(_QUOTES) or None
