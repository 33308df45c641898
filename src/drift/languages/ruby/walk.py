"""The state of one walk over a Ruby file: what is around the code at hand, and what a bare name in it means."""

from __future__ import annotations

import re
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from drift.languages.facts import Binding, Symbol
from drift.languages.gathering import Gathering
from drift.languages.ruby.vocabulary import VOCABULARY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tree_sitter import Node

    from drift.languages.expressions import Expression
    from drift.languages.ruby.erb import Surroundings

    Handler = Callable[["RubyWalk", Node], Expression]

CLASS_METHOD: Final = "classmethod"
"""The modifier of methods that the class itself has; without it they are those of its objects."""

_TO_TOOLS: Final = re.compile(
    r"^[ \t]*(?:-\*-.*|!/.*|(?:frozen[_-]string[_-]literal|encoding|coding|typed|warn_indent|rubocop|:nodoc|standard)\s*:.*)$",
    re.MULTILINE | re.IGNORECASE,
)
_STRING_PARTS: Final = frozenset({"string_content", "escape_sequence"})


@dataclass(frozen=True, slots=True)
class Nesting:
    """What stands around a route: the path so far, the modules of controllers, and the resource it is of."""

    path: str = ""
    module: str = ""
    controller: str = ""
    member: str = ""  # the path of one thing of the resource around
    name: str = ""  # what the names of routes begin with
    one_name: str = ""  # of one thing of the resource around
    all_name: str = ""  # of all things of it


