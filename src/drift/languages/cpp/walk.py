"""The state of one walk over a C or C++ file, and what a name in it stands for."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final

from drift.languages.cpp.vocabulary import C_VOCABULARY, CPP_VOCABULARY
from drift.languages.facts import Symbol
from drift.languages.gathering import Gathering
from drift.languages.kinds import FUNCTION_KINDS, Kinds, SymbolKind

if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Node

    from drift.languages.cpp.declaring_macros import MacroUse
    from drift.languages.cpp.openings import Opening
    from drift.languages.expressions import Expression

    Handler = Callable[["CppWalk", Node], Expression]

_MOST_BLANKS: Final = 20
GLOBAL_SCOPE: Final = ("name", "::")
_CLASSES: Final[Kinds] = frozenset({"class", "struct"})


class CppWalk(Gathering):
    """Facts in the making, with what only C and C++ need to remember."""

    def __init__(self, source: bytes, path: str, *, is_cpp: bool) -> None:
        super().__init__(source, path, CPP_VOCABULARY if is_cpp else C_VOCABULARY)
        self.is_cpp = is_cpp
        if is_cpp:
            self.survey.broken = [one for one in self.survey.broken if not _is_empty_braces(source, one)]
        self.keep(
            Symbol("module", path.rsplit("/", 1)[-1], 0, 1, 0, self.text.line_count, 0, len(source))._replace(
                complexity=self.survey.complexity_of(self.root, self.lines)
            )
        )
        self.known: set[str] = set()  # names of the function at hand: parameters and variables
        self.objects: dict[str, bool] = {}  # those of them that are objects, no pointers; whether constant
        self.object_types: dict[str, Expression] = {}  # the classes of objects, by the name declared last
        self.type_parameters: frozenset[str] = frozenset()
        self.template: Node | None = None  # the template header of the declaration about to be read
        self.access = "public"  # what an access specifier last said
        self.written = source  # with the macros that a reading leaves out
        self.is_slot = False  # behind `private slots:`
        self.is_signal = False  # behind `signals:`
        self.slots: set[tuple[str, str]] = set()  # private slots, each with its class
        self.is_hidden = False  # in an unnamed namespace
        self.constant_name: str | None = None  # whose value is being read
        self.namespaces: set[str] = set()
        self.openings: list[Opening] = []  # stretches that macros put into namespaces, yet to be entered
        self.entered: list[tuple[int, int, int]] = []  # where one ends, its scope, and the scope around it
        self.expansions: deque[MacroUse] = deque()  # of macros that declare members, yet to be read
        self.given_name = ""  # that a typedef gives to the unnamed struct it begins with

    @property
    def is_in_class(self) -> bool:
        return self.symbols[self.scope].kind in _CLASSES

    @property
    def is_in_function(self) -> bool:
        return self.symbols[self.scope].kind in FUNCTION_KINDS

    @property
    def class_name(self) -> str:
        return self.symbols[self.scope].name

    def given_object(self, name: str, given: Expression) -> Expression:
        """What a variable is given; of one that is an object itself, that it is one of its class all the same."""
        form = self.object_types.get(name) if name in self.objects else None
        is_made = given is not None and given[0] == "result" and self.calls[given[1]].callee == form
        return given if form is None or is_made else ("own", ("instance", form), given)

    def start(self, kind: SymbolKind, name: str, node: Node) -> Symbol:
        """A symbol that covers a node and the template header before it."""
        symbol = self.begin(kind, name, node)
        header, self.template = self.template, None
        if header is None:
            return symbol
        line, column = self.place(header)
        return symbol._replace(
            line=line, column=column, start_byte=header.start_byte, modifiers=("template",)
        )

    def take_doc(self, line: int, *, is_member: bool = False) -> str:
        """The comment above a line; of members and variables only what is marked as documentation."""
        return self.comments.take_doc(line, ("/**", "/*!", "///", "//!") if is_member else ())

    def string_of(self, node: Node | None) -> str | None:
        """The contents of a string literal, of neighbouring ones joined."""
        if node is None or node.type not in {"string_literal", "concatenated_string", "raw_string_literal"}:
            return None
        if node.type == "concatenated_string":
            return "".join(self.string_of(child) or "" for child in node.named_children)
        parts = [child for child in node.named_children if child.type != "raw_string_delimiter"]
        return self.text.slice(parts[0].start_byte, parts[-1].end_byte) if parts else ""


def _is_empty_braces(source: bytes, node: Node) -> bool:
    """Whether the grammar misses a type before braces, which C++ asks for none: `const Text& text = {}`."""
    if not node.is_missing or node.type != "type_identifier":
        return False
    before = source[max(0, node.start_byte - _MOST_BLANKS) : node.start_byte].rstrip()
    after = source[node.start_byte : node.start_byte + _MOST_BLANKS].lstrip()
    return before.endswith(b"=") and after.startswith(b"{")


def parts_of(node: Node, *fields: str) -> tuple[Node | None, ...]:
    """The children in these fields, of which a node without comments in it has exactly these and one token each.

    Asking by place is several times cheaper than by name, and calls and members are most of any file.
    """
    children = node.children
    if len(children) == 2 * len(fields) - 1:
        return tuple(children[::2])
    return tuple(node.child_by_field_name(field) for field in fields)


def sorted_modifiers(*groups: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted({modifier for group in groups for modifier in group}))
