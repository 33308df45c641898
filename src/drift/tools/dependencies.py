"""Dependencies: what manifests declare, locks settle and code imports."""

from functools import partial
from typing import Annotated

from drift.analyses.dependencies import (
    DEPENDENCY_SORTS,
    DependenciesData,
    EcosystemChoice,
    ScopeChoice,
    dependencies_data,
    narrowed,
    summarize,
    survey_dependencies,
)
from drift.index import Layer
from drift.kernel.answer import Answer
from drift.kernel.ranking import Ranked
from drift.registry import Call, Length, Page, tool
from drift.registry.indexes import opened_index
from drift.registry.listing import list_answer

_MOST_PROBLEMS = 5


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
    page: Page = Page(limit=30, sorts=tuple(DEPENDENCY_SORTS)),
) -> Answer[DependenciesData]:
    """Dependencies declared, locked and used; declared but unused; used but undeclared. Standard libraries are none."""
    with opened_index(call) as reader:
        found = survey_dependencies(reader, call.project.root)
    survey = narrowed(found, (search or "").lower(), type, ecosystem)
    return list_answer(
        call,
        page,
        Ranked(survey.dependencies, DEPENDENCY_SORTS),
        partial(dependencies_data, survey),
        summary=summarize(survey),
        warnings=tuple(f"not read: {each}" for each in found.problems[:_MOST_PROBLEMS]),
    )
