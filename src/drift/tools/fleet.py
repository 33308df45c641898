"""The fleet: questions over many repositories at once."""

from datetime import UTC, datetime
from typing import Annotated

from drift.fleet import FLEET_SORTS, Action, FleetData, Question, answer_fleet, asked_fleet, fleet_stamp
from drift.kernel.answer import Answer
from drift.registry import Call, Length, Page, Tier, tool
from drift.registry.listing import list_answer


@tool(
    category="exploration",
    title="Fleet of repositories",
    tokens=(100, 1500),
    tier=Tier.EXPENSIVE,
    stamp=fleet_stamp,
    examples=({}, {"action": "callers", "function": "add_tax", "repository": "pricing"}),
)
def drift_fleet(
    call: Call,
    action: Action = "status",
    function: Annotated[str | None, Length(300), "callers: name, Class.method, or the full name"] = None,
    repository: Annotated[str | None, Length(100), "Of the fleet; default: this project"] = None,
    convention: Annotated[str | None, Length(200), "conventions: an id, to see each repository"] = None,
    variant: Annotated[str | None, Length(200), "conventions: the wanted one; default: the usual"] = None,
    search: Annotated[str | None, Length(300), "instructions: words or an id"] = None,
    page: Page = Page(limit=20, sorts=FLEET_SORTS),
) -> Answer[FleetData]:
    """Over all repositories of the fleet: callers of a package's function, conventions, contracts, instructions, status."""
    question = Question(action, function, repository, convention, variant, search)
    with asked_fleet(call.project, datetime.now(UTC)) as asked:
        found = answer_fleet(asked, question, call.project)
    warnings = () if action == "status" else asked.report.warnings
    return list_answer(call, page, found.ranked, found.data, summary=found.summary, warnings=warnings)
