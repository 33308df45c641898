"""The walk of languages in which all code stands in classes: Java and C#.

Beside what every walk gathers it knows the classes that are open, tells locals from fields, and keeps the
handlers that are given to frameworks until the whole file is known.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from drift.kernel.text import shorten
from drift.languages.expressions import either_of, library_shape
from drift.languages.facts import Binding, EntryPoint, Handling, Problem, Reference, Return
from drift.languages.gathering import Gathering
from drift.languages.kinds import SymbolKind
from drift.languages.limits import (
    MOST_CALLEE_CHARACTERS,
    MOST_ELEMENTS,
    MOST_SIGNATURE_CHARACTERS,
    MOST_TEXT_CHARACTERS,
)
from drift.languages.overruns import LEFT_OUT

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.facts import Decorator, FileFacts, Parameter
    from drift.languages.vocabulary import Vocabulary

# A level is up to five Python frames, so this stays within the interpreter's thousand; the deepest seen in real code was 24.
_MOST_DEPTH: Final = 160
_MOST_PROBLEMS: Final = 20
_MOST_NAMESAKES: Final = 100  # beyond, a name says nothing of which function is meant
_MOST_HANDLED_CHARACTERS: Final = 100


class Annotation(NamedTuple):
    """An annotation or attribute as it stands at a declaration: its last name, and where its arguments are."""

    name: str
    node: Node


class Heading(NamedTuple):
    """What stands before the name of a declaration."""

    start_byte: int  # after the annotations
    decorators: tuple[Decorator, ...] = ()
    annotations: tuple[Annotation, ...] = ()
    visibility: str = ""  # as written; empty where nothing is
    words: frozenset[str] = frozenset()  # static, abstract, ...

    def names(self) -> set[str]:
        return {annotation.name for annotation in self.annotations}


@dataclass(slots=True)
class OpenClass:
    """A class while its members are visited."""

    number: int
    kind: SymbolKind
    name: str
    fields: frozenset[str]
    heading: Heading
    base_names: frozenset[str] = frozenset()
    is_exported: bool = False
    prefix: str = ""  # of the routes of its methods
    components: tuple[Parameter, ...] = ()  # what the primary constructor takes
    methods: dict[str, int] = field(default_factory=dict)


class Registration(NamedTuple):
    """A handler given to a framework; which symbol it is shows when the whole file is known."""

    handler: Expression
    scope: int
    kind: str
    detail: str
    line: int
    router: Expression = None  # of a route: what it is added to


class ObjectWalk(Gathering):
    """Facts in the making, with the classes, generic parameters and locals in force."""

    def __init__(self, source: bytes, path: str, vocabulary: Vocabulary) -> None:
        super().__init__(source, path, vocabulary)
        self.classes: list[OpenClass] = []
        self.generics: dict[str, Expression] = {}  # type parameter to what bounds it
        self.results: list[list[Expression]] = []  # of the switch expressions that are open
        self._imported: list[str] = []
        self.package_types: dict[str, bool] = {}  # by name, whether only the file's own package can have it
        self._imports_any: dict[tuple[str, ...], bool] = {}
        self.registrations: list[Registration] = []
        self._depth = 0
        self._too_deep_line: int | None = None
        self._hidden: list[tuple[str, int | None]] = []  # what locals meant before, to be undone in order
        self.keep(self.begin("module", path.rsplit("/", 1)[-1], self.root))

    def visit(self, node: Node) -> Expression:
        if self._depth > _MOST_DEPTH:
            self._too_deep_line = self._too_deep_line or self.line(node)
            return None
        self._depth += 1
        handler = self.handlers.get(node.type)
        if handler is not None:
            value = handler(self, node)
        else:
            value = None
            for child in node.named_children:
                self.visit(child)
        self._depth -= 1
        return value

    # Places come from byte offsets: reading `start_point` often crashes tree-sitter 0.26.
    def line(self, node: Node) -> int:
        return self.text.line_of(node.start_byte)

    def place(self, node: Node) -> tuple[int, int]:
        line = self.text.line_of(node.start_byte)
        return line, node.start_byte - self.text.line_start(line)

    def refer(self, node: Node, target: Expression, kind: str) -> None:
        self.references.append(Reference(self.scope, *self.place(node), target, kind))

    def finish(self, language: str) -> FileFacts:
        facts = super().finish(language)
        if self._too_deep_line is None:
            return facts
        message = f"nested deeper than {_MOST_DEPTH} levels: what is inside {LEFT_OUT}"
        problem = Problem(self._too_deep_line, message)
        return facts._replace(problems=(*facts.problems[: _MOST_PROBLEMS - 1], problem))

    def visit_children(self, node: Node) -> None:
        for child in node.named_children:
            self.visit(child)

    def note_imported(self, module: str) -> None:
        self._imported.append(module)
        self._imports_any.clear()
        self.package_types.clear()

    def imports_any(self, packages: tuple[str, ...]) -> bool:
        """Whether something under one of these packages is imported; asked for many calls, looked up once."""
        known = self._imports_any.get(packages)
        if known is None:
            known = any(module.startswith(packages) for module in self._imported)
            self._imports_any[packages] = known
        return known

    def mark(self) -> int:
        """A place to go back to when the locals declared from here on go out of scope."""
        return len(self._hidden)

    def release(self, mark: int) -> None:
        hidden, names = self._hidden, self.locals
        while len(hidden) > mark:
            name, before = hidden.pop()
            if before is None:
                del names[name]
            else:
                names[name] = before

    def hide(self, name: str) -> None:
        """Make a name a local of the current scope, without saying what it is."""
        self._hidden.append((name, self.locals.get(name)))
        self.locals[name] = self.scope

    def declare(self, node: Node, name: str, value: Expression, declared: Expression = None) -> None:
        self.hide(name)
        self.bindings.append(Binding(self.scope, name, value, self.line(node), declared))

    def assign(self, node: Node, name: str, value: Expression) -> None:
        """A new value for a local, or else for a field of this class or of one around it."""
        if name in self.locals:
            self.bindings.append(Binding(self.locals[name], name, value, self.line(node)))
        else:
            self.store(node, self.owner_of(name), name=name, value=value)

    def owner_of(self, name: str) -> Expression:
        """The object that a bare field name belongs to: this one, unless only a class around declares it."""
        for depth, open_class in enumerate(reversed(self.classes)):
            if name in open_class.fields:
                return ("instance", ("symbol", open_class.number)) if depth else ("this",)
        return ("this",)

    def read_name(self, node: Node) -> Expression:
        """The value of a bare name; one that is no local is a field, a class or a method and referred to."""
        name = self.text.text(node)
        value: Expression = ("name", name)
        if name not in self.locals:
            self.refer(node, value, "value")
        return value

    def type_text(self, node: Node | None) -> str | None:
        return None if node is None else self.text.brief(node, MOST_TEXT_CHARACTERS)

    def callee_text(self, start_byte: int, end_byte: int, name: str) -> str:
        """A callee as written; of a long chain the beginning and the name, which is what one looks for."""
        # Nearly all are short and on one line; a long chain must not be copied for each of its links.
        if end_byte - start_byte <= MOST_CALLEE_CHARACTERS:
            raw = self.text.source[start_byte:end_byte]
            if b"\n" not in raw:
                return raw.decode("utf-8", "replace")
        written = self.text.brief_slice(start_byte, end_byte, limit=MOST_CALLEE_CHARACTERS)
        if not written.endswith("…"):
            return written
        tail = shorten(f"….{name}", MOST_CALLEE_CHARACTERS // 2)
        return written[: MOST_CALLEE_CHARACTERS - len(tail)] + tail

    def give_back(self, node: Node, value: Expression, *, is_yield: bool = False) -> None:
        self.returns.append(Return(self.scope, value, self.line(node), is_yield))

    def is_exported_here(self, visibility: str) -> bool:
        """Whether a declaration of this visibility can be named from anywhere."""
        return visibility == "public" and (not self.classes or self.classes[-1].is_exported)

    def keep_declaration(
        self,
        kind: SymbolKind,
        name: str,
        node: Node,
        *,
        heading: Heading,
        body: Node | None = None,
        **details: Any,
    ) -> int:
        """The number of a new symbol that begins after its annotations and says all its heading does."""
        start = heading.start_byte
        line = self.text.line_of(start)
        end = body.start_byte if body is not None else node.end_byte
        symbol = self.begin(kind, name, node)._replace(
            line=line,
            column=start - self.text.line_start(line),
            start_byte=start,
            signature=self.text.brief_slice(start, end, limit=MOST_SIGNATURE_CHARACTERS).rstrip("{; "),
            decorators=heading.decorators,
            **details,
        )
        return self.keep(symbol)

    def add_modifier(self, number: int, modifier: str) -> None:
        symbol = self.symbols[number]
        if modifier not in symbol.modifiers:
            self.symbols[number] = symbol._replace(modifiers=tuple(sorted({*symbol.modifiers, modifier})))

    def enter_at(self, number: int, kind: str, detail: str = "", *, router: Expression = None) -> None:
        """Note that the outside world calls a symbol."""
        entry = EntryPoint(number, kind, detail, self.symbols[number].line, None, router)
        # A test with three cases is one entry point.
        if entry not in self.entry_points[-1:]:
            self.entry_points.append(entry)

    def handle(self, node: Node, kind: str, types: Iterable[Node] = (), *, is_empty: bool = False) -> None:
        """Note a try region, a handler or a throw."""
        line, end_line = self.line(node), self.text.line_of(max(node.start_byte, node.end_byte - 1))
        names = tuple(self.text.brief(each, _MOST_HANDLED_CHARACTERS) for each in types)
        self.handlings.append(Handling(self.scope, line, end_line, kind, names, is_empty))

    def settle_registrations(self) -> None:
        """Make entry points of the registered handlers that are symbols of this file."""
        if not self.registrations:
            return
        numbers: dict[str, list[int]] = {}
        for number, symbol in enumerate(self.symbols):
            numbers.setdefault(symbol.name, []).append(number)
        for each in self.registrations:
            found = self._find_handler(each, numbers)
            if found is not None:
                self.entry_points.append(
                    EntryPoint(found, each.kind, each.detail, each.line, router=each.router)
                )

    def _find_handler(self, registration: Registration, numbers: dict[str, list[int]]) -> int | None:
        handler = registration.handler
        if handler is not None and handler[0] == "partial":
            handler = handler[1]
        if handler is None:
            return None
        if handler[0] == "symbol":
            return handler[1]
        if handler[0] == "name":
            return self._find_function(numbers.get(handler[1], ()), self._scopes_around(registration.scope))
        if handler[0] != "member" or handler[1] is None:
            return None
        owner = handler[1]
        if owner[0] == "this":
            return self._find_function(numbers.get(handler[2], ()), self._scopes_around(registration.scope))
        if owner[0] == "name":
            owners = numbers.get(owner[1], ())[:_MOST_NAMESAKES]
            return self._find_function(numbers.get(handler[2], ()), set(owners))
        return None

    def _scopes_around(self, scope: int) -> set[int]:
        scopes = {0, scope}
        while scope:
            scope = self.symbols[scope].parent
            scopes.add(scope)
        return scopes

    def _find_function(self, numbers: Sequence[int], parents: set[int]) -> int | None:
        """The one function among these in these scopes; of several none, since none is certain."""
        if len(numbers) > _MOST_NAMESAKES:
            return None
        symbols = self.symbols
        found = [
            number
            for number in numbers
            if symbols[number].parent in parents and symbols[number].kind in {"method", "function"}
        ]
        return found[0] if len(found) == 1 else None


def dotted_form(names: list[str]) -> Expression:
    """`a.b.c` as an expression; nothing for a name of more parts than any real one has."""
    value: Expression = None
    for name in names if len(names) <= MOST_ELEMENTS else ():
        value = ("name", name) if value is None else ("member", value, name)
    return value


def one_of(values: Iterable[Expression]) -> Expression:
    """One of these values: itself where there is one, nothing where nothing is known."""
    known = list(dict.fromkeys(value for value in values if value is not None))[:MOST_ELEMENTS]
    if len(known) > 1:
        return either_of(known)
    return known[0] if known else None


def cast_form(kind: Expression, text: str | None) -> Expression:
    """A value that is said to be of a type; of a collection also the text, as arrays are read alike."""
    shape = library_shape(kind)
    is_collection = shape is not None and shape[0] in {"dict", "list"} and text is not None
    if is_collection and text is not None and not text.rstrip("?").endswith("]"):
        return ("instance", kind, text)
    return ("instance", kind)