class RubyWalk(Gathering):
    """Facts in the making, with what only Ruby needs to remember."""

    def __init__(self, source: bytes, path: str) -> None:
        super().__init__(source, path, VOCABULARY)
        self.keep(
            Symbol("module", path.rsplit("/", 1)[-1], 0, 1, 0, self.text.line_count, 0, len(source))._replace(
                complexity=self.survey.complexity_of(self.root, self.lines)
            )
        )
        self.class_number: int | None = None  # the class or module whose body or method the walk is in
        self.method: int | None = None  # the method or block that is a symbol, inside of that
        self.is_singleton = False  # in `class << self`
        self.visibility = "public"  # of the methods that follow in this body
        self.is_module_function = False  # likewise
        self.variables: dict[str, str] = {}  # local variables in sight, to the names they are bound by
        self.is_for_objects = False  # in a block in the body of a class that its objects run
        self.hands_to_macro = False  # in the arguments of a call in the body of a class
        self.block_item: Expression = None  # what `it` and `_1` are in a block without parameters
        self.constant_name: str | None = None  # whose value is being read
        self.opened: dict[
            tuple[int, str], int
        ] = {}  # classes and modules by what they stand in and their names
        self.suite_titles: list[str] = []  # of the test groups the walk is in
        self.suite = 0  # the outermost of these groups
        self.suite_mixins: tuple[
            Expression, ...
        ] = ()  # modules whose methods its tests call by their bare names
        self.described_class: Expression = None  # what the tests around are about
        self.task_names: list[str] = []  # of the namespaces of tasks, likewise
        self.nesting: Nesting | None = None  # what is around a route, in files of routes
        self.collections: list[str] = []  # the paths of the resources around
        self.described = ""  # what the description before a command says
        self.page: Surroundings | None = None  # what a page is run for
        self._bound: dict[tuple[int, str], int] = {}  # how often a name was bound by blocks of a scope

    @contextmanager
    def inside(self, number: int, *, is_class: bool) -> Iterator[None]:
        """A class, or a method or block that is a symbol of its own: its body sees no variables from outside."""
        outer = (
            self.scope, self.class_number, self.method, self.is_singleton, self.visibility,
            self.is_module_function, self.variables, self.block_item, self.constant_name, self.is_for_objects,
            self.hands_to_macro,
        )  # fmt: skip
        self.scope, self.variables = number, {}
        self.is_for_objects = self.hands_to_macro = False
        self.visibility, self.is_module_function, self.is_singleton = "public", False, False
        self.block_item = self.constant_name = None
        if is_class:
            self.class_number, self.method = number, None
        else:
            self.method = number
        yield
        (
            self.scope, self.class_number, self.method, self.is_singleton, self.visibility,
            self.is_module_function, self.variables, self.block_item, self.constant_name, self.is_for_objects,
            self.hands_to_macro,
        ) = outer  # fmt: skip

    @contextmanager
    def run_by_objects(self) -> Iterator[None]:
        """A block that the body of a class hands to a macro, which lets the objects of the class run it."""
        outer = self.is_for_objects, self.hands_to_macro
        self.is_for_objects, self.hands_to_macro = self.class_number is not None, False
        yield
        self.is_for_objects, self.hands_to_macro = outer

    def self_form(self) -> Expression:
        """What `self` is: the object or class of a method, the class in its body, nothing known outside."""
        if self.class_number is None:
            return None
        if self.is_for_objects:
            return self.object_form()
        return ("symbol", self.class_number) if self.method is None else ("this",)

    def object_form(self) -> Expression:
        """An object of the class at hand, as macros in its body speak of its methods."""
        if self.class_number is None:
            return None
        return ("instance", ("symbol", self.class_number)) if self.method is None else ("this",)

    def own_member(self, name: str) -> Expression:
        """What a bare name calls: a method of `self`; outside of classes and pages whatever has the name."""
        own = self.self_form()
        if own is not None:
            return ("member", own, name)
        if self.page is not None:
            return ("member", self.page.methods, name)
        form: Expression = ("name", name)
        for mixin in self.suite_mixins:
            form = ("first", form, ("member", ("own", ("instance", mixin), None), name))
        return form

    def own_variable(self, name: str) -> Expression:
        """An instance variable as it is read."""
        if self.class_number is not None:
            return ("member", ("this",), name)
        return ("name", name) if self.page is None else ("member", self.page.variables, name)

    def bind(self, node: Node, name: str, value: Expression) -> None:
        """A local variable that is given a value."""
        bound = self.variables.get(name)
        if bound is None:
            bound = self.variables[name] = self._free_name(name)
        if value != ("name", bound):
            self.bindings.append(Binding(self.scope, bound, value, self.line(node)))

    def bind_parameter(self, node: Node, name: str, value: Expression) -> None:
        """A parameter of a block, which is no other variable of its name."""
        self.variables.pop(name, None)
        self.bind(node, name, value)

    def _free_name(self, name: str) -> str:
        """A name for a variable that no other of the scope has: blocks beside each other use the same ones."""
        key = (self.scope, name)
        count = self._bound[key] = self._bound.get(key, 0) + 1
        return name if count == 1 else f"{name}:{count}"

    def take_name(self, name: str) -> None:
        """Note a parameter of a method, which binds itself."""
        self.variables[name] = name
        self._bound[self.scope, name] = 1

    def string_of(self, node: Node | None) -> str | None:
        """The contents of a string or symbol literal without code in it."""
        if node is None:
            return None
        if node.type == "simple_symbol":
            return self.text.text(node)[1:]
        if node.type in {"bare_string", "bare_symbol"}:
            return self.text.text(node)
        if node.type == "hash_key_symbol":
            return self.text.text(node)
        if node.type not in {"string", "delimited_symbol"}:
            return None
        parts = node.named_children
        if any(part.type not in _STRING_PARTS for part in parts):
            return None
        return self.text.slice(parts[0].start_byte, parts[-1].end_byte) if parts else ""

    def doc_above(self, line: int) -> str:
        """The comment that ends above a line, without words to tools: `frozen_string_literal`, `rubocop:disable`."""
        doc = self.comments.take_doc(line)
        if not doc or not _TO_TOOLS.search(doc):
            return doc
        return "\n".join(text for text in doc.splitlines() if not _TO_TOOLS.match(text)).strip()

    def add_modifier(self, number: int, word: str) -> None:
        symbol = self.symbols[number]
        if word not in symbol.modifiers:
            self.symbols[number] = symbol._replace(modifiers=tuple(sorted({*symbol.modifiers, word})))


def arguments_of(node: Node) -> list[Node]:
    """The arguments of a call, without comments."""
    listed = node.child_by_field_name("arguments")
    if listed is None:
        return []
    return [child for child in listed.named_children if child.type not in {"comment", "heredoc_body"}]


def statements_of(node: Node | None) -> list[Node]:
    """The statements of a body, without comments and the texts of here documents."""
    if node is None:
        return []
    return [child for child in node.named_children if child.type not in {"comment", "heredoc_body"}]
