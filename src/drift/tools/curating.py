"""Curation of conventions: audit them, approve or ignore them with evidence, and say what examples were worth."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from typing import Annotated, Final

from drift.conventions.auditing import AuditData, audit, audit_summary
from drift.conventions.curating import (
    CurateAction,
    CurationData,
    CurationWish,
    Done,
    FeedbackAction,
    FeedbackData,
    FeedbackWish,
    curate,
    take_feedback,
)
from drift.conventions.curation import Evidence, EvidenceError
from drift.conventions.opinions import AnyRating, Opinion
from drift.conventions.picture import conventions_stamp
from drift.conventions.verification.form import ClaimObject
from drift.dimensions import Category
from drift.index import Layer
from drift.kernel.answer import Answer
from drift.kernel.arguments import Range
from drift.registry import Call, Effect, Length, ProjectFile, Question, tool
from drift.registry.indexes import opened_index
from drift.tools.overview import last_health
from drift.tools.patterns import seen_picture

_WAIT_SECONDS: Final = 120.0
_EVIDENCE: Final = {
    "type": "object",
    "properties": {
        "files": {"type": "string", "title": "Files with places of it, with commas between"},
        "code": {"type": "string", "title": "A piece of code that stands in one of them"},
        "reasoning": {"type": "string", "title": "Why it should be a rule"},
    },
}


@tool(
    category="analysis",
    title="Audit of conventions",
    tokens=(500, 2500),
    needs=Layer.CALLS,
    stamp=conventions_stamp,
    examples=({}, {"categories": ["errors"]}),
)
def drift_audit(
    call: Call,
    threshold: Annotated[float, Range(0, 1), "From which score on to advise approval"] = 0.9,
    categories: Annotated[tuple[Category, ...], "Only of these"] = (),
) -> Answer[AuditData]:
    """What to approve, review or doubt among the conventions, what says the same twice, what is undecided; a score of 100."""
    with opened_index(call) as reader:
        data = audit(seen_picture(call, reader), threshold=threshold, categories=categories)
    data = replace(data, project_health=last_health(call))
    why = "approve what is sure; dryRun=false writes it"
    return Answer(audit_summary(data), data, next=(call.suggest(drift_curate, why, action="bulk_approve"),))


@tool(
    category="curation",
    title="Curate conventions",
    tokens=(200, 2000),
    effect=Effect.WRITES,
    needs=Layer.CALLS,
    examples=(
        {"action": "review"},
        {"action": "verify", "claims": [{"kind": "symbol", "name": "main"}]},
        {"action": "bulk_approve"},
        {"action": "audit"},
    ),
)
async def drift_curate(
    call: Call,
    action: Annotated[CurateAction, "audit: what was decided before, by whom"],
    pattern_id: Annotated[str | None, Length(300), "Needed to verify, approve or ignore"] = None,
    evidence: Annotated[Evidence | None, "files, snippets of code in them, reasoning"] = None,
    confidence_threshold: Annotated[float, Range(0, 1), "Of bulk_approve"] = 0.95,
    dry_run: Annotated[bool, "Of bulk_approve: only tell what would be approved"] = True,
    claims: Annotated[tuple[ClaimObject, ...], Length(50), "To verify: what is said of the code"] = (),
    limit: Annotated[int, Range(1, 100)] = 20,
) -> Answer[CurationData]:
    """Approve or ignore conventions in .drift/rules/, with evidence that is checked; what needs showing depends on how sure they are."""
    shown = evidence or Evidence()
    wish = CurationWish(action, pattern_id, shown, confidence_threshold, dry_run, limit, claims)
    try:
        done = await asyncio.to_thread(_curate, call, wish)
    except EvidenceError as error:
        done = await asyncio.to_thread(_curate, call, await _ask_for_evidence(call, wish, error))
    return Answer(done.summary, done.data)


@tool(
    category="curation",
    title="Rate an answer or an example",
    tokens=(50, 500),
    effect=Effect.WRITES,
    is_idempotent=False,
    examples=({"tool": "drift_callers", "rating": "not_useful", "reason": "wrong_data"}, {"action": "stats"}),
)
def drift_feedback(  # noqa: PLR0917 - each is an argument of the tool
    call: Call,
    action: Annotated[FeedbackAction, "restore: have a rule or dimension that is off count again"] = "rate",
    rating: AnyRating | None = None,
    request_id: Annotated[str | None, Length(200), "meta.requestId of the answer it is about"] = None,
    tool: Annotated[str | None, Length(100), "Or the tool"] = None,
    rule: Annotated[str | None, Length(300), "Or a rule of checks"] = None,
    pattern_id: Annotated[str | None, Length(300), "Or a convention; with file: an example of it"] = None,
    file: Annotated[ProjectFile | None, "Path from the root"] = None,
    line: Annotated[int | None, Range(1, 10_000_000)] = None,
    reason: Annotated[
        str | None, Length(1000), "wrong_data, too_verbose, missing_context, irrelevant or words"
    ] = None,
    fix_applied: bool | None = None,
) -> Answer[FeedbackData]:
    """Rate an answer, a rule or an example. What is of no use is shown less, or switched off; stats tells what was said."""
    named = tool or (call.runtime.tool_of(request_id) if request_id else None)
    opinion = Opinion(rating, named, request_id, rule, pattern_id, reason, fix_applied) if rating else None
    wish = FeedbackWish(action, pattern_id, rule, file, line)
    said = take_feedback(
        call.project,
        wish,
        opinion,
        client=_actor(call),
        is_person=call.caller.is_person,
        now=datetime.now(UTC),
    )
    return Answer(said.summary, said.data)


def _curate(call: Call, wish: CurationWish) -> Done:
    with opened_index(call) as reader:
        picture = seen_picture(call, reader)
        return curate(call.project, reader, picture, wish=wish, by=_actor(call), now=datetime.now(UTC))


async def _ask_for_evidence(call: Call, wish: CurationWish, error: EvidenceError) -> CurationWish:
    """The wish with what the person adds to it; the error where nobody is there to ask."""
    reply = await call.client.ask(Question("evidence", error.question, _EVIDENCE, _WAIT_SECONDS))
    if reply is None or not reply.accepted:
        raise error
    files = tuple(each.strip() for each in str(reply.content.get("files") or "").split(",") if each.strip())
    code = str(reply.content.get("code") or "")
    why = str(reply.content.get("reasoning") or "")
    shown = wish.evidence
    return wish._replace(
        evidence=Evidence(
            (*shown.files, *files),
            (*shown.snippets, code) if code else shown.snippets,
            why or shown.reasoning,
        )
    )


def _actor(call: Call) -> str:
    return "person" if call.caller.is_person else call.client.name or str(call.caller.id)
