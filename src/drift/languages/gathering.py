"""The facts of one file while its tree is walked: where an extractor puts what it finds."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from drift.languages.comments import Commentary
from drift.languages.completion import completed
from drift.languages.expressions import Expression
from drift.languages.facts import (
    Access,
    Binding,
    Call,
    Constant,
    EntryPoint,
    EnvironmentRead,
    FileFacts,
    Handling,
    Import,
    Mount,
    Problem,
    Reference,
    Return,
    Store,
    Symbol,
)
from drift.languages.kinds import SymbolKind
from drift.languages.limits import CONSTANT_LENGTHS, PLAIN_NUMBERS
from drift.languages.newer_syntax import parse_newer
from drift.languages.overruns import CUT_SHORT, LEFT_OUT, describe_overrun
from drift.languages.queries import kept_query
from drift.languages.survey import survey
from drift.languages.syntax import SourceText

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from tree_sitter import Node

    from drift.languages.vocabulary import Vocabulary

# Up to seven Python frames each, within the interpreter's thousand; real code has been seen to need 31.
_MOST_LEVELS: Final = 100
_MOST_NUMBER_CHARACTERS: Final = 100


class Gathering:
    """Facts in the making. `scope` is the symbol the walk is in, `locals` its names and who declares them."""

    def __init__(self, source: bytes, path: str, vocabulary: Vocabulary) -> None:
        self.path = path
        self.text = SourceText(source)
        self._tree = parse_newer(vocabulary.grammar, source)
        self.root = self._tree.root_node
        self._grammar = vocabulary.grammar
        self.survey = survey(self._tree, self.text, vocabulary)
        self.comments = Commentary(self.text, self.survey.comments)
        self.lines = self.survey.line_kinds()
        self.handlers: Mapping[str, Callable[..., Expression]] = {}
        self.scope = 0
        self.locals: dict[str, int] = {}
        self.package = ""
        self.symbols: list[Symbol] = []
        self.imports: list[Import] = []
        self.calls: list[Call] = []
        self.accesses: dict[tuple[int, Expression, str], Access] = {}  # by scope, receiver and name
        self.bindings: list[Binding] = []
        self.stores: list[Store] = []
        self.returns: list[Return] = []
        self.references: list[Reference] = []
        self.constants: list[Constant] = []
        self.environment_reads: list[EnvironmentRead] = []
        self.handlings: list[Handling] = []
        self.entry_points: list[EntryPoint] = []
        self.mounts: list[Mount] = []
        self._shadowed: list[tuple[str, int | None]] = []
        self._level = 0
        self._cut_line: int | None = None
        self._overrun: str | None = None

    @contextmanager
    def walking(self) -> Iterator[None]:
        """The walk over the file: one that takes too much ends here, and what it found is kept."""
        try:
            yield
        except CUT_SHORT as error:
            self._overrun = describe_overrun(error)

    def visit(self, node: Node) -> Expression:
        """The value of a node, after gathering what is in it."""
        if self._level > _MOST_LEVELS:
            self._cut_line = self._cut_line or self.line(node)
            return None
        self._level += 1
        handler = self.handlers.get(node.type)
        if handler is not None:
            value = handler(self, node)
        else:
            value = None
            for child in node.named_children:
                self.visit(child)
        self._level -= 1
        return value

    def visit_field(self, node: Node, field: str) -> Expression:
        """The value of the child in a field, None where there is none."""
        child = node.child_by_field_name(field)
        return None if child is None else self.visit(child)

    def line(self, node: Node) -> int:
        return self.text.line_of(node.start_byte)

    def place(self, node: Node) -> tuple[int, int]:
        """Line and column of a node."""
        byte = node.start_byte
        line = self.text.line_of(byte)
        return line, byte - self.text.line_start(line)

    def begin(self, kind: SymbolKind, name: str, node: Node) -> Symbol:
        """A symbol that covers a node, to be completed with `_replace` and kept with `keep`."""
        start, end = node.start_byte, node.end_byte
        line = self.text.line_of(start)
        return Symbol(
            kind,
            name,
            self.scope,
            line,
            start - self.text.line_start(line),
            self.text.line_of(max(start, end - 1)),
            start,
            end,
            complexity=self.survey.complexity_of(node, self.lines),
        )

    def keep(self, symbol: Symbol) -> int:
        """The number of a symbol that is now part of the file."""
        self.symbols.append(symbol)
        return len(self.symbols) - 1

    def add_call(
        self,
        node: Node,
        callee: Expression,
        *,
        text: str,
        arguments: tuple[tuple[str | None, Expression], ...] = (),
        kind: str = "call",
    ) -> int:
        """The number of a new call."""
        line, column = self.place(node)
        self.calls.append(Call(self.scope, line, column, callee, text, arguments, kind))
        return len(self.calls) - 1

    def add_access(self, node: Node, receiver: Expression, name: str) -> None:
        """Note a member that is read and may be code; of something unknown or built in none is."""
        key = (self.scope, receiver, name)
        if receiver is not None and receiver[0] != "literal" and key not in self.accesses:
            self.accesses[key] = Access(self.scope, self.line(node), receiver, name)

    def call_text(self, node: Node) -> str:
        """A callee as written; of a long chain its end, which says what is called."""
        return self.text.callee(node.start_byte, node.end_byte)

    def open_scope(self, number: int, names: Iterable[str] = ()) -> tuple[int, int]:
        """Enter a function with its parameters; what comes back leads out again."""
        mark = (self.scope, len(self._shadowed))
        self.scope = number
        for name in names:
            self._localise(name)
        return mark

    def close_scope(self, mark: tuple[int, int]) -> None:
        """Leave the scopes opened since `mark`, forgetting their names."""
        self.scope, count = mark
        while len(self._shadowed) > count:
            name, owner = self._shadowed.pop()
            if owner is None:
                del self.locals[name]
            else:
                self.locals[name] = owner

    def _localise(self, name: str) -> None:
        owner = self.locals.get(name)
        if owner != self.scope:
            self._shadowed.append((name, owner))
            self.locals[name] = self.scope

    def declare(self, node: Node, name: str, value: Expression, declared: Expression = None) -> None:
        """A new name in the current scope.

        A name that only shadows itself (`x := x`, `let x = &x`, `let x = x?`) stays what it was.
        """
        if declared is None and value in (("name", name), ("awaited", ("name", name))):
            return
        if self.scope:
            self._localise(name)
        self.bindings.append(Binding(self.scope, name, value, self.line(node), declared))

    def assign(self, node: Node, name: str, value: Expression) -> None:
        """A new value for a name in the scope that declares it, which is the file where no function does."""
        self.bindings.append(Binding(self.locals.get(name, 0), name, value, self.line(node)))

    def store(self, node: Node, receiver: Expression, *, name: str, value: Expression) -> None:
        self.stores.append(Store(self.scope, receiver, name, value, self.line(node)))

    def refer(self, node: Node, target: Expression, kind: str) -> None:
        line, column = self.place(node)
        self.references.append(Reference(self.scope, line, column, target, kind))

    def add_string(self, node: Node, value: str, name: str | None = None) -> None:
        """Note a string constant that is long enough to mean something."""
        if len(value) in CONSTANT_LENGTHS and not value.isspace():
            self.constants.append(Constant(self.scope, self.line(node), "string", value, name))
        elif len(value) >= CONSTANT_LENGTHS.stop and (query := kept_query(value)) is not None:
            self.constants.append(Constant(self.scope, self.line(node), "string", query, name))

    def add_built_path(self, node: Node) -> None:
        """Note a text with code in it where it may be a path, which tests ask for: most others are messages."""
        whole = self.text.text(node)
        if "/" in whole and " " not in whole:
            self.add_string(node, whole[1:-1])

    def add_number(self, node: Node, name: str | None = None) -> None:
        """Note a number constant other than the plainest."""
        value = self.text.slice(
            node.start_byte, min(node.end_byte, node.start_byte + _MOST_NUMBER_CHARACTERS)
        )
        if value not in PLAIN_NUMBERS:
            self.constants.append(Constant(self.scope, self.line(node), "number", value, name))

    def add_handling(self, node: Node, kind: str, types: tuple[str, ...] = ()) -> None:
        end_line = self.text.line_of(max(node.start_byte, node.end_byte - 1))
        self.handlings.append(Handling(self.scope, self.line(node), end_line, kind, types))

    def finish(self, language: str) -> FileFacts:
        """All that was gathered."""
        problems = self.survey.problems()
        if self._cut_line is not None:
            message = f"nested deeper than {_MOST_LEVELS} levels: what is inside {LEFT_OUT}"
            problems = (*problems[:19], Problem(self._cut_line, message))
        if self._overrun is not None:
            last_line = max((call.line for call in self.calls), default=1)
            problems = (Problem(last_line, f"{self._overrun}: what follows {LEFT_OUT}"), *problems)
        facts = FileFacts(
            language=language,
            code_lines=self.lines.code_lines,
            comment_lines=self.lines.comment_lines,
            blank_lines=self.lines.blank_lines,
            symbols=tuple(self.symbols),
            package=self.package,
            imports=tuple(self.imports),
            calls=tuple(self.calls),
            accesses=tuple(self.accesses.values()),
            bindings=tuple(self.bindings),
            stores=tuple(self.stores),
            returns=tuple(self.returns),
            references=tuple(self.references),
            constants=tuple(self.constants),
            environment_reads=tuple(self.environment_reads),
            comments=self.comments.facts(),
            handlings=tuple(self.handlings),
            entry_points=tuple(self.entry_points),
            mounts=tuple(self.mounts),
            fingerprints=self.survey.fingerprints(),
            problems=problems,
        )
        return completed(facts, self._grammar, root=self.root, text=self.text)
