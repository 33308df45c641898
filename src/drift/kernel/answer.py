"""The one shape of every answer: summary, data, and what a caller may do with them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Generic, Literal, TypeVar

T = TypeVar("T")

NOT_ON_WIRE: Final = {"is_on_wire": False}
"""The metadata of a field that is for our own use."""

Priority = Literal["high", "medium", "low"]
Freshness = Literal["fresh", "stale", "unknown"]


@dataclass(frozen=True, slots=True)
class Pagination:
    """Where a page stands in the whole list."""

    total: int
    has_more: bool
    next_cursor: str | None
    page_size: int
    shown: int = field(default=0, compare=False, metadata=NOT_ON_WIRE)
    """How many rows the page has."""
    cursor_behind: Callable[[int], str] | None = field(
        default=None, compare=False, repr=False, metadata=NOT_ON_WIRE
    )
    """The cursor that goes on behind the first so many of them, for a page that has to be cut."""


@dataclass(frozen=True, slots=True)
class NextAction:
    """A call worth making next, with its arguments filled in."""

    tool: str
    args: Mapping[str, Any]
    reason: str
    priority: Priority = "medium"


@dataclass(frozen=True, slots=True)
class Link:
    """A resource the answer points to."""

    uri: str
    name: str
    description: str = ""
    mime_type: str = "application/json"


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """What a tool returns. The pipeline adds `meta`: timing, tokens, freshness."""

    summary: str
    data: T
    pagination: Pagination | None = None
    next: tuple[NextAction, ...] = ()
    warnings: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()
    total: int | None = None
    """How many items there are, where `data` has no more of them than could ever fit into the answer."""
    max_tokens: int | None = None
    """What the answer has to keep within where the call does not say, for a tool whose limit depends on what is asked."""


@dataclass(frozen=True, slots=True)
class Meta:
    """How an answer came about. `None` means not known or not applicable: what no index is behind has no age of one."""

    request_id: str
    duration_ms: float
    token_estimate: int
    cached: bool
    freshness: Freshness | None = None
    data_age: str | None = None
    truncated: bool = False
    total_available: int | None = None
