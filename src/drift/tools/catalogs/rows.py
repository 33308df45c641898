"""Instructions and what is wrong with files, as catalog answers show them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from drift.catalog import Catalog, FileProblem, Instruction, Visibility
from drift.catalog.usage import Used
from drift.kernel.errors import DriftError
from drift.kernel.wire import PlainRows
from drift.registry import Call

Entry = Mapping[str, Any]
"""An instruction with its names on the wire."""

NOT_APPROVED: Final = (
    "trust=repository: came with the repository and is not approved here, so it binds nobody yet;"
    " a person reviews and accepts it with `drift instructions accept`"
)

# An answer about instructions names the first broken files; `inspect` with scope=catalog names them all.
_MOST_PROBLEMS: Final = 20

# The hash of an instruction alone, 64 hexadecimal digits, takes 30 tokens and more.
_FEWEST_TOKENS: Final = 30


@dataclass(frozen=True, slots=True)
class ProblemRow:
    """A file that is no instruction, and why."""

    file: str
    line: int | None
    reason: str


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


def count_conceivable(call: Call) -> int:
    """More instructions than this fit into no answer to the call, so that no more need be read."""
    return (
        1 + (call.max_tokens or call.tool.max_tokens or call.project.config.mcp.max_tokens) // _FEWEST_TOKENS
    )


def entry_rows(catalog: Catalog, instructions: Iterable[Instruction]) -> tuple[PlainRows, tuple[str, ...]]:
    """Instructions with how often they were used, and warnings; where counts cannot be read, without them."""
    return with_usage(catalog, PlainRows(each.as_wire() for each in instructions))


def with_usage(catalog: Catalog, found: PlainRows) -> tuple[PlainRows, tuple[str, ...]]:
    """Instructions with how often they were used, those that came with the repository marked, and warnings."""
    marked, warnings = _mark_origin(catalog, found)
    if not catalog.places.journal_db.exists():
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
