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
_OF_MOCKS: Final = tuple(sign.encode() for sign in load_frameworks("csharp").texts("mocks", "signs"))
_DISCARD: Final = "_"
_KEYWORD_VALUES: Final = frozenset({"base", "this"})


class CsharpWalk(ObjectWalk):
    """Facts in the making, with what only C# needs to remember."""

    def __init__(self, source: bytes, path: str) -> None:
        super().__init__(source, path, VOCABULARY)
        self.implied: dict[int, Expression] = {}  # what the `new(...)` makes that begins at a byte
        self.owners: dict[
            int, Expression
        ] = {}  # whose members are set by the initializer that begins at a byte
        self.matched: Expression = None  # what the patterns around are laid on
        self.member_types: list[dict[str, Node]] = []  # of the classes around, also of members yet to be read
        self.has_one_namespace: bool | None = None  # None until a namespace asks
        # What a builder is for, by the value that holds it: a route's prefix, a command's name.
        self.labels: dict[Expression, str] = {}
        self.expected: set[int] = set()  # where calls begin that mocks are told of, and that do not run
        self.has_mocks = any(sign in source for sign in _OF_MOCKS)
        self.has_routers = any(name in source for name in _ROUTER_TYPES)

    def declare(self, node: Node, name: str, value: Expression, declared: Expression = None) -> None:
        super().declare(node, name, value, declared)
        label = self.labels.get(value) if value is not None else None
        if label is not None:
            self.labels[("name", name)] = label
        else:
            self.labels.pop(("name", name), None)

    def note_member(self, node: Node, receiver: Expression, name: str) -> None:
        """Note that a member is read or given a value, either of which may run code of it."""
        self.refer(node, ("member", receiver, name), "value")
        self.add_access(node, receiver, name)

    def assign_named(self, node: Node, value: Expression) -> None:
        """A new value for what a bare name means; a field or property is referred to."""
        if self.text.text(node) != _DISCARD:
            self.read_name(node)
        self.assign(node, self.text.text(node), value)

    def read_name(self, node: Node) -> Expression:
        """The value of a bare name, which may be a property of the class around; those have a capital."""
        value, name = super().read_name(node), self.text.text(node)
        if self.classes and name[:1].isupper() and name not in self.locals:
            self.add_access(node, self.owner_of(name), name)
        return value

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
