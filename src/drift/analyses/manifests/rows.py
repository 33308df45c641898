"""What a survey of dependencies tells. Apart from the survey, which brings readers of many formats."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from drift.kernel.ranking import Sort
from drift.kernel.text import plural

EcosystemChoice = Literal["python", "node", "go", "rust", "jvm", "php", "dotnet", "cpp"]


ScopeChoice = Literal["prod", "dev", "peer", "optional", "build", "all"]


_MOST_FINDINGS: Final = 15


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


@dataclass(frozen=True, slots=True)
class DependenciesData:
    """Declared packages by name, and up to fifteen each of those that code does not import or nobody declares."""

    dependencies: tuple[DependencyRow, ...]
    unused_count: int
    unused: tuple[UnusedRow, ...]
    undeclared_count: int
    undeclared: tuple[UndeclaredRow, ...]
    manifests: tuple[str, ...]


def narrowed(found: Survey, search: str, scope: ScopeChoice, ecosystem: str | None) -> Survey:
    def is_wanted(name: str, kind: str) -> bool:
        return search in name.lower() and ecosystem in {None, kind}

    dependencies = (row for row in found.dependencies if is_wanted(row.name, row.ecosystem))
    return Survey(
        tuple(row for row in dependencies if scope in {"all", row.scope}),
        tuple(row for row in found.unused if is_wanted(row.name, row.ecosystem) and scope in {"all", "prod"}),
        tuple(row for row in found.undeclared if is_wanted(row.package, row.ecosystem)),
        found.files,
        found.problems,
    )


DEPENDENCY_SORTS: Final[Mapping[str, Sort[DependencyRow]]] = {
    "name": Sort(lambda row: (row.name.lower(), row.ecosystem)),
    "imports": Sort(lambda row: (-1 if row.imports is None else -2 - row.imports,), "desc"),
    "file": Sort(lambda row: (row.file, row.line)),
}


def dependencies_data(survey: Survey, shown: tuple[DependencyRow, ...]) -> DependenciesData:
    """The answer that shows these of the dependencies."""
    return DependenciesData(
        shown,
        len(survey.unused),
        survey.unused[:_MOST_FINDINGS],
        len(survey.undeclared),
        survey.undeclared[:_MOST_FINDINGS],
        survey.files[:_MOST_FINDINGS],
    )


def summarize(survey: Survey) -> str:
    counted = plural(len(survey.dependencies), "dependency", "dependencies")
    return (
        f"{counted} in {plural(len(survey.files), 'manifest')}; "
        f"{len(survey.unused)} unused, {len(survey.undeclared)} undeclared"
    )
