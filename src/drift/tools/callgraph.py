"""Calls around one symbol: who calls it and what it calls, with the place and the reason of each."""

from functools import partial
from typing import Annotated

from drift.analyses.callees import CALLEE_SORTS, CalleesData, find_all_callees
from drift.analyses.callers import CALLER_SORTS, CallersData, count_steps, find_callers
from drift.analyses.graph_rows import suggest_impact
from drift.index import Layer
from drift.kernel.answer import Answer
from drift.registry import Call, Page, Range, tool
from drift.registry.indexes import opened_index
from drift.registry.listing import list_answer


@tool(
    category="surgical",
    title="Find callers",
    tokens=(150, 900),
    needs=Layer.CALLS,
    first_links="symbol",
    examples=({"symbol": "total"}, {"symbol": "shop/pricing.py:35", "transitive": True}),
)
def drift_callers(
    call: Call,
    symbol: Annotated[str, "Name, Class.method or path:line"],
    file: Annotated[str | None, "Only in this file"] = None,
    transitive: Annotated[bool, "Also through others"] = False,
    max_depth: Annotated[int | None, Range(1, 20), "Steps; transitive 3"] = None,
    page: Page = Page(limit=20, sorts=tuple(CALLER_SORTS)),
) -> Answer[CallersData]:
    """Who calls a symbol, with the place of each call. References that are no calls stand apart."""
    steps = count_steps(max_depth, transitive=transitive)
    with opened_index(call) as reader:
        found = find_callers(reader, symbol, file=file, max_depth=steps, root=call.project.root)
        following = (
            suggest_impact(found.symbol, "what a change of it may touch"),
            call.suggest("drift_callees", "what it calls itself", symbol=found.place, priority="low"),
        )
        answer = partial(list_answer, summary=found.summary, next=following, warnings=found.warnings())
        if found.far is None:
            return answer(call, page, found.ranked(), found.data)
        data = partial(found.far_data, found.far, page.limit)
        return answer(call, page, found.far.ranked(page.sort), data)


@tool(
    category="surgical",
    title="Find callees",
    tokens=(150, 900),
    needs=Layer.CALLS,
    first_links="symbol",
    examples=({"symbol": "total"}, {"symbol": "shop/pricing.py:85", "transitive": True, "maxDepth": 4}),
)
def drift_callees(
    call: Call,
    symbol: Annotated[str, "Name, Class.method or path:line"],
    file: Annotated[str | None, "Only in this file"] = None,
    transitive: Annotated[bool, "Also through others"] = False,
    max_depth: Annotated[int | None, Range(1, 20), "Steps; transitive 3"] = None,
    page: Page = Page(limit=20, sorts=tuple(CALLEE_SORTS)),
) -> Answer[CalleesData]:
    """What a symbol calls: in the project with candidates and confidence, outside, or unresolved."""
    steps = count_steps(max_depth, transitive=transitive)
    with opened_index(call) as reader:
        found = find_all_callees(reader, symbol, file=file, max_depth=steps)
        following = (
            call.suggest("drift_reachability", "all it comes to run", location=found.place),
            call.suggest("drift_callers", "who calls it", symbol=found.place, priority="low"),
        )
        answer = partial(list_answer, summary=found.summary, next=following, warnings=found.warnings)
        if found.far is None:
            return answer(call, page, found.ranked(), found.data)
        data = partial(found.far_data, found.far, page.limit)
        return answer(call, page, found.far.ranked(page.sort), data)
