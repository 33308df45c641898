"""What a tool may say about an argument beyond its type: `Annotated[int, Range(1, 10), "How deep"]`."""

from dataclasses import dataclass
from typing import Any, Final, Literal, NewType, get_args

ProjectFile = NewType("ProjectFile", str)
"""An argument that names a file or folder of the project; the pipeline has proved it lies inside the root."""

KnownPath = NewType("KnownPath", str)
"""Likewise, but an absolute one may lie in another project that is registered: then the call is about that one."""

WHOLE_PROJECT: Final = KnownPath(".")

MAX_STRING_CHARS = 10_240
MAX_ITEMS = 1_000
MAX_PAGE_SIZE = 100

Direction = Literal["asc", "desc"]


@dataclass(frozen=True, slots=True)
class Range:
    """Inclusive bounds of a number."""

    minimum: float
    maximum: float


@dataclass(frozen=True, slots=True)
class Length:
    """The longest string or list an argument takes, where the defaults do not fit."""

    maximum: int


@dataclass(frozen=True, slots=True)
class MustExist:
    """The named file has to be there."""


@dataclass(frozen=True, slots=True)
class Page:
    """Which part of a list is wanted, and in what order. Spread into `cursor` and `limit`.

    The default of a tool whose list can be had in several orders names what it may be sorted by, the usual first; it is
    spread into `sort` and `order`, too.
    """

    cursor: str | None = None
    limit: int = 50
    sorts: tuple[str, ...] = ()
    sort: str | None = None
    order: Direction | None = None


PAGE_SCHEMA: dict[str, dict[str, Any]] = {
    "cursor": {"type": "string"},
    "limit": {"type": "integer", "minimum": 1, "maximum": MAX_PAGE_SIZE},
}


def page_schema(page: Page) -> dict[str, dict[str, Any]]:
    """What a page of a list takes, whose default is this."""
    if not page.sorts:
        return PAGE_SCHEMA
    return PAGE_SCHEMA | {
        "sort": {"type": "string", "enum": list(page.sorts)},
        "order": {"type": "string", "enum": list(get_args(Direction))},
    }
