"""Calls as syntax, alike in all languages: what is called, with what, on what, and what stands around it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tree_sitter import Node

    from drift.languages.syntax import SourceText

MOST_TEXT: Final = 120
_MOST_STEPS: Final = 60  # up or down a tree: chains and blocks of honest routes have less
_MOST_CALLEE: Final = 200
_LAST_NAME: Final = re.compile(r"(\w{1,80}[!?]?)\s{0,8}(?:::)?(<[^()]{0,80}>)?\s{0,8}$")
_BEFORE_NAME: Final = re.compile(r"\s{0,8}(?:\.|->|::|\?\.|\?->)\s{0,8}$")
_LISTS: Final = frozenset({"array", "array_expression", "array_creation_expression", "list", "set", "tuple"})
_OBJECTS: Final = frozenset({"array_creation_expression", "dictionary", "hash", "object"})
_PAIRS: Final = frozenset({"array_element_initializer", "keyword_argument", "pair"})
_WRAPPINGS: Final = frozenset({"argument", "parenthesized_expression"})
_FUNCTIONS: Final = ("function", "lambda", "closure", "func_literal", "block")
_QUOTES: Final = "\"'`:"
_QUOTED: Final = re.compile(rb"['\"]([^'\"]{1,100})['\"]")


class CallSite(NamedTuple):
    """One call in a tree."""

    node: Node
    arguments: Node | None
    name: str  # the last name of what is called
    type_arguments: str  # `<Filter>` of `AddEndpointFilter<Filter>()`
    receiver: str  # what stands before the name, as written


def call_at(root: Node, place: int, text: SourceText) -> CallSite | None:
    """The call whose name begins at a byte."""
    node = root.descendant_for_byte_range(place, place)
    for _ in range(8):
        if node is None:
            return None
        if (found := site_of(node, text)) is not None:
            return found
        node = node.parent
    return None


def site_of(node: Node, text: SourceText) -> CallSite | None:
    """A node as a call, where it is one with arguments or a block."""
    arguments = node.child_by_field_name("arguments")
    given = arguments or (node.child_by_field_name("block") if node.type == "call" else None)
    if given is None:
        return None
    end = given.start_byte
    callee = text.slice(max(node.start_byte, end - _MOST_CALLEE), end)
    found = _LAST_NAME.search(callee)
    if found is None:
        return None
    before = callee[: found.start()]
    dot = _BEFORE_NAME.search(before)
    receiver = " ".join(before[: dot.start()].split()) if dot is not None else ""
    return CallSite(node, arguments, found[1], found[2] or "", receiver)


def chain_before(site: CallSite, text: SourceText) -> Iterator[CallSite]:
    """The calls that a call is made on the result of, from the last to the first."""
    node = site.node
    for _ in range(_MOST_STEPS):
        if not node.named_child_count:
            return
        node = node.named_children[0]
        if (found := site_of(node, text)) is not None:
            yield found


def chain_behind(site: CallSite, text: SourceText) -> Iterator[CallSite]:
    """The calls that are made on the result of a call."""
    node = site.node
    for _ in range(_MOST_STEPS):
        parent = node.parent
        if parent is None or parent.start_byte != site.node.start_byte or parent.named_children[0] != node:
            return
        if (found := site_of(parent, text)) is not None:
            yield found
        node = parent


def calls_around(site: CallSite, text: SourceText) -> Iterator[CallSite]:
    """The calls that are given the function which a call stands in, from the innermost out."""
    node = site.node
    for _ in range(4 * _MOST_STEPS):
        parent = node.parent
        if parent is None:
            return
        # What stands in the callee of a call is before it in a chain, not in it.
        if node.start_byte > parent.start_byte and (found := site_of(parent, text)) is not None:
            yield found
        node = parent


def positional(arguments: Node | None) -> list[Node]:
    """The arguments without a name, without what wraps them."""
    given = arguments.named_children if arguments is not None else ()
    return [_unwrapped(child) for child in given if child.type != "comment" and child.type not in _PAIRS]


def _unwrapped(node: Node) -> Node:
    while node.type in _WRAPPINGS and node.named_child_count and node.child_by_field_name("name") is None:
        node = node.named_children[-1]
    return node


def keyed(arguments: Node | None, text: SourceText) -> Iterator[tuple[str, Node]]:
    """Keyword arguments, and the entries of objects that are arguments."""
    for child in arguments.named_children if arguments is not None else ():
        inner = child.named_children[-1] if child.type == "argument" and child.named_child_count else child
        pairs = inner.named_children if inner.type in _OBJECTS else (child,)
        for pair in pairs:
            if pair.type in _PAIRS and pair.named_child_count > 1:
                name = text.brief(pair.named_children[0], MOST_TEXT).strip(_QUOTES)
                yield name, pair.named_children[-1]


def flattened(node: Node, text: SourceText) -> Iterator[str]:
    """What a node says, as written: the elements of a list, a text without its quotes."""
    if node.type in _LISTS:
        for child in node.named_children[:20]:
            inner = child.named_children[0] if child.type == "array_element_initializer" else child
            yield from flattened(inner, text)
        return
    written = text.brief(node, MOST_TEXT).strip(_QUOTES)
    if node.type == "variable_name" and (listed := _listed_in(written, text)):
        yield from listed
    elif written:
        yield written


def _listed_in(variable: str, text: SourceText) -> list[str]:
    """The texts of a list that a variable of PHP is given in the same file; none where it is given anything else."""
    pattern = re.escape(variable).encode() + rb"\s{0,8}=\s{0,8}\[([^\[\]]{0,400})\]"
    found = re.findall(pattern, text.source)
    return [each.decode("utf-8", "replace") for each in _QUOTED.findall(found[0])] if len(found) == 1 else []


def is_text(node: Node) -> bool:
    return "string" in node.type


def is_sum(node: Node) -> bool:
    """Whether it is put together of others: `base + "/users"`."""
    return node.type in {"binary_expression", "binary_operator", "binary"}


def is_function(node: Node) -> bool:
    return any(word in node.type for word in _FUNCTIONS)


def is_object(node: Node) -> bool:
    return node.type in _OBJECTS - _LISTS
