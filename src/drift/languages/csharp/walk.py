"""The state of one walk over a C# file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drift.languages.csharp.vocabulary import VOCABULARY
from drift.languages.frameworks import load_frameworks
from drift.languages.objects import ObjectWalk

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.expressions import Expression

_ROUTER_TYPES: Final = tuple(name.encode() for name in load_frameworks("csharp").texts("routes", "types"))
_KEYWORD_VALUES: Final = frozenset({"base", "this"})


class CsharpWalk(ObjectWalk):
    """Facts in the making, with what only C# needs to remember."""

    def __init__(self, source: bytes, path: str) -> None:
        super().__init__(source, path, VOCABULARY)
        self.implied: dict[int, Expression] = {}  # what the `new(...)` makes that begins at a byte
        self.member_types: list[dict[str, Node]] = []  # of the classes around, also of members yet to be read
        self.has_one_namespace: bool | None = None  # None until a namespace asks
        # What a builder is for, by the value that holds it: a route's prefix, a command's name.
        self.labels: dict[Expression, str] = {}
        self.has_routers = any(name in source for name in _ROUTER_TYPES)

    def declare(self, node: Node, name: str, value: Expression, declared: Expression = None) -> None:
        super().declare(node, name, value, declared)
        label = self.labels.get(value) if value is not None else None
        if label is not None:
            self.labels[("name", name)] = label
        else:
            self.labels.pop(("name", name), None)

    def visit_operand(self, node: Node) -> Expression:
        """The value of the last expression in a node, which may be the keyword `this`."""
        operand = last_operand(node)
        return None if operand is None else self.visit(operand)


def operands(node: Node) -> list[Node]:
    """The expressions among a node's children; the grammar has `this` and `base` as bare keywords."""
    return [
        child
        for child in node.children
        if (child.is_named and child.type != "comment") or child.type in _KEYWORD_VALUES
    ]


def last_operand(node: Node) -> Node | None:
    """The last expression among a node's children."""
    children = node.children
    if len(children) == 1 and children[0].type != "comment":
        return children[0]
    found = operands(node)
    return found[-1] if found else None
