"""The state of one walk over a syntax tree: where it stands, and the facts found so far."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from drift.languages.expressions import Entry, Expression
from drift.languages.facts import (
    Access,
    Binding,
    Call,
    Complexity,
    Constant,
    Decorator,
    Element,
    EntryPoint,
    EnvironmentRead,
    Handling,
    Import,
    MarkupBinding,
    Mount,
    Return,
    Store,
    Symbol,
)
from drift.languages.kinds import MEMBER_KINDS, SymbolKind
from drift.languages.limits import CONSTANT_LENGTHS, MOST_SIGNATURE_CHARACTERS, PLAIN_NUMBERS
from drift.languages.markup import opened_element
from drift.languages.own_names import OwnNames
from drift.languages.queries import kept_query

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.syntax import SourceText

# Depth is counted in frames of Python's stack, kept well below its limit of a thousand.
_MOST_FRAMES: Final = 600
_VISIT_FRAMES: Final = 5  # at most, from one visit to the next
# Values nested deeper than this are not worth knowing, and deep tuples are hard on whoever compares them.
_MOST_VALUE_FRAMES: Final = 300
# Functions in functions, each of which has all the names around it in its own; real code has been seen to need 31.
MOST_LEVELS: Final = 100
_FLAT_VALUES: Final = frozenset({"name", "result", "symbol", "this", "super", "literal"})
_MOST_TAG_BYTES: Final = 8_000
_PLACEHOLDER: Final = Symbol("module", "", 0, 1, 0, 1, 0, 0)

Read = tuple[int, int, Expression, str]  # scope, byte, target, kind
Handler = Callable[["Walk", "Node"], Expression]


class Measures(NamedTuple):
    """What was learned of the tree before the walk, as questions about a place in it."""

    complexity_of: Callable[[Node], Complexity | None]
    take_doc: Callable[[int], str]  # the doc comment right above a line


class Registration(NamedTuple):
    """A handler given to a framework; who it is can only be said when the whole file is known."""

    scope: int
    handler: Expression
    kind: str
    detail: str
    line: int
    router: Expression = None


class NamedFunction(NamedTuple):
    """How a function is known, before its own syntax is read."""

    kind: SymbolKind
    name: str
    span: Node  # what the symbol covers: the declarator of a named arrow function, else the function
    parent: int
    modifiers: tuple[str, ...] = ()
    visibility: str = "public"
    decorators: tuple[Decorator, ...] = ()
    doc: str = ""


class Walk:
    """One file under extraction. Handlers visit nodes, note facts here, and give back expressions."""

    has_pages = False  # whether lists and elements may be rows of a router

    def __init__(self, text: SourceText, handlers: Mapping[str, Handler], measures: Measures) -> None:
        self.text = text
        self.source = text.source
        self.measures = measures
        self.scope = 0
        self.outer_line: int | None = None  # where the statement around a declaration begins
        self.pending_modifiers: tuple[str, ...] = ()  # of the statement around: exported, declared, default
        self.constant_name: str | None = None  # the constant whose value is being visited
        self.type_parameters: dict[str, Expression] = {}  # in force here, with their constraints
        self.symbols: list[Symbol] = []
        self.imports: list[Import] = []
        self.own_names = OwnNames(text.source, self.imports, lambda _module: False)
        self.calls: list[Call] = []
        self.accesses: dict[tuple[int, Expression, str], Access] = {}  # by scope, receiver and name
        self.bindings: list[Binding] = []
        self.stores: list[Store] = []
        self.returns: list[Return] = []
        self.reads: list[Read] = []  # candidates; which of them name something is known at the end
        self.constants: list[Constant] = []
        self.environment_reads: list[EnvironmentRead] = []
        self.handlings: list[Handling] = []
        self.elements: list[Element] = []
        self.markup_bindings: list[MarkupBinding] = []
        self.entry_points: list[EntryPoint] = []
        self.local_names: dict[
            int, set[str]
        ] = {}  # parameters and variables, by the scope that declares them
        self.assigned: list[int] = []  # bindings by plain assignment: their scope is known at the end
        self.exported_names: dict[str, tuple[str, ...]] = {}  # with the modifiers that gives
        self.mounts: list[Mount] = []
        self.router_prefixes: dict[int, str] = {}  # what a call that makes a router puts before its routes
        self.router_names: dict[Expression, str] | None = (
            None  # by what makes a router, once that is asked for
        )
        self.first_strings: dict[int, str] = {}  # the first argument of a call, where it is a string
        self.values_by_name: dict[str, Expression] = {}  # the last value each variable was declared with
        self.suite_titles: list[str] = []  # of the test suites around this place
        self.page_rows: list[tuple[int, str, int]] = []  # those noted: place, path and line
        self.has_markup: set[int] = set()  # scopes with JSX in them
        self.object_owner: int | None = None  # the symbol whose value is the object literal visited next
        self.wrapped_function: tuple[int, NamedFunction] | None = None  # a node's id and how it is known
        self.generic_callee: tuple[int, Node] | None = None  # the id of what it is given, and what is called
        self.pending_decorators: list[Node] = []  # written before the declaration visited next
        self.blocks = 0  # around this place, within the file or namespace it belongs to
        self.symbol_by_name: dict[str, int] = {}  # the latest, members apart
        self.registrations: list[Registration] = []
        self._handler_of = handlers.get
        self._line_at = text.line_of
        self.depth = 0  # of the stack, in frames, by what the ways down report
        self.value_depth = 0  # the depth at which the values of the present function begin
        self._deferred: list[tuple[Node, int, dict[str, Expression]]] = []
        self._levels = {0: 0}  # how many symbols are around each
        self.cut_line: int | None = None  # the first function whose inside was left out
        self.component: Expression = None  # whose members bare names are: in a template of Angular
        self.template_names: frozenset[str] = frozenset()  # that the template declares itself

    def named(self, name: str) -> Expression:
        """What a bare name means."""
        if self.component is None:
            return ("name", name)
        return None if name in self.template_names else ("member", self.component, name)

    def visit(self, node: Node) -> Expression:
        """What a node's value is, with the facts inside it noted."""
        if self.depth > _MOST_FRAMES:
            self.defer(node)
            return None
        self.depth += _VISIT_FRAMES
        handler = self._handler_of(node.type)
        if handler is not None:
            value = handler(self, node)
        else:
            value = None
            for child in node.named_children:
                self.visit(child)
        self.depth -= _VISIT_FRAMES
        if self.depth - self.value_depth <= _MOST_VALUE_FRAMES or value is None or value[0] in _FLAT_VALUES:
            return value
        return None

    def add_access(self, value: Expression, node: Node) -> None:
        """Note a member that is read and may be a getter; of something unknown or built in none is."""
        if value is None or value[0] != "member":
            return
        _, receiver, name = value
        key = (self.scope, receiver, name)
        if receiver is not None and receiver[0] != "literal" and key not in self.accesses:
            self.accesses[key] = Access(self.scope, self.line_of(node), receiver, name)

    def note_element(self, opening: Node, tag: str) -> None:
        """Note an element of the browser's own."""
        written = self.text.slice(
            opening.start_byte, min(opening.end_byte, opening.start_byte + _MOST_TAG_BYTES)
        )
        found = opened_element(written, tag, scope=self.scope, line=self.line_of(opening))
        if found is not None:
            self.elements.append(found)

    def is_too_deep(self) -> bool:
        """Whether what comes next is left for later, on a fresh stack."""
        return self.depth > _MOST_FRAMES

    def defer(self, node: Node) -> None:
        self._deferred.append((node, self.scope, self.type_parameters))

    def visit_children(self, node: Node) -> None:
        for child in node.named_children:
            self.visit(child)

    def visit_field(self, node: Node, field: str) -> Expression:
        child = node.child_by_field_name(field)
        return self.visit(child) if child is not None else None

    def visit_deferred(self) -> None:
        """Visit what was nested too deep for one stack; only the values it has there are lost."""
        while self._deferred:
            node, self.scope, self.type_parameters = self._deferred.pop()
            self.outer_line, self.pending_modifiers = None, ()
            self.visit(node)
        self.scope = 0

    def name_of(self, node: Node | None) -> str:
        if node is None:
            return ""
        return self.source[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def line_of(self, node: Node) -> int:
        return self._line_at(node.start_byte)

    def place_of(self, node: Node) -> tuple[int, int]:
        """The line, from 1, and the column, from 0, at which a node begins."""
        # Asking the node makes an object for each answer; this is the hottest of questions.
        start = node.start_byte
        line = self._line_at(start)
        return line, start - self.text.line_start(line)

    def reserve_symbol(self) -> int:
        """The number of a symbol whose details follow, so that what is inside it can name it."""
        self.symbols.append(_PLACEHOLDER)
        index = len(self.symbols) - 1
        self._levels[index] = self._levels.get(self.scope, 0) + 1
        return index

    def leaves_inside_out(self, index: int, node: Node) -> bool:
        """Whether a symbol stands in so many others that what is in it is left out; this is noted."""
        if self._levels.get(index, 0) <= MOST_LEVELS:
            return False
        self.cut_line = self.cut_line or self.line_of(node)
        return True

    def declare(self, kind: SymbolKind, name: str, node: Node, **details: Any) -> int:
        """Note a symbol that holds nothing which needs its number beforehand."""
        index = self.reserve_symbol()
        self.fill_symbol(index, kind, name, node=node, parent=self.scope, **details)
        return index

    def fill_symbol(
        self,
        index: int,
        kind: SymbolKind,
        name: str,
        *,
        node: Node,
        header_end: int | None = None,
        **details: Any,
    ) -> None:
        """Say what a reserved symbol is; its span begins after its decorators.

        Its signature is what stands up to `header_end`, where that is given.
        """
        first = node
        if node.child_count and (start := node.children[0]).type == "decorator":
            first = next(
                (child for child in node.children if child.type not in {"decorator", "comment"}), start
            )
        if kind not in MEMBER_KINDS:
            self.symbol_by_name[name] = index
        if header_end is not None:
            header = self.text.brief_slice(first.start_byte, header_end, limit=MOST_SIGNATURE_CHARACTERS)
            details["signature"] = header.removesuffix("=>").rstrip(" {=;")
        line, column = self.place_of(first)
        self.symbols[index] = Symbol(
            kind=kind,
            name=name,
            line=line,
            column=column,
            end_line=self._line_at(max(first.start_byte, node.end_byte - 1)),
            start_byte=first.start_byte,
            end_byte=node.end_byte,
            **details,
        )

    def take_doc(self, node: Node) -> str:
        """The doc comment of a declaration, looked for above the statement around it."""
        line, self.outer_line = self.outer_line or self.line_of(node), None
        return self.measures.take_doc(line)

    def take_modifiers(self) -> tuple[str, ...]:
        """The modifiers that the statement around gives to the declaration in it."""
        modifiers, self.pending_modifiers = self.pending_modifiers, ()
        return modifiers

    def bind(self, name: str, value: Expression, node: Node, *, declared: Expression = None) -> None:
        """Note a variable that is declared here."""
        self.local_names.setdefault(self.scope, set()).add(name)
        self.bindings.append(Binding(self.scope, name, value, self.line_of(node), declared))

        self.values_by_name[name] = value

    def assign(self, name: str, value: Expression, node: Node) -> None:
        """Note a value given to a variable that was declared here or further out."""
        if self.component is not None:
            return  # it is a member's, which tells of its type itself
        self.assigned.append(len(self.bindings))
        self.bindings.append(Binding(self.scope, name, value, self.line_of(node)))

    def store(self, receiver: Expression, name: str, value: Expression, *, node: Node) -> None:
        self.stores.append(Store(self.scope, receiver, name, value, self.line_of(node)))

    def read(self, target: Expression, node: Node, kind: str = "value") -> None:
        self.reads.append((self.scope, node.start_byte, target, kind))

    def apply_decorator(self, decorator: Expression, node: Node, name: str, *, target: int) -> None:
        """Note that a decorator written without parentheses is called with what it stands on."""
        line, column = self.place_of(node)
        arguments: tuple[Entry, ...] = ((None, ("symbol", target)),)
        self.calls.append(Call(self.scope, line, column, decorator, name[:120], arguments, "decorator"))

    def note_string(self, value: str, node: Node) -> None:
        if len(value) in CONSTANT_LENGTHS:
            self.constants.append(
                Constant(self.scope, self.line_of(node), "string", value, self.constant_name)
            )
        elif len(value) >= CONSTANT_LENGTHS.stop and (query := kept_query(value)) is not None:
            self.constants.append(
                Constant(self.scope, self.line_of(node), "string", query, self.constant_name)
            )

    def note_number(self, value: str, node: Node) -> None:
        if value not in PLAIN_NUMBERS and len(value) in range(CONSTANT_LENGTHS.stop):
            self.constants.append(
                Constant(self.scope, self.line_of(node), "number", value, self.constant_name)
            )
