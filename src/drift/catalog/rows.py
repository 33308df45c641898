"""Instructions and what is wrong with files, as answers show them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from drift.catalog.catalog import Catalog
from drift.catalog.entry import Instruction
from drift.catalog.groom import Groomed
from drift.catalog.index import FileProblem
from drift.catalog.listings import GovernanceItem, HashIssue, Visibility
from drift.catalog.mutations import EntryFailure, RemoveFailure
from drift.catalog.queries import CategoryCount
from drift.catalog.usage import Used
from drift.kernel.errors import DriftError
from drift.kernel.sharing import store_exists
from drift.kernel.wire import PlainRows


@dataclass(frozen=True, slots=True)
class ImportData:
    """How many entries were taken, and why others were not."""

    hash: str
    imported: int
    skipped: int
    overwritten: int
    total: int
    errors: tuple[EntryFailure, ...]
    processing_time_ms: float


@dataclass(frozen=True, slots=True)
class RemoveData:
    """What is gone; `cascadeRemovals` depended on it."""

    hash: str
    removed: int
    removed_ids: tuple[str, ...]
    missing: tuple[str, ...]
    error_count: int
    errors: tuple[RemoveFailure, ...]
    cascade_removals: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class ReloadData:
    """The catalog after every file was read again."""

    reloaded: bool
    hash: str
    count: int


@dataclass(frozen=True, slots=True)
class GroomData(Groomed):
    """What was changed, or in a dry run would be; `filesRewritten` is 0 then."""

    performance_ms: float


@dataclass(frozen=True, slots=True)
class RepairData:
    """Whose stored hashes were put right; for a client that names what it has, what changed instead."""

    hash: str
    repaired: int | None = None
    updated: tuple[Any, ...] | None = None
    up_to_date: bool | None = None
    added: tuple[Any, ...] | None = None
    removed: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class EnrichData:
    """Whose missing governed fields were written down."""

    hash: str
    enriched: int
    updated: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Highlight:
    """Where the words were found, between `**`."""

    id: str
    title: str
    snippet: str
    score: float


@dataclass(frozen=True, slots=True)
class CategoriesData:
    """Categories with their instructions counted."""

    categories: tuple[CategoryCount, ...]
    total_distinct: int
    catalog_hash: str


@dataclass(frozen=True, slots=True)
class Known:
    """An instruction a client has."""

    id: str
    source_hash: str


@dataclass(frozen=True, slots=True)
class GovernanceData:
    """The hash of who answers for what; edits of bodies leave it alone."""

    count: int
    governance_hash: str
    algorithm: str
    items: tuple[GovernanceItem, ...] | None = None


Entry = Mapping[str, Any]
"""An instruction with its names on the wire."""


NOT_APPROVED: Final = (
    "trust=repository: came with the repository and is not approved here, so it binds nobody yet;"
    " a person reviews and accepts it with `drift instructions accept`"
)


# An answer about instructions names the first broken files; `inspect` with scope=catalog names them all.
_MOST_PROBLEMS: Final = 20


@dataclass(frozen=True, slots=True)
class ProblemRow:
    """A file that is no instruction, and why."""

    file: str
    line: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class VerifyData:
    """What is wrong with stored hashes, and which files are no instructions."""

    hash: str
    count: int
    issues: tuple[HashIssue, ...]
    issue_count: int
    problems: tuple[ProblemRow, ...] | None = None


@dataclass(frozen=True, slots=True)
class ExpectRow:
    """Whether an expected id is there, and what was tried to bring it to light."""

    id: str
    expect_on_disk: bool
    expect_in_catalog: bool
    repaired_visibility: bool
    late_materialized: bool
    attempted_reload: bool
    attempted_late: bool
    problem: ProblemRow | None = None


def entry_rows(catalog: Catalog, instructions: Iterable[Instruction]) -> tuple[PlainRows, tuple[str, ...]]:
    """Instructions with how often they were used, and warnings; where counts cannot be read, without them."""
    return with_usage(catalog, PlainRows(each.as_wire() for each in instructions))


def with_usage(catalog: Catalog, found: PlainRows) -> tuple[PlainRows, tuple[str, ...]]:
    """Instructions with how often they were used, those that came with the repository marked, and warnings."""
    marked, warnings = _mark_origin(catalog, found)
    if not store_exists(catalog.places.journal_db):
        return marked, warnings
    try:
        used = catalog.usage.counts([each["id"] for each in marked])
    except DriftError as error:
        return marked, (*warnings, f"usage counts are left out: {error.message}")
    return PlainRows(_add_usage(each, used.get(each["id"])) for each in marked), warnings


def _mark_origin(catalog: Catalog, found: PlainRows) -> tuple[PlainRows, tuple[str, ...]]:
    """Instructions with `trust` on those that nobody wrote or accepted here; the others need no word."""
    foreign = [catalog.provenance.trust(each) == "repository" for each in found]
    if not any(foreign):
        return found, ()
    rows = zip(found, foreign, strict=True)
    marked = PlainRows({**each, "trust": "repository"} if is_foreign else each for each, is_foreign in rows)
    return marked, (NOT_APPROVED,)


def _add_usage(entry: dict[str, Any], used: Used | None) -> dict[str, Any]:
    if used is None:
        return entry
    return {**entry, "usageCount": used.usage_count, "lastUsedAt": used.last_used_at}


def problem_rows(
    problems: Iterable[FileProblem], most: int | None = _MOST_PROBLEMS
) -> tuple[ProblemRow, ...]:
    return tuple(ProblemRow(each.name, each.line, each.reason) for each in tuple(problems)[:most])


def expect_row(seen: Visibility) -> ExpectRow:
    return ExpectRow(
        seen.id,
        expect_on_disk=seen.is_on_disk,
        expect_in_catalog=seen.is_in_catalog,
        repaired_visibility=seen.repaired_visibility,
        late_materialized=seen.late_materialized,
        attempted_reload=seen.attempted_reload,
        attempted_late=seen.attempted_late,
        problem=problem_rows([seen.problem])[0] if seen.problem else None,
    )


@dataclass(frozen=True, slots=True)
class ListData:
    """Instructions; `count` is how many match in all."""

    hash: str
    count: int
    items: tuple[Entry, ...]
    scope: Literal["user", "workspace", "team", "all"] | None = None
    expected: ExpectRow | None = None
    problems: tuple[ProblemRow, ...] | None = None


@dataclass(frozen=True, slots=True)
class GetData:
    """One instruction, or `notFound`."""

    hash: str
    item: Entry | None = None
    not_found: bool | None = None
    id: str | None = None
    expected: ExpectRow | None = None
    problem: ProblemRow | None = None


@dataclass(frozen=True, slots=True)
class SearchData:
    """What was found, the best first; `count` is how many there are in all."""

    hash: str
    count: int
    items: tuple[Entry, ...]
    query: str
    highlights: tuple[Highlight, ...] | None = None


@dataclass(frozen=True, slots=True)
class DiffData:
    """`upToDate`, or what a client has to take over."""

    hash: str
    up_to_date: bool | None = None
    added: tuple[Entry, ...] | None = None
    updated: tuple[Entry, ...] | None = None
    removed: tuple[str, ...] | None = None


def say_changes(data: DiffData) -> str:
    if data.up_to_date:
        return "up to date"
    counts: list[tuple[Sequence[Any], str]] = [
        (data.added or (), "added"),
        (data.updated or (), "updated"),
        (data.removed or (), "removed"),
    ]
    return ", ".join(f"{len(each)} {what}" for each, what in counts)


def as_repair(changes: DiffData) -> RepairData:
    return RepairData(
        changes.hash,
        updated=changes.updated,
        up_to_date=changes.up_to_date,
        added=changes.added,
        removed=changes.removed,
    )
