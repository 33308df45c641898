"""Where data that others choose does harm."""

from typing import Annotated

from drift.flow import FLOW_SORTS, FlowRow, FlowsData, Severity, Sureness, Wanted, find_flows, list_flows
from drift.index import Layer
from drift.kernel.answer import Answer, NextAction
from drift.registry import Call, Length, Page, Scope, Tier, tool
from drift.registry.indexes import opened_index
from drift.registry.listing import Next, list_answer


@tool(
    category="analysis",
    scopes=frozenset({Scope.SECURITY}),
    title="Taint",
    tokens=(300, 3000),
    tier=Tier.EXPENSIVE,
    needs=Layer.CALLS,
    examples=({}, {"kind": "sql", "minConfidence": "high"}, {"path": "shop/"}),
)
def drift_taint(
    call: Call,
    path: Annotated[str | None, Length(500), "Only ways through files that begin so"] = None,
    entry: Annotated[str | None, Length(300), "Only data that enters or ends in this function"] = None,
    kind: Annotated[str | None, Length(40), "sql, command, path, xss, ssrf, weak-hash, ..."] = None,
    severity: Annotated[Severity | None, "Least severity"] = None,
    min_confidence: Annotated[Sureness, "Least confidence"] = "medium",
    page: Page = Page(limit=10, sorts=tuple(FLOW_SORTS)),
) -> Answer[FlowsData]:
    """Security weaknesses by data flow. The way from a request to SQL, shell, file, page or URL, across functions and files, and unsafe crypto, TLS, cookies; with CWE, confidence and doubts."""
    with opened_index(call) as reader:
        flows = find_flows(reader, call.project.root, call.project.state)
    found = list_flows(flows, Wanted(path, entry, kind, severity, min_confidence))
    return list_answer(
        call, page, found.ranked(), found.data, summary=found.summary, next=_next, warnings=found.warnings
    )


def _next(shown: tuple[FlowRow, ...]) -> Next:
    for row in shown[:1]:
        return (NextAction("drift_explain", {"target": f"{row.path}:{row.line}"}, "read the code around it"),)
    return ()
