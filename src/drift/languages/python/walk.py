"""The state of one walk over a Python file: facts in the making, and which scope the walk is in."""

from __future__ import annotations

import builtins
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from drift.languages.expressions import Expression, NameForm
from drift.languages.facts import (
    MAKING,
    PROVIDING,
    Access,
    Base,
    Binding,
    Call,
    Complexity,
    Constant,
    Decorator,
    EntryPoint,
    EnvironmentRead,
    Handling,
    Import,
    Mount,
    Parameter,
    Reference,
    Return,
    Store,
)
from drift.languages.kinds import SymbolKind
from drift.languages.limits import MOST_CALLEE_CHARACTERS, PLAIN_NUMBERS
from drift.languages.python.kinds import COMMENT
from drift.languages.queries import kept_query

if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Node

    from drift.languages.syntax import SourceText

    Handler = Callable[["Walk", Node], Expression]

MOST_LEVELS: Final = 150  # each is up to four Python frames, within the interpreter's thousand
_FEWEST_CHARACTERS: Final = 3  # of a string worth knowing
_MOST_CHARACTERS: Final = 500
_MOST_NESTED_FORMS: Final = 40
_PLAIN_NUMBERS: Final = frozenset(number.encode() for number in PLAIN_NUMBERS)
# Most facts of a file are made here; a named tuple's own constructor costs three times as much.
_make: Final = tuple.__new__
BUILTINS: Final = frozenset(dir(builtins))
_NO_NAMES: Final[set[str]] = set()
# Values whose members are the language's own: nothing of a project runs when they are used.
_INERT: Final = frozenset({"literal", "list", "dict", "symbol", "partial"})


@dataclass(slots=True)
class Draft:
    """A symbol that may still change: exports are known only at the end of the file."""

    kind: SymbolKind
    name: str
    parent: int
    node: Node
    signature: str = ""
    parameters: tuple[Parameter, ...] = ()
    return_text: str | None = None
    return_type: Expression = None
    decorators: tuple[Decorator, ...] = ()
    bases: tuple[Base, ...] = ()
    modifiers: set[str] = field(default_factory=set)
    doc: str = ""
    value_type: Expression = None
    complexity: Complexity | None = None


class Registered(NamedTuple):
    """A callable that was handed to a framework by its name, which is looked for when the file is known."""

    target: str
    kind: str
    detail: str
    line: int
    router: Expression = None
    listed: str = ""  # the variable that holds the list it stands in
    # Where no import says so: what the class that made the router must be named like; the prefix, where it is the
    # router of a view set.
    makers: tuple[str, ...] = ()
    prefix: str = ""


@dataclass(slots=True)
class Frame:
    """A scope being walked: the file, a class or a function."""

    number: int  # of its symbol
    kind: SymbolKind  # module, class, function
    outer: Frame | None
    receiver: str | None = None  # the name that means the object: self, cls
    names: set[str] = field(default_factory=set)  # bound here
    borrowed: dict[str, int] = field(default_factory=dict)  # global and nonlocal names, to their scope
    declared: dict[str, int] = field(
        default_factory=dict
    )  # names that need no new symbol, to the one they have


class _Names(dict[bytes, str]):
    """The text of each name met so far; the same string for the same name, which recurs a lot."""

    def __missing__(self, raw: bytes) -> str:
        known = self[raw] = raw.decode("utf-8", "replace")
        return known


class _NameForms(dict[bytes, NameForm]):
    """The value that each name met so far stands for; one object for a name, which is written and read once."""

    def __missing__(self, raw: bytes) -> NameForm:
        known: NameForm
        known = self[raw] = ("name", raw.decode("utf-8", "replace"))
        return known


def member_of(value: Expression, members: list[str]) -> Expression:
    """The member of a member (the last is the innermost) of a value; None where that is nested too deep."""
    if value is None or is_too_nested(value, len(members)):
        return None
    for member in reversed(members):
        value = ("member", value, member)
    return value


def is_too_nested(value: tuple[Any, ...], more: int = 0) -> bool:
    """Whether a form, with `more` around it, has a depth no code has: comparing and storing it would recurse."""
    depth = more
    while len(value) > 1 and type(inner := value[1]) is tuple:
        value = inner
        depth += 1
    return depth > _MOST_NESTED_FORMS


