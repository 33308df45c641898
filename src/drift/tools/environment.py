"""Environment variables: who reads them, where they are declared, and what does not fit together."""

from typing import Annotated

from drift.analyses.environment.answers import (
    ENVIRONMENT_SORTS,
    Action,
    EnvironmentData,
    data,
    describe,
    list_variables,
    survey,
)
from drift.analyses.environment.naming import Sensitivity
from drift.analyses.environment.variables import Kind
from drift.index import Layer
from drift.kernel.answer import Answer
from drift.kernel.errors import needed
from drift.registry import Call, Length, Page, tool
from drift.registry.indexes import opened_index
from drift.registry.listing import list_answer


@tool(
    category="exploration",
    title="Environment variables",
    tokens=(200, 1500),
    needs=Layer.SYMBOLS,
    examples=({}, {"action": "undeclared"}, {"action": "list", "sensitivity": "secret"}),
)
def drift_env(
    call: Call,
    action: Annotated[
        Action, "unread: declared alone; undeclared: read alone; differing: defaults"
    ] = "overview",
    variable: Annotated[str | None, Length(200), "Name, with action=variable"] = None,
    file: Annotated[str | None, "Path, with action=file"] = None,
    sensitivity: Annotated[Sensitivity | None, "Only these"] = None,
    kind: Annotated[Kind, "setting: of configuration files"] = "environment",
    page: Page = Page(limit=30, sorts=ENVIRONMENT_SORTS),
) -> Answer[EnvironmentData]:
    """Environment variables. Where read and declared, which are secret or required, what does not fit together."""
    with opened_index(call) as reader:
        if action == "overview":
            return Answer(*survey(reader, call.project.root))
        if action == "variable":
            return Answer(*describe(reader, needed("variable", variable, when="action=variable")))
        place = needed("file", file, when="action=file") if action == "file" else None
        found = list_variables(reader, call.project.root, action, kind=kind, file=place, wanted=sensitivity)
    return list_answer(call, page, found.ranked(), data, summary=found.summary, warnings=found.warnings)
