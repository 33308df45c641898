"""What a change touches: a walk over the call graph from what is changed to all that use it."""

from functools import partial
from typing import Annotated

from drift.analyses.graph_rows import place_of
from drift.analyses.prominence import REACHED_SORTS
from drift.analyses.testing.reach import MOST_DEPTH
from drift.analyses.weighing import Change, ImpactData, find_change, weigh_change
from drift.index import Layer
from drift.kernel.answer import Answer
from drift.registry import Call, Page, Range, tool
from drift.registry.indexes import opened_index
from drift.registry.listing import Next, list_answer


@tool(
    category="detail",
    title="Impact of a change",
    tokens=(300, 1500),
    needs=Layer.CALLS,
    examples=({"target": "total"}, {"target": "shop/pricing.py"}, {"target": "diff", "base": "main"}),
)
def drift_impact_analysis(
    call: Call,
    target: Annotated[str, "Symbol, path:line, file path, or diff"],
    file: Annotated[str | None, "File of the symbol"] = None,
    base: Annotated[str, "For diff: commit or branch to compare with"] = "HEAD",
    max_depth: Annotated[int, Range(1, 20)] = MOST_DEPTH,
    page: Page = Page(limit=10, sorts=REACHED_SORTS),
) -> Answer[ImpactData]:
    """What breaks if a function, file or git diff changes: users, entry points, tests to run, risk and why."""
    with opened_index(call) as reader:
        change = find_change(reader, call.project.root, target, file=file, base=base)
        found = weigh_change(reader, call.project.root, change, max_depth=max_depth)
        return list_answer(
            call,
            page,
            found.ranked(),
            partial(found.data, beside=page.limit if page.cursor is None else 0),
            summary=found.summary,
            next=_next(call, change),
            warnings=found.warnings(),
        )


def _next(call: Call, change: Change) -> Next:
    if len(change.symbols) != 1:
        return ()
    place = place_of(change.symbols[0])
    return (
        call.suggest("drift_callers", "every place that calls it", symbol=place),
        call.suggest("drift_graph", "see it drawn", action="mermaid", source=place, priority="low"),
    )
