"""Items given to a macro: `cfg_rt! { pub fn spawn() {} }` declares what stands between its brackets.

To the grammar they are bare tokens. Where these are whole items they are parsed again in their place, since
macros that take items nearly always hand them on, under a condition or with something added.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from drift.languages.rust.macros import note_macro
from drift.languages.rust.vocabulary import OPAQUE_MACROS, VOCABULARY
from drift.languages.rust.walk import COMMENTS
from drift.languages.survey import survey
from drift.languages.syntax import parse

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.rust.walk import RustWalk

_MOST_NESTED: Final = 4  # each level is parsed again, and no one writes more
_MOST_PARSED_BYTES: Final = 8_000_000  # for all macros of a file; most are blanks, which cost little
_KEYWORD: Final = re.compile(
    rb"\b(?:const|enum|fn|impl|macro_rules|mod|static|struct|trait|type|union|use)\b"
)
_ITEMS: Final = frozenset(
    {
        "const_item", "enum_item", "extern_crate_declaration", "foreign_mod_item", "function_item", "impl_item",
        "function_signature_item", "macro_definition", "mod_item", "static_item", "struct_item", "trait_item",
        "type_item", "union_item", "use_declaration",
    }
)  # fmt: skip
_BESIDE_ITEMS: Final = frozenset(
    {"attribute_item", "inner_attribute_item", "empty_statement", "macro_invocation", *COMMENTS}
)


def open_macros(rust: RustWalk, nodes: Sequence[Node], nested: int = 0) -> Iterator[Node]:
    """The nodes of a body, in the place of each macro that was given items these items."""
    for node in nodes:
        call = node.named_children[0] if node.type == "expression_statement" else node
        found = _items_of(rust, call) if call.type == "macro_invocation" and nested < _MOST_NESTED else []
        if found:
            note_macro(rust, call)
            yield from open_macros(rust, found, nested + 1)
        else:
            yield node


def _items_of(rust: RustWalk, call: Node) -> list[Node]:
    name, tokens = call.child_by_field_name("macro"), call.named_children[-1]
    if name is None or tokens.type != "token_tree" or rust.text.text(name) in OPAQUE_MACROS:
        return []
    if _KEYWORD.search(rust.text.source, tokens.start_byte, tokens.end_byte) is None:
        return []
    inside = tokens.children[1:-1]
    # `cfg_if! { if #[cfg(unix)] { … } else { … } }`: each pair of braces has items of its own.
    is_choice = bool(inside) and inside[0].type == "if"
    parts = [part for part in inside if _has_braces(rust, part)] if is_choice else [tokens]
    return [item for part in parts for item in _parse_items(rust, part)]


def _has_braces(rust: RustWalk, node: Node) -> bool:
    return node.type == "token_tree" and rust.text.source[node.start_byte : node.start_byte + 1] == b"{"


def _parse_items(rust: RustWalk, tokens: Node) -> list[Node]:
    """What stands between brackets, if all of it is items."""
    rust.parsed_bytes += tokens.end_byte
    if rust.parsed_bytes > _MOST_PARSED_BYTES:
        return []
    # Behind as many blanks as stand before it each node has its own place; ranges are not safe in tree-sitter 0.26.
    start = tokens.start_byte + 1
    tree = parse(VOCABULARY.grammar, b" " * start + rust.text.source[start : tokens.end_byte - 1])
    found = tree.root_node.named_children
    kinds = {node.type for node in found}
    if tree.root_node.has_error or not kinds & _ITEMS or not kinds <= _ITEMS | _BESIDE_ITEMS:
        return []
    inner = survey(tree, rust.text, VOCABULARY)
    rust.inner_surveys.append(inner)
    return inner.root.named_children
