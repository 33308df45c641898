"""From the syntax tree of a function to the small form. What nodes mean in a language is a table in forms/."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final, TypeVar

from drift.flow.ir import NOTHING, Do, Expression, Statement
from drift.languages.syntax import SourceText

if TYPE_CHECKING:
    from tree_sitter import Node

# Bounds on what one function may cost; of what goes beyond, the rest is not followed, and that is said.
MOST_DEPTH: Final = 90
MOST_NODES: Final = 60_000

Entry = TypeVar("Entry")


@dataclass(frozen=True, slots=True)
class Form:
    """The table of one language."""

    roles: Mapping[str, tuple[str, tuple[str, ...]]]  # type of node to role and fields
    self_names: frozenset[str]
    clean_types: frozenset[str]  # values of these cannot carry a text that somebody chose
    text_types: frozenset[str]  # types that say nothing of what methods a value has
    interpolations: frozenset[str]
    receiver_first: bool  # the first parameter of a method is its object
    clean_keys: frozenset[str]  # of entries that the language makes itself
    joins: frozenset[str]  # operators that put texts together
    gives_last: bool  # a function gives back what it computed last
    ends_in_error: bool  # the last of several results is an error, which carries nothing that somebody chose
    root: str  # what names that nobody declares belong to
    included: str  # a pattern of what a file has in it that is run by others alone; empty: none is known


@cache
def load_form(language: str) -> Form:
    """The table of a language; TypeScript is read by that of JavaScript."""
    text = files("drift.flow").joinpath("forms").joinpath(f"{language}.toml").read_text(encoding="utf-8")
    table = tomllib.loads(text)
    roles = {kind: value.split() for kind, value in table["nodes"].items()}
    return Form(
        roles={kind: (words[0], tuple(words[1:])) for kind, words in roles.items()},
        self_names=frozenset(table.get("self_names", ())),
        clean_types=frozenset(table.get("clean_types", ())),
        text_types=frozenset(table.get("text_types", ())),
        interpolations=frozenset(table.get("interpolations", ())),
        receiver_first=table.get("receiver_first", False),
        clean_keys=frozenset(table.get("clean_keys", ())),
        joins=frozenset(table.get("joins", ("+", "<<"))),
        gives_last=table.get("gives_last", False),
        ends_in_error=table.get("ends_in_error", False),
        root=table.get("root", ""),
        included=table.get("included", ""),
    )


ExpressionReader = Callable[["Lowering", "Node", tuple[str, ...]], Expression]
StatementReader = Callable[["Lowering", "Node", tuple[str, ...]], Iterable[Statement]]
_EXPRESSIONS: Final[dict[str, ExpressionReader]] = {}
_STATEMENTS: Final[dict[str, StatementReader]] = {}


def reads_expression(*roles: str) -> Callable[[ExpressionReader], ExpressionReader]:
    """Enter a function as the reader of roles that give a value."""
    return _entering(_EXPRESSIONS, roles)


def reads_statement(*roles: str) -> Callable[[StatementReader], StatementReader]:
    """Enter a function as the reader of roles that are statements."""
    return _entering(_STATEMENTS, roles)


def _entering(table: dict[str, Entry], roles: tuple[str, ...]) -> Callable[[Entry], Entry]:
    def enter(reader: Entry) -> Entry:
        table.update(dict.fromkeys(roles, reader))
        return reader

    return enter


class Lowering:
    """The reading of one function, or of what stands outside of functions in a file."""

    def __init__(self, form: Form, text: SourceText) -> None:
        self.form = form
        self.source = text.source
        self._text = text
        self.is_cut = False
        self.is_outside = False  # functions are only named
        self._depth = 0
        self._nodes = 0

    def text(self, node: Node) -> str:
        return self.source[node.start_byte : node.end_byte].decode("utf-8", "replace")

    # Places go by bytes: numbers of a node's start_point are not safe to keep.
    def line(self, node: Node) -> int:
        return self._text.line_of(node.start_byte)

    def place(self, node: Node) -> tuple[int, int]:
        """The line from 1 and the column from 0."""
        return self._text.line_of(node.start_byte), self._text.column_of(node.start_byte)

    def role(self, node: Node) -> str:
        return self.form.roles.get(node.type, ("", ()))[0]

    def child(self, node: Node, field: str) -> Node | None:
        """The child of a field; `#n` is the nth named one."""
        if field.startswith("#"):
            children = self.children(node)
            number = int(field[1:])
            return children[number] if number < len(children) else None
        return None if field == "none" else node.child_by_field_name(field)

    def children(self, node: Node) -> list[Node]:
        """The named children that are code."""
        return [each for each in node.named_children if self.role(each) != "skip"]

    def expression(self, node: Node | None) -> Expression:
        """What a node gives; nothing for none."""
        if node is None or not self._enter():
            return NOTHING
        try:
            role, fields = self.form.roles.get(node.type, ("", ()))
            return _EXPRESSIONS.get(role, _EXPRESSIONS["parts"])(self, node, fields)
        finally:
            self._depth -= 1

    def statements(self, node: Node | None) -> tuple[Statement, ...]:
        """What a node does."""
        if node is None or not self._enter():
            return ()
        try:
            role, fields = self.form.roles.get(node.type, ("", ()))
            if reader := _STATEMENTS.get(role):
                return tuple(reader(self, node, fields))
            if role == "skip":
                return ()
            return (Do(self.expression(node), self.line(node)),)
        finally:
            self._depth -= 1

    def all_statements(self, nodes: Iterable[Node]) -> tuple[Statement, ...]:
        return tuple(each for node in nodes for each in self.statements(node))

    def _enter(self) -> bool:
        self._nodes += 1
        if self._depth >= MOST_DEPTH or self._nodes >= MOST_NODES:
            self.is_cut = True
            return False
        self._depth += 1
        return True
