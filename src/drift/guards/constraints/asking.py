"""What may be asked of constraints: the list, one with its evidence, decisions, and whether files keep them."""

from contextlib import closing
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from drift.guards.constraints.book import read_book, write_decided
from drift.guards.constraints.form import (
    CannotTellError,
    Constraint,
    ConstraintCategory,
    ConstraintStatus,
    ConstraintType,
    Site,
)
from drift.guards.constraints.mining import confidence_of, mine
from drift.guards.constraints.predicates import evaluate
from drift.guards.constraints.scene import Scene
from drift.guards.constraints.verifying import ENFORCED, Satisfied, Skipped, all_constraints, verify
from drift.kernel.errors import DriftError, ErrorCode, Recovery, needed
from drift.kernel.similar import similar_names
from drift.kernel.text import plural
from drift.quality import Finding, Severity
from drift.state import Curation, StateStore

if TYPE_CHECKING:
    from drift.index import IndexReader
    from drift.project import Project

ConstraintAction = Literal["list", "show", "extract", "approve", "ignore", "verify"]
_MOST_PLACES: Final = 10
_ORDER: Final[dict[ConstraintStatus, int]] = {
    "custom": 0, "approved": 1, "stale": 2, "discovered": 3, "ignored": 4
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ConstraintRow:
    """A constraint: `holding` of `sites` places keep it; confidence is the lower end of what that share may be."""

    id: str
    rule: str
    type: ConstraintType
    category: ConstraintCategory
    status: ConstraintStatus
    severity: Severity
    confidence: float | None
    holding: int | None
    sites: int | None
    files: int | None


@dataclass(frozen=True, slots=True)
class ConstraintPlace:
    """A place that a constraint is about."""

    file: str
    line: int
    symbol: str | None
    what: str


@dataclass(frozen=True, slots=True)
class ConstraintDetail:
    """A constraint with what it asks, places that keep it and places that do not."""

    constraint: ConstraintRow
    predicate: str
    asks: dict[str, tuple[str, ...]]
    where: dict[str, tuple[str, ...]] | None
    guidance: str | None
    evidence: tuple[ConstraintPlace, ...]
    counterexamples: tuple[ConstraintPlace, ...]
    not_evaluated: str | None = None
    source: str | None = None
    decided_by: str | None = None
    decided_at: str | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class VerifiedRow:
    """How constraints came out in what was looked at."""

    passed: bool
    violations: tuple[Finding, ...]
    satisfied: tuple[Satisfied, ...]
    skipped: tuple[Skipped, ...]


@dataclass(frozen=True, slots=True)
class ConstraintsData:
    """What was asked for; the other parts are absent."""

    constraints: tuple[ConstraintRow, ...] | None = None
    total: int | None = None
    detail: ConstraintDetail | None = None
    verification: VerifiedRow | None = None
    decided: ConstraintRow | None = None


class ConstraintWish(NamedTuple):
    """What is asked."""

    action: ConstraintAction
    id: str | None = None
    file: str | None = None
    category: ConstraintCategory | None = None
    status: ConstraintStatus | None = None
    least_confidence: float = 0.0
    reason: str | None = None
    most: int = 20


class Said(NamedTuple):
    """An answer, with a line on it and what has to be said beside it."""

    summary: str
    data: ConstraintsData
    warnings: tuple[str, ...] = ()


def answer(
    reader: "IndexReader", project: "Project", wish: ConstraintWish, *, by: str, now: datetime
) -> Said:
    """Do what is asked."""
    if wish.action == "verify":
        return _verify(reader, project, wish)
    if wish.action == "extract":
        mined = [each for each in mine(reader) if _fits(each, wish)]
        return _listed(mined, wish, (), "mined")
    constraints, problems = all_constraints(reader, project)
    if wish.action == "list":
        chosen = [each for each in constraints if _fits(each, wish)]
        if wish.status is None:
            chosen = [each for each in chosen if each.status != "ignored"]
        return _listed(chosen, wish, problems, "")
    constraint = _require(constraints, needed("id", wish.id, when=f"action={wish.action}"))
    if wish.action == "show":
        detail = describe(reader, constraint)
        return Said(f"{constraint.status}: {constraint.rule}", ConstraintsData(detail=detail), problems)
    return _decide(project, constraint, wish, by=by, now=now)


def describe(reader: "IndexReader", constraint: Constraint) -> ConstraintDetail:
    """A constraint with the places that keep it and those that do not."""
    sites: list[Site] = []
    problem = None
    try:
        sites = evaluate(Scene(reader), constraint)
    except CannotTellError as error:
        problem = str(error)
    where = {name: getattr(constraint.where, name) for name in ("files", "exclude", "languages")}
    return ConstraintDetail(
        row_of(constraint),
        constraint.predicate.name,
        {key: value for key, value in constraint.predicate.values.items() if value},
        {name: value for name, value in where.items() if value} or None,
        constraint.guidance,
        _places(sites, holds=True),
        _places(sites, holds=False),
        problem,
        constraint.source,
        constraint.by,
        constraint.at,
        constraint.reason,
    )


def row_of(constraint: Constraint) -> ConstraintRow:
    """A constraint as lists show it."""
    counts = constraint.counts
    return ConstraintRow(
        constraint.id,
        constraint.rule,
        constraint.type,
        constraint.category,
        constraint.status,
        constraint.severity,
        confidence_of(counts),
        counts.holding if counts else None,
        counts.sites if counts else None,
        counts.files if counts else None,
    )


def _places(sites: list[Site], *, holds: bool) -> tuple[ConstraintPlace, ...]:
    """Places of a kind, one of a file first, so that few of them tell of many files."""
    fitting = [each for each in sites if each.holds is holds]
    once = list({each.file: each for each in reversed(fitting)}.values())[::-1]
    chosen = [*once, *(each for each in fitting if each not in once)][:_MOST_PLACES]
    return tuple(ConstraintPlace(each.file, each.line, each.symbol, each.what) for each in chosen)


def _verify(reader: "IndexReader", project: "Project", wish: ConstraintWish) -> Said:
    statuses: tuple[ConstraintStatus, ...] = (
        (*ENFORCED, "discovered") if wish.status is None else (wish.status,)
    )
    found = verify(
        reader,
        project,
        files=None if wish.file is None else {wish.file},
        statuses=statuses,
        least_confidence=wish.least_confidence,
    )
    row = VerifiedRow(
        not found.violations, found.violations[: wish.most], found.satisfied[: wish.most], found.skipped
    )
    told = (
        f"{plural(len(found.violations), 'violation')}, {plural(len(found.satisfied), 'constraint')} kept, "
        f"{len(found.skipped)} not evaluated"
    )
    return Said(told, ConstraintsData(verification=row, total=len(found.violations)), found.problems)


def _listed(chosen: list[Constraint], wish: ConstraintWish, problems: tuple[str, ...], word: str) -> Said:
    ordered = sorted(
        chosen, key=lambda each: (_ORDER[each.status], -(confidence_of(each.counts) or 0), each.id)
    )
    rows = tuple(row_of(each) for each in ordered[: wish.most])
    told = f"{plural(len(chosen), 'constraint')}" + (f" {word}" if word else "")
    if not chosen:
        told = "No constraint: nothing here is sure enough to be one, and .drift/rules/ has none"
    return Said(told, ConstraintsData(rows, len(chosen)), problems)


def _fits(constraint: Constraint, wish: ConstraintWish) -> bool:
    confidence = confidence_of(constraint.counts)
    is_sure = (
        confidence is None or confidence >= wish.least_confidence or constraint.status in ("custom", "stale")
    )
    return (
        (wish.category is None or constraint.category == wish.category)
        and (wish.status is None or constraint.status == wish.status)
        and is_sure
    )


def _require(constraints: list[Constraint], id_: str) -> Constraint:
    found = next((each for each in constraints if each.id == id_), None)
    if found is not None:
        return found
    raise DriftError(
        ErrorCode.PATTERN_NOT_FOUND,
        f"No constraint has the id {id_}",
        Recovery(
            hint="Call with action=list to see those there are.",
            similar=similar_names(id_, [each.id for each in constraints]),
        ),
    )


def _decide(
    project: "Project", constraint: Constraint, wish: ConstraintWish, *, by: str, now: datetime
) -> Said:
    written = read_book(project.state).constraints.get(constraint.id)
    if written is not None and written.status == "custom":
        raise DriftError(
            ErrorCode.INVALID_ARGUMENT,
            f"{constraint.id} is the project's own: it is decided where it is written, in {written.source}",
            Recovery(hint="Edit or delete it there."),
        )
    status: ConstraintStatus = "approved" if wish.action == "approve" else "ignored"
    decided = replace(
        constraint, status=status, by=by, at=now.date().isoformat(), reason=wish.reason, source=None
    )
    with closing(StateStore(project.stores.state_db)) as store:
        store.add_curation(
            Curation(f"constraint:{constraint.id}"[:500], now, by, wish.action, status, wish.reason)
        )
    write_decided(project.state, decided)
    told = f"{constraint.id} is {status}; see .drift/rules/constraints.toml"
    return Said(told, ConstraintsData(decided=row_of(decided)))
