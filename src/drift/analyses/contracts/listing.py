"""Lists of contracts, and what is to be said of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from drift.analyses.contracts.contracts import ContractRow, Contracts, LooseRow
from drift.kernel.ranking import Ranked, Sort
from drift.kernel.text import plural

_ORDER: Final = ("mismatch", "unknown_shape", "discovered")
CONTRACT_SORTS: Final[Mapping[str, Sort[ContractRow]]] = {
    "status": Sort(
        lambda row: (_ORDER.index(row.status), row.endpoint, row.method, row.backend.file, row.backend.line)
    ),
    "path": Sort(lambda row: (row.endpoint, row.method)),
    "confidence": Sort(lambda row: (-row.confidence, row.endpoint, row.method), "desc"),
}
_LOOSE_SORTS: Final[Mapping[str, Sort[LooseRow]]] = {
    "status": Sort(lambda row: (row.path, row.method, row.file, row.line)),
    "path": Sort(lambda row: (row.path, row.method)),
}


@dataclass(frozen=True, slots=True)
class ContractsData:
    """Contracts, or what is left on one side; the other list is absent."""

    contracts: tuple[ContractRow, ...] | None = None
    loose: tuple[LooseRow, ...] | None = None


def ranked_contracts(
    found: Contracts, *, status: str | None, method: str | None, path: str | None
) -> Ranked[ContractRow]:
    """The contracts that are wanted, those with mismatches first."""
    rows = [
        one
        for one in found.contracts
        if status in {None, one.status} and method in {None, one.method} and (path or "") in one.endpoint
    ]
    return Ranked(rows, CONTRACT_SORTS)


def ranked_loose(rows: Sequence[LooseRow], *, method: str | None, path: str | None) -> Ranked[LooseRow]:
    """The endpoints or calls that are wanted, by path."""
    return Ranked(
        [one for one in rows if method in {None, one.method} and (path or "") in one.path], _LOOSE_SORTS
    )


def summary_of(found: Contracts) -> str:
    """A line on the contracts of a project."""
    if not found.endpoints_count and not found.calls_count:
        return "The project answers no requests and makes none that Drift knows"
    bad = sum(one.status == "mismatch" for one in found.contracts)
    unknown = sum(one.status == "unknown_shape" for one in found.contracts)
    return (
        f"{plural(len(found.contracts), 'contract')}, {bad} with mismatches, {unknown} of unknown shape; "
        f"{len(found.endpoints)} of {plural(found.endpoints_count, 'endpoint')} without a call, "
        f"{len(found.calls)} of {plural(found.calls_count, 'call')} without an endpoint"
    )


def warnings_of(found: Contracts) -> tuple[str, ...]:
    """What is not known."""
    return ("there are more files with calls than are read: not all calls are told",) if found.is_cut else ()
