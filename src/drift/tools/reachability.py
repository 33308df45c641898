"""What code comes to run and which data it comes to, and from where it comes to be run."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Annotated, Literal

from drift.analyses.graph_rows import place_of, suggest_impact
from drift.analyses.prominence import REACHED_SORTS
from drift.analyses.reachability import Reachability, ReachabilityData, find_reach, summarize_reach
from drift.analyses.symbol_choice import choose_symbols
from drift.analyses.testing.reach import MOST_DEPTH
from drift.index import Layer
from drift.index.walk import Reached
from drift.kernel.answer import Answer, NextAction
from drift.registry import Call, Page, Range, tool
from drift.registry.indexes import opened_index
from drift.registry.listing import list_answer
from drift.security.boundaries import TABLE
from drift.security.reaching import ReachWish, reach_table, with_tables


@tool(
    category="detail",
    title="Reachability",
    tokens=(200, 1500),
    needs=Layer.CALLS,
    examples=({"location": "shop/api.py:20"}, {"location": "total", "direction": "inverse"}),
)
def drift_reachability(
    call: Call,
    location: Annotated[str, "Symbol, path:line, table:NAME or table:NAME.FIELD"],
    direction: Annotated[Literal["forward", "inverse"], "What it reaches, or what reaches it"] = "forward",
    file: Annotated[str | None, "File of the symbol"] = None,
    *,
    max_depth: Annotated[int, Range(1, 50)] = MOST_DEPTH,
    with_data: Annotated[bool, "Also the tables it comes to"] = False,
    sensitive_only: Annotated[bool, "Of data only what is sensitive"] = False,
    page: Page = Page(limit=15, sorts=REACHED_SORTS),
) -> Answer[ReachabilityData]:
    """What code comes to run (forward), or which entry points come to run it, or to a table (inverse)."""
    wish = ReachWish(call.project.root, max_depth, page.limit, sensitive_only)
    with opened_index(call) as reader:
        if location.startswith(TABLE):
            return reach_table(reader, location.removeprefix(TABLE), wish)
        origins, passed_over = choose_symbols(reader, location, file=file)
        found = find_reach(reader, origins, direction, max_depth=max_depth, root=call.project.root)
        data = _data(found, page, wish if with_data or sensitive_only else None)
        warnings = (*passed_over, *found.warnings)
        answer = list_answer(call, page, found.ranked(), data, summary="", warnings=warnings)
    return replace(answer, summary=summarize_reach(answer.data), next=_next_calls(call, found))


def _data(
    found: Reachability, page: Page, wish: ReachWish | None
) -> Callable[[Sequence[Reached]], ReachabilityData]:
    """What makes the answer of the rows a page shows; with a wish also of the tables that are come to."""
    places = page.limit if page.cursor is None else 0
    return partial(found.data, places=places) if wish is None else with_tables(found, wish, places)


def _next_calls(call: Call, found: Reachability) -> tuple[NextAction, ...]:
    is_forward = found.direction == "forward"
    why = "what comes to run it" if is_forward else "what it comes to run"
    other = "inverse" if is_forward else "forward"
    turned = call.suggest("drift_reachability", why, location=place_of(found.origin), direction=other)
    return turned, suggest_impact(found.origin, "weigh a change of it")
