"""Instructions and what is wrong with files, as catalog answers show them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from drift.kernel.errors import DriftError

if TYPE_CHECKING:
    from drift.catalog import Catalog, FileProblem, Instruction, Visibility

Entry = Mapping[str, Any]
"""An instruction with its names on the wire."""

# An answer about instructions names the first broken files; `inspect` with scope=catalog names them all.
_MOST_PROBLEMS: Final = 20


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


def entry_rows(
    catalog: "Catalog", instructions: "Iterable[Instruction]"
) -> tuple[tuple[Entry, ...], tuple[str, ...]]:
    """Instructions with how often they were used, and warnings; where counts cannot be read, without them."""
    found = tuple(each.as_wire() for each in instructions)
    return found, note_usage(catalog, found)


def note_usage(catalog: "Catalog", found: Sequence[dict[str, Any]]) -> tuple[str, ...]:
    """Add to instructions on the wire how often they were used; the warning that this could not be read."""
    if not catalog.places.journal_db.exists():
        return ()
    try:
        used = catalog.usage.counts([each["id"] for each in found])
    except DriftError as error:
        return (f"usage counts are left out: {error.message}",)
    for each in found:
        if each["id"] in used:
            each["usageCount"] = used[each["id"]].usage_count
            each["lastUsedAt"] = used[each["id"]].last_used_at
    return ()


def problem_rows(
    problems: "Iterable[FileProblem]", most: int | None = _MOST_PROBLEMS
) -> tuple[ProblemRow, ...]:
    return tuple(ProblemRow(each.name, each.line, each.reason) for each in tuple(problems)[:most])


def expect_row(seen: "Visibility") -> ExpectRow:
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
