"""Where data lives, who reaches it, and what guards the way."""

from dataclasses import replace
from functools import partial
from typing import Annotated

from drift.index import Layer
from drift.kernel.answer import Answer
from drift.registry import Call, KnownPath, Length, Page, Range, Scope, tool
from drift.registry.indexes import opened_index
from drift.registry.listing import list_answer
from drift.security.answers import (
    BoundaryData,
    Wish,
    boundaries_answer,
    boundary_data,
    boundary_steps,
    security_answer,
    security_steps,
)
from drift.security.boundaries import TABLE_SORTS
from drift.security.summary import Focus, SecurityData, security_summary, security_warnings


@tool(
    category="exploration",
    title="Data boundaries",
    tokens=(300, 2500),
    needs=Layer.CALLS,
    scopes=frozenset({Scope.SECURITY}),
    examples=({}, {"module": "shop", "sensitiveOnly": True}),
)
def drift_boundaries(
    call: Call,
    module: Annotated[KnownPath | None, "Only what files below this path touch"] = None,
    table: Annotated[str | None, Length(200), "Table or model"] = None,
    *,
    sensitive_only: Annotated[bool, "Only tables with sensitive fields"] = False,
    max_depth: Annotated[int, Range(1, 50), "Calls between an entry point and an access"] = 10,
    page: Page = Page(limit=10, sorts=tuple(TABLE_SORTS)),
) -> Answer[BoundaryData]:
    """Tables and who reaches them. Places, modules, entry points with their guards, sensitive fields with why, broken rules."""
    wish = Wish(module, table, sensitive_only, max_depth)
    with opened_index(call) as reader:
        found = boundaries_answer(reader, call.project, wish)
        data = partial(boundary_data, reader, found)
        answer = list_answer(call, page, found.ranked, data, summary=found.summary, warnings=found.warnings)
    return replace(answer, next=boundary_steps(found))


@tool(
    category="exploration",
    title="Security summary",
    tokens=(300, 2000),
    needs=Layer.CALLS,
    scopes=frozenset({Scope.SECURITY}),
    is_long=True,
    examples=({}, {"focus": "critical"}),
)
def drift_security_summary(
    call: Call,
    focus: Annotated[Focus, "Which part"] = "all",
    limit: Annotated[int, Range(1, 100), "Of each list"] = 10,
) -> Answer[SecurityData]:
    """State of security in numbers. Sensitive data, open routes, raw SQL, broken boundaries, secrets and flows."""
    with opened_index(call) as reader:
        data = security_answer(reader, call.project, focus=focus, limit=limit)
        warnings = security_warnings(reader, data)
    return Answer(security_summary(data), data, next=security_steps(data), warnings=warnings)
