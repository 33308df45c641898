"""What a survey of dependencies tells. Apart from the survey, which brings readers of many formats."""

from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class DependencyRow:
    """A declared package. `locked` is the settled version, `imports` how often code imports it: null where that cannot be told."""

    name: str
    ecosystem: str
    scope: str
    version: str | None
    locked: str | None
    imports: int | None
    file: str
    line: int
    manifests: int


@dataclass(frozen=True, slots=True)
class UndeclaredRow:
    """A package that code imports and no manifest declares, with one of the places."""

    package: str
    ecosystem: str
    imports: int
    file: str
    line: int
    only_in_tests: bool
    reason: str


@dataclass(frozen=True, slots=True)
class UnusedRow:
    """A package declared for production that no file imports."""

    name: str
    ecosystem: str
    file: str
    line: int
    confidence: float
    reason: str


class Survey(NamedTuple):
    """All dependencies by name, and where declarations and code disagree."""

    dependencies: tuple[DependencyRow, ...]
    unused: tuple[UnusedRow, ...]
    undeclared: tuple[UndeclaredRow, ...]
    files: tuple[str, ...]
    problems: tuple[str, ...]
