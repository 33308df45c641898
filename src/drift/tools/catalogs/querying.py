"""The action that filters instructions by many fields, page by page."""

import threading
import time
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Annotated, Any, Final, Literal

import orjson
from cachetools import LRUCache

from drift.catalog import Filters, Sort
from drift.catalog.refusals import refuse
from drift.catalog.rows import Entry, with_usage
from drift.catalog.times import settle_time
from drift.kernel.answer import Answer
from drift.kernel.errors import DriftError, ErrorCode
from drift.kernel.render import render_value
from drift.kernel.text import plural
from drift.kernel.tokens import count_tokens
from drift.kernel.wire import PlainRows, to_wire
from drift.registry import Call, Length, Page, page_info, page_position
from drift.tools.catalogs.access import catalog_of, catalog_tool
from drift.tools.catalogs.reading import Limit

_MOST_TOKENS: Final = 8_000
_PAGE_SHARE: Final = 0.8  # of the tokens: what stands around the items needs some, too
_FITTING: Final[LRUCache[Hashable, tuple[Sequence[Entry], int]]] = LRUCache(64)
_FITTING_LOCK: Final = threading.Lock()
_Names = Annotated[tuple[str, ...], Length(100)]
_Name = Annotated[str, Length(200)]
_Time = Annotated[str, Length(40), "ISO 8601"]


@dataclass(frozen=True, slots=True)
class QueryFilters:
    """All that are given must fit; several values of one mean any of them."""

    categories: _Names = ()
    priority_tiers: tuple[Literal["P1", "P2", "P3", "P4"], ...] = ()
    status: tuple[Literal["draft", "review", "approved", "deprecated"], ...] = ()
    owners: _Names = ()
    classification: tuple[Literal["public", "internal", "restricted"], ...] = ()
    requirements: tuple[Literal["mandatory", "critical", "recommended", "optional", "deprecated"], ...] = ()
    workspace_id: _Name | None = None
    user_id: _Name | None = None
    team_ids: _Names = ()
    created_after: _Time | None = None
    updated_after: _Time | None = None
    review_due_before: _Time | None = None
    text: Annotated[str, Length(1_000)] | None = None


@dataclass(frozen=True, slots=True)
class QuerySort:
    """The order of the answer."""

    field: Literal["createdAt", "updatedAt", "priority", "title"] = "priority"
    direction: Literal["asc", "desc"] = "asc"


@dataclass(frozen=True, slots=True)
class QueryData:
    """A page of what fits; `nextCursor` asks for the next one. `performanceMs` is what finding it first took."""

    items: tuple[Entry, ...]
    total: int
    returned: int
    applied_filters: Mapping[str, Any]
    performance_ms: float = field(compare=False)  # the same page again is the same answer
    next_cursor: str | None = None


@catalog_tool(
    title="Query instructions",
    tokens=(100, 8000),
    max_tokens=_MOST_TOKENS,
    examples=({"filters": {"priorityTiers": ["P1"]}, "sort": {"field": "title", "direction": "asc"}},),
)
def instructions_query(
    call: Call,
    filters: QueryFilters | None = None,
    sort: QuerySort | None = None,
    limit: Limit = 50,
    cursor: Annotated[str | None, Length(20_000)] = None,
) -> Answer[QueryData]:
    """Instructions that fit all filters, sorted, a page at a time."""
    started = time.perf_counter()
    catalog = catalog_of(call)
    wanted, order = filters or QueryFilters(), sort or QuerySort()
    select = partial(
        catalog.wires.query,
        Filters(**_settled(wanted)),
        sort=Sort(order.field, order.direction),
        after=_position(page_position(call, Page(cursor, limit))),
    )
    found = select(limit=limit)
    items, warnings = with_usage(catalog, found.items)
    fitting = _fitting(items, call.max_tokens or _MOST_TOKENS)
    if fitting < len(items):
        # The cursor has to stand behind what is shown, or the next page would skip what was cut off.
        items, found = PlainRows(items[:fitting]), select(limit=fitting)
    page = page_info(call, Page(cursor, limit), total=found.total, last_key=found.next)
    applied = {name: value for name, value in to_wire(wanted).items() if value not in (None, [])}
    data = QueryData(
        items, found.total, len(items), applied, _elapsed_ms(started), next_cursor=page.next_cursor
    )
    return Answer(f"{len(items)} of {plural(found.total, 'instruction')}", data, warnings=warnings)


def _settled(filters: QueryFilters) -> dict[str, Any]:
    """The filters with times in the one form that is stored."""
    given = {name: getattr(filters, name) for name in QueryFilters.__slots__}
    given["categories"] = tuple(each.strip().lower() for each in filters.categories)
    for name in ("created_after", "updated_after", "review_due_before"):
        try:
            given[name] = settle_time(given[name]) if given[name] is not None else None
        except ValueError:
            raise refuse(f"filters.{name}", "is not a time in ISO 8601") from None
    return given


def _fitting(items: Sequence[Entry], max_tokens: int) -> int:
    """How many items fit into the answer, counted once for the same ones: a look at them takes half of a query."""
    key = (max_tokens, *map(id, items))
    with _FITTING_LOCK:
        known = _FITTING.get(key)
    if known is not None:
        return known[1]
    fitting = _count_fitting(items, max_tokens)
    with _FITTING_LOCK:
        # The items are kept beside the count, so that no other can come to have their place in memory.
        _FITTING[key] = items, fitting
    return fitting


def _count_fitting(items: Sequence[Entry], max_tokens: int) -> int:
    """How many items fit into the answer; one always does."""
    left, fitting = max_tokens * _PAGE_SHARE, len(items)
    # JSON is longer than the text of an answer, so what fits as JSON fits; and no token is shorter than a byte, so
    # small pages need not be counted, which the answer as a whole is later.
    written = orjson.dumps(list(items))
    if len(written) <= left or count_tokens(written.decode()) <= left:
        return fitting
    while fitting > 1:
        tokens = count_tokens(render_value(items[:fitting]))
        if tokens <= left:
            break
        fitting = max(1, int(fitting * left / tokens))
    return fitting


def _position(decoded: Any) -> tuple[str | int, str] | None:
    if decoded is None:
        return None
    if not isinstance(decoded, list) or len(decoded) != 2:  # noqa: PLR2004 - the value sorted by, and the id
        raise DriftError(ErrorCode.INVALID_CURSOR, "The cursor cannot be used: it belongs to another list")
    return decoded[0], str(decoded[1])


def _elapsed_ms(started: float) -> float:
    return round((time.perf_counter() - started) * 1000, 3)
