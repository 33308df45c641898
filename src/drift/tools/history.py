"""History: what changed lately, and where."""

from typing import Annotated

from drift.analyses.history import (
    COMMIT_SORTS,
    Recent,
    RecentData,
    find_recent,
    history_warnings,
)
from drift.kernel.answer import Answer, NextAction
from drift.kernel.text import plural
from drift.registry import Call, Length, Page, ProjectFile, Range, tool
from drift.registry.listing import Next, list_answer


@tool(
    category="surgical",
    title="Recent changes",
    tokens=(200, 1000),
    ttl=0,  # a commit does not change the index that answers are kept under
    examples=({"area": "shop"}, {"days": 30, "type": "fix"}),
)
def drift_recent(
    call: Call,
    area: Annotated[ProjectFile | None, "File or folder"] = None,
    days: Annotated[int, Range(1, 365)] = 7,
    type: Annotated[str | None, Length(20), "feat, fix, refactor, … where commits are typed"] = None,  # noqa: A002 - the word agents use
    page: Page = Page(limit=15, sorts=tuple(COMMIT_SORTS)),
) -> Answer[RecentData]:
    """What changed lately in the project or one place: commits and most-touched files, from git, renames followed."""
    found = find_recent(call.project.root, area=area, days=days, kind=type)
    return list_answer(
        call,
        page,
        found.ranked(),
        found.data,
        summary=f"{found.summary}{f' in {area}' if area else ''} in {plural(days, 'day')}{found.until}",
        next=_next(found, area, days),
        warnings=history_warnings(found.found, type),
    )


def _next(found: Recent, area: str | None, days: int) -> Next:
    if found.present_file is not None:
        target = {"target": found.present_file}
        return (NextAction("drift_explain", target, "see what the most touched file is"),)
    if found.found.commits or days >= 90:  # noqa: PLR2004 - a quarter, long enough to call a place quiet
        return ()
    where = {"area": area} if area else {}
    return (NextAction("drift_recent", {**where, "days": 90}, "look further back"),)
