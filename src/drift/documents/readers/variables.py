"""Variables in trees of nodes: those that are set, and those whose value is asked for in a text."""

import re
from collections.abc import Iterator
from typing import Final

from drift.documents.items import Item, short
from drift.documents.nodes import Node

# ${NAME}, ${NAME:-default}, ${NAME:?message}, ${NAME:default}; two dollars are one that is meant as such.
_READ: Final = re.compile(r"(?<!\$)\$\{([A-Za-z_][A-Za-z0-9_.-]{0,200})(:?[-?+]|:)?")


def set_variables(node: Node, owner: str | None, *, kind: str = "variable") -> Iterator[Item]:
    """The variables of a mapping `NAME: value` or a list of `NAME=value`."""
    for name, value in node.pairs():
        yield Item(value.line, kind, short(name), owner, has_value=not value.is_empty)
    for each in node.children():
        name, equals, value_text = (each.text or "").partition("=")
        if name:
            yield Item(each.line, kind, short(name), owner, has_value=bool(equals and value_text))


def asked_variables(text: str) -> Iterator[Item]:
    """The variables that a text asks for, each once, where it stands first."""
    seen = set()
    for number, line in enumerate(text.split("\n"), 1):
        if line.lstrip().startswith("#"):
            continue
        for name, mark in _READ.findall(line):
            if name not in seen:
                seen.add(name)
                yield Item(
                    number, "read", name, has_value=bool(mark) and "?" not in mark, is_required="?" in mark
                )
