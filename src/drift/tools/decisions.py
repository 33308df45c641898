"""Decisions of the past: what was chosen, when and by which commits, with evidence."""

from datetime import UTC, datetime
from typing import Annotated

from drift.decisions.asking import DecisionAction, DecisionsData, DecisionWish, answer
from drift.decisions.book import Verdict
from drift.decisions.form import DecisionCategory
from drift.index import Layer
from drift.kernel.answer import Answer
from drift.kernel.arguments import Range
from drift.registry import Call, Effect, Length, ProjectFile, Scope, tool
from drift.registry.indexes import opened_index


@tool(
    category="analysis",
    title="Decisions",
    tokens=(400, 2500),
    effect=Effect.WRITES,
    action_scopes={"confirm": frozenset({Scope.WRITE})},
    needs=Layer.CALLS,
    examples=({"action": "list"}, {"action": "timeline"}, {"action": "search", "query": "http client"}),
)
def drift_decisions(
    call: Call,
    action: Annotated[DecisionAction, "confirm writes .drift/rules/decisions.toml"] = "list",
    id: Annotated[str | None, Length(400), "Needed to get or confirm"] = None,  # noqa: A002 - the word agents use
    *,
    file: Annotated[ProjectFile | None, "Of for-file: a file or folder"] = None,
    query: Annotated[str | None, Length(300), "Of search"] = None,
    category: DecisionCategory | None = None,
    since: Annotated[str | None, Length(10), "YYYY-MM-DD"] = None,
    until: Annotated[str | None, Length(10), "YYYY-MM-DD"] = None,
    min_confidence: Annotated[float, Range(0, 1)] = 0.5,
    verdict: Annotated[Verdict, "Of confirm"] = "confirmed",
    title: Annotated[str | None, Length(200), "Of confirm: a better one"] = None,
    reason: Annotated[str | None, Length(1000), "Of confirm: why"] = None,
    limit: Annotated[int, Range(1, 200)] = 20,
) -> Answer[DecisionsData]:
    """Why it is as it is: dependencies exchanged, breaks, moves, conventions changed, read from history; and written records."""
    wish = DecisionWish(
        action, id, file, query, category, since, until, min_confidence, verdict, title, reason, limit
    )
    by = "person" if call.caller.is_person else str(call.caller.id)
    with opened_index(call) as reader:
        told = answer(reader, call.project, wish, by=by, now=datetime.now(UTC))
    return Answer(told.summary, told.data, warnings=told.warnings)
