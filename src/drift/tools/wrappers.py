"""Functions of the project that stand before a library, so that it is called through them."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Final, Literal, NamedTuple

from drift.analyses.wrappers import (
    CLUSTER_SORTS,
    PREFER_SORTS,
    WRAPPER_SORTS,
    ClusterRow,
    PreferRow,
    Wrapper,
    WrapperRow,
    Wrappers,
    cluster_row,
    clusters_of,
    find_preferences,
    find_wrappers,
    prefer_row,
    purposes,
    wrapper_row,
)
from drift.index import IndexReader, Layer
from drift.kernel.answer import Answer
from drift.kernel.errors import invalid
from drift.kernel.ranking import Ranked
from drift.kernel.similar import similar_names
from drift.kernel.text import plural
from drift.registry import Call, Length, Page, Range, tool
from drift.registry.indexes import opened_index
from drift.registry.listing import list_answer

Action = Literal["list", "clusters", "prefer"]

_MOST_PURPOSES: Final = 4


@dataclass(frozen=True, slots=True)
class WrappersData:
    """What the action found; the other fields are absent."""

    wrappers: tuple[WrapperRow, ...] | None = None
    clusters: tuple[ClusterRow, ...] | None = None
    prefer: tuple[PreferRow, ...] | None = None


@tool(
    category="detail",
    title="Wrappers",
    tokens=(300, 1500),
    needs=Layer.CALLS,
    examples=({}, {"purpose": "data-fetching"}, {"action": "prefer"}),
)
def drift_wrappers(
    call: Call,
    action: Annotated[Action, "prefer: libraries called through one wrapper, and who goes past it"] = "list",
    purpose: Annotated[str | None, Length(40), "data-fetching, logging, testing, …"] = None,
    search: Annotated[str | None, Length(100), "Part of a wrapper's or a library's name"] = None,
    min_calls: Annotated[int, Range(0, 100_000), "Least uses"] = 2,
    page: Page = Page(limit=20, sorts=tuple(WRAPPER_SORTS)),
) -> Answer[WrappersData]:
    """Own functions that stand before a library. What they wrap, how deep, who calls them, and who goes past them."""
    asked = _Asked(call, page, _known_purpose(purpose), (search or "").lower(), min_calls)
    with opened_index(call) as reader:
        return _ANSWERS[action](asked, reader, find_wrappers(reader))


class _Asked(NamedTuple):
    call: Call
    page: Page
    purpose: str | None
    search: str
    min_calls: int

    @property
    def unsorted(self) -> Page:
        return Page(self.page.cursor, self.page.limit)

    def fits(self, one: Wrapper) -> bool:
        names = (one.symbol.qualname, one.symbol.path, *one.reached)
        return (
            self.purpose in {None, one.purpose}
            and len(one.users) >= self.min_calls
            and (not self.search or any(self.search in name.lower() for name in names))
        )


def _known_purpose(purpose: str | None) -> str | None:
    if purpose is None or purpose in purposes():
        return purpose
    told = f"got {purpose!r}; allowed: {', '.join(purposes())}"
    raise invalid("purpose", told, similar=similar_names(purpose, purposes()))


def _listed(asked: _Asked, _reader: IndexReader, every: Wrappers) -> Answer[WrappersData]:
    rows = [one for one in every.found.values() if asked.fits(one)]
    counted = Counter(one.purpose for one in rows).most_common(_MOST_PURPOSES)
    told = f"{plural(len(rows), 'wrapper')}" + (
        f": {', '.join(f'{purpose} {count}' for purpose, count in counted)}" if counted else ""
    )
    if not every.calls:
        told = "No call of a library that is known to be wrapped was found, so wrappers are not known"
    return list_answer(
        asked.call,
        asked.page,
        Ranked(rows, WRAPPER_SORTS),
        lambda shown: WrappersData(wrappers=tuple(map(wrapper_row, shown))),
        summary=told,
    )


def _clusters(asked: _Asked, _reader: IndexReader, every: Wrappers) -> Answer[WrappersData]:
    chosen = Wrappers({key: one for key, one in every.found.items() if asked.fits(one)}, every.calls)
    rows = clusters_of(chosen)
    return list_answer(
        asked.call,
        asked.unsorted,
        Ranked(rows, CLUSTER_SORTS),
        lambda shown: WrappersData(clusters=tuple(map(cluster_row, shown))),
        summary=f"{plural(len(chosen.found), 'wrapper')} in {plural(len(rows), 'cluster')} by what they wrap",
    )


def _preferred(asked: _Asked, reader: IndexReader, every: Wrappers) -> Answer[WrappersData]:
    rows = [one for one in find_preferences(reader, every) if asked.fits(one.wrapper)]
    past = sum(len(one.direct) for one in rows)
    return list_answer(
        asked.call,
        asked.unsorted,
        Ranked(rows, PREFER_SORTS),
        lambda shown: WrappersData(prefer=tuple(prefer_row(reader, one) for one in shown)),
        summary=f"{plural(len(rows), 'library call')} with a wrapper that most use; {plural(past, 'use')} past it",
    )


_ANSWERS: Final[Mapping[Action, Callable[[_Asked, IndexReader, Wrappers], Answer[WrappersData]]]] = {
    "list": _listed,
    "clusters": _clusters,
    "prefer": _preferred,
}
