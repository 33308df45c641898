"""Tools through which clients tell how the server serves them, and people answer."""

from pathlib import Path
from typing import Annotated, Any, Final, Literal

from drift.catalog.feedback import (
    FeedbackConfig,
    FeedbackCounts,
    FeedbackGetData,
    FeedbackHealthData,
    FeedbackListData,
    FeedbackStatsData,
    StorageRow,
    SubmittedData,
    feedback_row,
)
from drift.kernel.answer import Answer
from drift.kernel.text import plural
from drift.registry import Call, Effect, Length, Range, Scope
from drift.tools.catalogs.access import catalog_of, catalog_tool, noting_catalog

Type = Literal[
    "issue", "bug-report", "feature-request", "security", "documentation", "performance", "usability", "other"
]
Severity = Literal["low", "medium", "high", "critical"]
Status = Literal["new", "acknowledged", "in-progress", "resolved", "closed"]
Time = Annotated[str, Length(40), "ISO 8601"]
FeedbackId = Annotated[str, Length(100)]

_ANY_CALLER: Final[frozenset[Scope]] = frozenset()
_ADMIN: Final = frozenset({Scope.ADMIN})


@catalog_tool(
    title="Send feedback",
    tokens=(30, 100),
    effect=Effect.WRITES,
    is_idempotent=False,
    scopes=_ANY_CALLER,
    method="feedback/submit",
    examples=(
        {"type": "issue", "severity": "low", "title": "Search is slow", "description": "Over a second each."},
    ),
)
def feedback_submit(
    call: Call,
    type: Type,  # noqa: A002 - the argument's name on the wire
    severity: Severity,
    title: Annotated[str, Length(200), "3 characters or more"],
    description: Annotated[str, Length(5000), "10 characters or more"],
    context: dict[str, Any] | None = None,
    tags: Annotated[tuple[str, ...], Length(10)] = (),
) -> Answer[SubmittedData]:
    """Tell the server's people of a defect, a wish or a danger."""
    kept = noting_catalog(call).feedback.submit(
        kind=type, severity=severity, title=title, description=description, context=context, tags=tags
    )
    return Answer(f"kept as {kept.id}", SubmittedData(kept.id, "submitted", kept.timestamp))


@catalog_tool(title="List feedback", tokens=(50, 4000), method="feedback/list")
def feedback_list(
    call: Call,
    *,
    type: Type | None = None,  # noqa: A002 - the argument's name on the wire
    severity: Severity | None = None,
    status: Status | None = None,
    since: Time | None = None,
    until: Time | None = None,
    tags: Annotated[tuple[str, ...], Length(10), "All of them"] = (),
    limit: Annotated[int, Range(1, 200)] = 50,
    offset: Annotated[int, Range(0, 1_000_000)] = 0,
) -> Answer[FeedbackListData]:
    """Feedback that fits, the newest first."""
    found = catalog_of(call).feedback.list_entries(
        kind=type,
        severity=severity,
        status=status,
        since=since,
        until=until,
        tags=tags,
        limit=limit,
        offset=offset,
    )
    rows = tuple(map(feedback_row, found.entries))
    return Answer(
        f"{len(rows)} of {plural(found.total, 'entry', 'entries')}",
        FeedbackListData(rows, found.total, limit, offset),
    )


@catalog_tool(title="Get feedback", tokens=(50, 2000), method="feedback/get", examples=({"id": "fb_0a1b"},))
def feedback_get(call: Call, id: FeedbackId) -> Answer[FeedbackGetData]:  # noqa: A002 - the argument's name on the wire
    """One piece of feedback."""
    found = catalog_of(call).feedback.get(id)
    if found is None:
        return Answer("There is no such feedback", FeedbackGetData(not_found=True, id=id))
    return Answer(found.title, FeedbackGetData(feedback_row(found)))


@catalog_tool(
    title="Answer feedback",
    tokens=(50, 500),
    effect=Effect.WRITES,
    scopes=_ADMIN,
    method="feedback/update",
    examples=({"id": "fb_0a1b", "status": "acknowledged"},),
)
def feedback_update(
    call: Call,
    id: FeedbackId,  # noqa: A002 - the argument's name on the wire
    status: Status,
    admin_notes: Annotated[str | None, Length(1000)] = None,
) -> Answer[FeedbackGetData]:
    """Move feedback on, with a note."""
    changed = noting_catalog(call).feedback.update(id, status, admin_notes=admin_notes)
    return Answer(f"{changed.id} is {changed.status}", FeedbackGetData(feedback_row(changed)))


@catalog_tool(title="Count feedback", tokens=(50, 1500), method="feedback/stats")
def feedback_stats(call: Call, since: Time | None = None) -> Answer[FeedbackStatsData]:
    """Feedback by type, severity and status, and the newest."""
    found = catalog_of(call).feedback.stats(since=since)
    counts = FeedbackCounts(found.total, found.by_type, found.by_severity, found.by_status)
    return Answer(
        plural(found.total, "entry", "entries"),
        FeedbackStatsData(counts, tuple(map(feedback_row, found.recent))),
    )


@catalog_tool(title="Health of feedback", tokens=(50, 100), method="feedback/health")
def feedback_health(call: Call) -> Answer[FeedbackHealthData]:
    """Where feedback is kept and how much there is."""
    found = catalog_of(call).feedback.health()
    storage = StorageRow(found.total_entries, found.last_updated, f"{found.disk_bytes / 1024:.1f} KB")
    data = FeedbackHealthData(
        "operational", storage, FeedbackConfig(found.max_entries, str(Path(found.path).parent))
    )
    return Answer(f"operational, {plural(found.total_entries, 'entry', 'entries')}", data)
