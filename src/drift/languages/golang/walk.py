"""The state of one walk over a Go file, and what a name in it stands for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.languages.expressions import NameForm
from drift.languages.gathering import Gathering
from drift.languages.golang.vocabulary import VOCABULARY

if TYPE_CHECKING:
    from tree_sitter import Node

    from drift.languages.expressions import Expression

_MOST_LEFT_BYTES: Final = 200  # of a line before `:=`; what is longer is no list of names
_DIRECTIVE = re.compile(r"^[a-z0-9]+:[a-z0-9].*$\n?", re.MULTILINE)


def _find_short_names(source: bytes) -> frozenset[str]:
    """The names that `:=` gives anywhere in a file, and maybe a few words more."""
    found: set[bytes] = set()
    for before in source.split(b":=")[:-1]:
        line = before[-_MOST_LEFT_BYTES:].rpartition(b"\n")[2]
        found.update(line.replace(b",", b" ").split())
    return frozenset(name.decode("utf-8", "replace") for name in found)


class Registration(NamedTuple):
    """A handler given to a framework; which symbol it is shows when the whole file is known."""

    handler: Expression
    scope: int
    kind: str
    detail: str
    line: int
    is_sure: bool = True
    router: Expression = None


class GoWalk(Gathering):
    """Facts in the making, with what only Go needs to remember."""

    def __init__(self, source: bytes, path: str) -> None:
        super().__init__(source, path, VOCABULARY)
        self.packages: dict[str, str] = {}  # local name to import path
        self.types: dict[str, int] = {}  # type name to its symbol
        self.generics: dict[str, Expression] = {}  # type parameter to what constrains it
        self.receiver = ""  # what the method at hand calls its receiver
        self.coming: frozenset[str] = (
            frozenset()
        )  # variables of the `:=` at hand, which its values cannot see
        self.short_names = _find_short_names(source)
        self.is_in_body = False
        self.result_names: tuple[str, ...] = ()
        self.closures: dict[int, int] = {}  # how many unnamed functions a symbol has
        self.closure_parent: int | None = None  # a package variable whose value is being read
        self.implied_type: Expression = None  # of the braces about to be read
        self.prefixes: dict[tuple[int, str], str] = {}  # router variable to the path its routes begin with
        self.mounted: dict[
            str, tuple[str, str]
        ] = {}  # router variable to the one it is mounted on, and its path
        self.has_routers: bool | None = (
            None  # whether a package with routers is imported, once that is asked for
        )
        self.group_paths: dict[int, str] = {}  # call that makes a group of routes to its path
        self.registrations: list[Registration] = []
        self.operations: list[tuple[str, str]] = []
        """Method and path of routes in literals, until the call is met that gives it a handler."""

    def imports_any(self, paths: tuple[str, ...]) -> bool:
        """Whether a package under one of these paths is imported."""
        return any(imported.startswith(paths) for imported in self.packages.values())

    def name_form(self, name: str) -> Expression:
        """What a name stands for, where it is a value or a package."""
        if name == self.receiver and name not in self.locals:
            return ("this",)
        is_elsewhere = name in self.coming or (name in self.short_names and name in self.packages)
        if is_elsewhere and name not in self.locals:
            return ("outer", name)
        return None if name == "_" else ("name", name)

    def type_name_form(self, name: str) -> NameForm:
        """What a name stands for that is of a type or of a type's package, so of no variable of a function."""
        is_shadowed = self.is_in_body and name in self.short_names
        return ("outer" if is_shadowed else "name", name)

    def number_closure(self, parent: int) -> str:
        """A name for an unnamed function, as Go's own stack traces count them."""
        count = self.closures[parent] = self.closures.get(parent, 0) + 1
        return f"func{count}"

    def doc_above(self, line: int) -> str:
        """The doc comment of what starts at a line, without directives (`//go:noinline`)."""
        doc = self.comments.take_doc(line)
        return _DIRECTIVE.sub("", doc).strip() if ":" in doc else doc

    def package_of(self, value: Expression) -> str:
        """The import path that a value names, or nothing."""
        if value is not None and value[0] in {"name", "outer"} and value[1] not in self.locals:
            return self.packages.get(value[1], "")
        return ""

    def string_of(self, node: Node | None) -> str | None:
        """The contents of a string literal node."""
        if node is None or node.type not in {"interpreted_string_literal", "raw_string_literal"}:
            return None
        return self.text.slice(node.start_byte + 1, node.end_byte - 1)
