"""Contracts between code that answers requests and code that makes them."""

from typing import Annotated, Literal

from drift.analyses.contracts.contracts import ContractRow, LooseRow, look_at_contracts
from drift.analyses.contracts.listing import (
    CONTRACT_SORTS,
    ContractsData,
    ranked_contracts,
    ranked_loose,
    summary_of,
    warnings_of,
)
from drift.index import Layer
from drift.kernel.answer import Answer
from drift.registry import Call, Page, Tier, tool
from drift.registry.indexes import opened_index
from drift.registry.listing import list_answer


@tool(
    category="exploration",
    title="API contracts",
    tokens=(500, 1500),
    tier=Tier.EXPENSIVE,
    needs=Layer.CALLS,
    examples=({}, {"status": "mismatch"}, {"list": "calls"}),
)
def drift_contracts_list(
    call: Call,
    list: Annotated[  # noqa: A002 - the word agents use
        Literal["contracts", "endpoints", "calls"],
        "endpoints: that no call leads to; calls: that lead to none",
    ] = "contracts",
    status: Annotated[Literal["mismatch", "discovered", "unknown_shape"] | None, "Of contracts"] = None,
    method: Annotated[
        Literal["GET", "POST", "PUT", "PATCH", "DELETE", "QUERY", "MUTATION", "SUBSCRIPTION"] | None,
        "Of the request; the last three of tRPC and GraphQL",
    ] = None,
    path: Annotated[str | None, "Part of the path"] = None,
    page: Page = Page(limit=10, sorts=tuple(CONTRACT_SORTS)),
) -> Answer[ContractsData]:
    """Endpoints and the calls that lead to them. Fields, types and names the two sides do not agree about."""
    with opened_index(call) as reader:
        found = look_at_contracts(reader, call.project.root)
    told, warnings = summary_of(found), warnings_of(found)
    if list == "contracts":
        ranked = ranked_contracts(found, status=status, method=method, path=path)
        return list_answer(call, page, ranked, _contracts, summary=told, warnings=warnings)
    loose = ranked_loose(found.endpoints if list == "endpoints" else found.calls, method=method, path=path)
    return list_answer(call, page, loose, _loose, summary=told, warnings=warnings)


def _contracts(shown: tuple[ContractRow, ...]) -> ContractsData:
    return ContractsData(contracts=shown)


def _loose(shown: tuple[LooseRow, ...]) -> ContractsData:
    return ContractsData(loose=shown)
