"""The state of one walk over a PHP file, and what a name in it stands for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from drift.languages.facts import Symbol
from drift.languages.gathering import Gathering
from drift.languages.kinds import SymbolKind
from drift.languages.php.vocabulary import VOCABULARY

if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Node

    from drift.languages.expressions import Expression

    Handler = Callable[["PhpWalk", Node], Expression]

GLOBAL_NAMESPACE: Final = ("name", "\\")
NAME_TYPES: Final = frozenset({"name", "qualified_name", "relative_name", "namespace_name"})
_NAMESPACE_PREFIX: Final = "namespace\\"


class Registration(NamedTuple):
    """A handler given to a framework; which symbol it is shows when the whole file is known."""

    handler: Expression
    scope: int
    kind: str
    detail: str
    line: int


class RouteGroup(NamedTuple):
    """What holds for all routes of a group."""

    prefix: str
    namespace: str
    controller: Expression
    name: str = ""  # what stands before the names of its routes


class PhpWalk(Gathering):
    """Facts in the making, with what only PHP needs to remember."""

    def __init__(self, source: bytes, path: str) -> None:
        super().__init__(source, path, VOCABULARY)
        self.keep(
            Symbol("module", path.rsplit("/", 1)[-1], 0, 1, 0, self.text.line_count, 0, len(source))._replace(
                complexity=self.survey.complexity_of(self.root, self.lines)
            )
        )
        self.class_number: int | None = None  # the class, trait, interface or enum the walk is in
        self.promised_types: dict[str, tuple[str, Expression]] = {}  # from the docblock at hand
        self.constant_name: str | None = None  # whose value is being read
        self.narrowed: dict[str, Expression] = {}  # the classes that variables are known to be of here
        self.route_groups: list[RouteGroup] = []  # that the walk is in
        self.route_settings: dict[int, tuple[str, str | Expression]] = {}  # by the calls that make them
        self.command_names: dict[int, str] = {}  # of console commands, by class
        self.registrations: list[Registration] = []
        self.beginnings: dict[tuple[int, str], str] = {}  # of texts that variables are given, by scope

    def begin(self, kind: SymbolKind, name: str, node: Node) -> Symbol:
        """The symbol of a node, at the line of its first word behind the attributes."""
        symbol = super().begin(kind, name, node)
        children = node.children
        if not children or children[0].type != "attribute_list":
            return symbol
        words = (child.start_byte for child in children[1:] if child.type != "comment")
        start = next(words, node.start_byte)
        return symbol._replace(line=self.text.line_of(start), column=self.text.column_of(start))

    def name_form(self, node: Node) -> Expression:
        """What a plain or qualified name stands for, where it names no relative of the class."""
        return qualify(self.text.text(node))

    def class_form(self, node: Node) -> Expression:
        """What the left side of `::`, or the name after `new`, stands for."""
        kind = node.type
        if kind in NAME_TYPES or kind == "relative_scope":
            name = self.text.text(node)
            return self.relative_form(name.lower()) or qualify(name)
        return self.visit(node)

    def relative_form(self, name: str) -> Expression:
        """The meaning of `self`, `static` and `parent`; None for any other name."""
        if name == "parent":
            return ("super",)
        if name == "static":
            return ("this",)
        if name != "self":
            return None
        if self.class_number is None or self.symbols[self.class_number].kind == "trait":
            return ("this",)  # in a trait it is the class that uses it
        return ("symbol", self.class_number)

    def string_of(self, node: Node | None) -> str | None:
        """The contents of a string literal without code in it."""
        if node is None or node.type not in {"string", "encapsed_string"}:
            return None
        parts = node.named_children
        if any(part.type not in {"string_content", "escape_sequence"} for part in parts):
            return None
        return self.text.slice(node.start_byte + 1, max(node.start_byte + 1, node.end_byte - 1))

    def variable_of(self, node: Node | None) -> str:
        """A variable's name with its `$`, nothing where the name is itself computed."""
        return self.text.text(node) if node is not None and node.type == "variable_name" else ""

    def docblock(self, line: int) -> str:
        """The doc comment that ends above a line."""
        return self.comments.take_doc(line, ("/**",))


def qualify(name: str) -> Expression:
    r"""`A\B` as member B of A; a leading backslash starts from the global namespace."""
    name = name.removeprefix(_NAMESPACE_PREFIX)
    form: Expression = GLOBAL_NAMESPACE if name.startswith("\\") else None
    for segment in name.split("\\"):
        if part := segment.strip():
            form = ("name", part) if form is None else ("member", form, part)
    return form


def arguments_of(node: Node | None) -> list[Node]:
    """The argument nodes of an `arguments` node."""
    return [child for child in node.named_children if child.type == "argument"] if node is not None else []


def value_of(argument: Node) -> Node | None:
    """The value of an argument node, past its keyword."""
    return argument.named_children[-1] if argument.named_child_count else None


def parts_of(node: Node, *fields: str) -> tuple[Node | None, ...]:
    """The children in these fields, of which a node without comments in it has exactly these and one token each.

    Asking by place is several times cheaper than by name, and calls and members are most of any file.
    """
    children = node.children
    if len(children) == 2 * len(fields) - 1:
        return tuple(children[::2])
    return tuple(node.child_by_field_name(field) for field in fields)


def child_of_type(node: Node, kind: str) -> Node | None:
    return next((child for child in node.named_children if child.type == kind), None)
