"""What the tools about security answer."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.index import IndexReader
from drift.kernel.answer import NextAction
from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.ranking import Ranked
from drift.kernel.similar import similar_names
from drift.security.boundaries import (
    TABLE,
    TABLE_SORTS,
    Boundaries,
    Table,
    TableRow,
    boundaries_summary,
    boundary_warnings,
    choose,
    find_boundaries,
    table_row,
)
from drift.security.counted import flow_rows, secret_rows
from drift.security.routes import Routes
from drift.security.rules import BoundaryRule, BoundaryRuleError, find_crossings, read_boundary_rules
from drift.security.summary import Focus, SecurityData, Violation, summarize

if TYPE_CHECKING:
    from drift.project import Project

_MOST_WALKED: Final = 25
_MOST_VIOLATIONS: Final = 20


class Wish(NamedTuple):
    """What a caller wants to know of boundaries."""

    module: str | None
    table: str | None
    sensitive_only: bool
    max_depth: int


@dataclass(frozen=True, slots=True)
class BoundaryData:
    """Tables, and where a rule of the project about them is broken."""

    tables: tuple[TableRow, ...]
    frameworks: tuple[str, ...]
    sensitive_fields: int
    rules: int
    violations: tuple[Violation, ...]


class FoundBoundaries(NamedTuple):
    """What a question about boundaries came to."""

    whole: Boundaries
    chosen: list[Table]
    routes: Routes
    violations: tuple[Violation, ...]
    rules: int
    warnings: tuple[str, ...]
    max_depth: int

    @property
    def ranked(self) -> Ranked[Table]:
        return Ranked(self.chosen, TABLE_SORTS)

    @property
    def summary(self) -> str:
        return boundaries_summary(self.whole, self.chosen)


def known_rules(project: "Project") -> tuple[tuple[BoundaryRule, ...], tuple[str, ...]]:
    """The project's rules, and what is wrong with them."""
    try:
        return read_boundary_rules(project.state), ()
    except BoundaryRuleError as error:
        return (), (f"No rule of boundaries counts: {error}",)


def boundaries_answer(reader: IndexReader, project: "Project", wish: Wish) -> FoundBoundaries:
    """The tables a question is about. Raises NOT_FOUND for a table that nobody knows."""
    found = find_boundaries(reader, project.root)
    chosen = choose(found, module=wish.module, table=wish.table, sensitive_only=wish.sensitive_only)
    if wish.table is not None and not choose(found, table=wish.table):
        known = sorted(
            {name for one in found.tables for name in (one.name, one.model.name if one.model else one.name)}
        )
        raise DriftError(
            ErrorCode.SYMBOL_NOT_FOUND,
            f"No table or model is called {wish.table}",
            Recovery(similar=similar_names(wish.table, known), alternative_tools=("drift_boundaries",)),
        )
    rules, problems = known_rules(project)
    crossings = find_crossings(reader, found.data, rules)
    told = tuple(Violation(f"boundaries/{one.rule.id}", one.file, one.line, one.told) for one in crossings)
    warnings = boundary_warnings(found, problems)
    return FoundBoundaries(found, chosen, Routes(reader), told, len(rules), warnings, wish.max_depth)


def boundary_data(reader: IndexReader, found: FoundBoundaries, shown: Sequence[Table]) -> BoundaryData:
    """The answer that shows these tables; of the first the ways to them are walked."""
    rows = tuple(
        table_row(reader, one, found.routes if number < _MOST_WALKED else None, max_depth=found.max_depth)
        for number, one in enumerate(shown)
    )
    return BoundaryData(
        rows,
        found.whole.data.frameworks,
        sum(len(one.sensitive) for one in found.chosen),
        found.rules,
        found.violations[:_MOST_VIOLATIONS],
    )


def boundary_steps(found: FoundBoundaries) -> tuple[NextAction, ...]:
    """Calls worth making after a look at boundaries."""
    worst = next((one for one in found.chosen if one.sensitive and one.points), None)
    steps = [NextAction("drift_security_summary", {}, "the state as a whole")]
    if worst is not None:
        args = {"location": f"{TABLE}{worst.name}", "direction": "inverse"}
        steps.insert(
            0, NextAction("drift_reachability", args, f"every entry point that comes to {worst.name}")
        )
    return tuple(steps)


def security_answer(reader: IndexReader, project: "Project", *, focus: Focus, limit: int) -> SecurityData:
    """The state of a project's security."""
    rules, _ = known_rules(project)
    return summarize(
        reader,
        project.root,
        rules,
        focus=focus,
        limit=limit,
        secrets=len(secret_rows(reader, project)),
        flows=len(flow_rows(reader, project)),
    )


def security_steps(data: SecurityData) -> tuple[NextAction, ...]:
    """Calls worth making after a look at the summary."""
    steps = [NextAction("drift_boundaries", {"sensitiveOnly": True}, "who reaches what is sensitive")]
    if data.overview.violations:
        args = {"against": "all", "gates": ["security-boundary"]}
        steps.append(NextAction("drift_quality_gate", args, "the violations as findings"))
    return tuple(steps)
