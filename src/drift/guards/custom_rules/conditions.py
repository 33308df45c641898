"""When a rule fires: conditions over a file, as they are written. Each is one of a few kinds, or made of others."""

from dataclasses import dataclass
from typing import Final, Literal

from drift.analyses.file_globs import PathGlob
from drift.kernel.linear_patterns import LinearPattern

COMPOSITES: Final = ("all", "any", "not")
KINDS: Final = (
    "filePattern",
    "contentPattern",
    "query",
    "imports",
    "calls",
    "naming",
    "structure",
    *COMPOSITES,
)


@dataclass(frozen=True, slots=True)
class PathIs:
    """The path fits one of some patterns."""

    globs: tuple[PathGlob, ...]


@dataclass(frozen=True, slots=True)
class TextHas:
    """A line has what a regular expression looks for."""

    pattern: LinearPattern


@dataclass(frozen=True, slots=True)
class SyntaxHas:
    """A query of tree-sitter marks a `@site`; `id` is what the index keeps its sites under."""

    id: str


@dataclass(frozen=True, slots=True)
class Imports:
    """A module, a package or a file is imported that fits one of some patterns."""

    patterns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Calls:
    """Something is called that fits one of some patterns, as written or by its full name."""

    patterns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Named:
    """A symbol of some kinds has a name that a pattern matches, or that it does not match."""

    kinds: frozenset[str]
    pattern: LinearPattern
    is_wanted: bool


@dataclass(frozen=True, slots=True)
class Lacks:
    """The file has no companion at a place named after it."""

    companion: str


@dataclass(frozen=True, slots=True)
class Combined:
    """All of some conditions hold, one of them, or none."""

    how: Literal["all", "any", "not"]
    parts: "tuple[Condition, ...]"


Condition = PathIs | TextHas | SyntaxHas | Imports | Calls | Named | Lacks | Combined
