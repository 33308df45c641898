"""Members whose names are put together at run time: how such a name begins, as in `getattr(self, f"visit_{kind}")`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from drift.languages.python.kinds import ATTRIBUTE, BINARY_OPERATOR, IDENTIFIER

if TYPE_CHECKING:
    from tree_sitter import Node

_BEGINNING: Final = re.compile(r"[A-Za-z_]\w*")
_FEWEST_CHARACTERS: Final = 3  # with the underscore: a shorter beginning names half of a class
_MOST_STATEMENTS: Final = 12  # before the one at hand, in each block around it
_MOST_BLOCKS: Final = 8
_MOST_PARTS: Final = 8


def beginning_of_name(node: Node, source: bytes) -> str | None:
    """The text that a computed name begins with, also where a local holds it; None where it says nothing."""
    text = _first_text(node, source)
    found = _BEGINNING.match(text) if text is not None else None
    # What is put together at a word's end is a name of a family; other beginnings are those of chance.
    is_telling = found is not None and found[0].endswith("_") and len(found[0]) >= _FEWEST_CHARACTERS
    return found[0] if found is not None and is_telling and found[0].strip("_") else None


def _first_text(node: Node, source: bytes) -> str | None:
    """The text in front of what is put together: of an f-string, a sum, or what `%` and `.format` fill."""
    for _ in range(_MOST_PARTS):
        if node.kind_id == IDENTIFIER:
            held = _assigned_before(node, source)
            if held is None:
                return None
            node = held
        elif node.kind_id in (BINARY_OPERATOR, ATTRIBUTE) or node.type == "call":
            node = node.children[0]
        elif node.type == "string":
            contents = [part for part in node.named_children[:2] if part.type == "string_content"]
            if not contents:
                return None
            return source[contents[0].start_byte : contents[0].end_byte].decode("utf-8", "replace")
        else:
            return None
    return None


def _assigned_before(name: Node, source: bytes) -> Node | None:
    """What the nearest assignment before a place gives a local, in the blocks around it up to the function."""
    wanted = source[name.start_byte : name.end_byte]
    statement: Node | None = name
    for _ in range(_MOST_BLOCKS):
        while statement is not None and (statement.parent is None or statement.parent.type != "block"):
            statement = statement.parent
        if statement is None:
            return None
        before = statement
        for _ in range(_MOST_STATEMENTS):
            previous = before.prev_named_sibling
            if previous is None:
                break
            before = previous
            value = _value_given(before, wanted, source)
            if value is not None:
                return value
        block = statement.parent
        if block is None or block.parent is None or block.parent.type == "function_definition":
            return None
        statement = block.parent
    return None


def _value_given(statement: Node, name: bytes, source: bytes) -> Node | None:
    """What a statement assigns to a name, if it does nothing but that."""
    if statement.type != "expression_statement" or not statement.named_children:
        return None
    assignment = statement.named_children[0]
    if assignment.type != "assignment":
        return None
    target, value = assignment.children[0], assignment.children[-1]
    return value if source[target.start_byte : target.end_byte] == name else None
