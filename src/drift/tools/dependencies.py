"""Dependencies: what manifests declare, locks settle and code imports."""

from dataclasses import dataclass
from typing import Annotated, Literal

from drift.analyses.manifests.rows import DependencyRow, Survey, UndeclaredRow, UnusedRow
from drift.analyses.manifests.survey import survey_dependencies
from drift.index import Layer
from drift.kernel.answer import Answer
from drift.kernel.text import plural
from drift.registry import Call, Length, Page, tool
from drift.registry.indexes import opened_index
from drift.tools.listing import Sort, sort_page

EcosystemChoice = Literal["python", "node", "go", "rust", "jvm", "php", "dotnet", "cpp"]
ScopeChoice = Literal["prod", "dev", "peer", "optional", "build", "all"]
_SORTS: dict[str, Sort[DependencyRow]] = {
    "name": Sort(lambda row: (row.name.lower(), row.ecosystem)),
    "imports": Sort(lambda row: (-1 if row.imports is None else -2 - row.imports,), "desc"),
    "file": Sort(lambda row: (row.file, row.line)),
}
_MOST_FINDINGS = 15
_MOST_PROBLEMS = 5


@dataclass(frozen=True, slots=True)
class DependenciesData:
    """Declared packages by name, and up to fifteen each of those that code does not import or nobody declares."""

    dependencies: tuple[DependencyRow, ...]
    unused_count: int
    unused: tuple[UnusedRow, ...]
    undeclared_count: int
    undeclared: tuple[UndeclaredRow, ...]
    manifests: tuple[str, ...]


@tool(
    category="surgical",
    title="Dependencies",
    tokens=(200, 1500),
    ttl=60,  # lock files change without a change of the index
    needs=Layer.IMPORTS,
    examples=({}, {"search": "http", "type": "prod"}),
)
def drift_dependencies(
    call: Call,
    search: Annotated[str | None, Length(200), "Part of a name"] = None,
    type: ScopeChoice = "all",  # noqa: A002 - the word agents use
    ecosystem: EcosystemChoice | None = None,
    page: Page = Page(limit=30, sorts=tuple(_SORTS)),
) -> Answer[DependenciesData]:
    """Dependencies declared, locked and used; declared but unused; used but undeclared. Standard libraries are none."""
    with opened_index(call) as reader:
        found = survey_dependencies(reader, call.project.root)
    survey = _narrowed(found, (search or "").lower(), type, ecosystem)
    shown, pagination = sort_page(call, page, survey.dependencies, sorts=_SORTS)
    return Answer(
        f"{plural(len(survey.dependencies), 'dependency', 'dependencies')} in {plural(len(found.files), 'manifest')}; "
        f"{len(survey.unused)} unused, {len(survey.undeclared)} undeclared",
        DependenciesData(
            shown,
            len(survey.unused),
            survey.unused[:_MOST_FINDINGS],
            len(survey.undeclared),
            survey.undeclared[:_MOST_FINDINGS],
            found.files[:_MOST_FINDINGS],
        ),
        pagination=pagination,
        warnings=tuple(f"not read: {each}" for each in found.problems[:_MOST_PROBLEMS]),
    )


def _narrowed(found: Survey, search: str, scope: ScopeChoice, ecosystem: str | None) -> Survey:
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
