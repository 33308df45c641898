"""The state of one walk over a Rust file, and what names and paths in it stand for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.languages.facts import Base, Decorator
from drift.languages.gathering import Gathering
from drift.languages.kinds import SymbolKind
from drift.languages.own_names import OwnNames
from drift.languages.rust.vocabulary import PRELUDE_VARIANTS, STANDARD_CRATES, VOCABULARY

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.facts import Symbol
    from drift.languages.survey import Survey

COMMENTS: Final = frozenset({"line_comment", "block_comment"})
_DOC_OPENINGS: Final = ("///", "/**")
_BROKEN_CHAIN = re.compile(r"(?<!\s)\s+\.(?=\w)")
_MOST_ATTRIBUTE_CHARACTERS: Final = 500


def is_standard(path: str) -> bool:
    """Whether a path begins with a crate of the standard library."""
    return path.removeprefix("::").partition("::")[0] in STANDARD_CRATES


class Registration(NamedTuple):
    """A handler given to a framework; which symbol it is shows when the whole file is known."""

    handler: Expression
    scope: int
    kind: str
    detail: str
    line: int
    router: Expression = None  # what a route is added to


class OpenFields(NamedTuple):
    """The fields of a type that hold values of its type parameters, of which it says nothing itself."""

    parameters: tuple[str, ...]  # in the order in which an impl gives arguments for them
    fields: list[tuple[int, Node]]  # each with the node of its type


class RustWalk(Gathering):
    """Facts in the making, with what only Rust needs to remember."""

    def __init__(self, source: bytes, path: str) -> None:
        super().__init__(source, path, VOCABULARY)
        self.types: dict[tuple[int, str], int] = {}  # (scope, type name) to its symbol
        self.implemented: dict[int, list[Base]] = {}  # type to the traits implemented for it
        self.self_form: Expression = None  # what Self names
        self.stars_inside = (
            0  # how many `*` before `self` lead inside a type that is a reference or a wrapper
        )
        self.generics: dict[str, Expression] = {}  # type parameter to what bounds it
        self.open_fields: dict[int, OpenFields] = {}  # type to its fields of types that only its impls bound
        self.attributes: list[Node] = []  # those before the item about to be visited
        self.imported: dict[str, str] = {}  # local name to the path it was imported from
        self.own_names = OwnNames(source, self.imports, is_standard)
        self.closures: dict[int, int] = {}  # how many closures a symbol has
        self.strings: dict[int, str] = {}  # call to the string it is given first
        self.environment_calls: dict[int, int] = {}  # call to the environment read it is
        self.coming: frozenset[str] = (
            frozenset()
        )  # variables of the `let` at hand, which its value cannot see
        self.matched: dict[str, Expression] = {}  # names that a match arm or `if let` at hand binds, to what
        self.is_matching = False  # whether a pattern is bound for the branch at hand alone
        self.rebound: list[
            tuple[str, Expression]
        ] = []  # names of blocks at hand, with what they meant before
        self.passed: Expression = None  # what the closure about to be visited is given first
        self.type_argument: Expression = None  # the only one that the function about to be called is given
        self.in_type = False  # whether functions at hand are methods
        self.in_trait = False  # whether members at hand are as public as their trait
        self.registrations: list[Registration] = []
        self.wrapped_verbs: dict[str, str] = {}  # functions that give a handler to a method of HTTP
        self.verbs_looked_for = 0  # the calls among which they were looked for
        self.has_routers: bool | None = None  # whether the file may mount any, once that is asked for
        self.programs: dict[str, str] = {}  # constants that hold the paths of programs of the project
        self.nested: dict[int, tuple[Expression, str]] = {}  # what makes a router, to what it is put below
        self.mounted: list[
            tuple[int, int, str, Expression, Expression]
        ] = []  # scope, line, prefix, router, below what
        self.inner_surveys: list[Survey] = []  # of items that were given to macros
        self.parsed_bytes = 0  # to find them

    def begin(self, kind: SymbolKind, name: str, node: Node) -> Symbol:
        symbol = super().begin(kind, name, node)
        for inner in self.inner_surveys if symbol.complexity is None else ():
            if (complexity := inner.complexity_of(node, self.lines)) is not None:
                return symbol._replace(complexity=complexity)
        return symbol

    def name_form(self, name: str) -> Expression:
        if name == "Self":
            return self.self_form
        if name in {"self", "super"}:
            return self._module_form(name)
        if name in self.coming and name not in self.locals:
            return ("outer", name)
        if name in self.matched:
            return self.matched[name]
        return None if name == "_" else ("name", name)

    def declare(self, node: Node, name: str, value: Expression, declared: Expression = None) -> None:
        """A new name; one that the function already has is another variable until its block ends."""
        if self.is_matching or self.locals.get(name) != self.scope or not self.scope:
            super().declare(node, name, value, declared)
            if name in self.matched:
                self.rebound.append((name, self.matched.pop(name)))
        elif declared is not None or value not in (("name", name), ("awaited", ("name", name))):
            hidden = f"{name}'{len(self.bindings)}"  # no name that source can write
            super().declare(node, hidden, value, declared)
            self.rebound.append((name, self.matched.get(name)))
            self.matched[name] = ("name", hidden)

    def assign(self, node: Node, name: str, value: Expression) -> None:
        meant = self.matched.get(name)
        super().assign(node, meant[1] if meant is not None and meant[0] == "name" else name, value)

    def end_block(self, mark: int) -> None:
        """Forget the variables declared since there were so many."""
        while len(self.rebound) > mark:
            name, before = self.rebound.pop()
            if before is None:
                self.matched.pop(name, None)
            else:
                self.matched[name] = before

    def _module_form(self, word: str) -> Expression:
        """The module that `self` or `super` begins a path with; only one around the file is left to linking."""
        around: list[int] = []
        number = self.scope
        while number:
            symbol = self.symbols[number]
            if symbol.kind == "namespace" and "impl" not in symbol.modifiers:
                around.append(number)
            number = symbol.parent
        around.append(0)
        place = 0 if word == "self" else 1
        return ("symbol", around[place]) if place < len(around) else ("name", word)

    def call_text(self, node: Node) -> str:
        """A callee as written, a chain over several lines on one."""
        return _BROKEN_CHAIN.sub(".", super().call_text(node))

    def number_closure(self) -> str:
        """A name for a closure, as rustc counts them."""
        count = self.closures[self.scope] = self.closures.get(self.scope, -1) + 1
        return f"{{closure#{count}}}"

    def refer_to(self, node: Node, value: Expression) -> None:
        """Note a use of something that is no variable of the function itself."""
        if value is None:
            return
        if value[0] in {"name", "outer"}:
            if value[1] in self.locals or value[1] in PRELUDE_VARIANTS:
                return
        elif value[0] != "member":
            return
        self.refer(node, value, "value")

    def take_attributes(self) -> list[Node]:
        """The attributes of the item at hand, which no other item may have."""
        taken, self.attributes = self.attributes, []
        return taken

    def doc_of(self, node: Node, attributes: list[Node]) -> str:
        """The doc comment above an item or above its attributes."""
        line = self.line(node)
        if attributes:
            first = self.comments.take_doc(self.line(attributes[0]), _DOC_OPENINGS)
            if first:
                return first
        return self.comments.take_doc(line, _DOC_OPENINGS)

    def decorators(self, attributes: list[Node]) -> tuple[Decorator, ...]:
        """Attributes as facts: `#[tokio::main(flavor = "x")]` is `tokio::main`."""
        found = []
        for node in attributes:
            text = self.text.brief(node, _MOST_ATTRIBUTE_CHARACTERS)
            name = text.removeprefix("#").lstrip().removeprefix("[").lstrip()
            for end in "(=]":
                name = name.partition(end)[0]
            found.append(Decorator(name.strip(), text, self.line(node)))
        return tuple(found)

    def type_symbol(self, name: str) -> int | None:
        """The symbol of a type of this file, as seen from the current scope."""
        scope = self.scope
        while True:
            if (number := self.types.get((scope, name))) is not None:
                return number
            if not scope:
                return None
            scope = self.symbols[scope].parent

    def string_of(self, node: Node | None) -> str | None:
        """The contents of a string literal node."""
        if node is None or node.type not in {"string_literal", "raw_string_literal"}:
            return None
        inside = node.named_children
        return self.text.slice(inside[0].start_byte, inside[-1].end_byte) if inside else ""
