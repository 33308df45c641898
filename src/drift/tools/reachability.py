"""What code comes to run, and from where it comes to be run."""

from dataclasses import replace
from functools import partial
from typing import Annotated, Literal

from drift.analyses.graph_rows import place_of, suggest_impact
from drift.analyses.prominence import REACHED_SORTS
from drift.analyses.reachability import ReachabilityData, find_reach, summarize_reach
from drift.analyses.symbol_choice import choose_symbol
from drift.index import Layer
from drift.kernel.answer import Answer
from drift.registry import Call, Page, Range, tool
from drift.registry.indexes import opened_index
from drift.registry.listing import list_answer


@tool(
    category="detail",
    title="Reachability",
    tokens=(200, 1500),
    needs=Layer.CALLS,
    examples=({"location": "shop/api.py:20"}, {"location": "total", "direction": "inverse"}),
)
def drift_reachability(
    call: Call,
    location: Annotated[str, "Symbol or path:line"],
    direction: Annotated[Literal["forward", "inverse"], "What it reaches, or what reaches it"] = "forward",
    file: Annotated[str | None, "File of the symbol"] = None,
    max_depth: Annotated[int, Range(1, 50)] = 10,
    page: Page = Page(limit=15, sorts=REACHED_SORTS),
) -> Answer[ReachabilityData]:
    """What code comes to run through calls (forward) or which entry points come to run it (inverse)."""
    is_forward = direction == "forward"
    with opened_index(call) as reader:
        origin, passed_over = choose_symbol(reader, location, file=file)
        found = find_reach(reader, origin, direction, max_depth=max_depth)
        data = partial(found.data, places=page.limit if page.cursor is None else 0)
        warnings = (*passed_over, *found.warnings)
        answer = list_answer(call, page, found.ranked(), data, summary="", warnings=warnings)
    why = "what comes to run it" if is_forward else "what it comes to run"
    other = "inverse" if is_forward else "forward"
    turned = call.suggest("drift_reachability", why, location=place_of(origin), direction=other)
    following = (turned, suggest_impact(origin, "weigh a change of it"))
    return replace(answer, summary=summarize_reach(answer.data), next=following)
