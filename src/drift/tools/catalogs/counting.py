"""Tools that count how instructions are used."""

from typing import Annotated, Any

from drift.catalog.usage import (
    FlushData,
    HotsetData,
    TrackData,
    UsageContext,
    UsageMetrics,
    UsedRow,
    track_data,
)
from drift.kernel.answer import Answer
from drift.kernel.errors import missing
from drift.kernel.sharing import store_exists
from drift.kernel.text import plural
from drift.registry import Call, Effect, Range
from drift.tools.catalogs.access import catalog_of, catalog_tool, noting_catalog, process_session
from drift.tools.catalogs.reading import Id

_ANY_CALLER: frozenset[Any] = frozenset()


@catalog_tool(
    title="Count a use",
    tokens=(50, 100),
    effect=Effect.WRITES,
    is_idempotent=False,
    scopes=_ANY_CALLER,
    method="usage/track",
    examples=({"id": "use-uv"},),
)
def usage_track(
    call: Call,
    id: Id | None = None,  # noqa: A002 - the argument's name on the wire
    instruction_id: Annotated[Id | None, "Another name for id"] = None,
    context: UsageContext | None = None,
    metrics: UsageMetrics | None = None,  # noqa: ARG001 - clients send it; counts are all that is kept
) -> Answer[TrackData]:
    """Count that an instruction was used."""
    wanted = id or instruction_id
    if wanted is None:
        raise missing("id", "required; an instruction's id")
    session = (context.session_id if context else None) or process_session()
    if catalog_of(call).get(wanted) is None:
        data = TrackData(wanted, tracked=False, session_id=session, not_found=True)
        return Answer(f"There is no instruction {wanted}; nothing was counted", data)
    tracked = noting_catalog(call).usage.track(wanted)
    summary = f"{wanted} was used {plural(tracked.used.usage_count, 'time')}"
    return Answer(summary, track_data(tracked, session))


@catalog_tool(title="Most used instructions", tokens=(50, 1000), method="usage/hotset")
def usage_hotset(call: Call, limit: Annotated[int, Range(1, 100)] = 10) -> Answer[HotsetData]:
    """The instructions used most."""
    catalog = catalog_of(call)
    used = catalog.usage.hotset(limit) if store_exists(catalog.places.journal_db) else ()
    rows = tuple(UsedRow(each.id, each.usage_count, each.last_used_at, each.first_seen_at) for each in used)
    return Answer(
        f"{plural(len(rows), 'instruction')} in use", HotsetData(catalog.hash(), len(rows), limit, rows)
    )


@catalog_tool(
    title="Write usage counts",
    tokens=(20, 50),
    effect=Effect.WRITES,
    scopes=_ANY_CALLER,
    method="usage/flush",
)
def usage_flush(call: Call) -> Answer[FlushData]:
    """Write counts of use to disk now."""
    written = catalog_of(call).usage.flush()
    return Answer(f"{plural(written, 'count')} written", FlushData(flushed=True, written=written))
