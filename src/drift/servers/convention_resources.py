"""Resources of drift-analysis about conventions: all of them, those of a category, one with its places."""

from typing import Final

from drift.dimensions.form import CATEGORIES
from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.pipeline import ServerRuntime
from drift.protocol.completions import Suggest
from drift.protocol.resources import Resource, Template
from drift.protocol.sources import Content
from drift.servers.assembly import read_tool

CONVENTIONS: Final = "drift://conventions"
PATTERNS: Final = "drift://patterns"
_ONE: Final = f"{PATTERNS}/{{id}}"
_OF_CATEGORY: Final = f"{PATTERNS}?category={{category}}"
_MOST: Final = 100


def convention_resource(runtime: ServerRuntime) -> Resource:
    """All conventions, the surest first."""

    async def read() -> Content:
        return await read_tool(runtime, "drift_patterns_list", limit=_MOST)

    return Resource(
        CONVENTIONS,
        "Conventions",
        "What this project does, how sure that is, and how many do otherwise",
        read,
    )


def convention_templates(runtime: ServerRuntime) -> tuple[Template, ...]:
    """One convention by its id, and those of a category."""

    async def read_category(category: str) -> Content:
        if category not in CATEGORIES:
            raise DriftError(
                ErrorCode.RESOURCE_NOT_FOUND,
                f"There is no category {category[:60]!r}.",
                Recovery(hint=f"There are {', '.join(CATEGORIES)}."),
            )
        return await read_tool(runtime, "drift_patterns_list", categories=[category], limit=_MOST)

    async def read_one(id_: str) -> Content:
        try:
            return await read_tool(runtime, "drift_pattern_get", id=id_)
        except DriftError as error:
            if error.code is not ErrorCode.PATTERN_NOT_FOUND:
                raise
            raise DriftError(ErrorCode.RESOURCE_NOT_FOUND, error.message, error.recovery) from error

    return (
        Template(
            _OF_CATEGORY, "Conventions of a category", "Those about errors, tests, names, …", read_category
        ),
        Template(
            _ONE, "Convention", "A rule, its places, examples and outliers", read_one, may_have_slashes=True
        ),
    )


def convention_completions(runtime: ServerRuntime) -> dict[tuple[str, str], Suggest]:
    """The categories, and the ids of what was counted last."""
    return {(_OF_CATEGORY, "category"): lambda: list(CATEGORIES), (_ONE, "id"): lambda: _ids(runtime)}


def _ids(runtime: ServerRuntime) -> list[str]:
    # Brings dimensions and their words, which only who completes an id needs.
    from drift.conventions.glance import read_glance

    state = runtime.index_state(runtime.project)
    return [id_ for id_, _, _ in read_glance(runtime.project, state.generation).rules]