def part_of(node: Node, kind: int) -> Node | None:
    """The first child of this kind.

    Cheaper than asking by field: that makes a new node, whose children would be made anew as well.
    """
    for child in node.children:
        if child.kind_id == kind:
            return child
    return None


def meaningful_children(node: Node) -> list[Node]:
    """The named children but for comments."""
    return [child for child in node.named_children if child.kind_id != COMMENT]


class Walk:
    """Facts so far. `visit` gives a node's value after gathering what is in it."""

    __slots__ = (
        "_accesses",
        "bindings",
        "calls",
        "constants",
        "cut_line",
        "doc_spans",
        "drafts",
        "entry_points",
        "environment_reads",
        "exports",
        "frame",
        "handler_names",
        "handlers",
        "handlings",
        "imports",
        "is_type_only",
        "level",
        "line_starts",
        "listed_mounts",
        "locals",
        "mounts",
        "name_forms",
        "names",
        "naming",
        "path",
        "receiver",
        "references",
        "returns",
        "router_parents",
        "router_prefixes",
        "routers_above",
        "scope",
        "source",
        "stores",
        "text",
    )  # fmt: skip

    def __init__(self, text: SourceText, path: str, handlers: list[Handler]) -> None:
        self.path = path
        self.text = text
        self.source = text.source
        self.line_starts = text.line_starts  # asked for every fact: worth a shorter way
        self.drafts: list[Draft] = []
        self.imports: list[Import] = []
        self.calls: list[Call] = []
        self._accesses: dict[tuple[int, Expression, str], int] = {}  # to the first byte of each
        self.bindings: list[Binding] = []
        self.stores: list[Store] = []
        self.returns: list[Return] = []
        self.references: list[Reference] = []
        self.constants: list[Constant] = []
        self.environment_reads: list[EnvironmentRead] = []
        self.handlings: list[Handling] = []
        self.entry_points: list[EntryPoint] = []
        self.doc_spans: list[tuple[int, int]] = []
        self.exports: set[str] | None = None  # the names in __all__, where there is one
        self.handler_names: list[Registered] = []
        self.mounts: list[Mount] = []
        self.listed_mounts: dict[
            int, str
        ] = {}  # by number: the variable with the list that a mount stands in
        # Of a call that makes a router in another: what is put before its routes, and the other.
        self.router_parents: dict[int, tuple[str, Expression]] = {}
        self.router_prefixes: dict[int, str] = {}  # what a call that makes a router puts before its routes
        self.routers_above: dict[
            int, str
        ] = {}  # the name of the router below whose objects such a call puts them
        self.is_type_only = False
        self.naming: str | None = None  # the constant that the literal about to be visited is the value of
        self.cut_line: int | None = None
        self.frame = Frame(0, "module", None)
        self.scope = 0
        self.receiver: str | None = None
        self.locals = _NO_NAMES  # of the function the walk is in
        self.handlers = handlers  # by node kind
        self.names = _Names()  # ask with the bytes of a name
        self.name_forms = _NameForms()  # likewise
        self.level = 0

    def visit(self, node: Node) -> Expression:
        """The value of a node; None where nothing is known of it."""
        if self.level >= MOST_LEVELS:
            self.is_too_deep(node)
            return None
        self.level += 1
        value = self.handlers[node.kind_id](self, node)
        self.level -= 1
        return value

    def is_too_deep(self, node: Node) -> bool:
        """Whether the walk must turn back here; the file's problems then say so."""
        if self.level < MOST_LEVELS:
            return False
        self.cut_line = self.cut_line or self.line(node)
        return True

    def visit_children(self, node: Node) -> None:
        if self.level >= MOST_LEVELS:
            self.is_too_deep(node)
            return
        self.level += 1
        handlers = self.handlers
        for child in node.named_children:
            handlers[child.kind_id](self, child)
        self.level -= 1

    def line(self, node: Node) -> int:
        return bisect_right(self.line_starts, node.start_byte)

    def last_line(self, node: Node) -> int:
        return self.text.line_of(max(node.start_byte, node.end_byte - 1))

    def name(self, node: Node) -> str:
        """The text of a name."""
        return self.names[self.source[node.start_byte : node.end_byte]]

    def draft(self, kind: SymbolKind, name: str, node: Node, *, parent: int | None = None) -> int:
        """The number of a new symbol."""
        self.drafts.append(Draft(kind, name, self.scope if parent is None else parent, node))
        return len(self.drafts) - 1

    def enter(self, frame: Frame) -> None:
        self.frame = frame
        self.scope = frame.number
        self.receiver = frame.receiver
        self.locals = frame.names if frame.kind == "function" else _NO_NAMES

    def leave(self) -> None:
        assert self.frame.outer is not None
        self.enter(self.frame.outer)

    def add_call(
        self,
        byte: int,
        callee: Expression,
        *,
        text: str,
        arguments: tuple[tuple[str | None, Expression], ...] = (),
        kind: str = "call",
    ) -> int:
        """The number of a new call, which stands at `byte`."""
        starts = self.line_starts
        line = bisect_right(starts, byte)
        calls = self.calls
        calls.append(_make(Call, (self.scope, line, byte - starts[line - 1], callee, text, arguments, kind)))
        return len(calls) - 1

    def callee_text(self, node: Node) -> str:
        """A callee as written, on one line; of a long chain its end."""
        start, end = node.start_byte, node.end_byte
        if end - start <= MOST_CALLEE_CHARACTERS:
            raw = self.source[start:end]
            if b"\n" not in raw:
                return self.names[raw]
        return self.text.callee(start, end)

    def add_access(self, receiver: Expression, name: str, byte: int) -> None:
        """Note a member that runs if it is code; nothing where the receiver is unknown or built in."""
        if receiver is None or receiver[0] in _INERT:
            return
        key = (self.scope, receiver, name)
        if byte < self._accesses.get(key, byte + 1):
            self._accesses[key] = byte

    def add_class_making(self, number: int, byte: int) -> None:
        """Note what may run when a class is made: its metaclass, and the hook of its parents."""
        self._accesses[self.scope, ("symbol", number), MAKING] = byte

    def add_provider(self, function: int, made_by: Expression) -> None:
        """Note what makes the value of a parameter, which runs whenever the function does."""
        self._accesses.setdefault((function, made_by, PROVIDING), self.drafts[function].node.start_byte)

    def accesses(self) -> tuple[Access, ...]:
        """Each access once, with its first line."""
        starts = self.line_starts
        return tuple(
            [
                _make(Access, (scope, bisect_right(starts, byte), receiver, name))
                for (scope, receiver, name), byte in self._accesses.items()
            ]
        )

    def bind(self, name: str, value: Expression, node: Node, *, declared: Expression = None) -> None:
        """Give a name a value in the scope that owns it."""
        frame = self.frame
        scope = frame.borrowed.get(name)
        if scope is None:
            scope = frame.number
            if (
                frame.kind == "class"
                and value is not None
                and value[0] == "name"
                and value[1] not in frame.names
            ):
                value = ("outer", value[1])  # `Node = Node`: the body of a class has no such name yet
            frame.names.add(name)
        self.bindings.append(_make(Binding, (scope, name, value, self.line(node), declared)))

    def store(self, node: Node, receiver: Expression, *, name: str, value: Expression) -> None:
        self.stores.append(_make(Store, (self.scope, receiver, name, value, self.line(node))))

    def refer(self, byte: int, target: Expression, kind: str = "value") -> None:
        starts = self.line_starts
        line = bisect_right(starts, byte)
        self.references.append(_make(Reference, (self.scope, line, byte - starts[line - 1], target, kind)))

    def refer_as_types(self, first: int, node: Node) -> None:
        """What stands behind the start of a node is named to check for it: nobody is handed it."""
        start = (self.line(node), node.start_point.column)
        for number in range(first, len(self.references)):
            one = self.references[number]
            if one.kind == "value" and (one.line, one.column) >= start:
                self.references[number] = one._replace(kind="type")

    def add_string(self, node: Node, value: str, name: str | None = None) -> None:
        if _FEWEST_CHARACTERS <= len(value) <= _MOST_CHARACTERS and not value.isspace():
            line = bisect_right(self.line_starts, node.start_byte)
            self.constants.append(_make(Constant, (self.scope, line, "string", value, name)))
        elif len(value) > _MOST_CHARACTERS and (query := kept_query(value)) is not None:
            self.constants.append(_make(Constant, (self.scope, self.line(node), "string", query, name)))

    def add_number(self, node: Node, name: str | None = None) -> None:
        raw = self.source[node.start_byte : node.end_byte]
        if raw not in _PLAIN_NUMBERS:
            value = self.text.brief(node, 100)
            self.constants.append(_make(Constant, (self.scope, self.line(node), "number", value, name)))
