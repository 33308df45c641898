"""Whether a project, some files or a change keep the constraints: what is broken, what holds, what could not be looked at."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.conventions.excuses import MARK, Excuses
from drift.conventions.gathering import Found
from drift.guards.constraints.book import read_book
from drift.guards.constraints.form import CannotTellError, Constraint, ConstraintStatus, Site
from drift.guards.constraints.miners.settings import parameters
from drift.guards.constraints.mining import confidence_of, count, mine
from drift.guards.constraints.predicates import evaluate
from drift.guards.constraints.scene import Scene
from drift.quality import Finding, finding, in_order

if TYPE_CHECKING:
    from drift.guards.overlay import Overlay
    from drift.index import IndexReader
    from drift.project import Project

ENFORCED: Final[tuple[ConstraintStatus, ...]] = ("approved", "custom")
LEAST_CONFIDENCE: Final = 0.9
"""From which on a mined constraint that nobody decided about counts, where such are asked for."""


class Satisfied(NamedTuple):
    """A constraint that holds at all its places that were looked at."""

    id: str
    rule: str
    places: int


class Skipped(NamedTuple):
    """A constraint that could not be evaluated, and why."""

    id: str
    reason: str


class Verification(NamedTuple):
    """How constraints came out. `problems` are parts of .drift/rules/ that could not be read."""

    violations: tuple[Finding, ...]
    satisfied: tuple[Satisfied, ...]
    skipped: tuple[Skipped, ...]
    problems: tuple[str, ...] = ()


def verify(
    reader: "IndexReader",
    project: "Project",
    *,
    files: Collection[str] | None = None,
    lines: Mapping[str, Collection[int]] | None = None,
    overlay: "Overlay | None" = None,
    statuses: Collection[ConstraintStatus] = ENFORCED,
    least_confidence: float = LEAST_CONFIDENCE,
) -> Verification:
    """Evaluate the constraints of these statuses over the project, over some files, or over changed lines of files.

    With `lines` only what stands at one of a file's lines is broken by the change; `files` need not be given then.
    With an overlay its texts are looked at, and nothing else where neither is given.
    """
    texts = overlay.files.keys() if overlay is not None else None
    chosen = files if files is not None else (lines.keys() if lines is not None else texts)
    book = read_book(project.state)
    constraints = wanted(reader, project, statuses=statuses, least_confidence=least_confidence)
    return evaluate_all(
        Scene(reader, chosen, overlay), constraints, lines=lines
    )._replace(problems=book.problems)  # fmt: skip


def wanted(
    reader: "IndexReader",
    project: "Project",
    *,
    statuses: Collection[ConstraintStatus],
    least_confidence: float = LEAST_CONFIDENCE,
) -> list[Constraint]:
    """The constraints of some statuses; mined ones only where those are asked for, for they cost a look at everything."""
    written = read_book(project.state).constraints
    found = [each for each in written.values() if each.status in statuses]
    if "discovered" in statuses:
        found += [
            each
            for each in mine(reader)
            if each.id not in written and (confidence_of(each.counts) or 0) >= least_confidence
        ]
    return found


def all_constraints(reader: "IndexReader", project: "Project") -> tuple[list[Constraint], tuple[str, ...]]:
    """What is written and what is mined, each with its counts as they are now; what was approved and no longer holds is stale."""
    book = read_book(project.state)
    scene = Scene(reader)
    written = [_as_it_is(scene, each) for each in book.constraints.values()]
    mined = [each for each in mine(reader) if each.id not in book.constraints]
    return [*written, *mined], book.problems


def _as_it_is(scene: Scene, constraint: Constraint) -> Constraint:
    try:
        counts = count(evaluate(scene, constraint))
    except CannotTellError:
        return replace(constraint, status="stale") if constraint.status == "approved" else constraint
    is_kept = (confidence_of(counts) or 0) >= parameters("judging")["least_confidence"]
    is_stale = constraint.status == "approved" and not is_kept
    return replace(constraint, counts=counts, status="stale" if is_stale else constraint.status)


def evaluate_all(
    scene: Scene, constraints: Iterable[Constraint], *, lines: Mapping[str, Collection[int]] | None = None
) -> Verification:
    """The outcome of each constraint in the scene."""
    excuses = Excuses(scene.comments_with(MARK))
    ids = {each.path: id_ for id_, each in scene.every.items()}
    violations: list[Finding] = []
    satisfied: list[Satisfied] = []
    skipped: list[Skipped] = []
    for each in constraints:
        try:
            sites = evaluate(scene, each)
        except CannotTellError as error:
            skipped.append(Skipped(each.id, str(error)))
            continue
        broken = [
            site
            for site in sites
            if not site.holds
            and (site.file in scene_paths(scene) and _is_changed(site, lines))
            and not excuses.excuse(Found(ids[site.file], site.line, site.end_line, _excusable(each.id), ""))
        ]
        violations += [_finding(each, site) for site in broken]
        if not broken:
            satisfied.append(Satisfied(each.id, each.rule, len(sites)))
    return Verification(in_order(violations), tuple(satisfied), tuple(skipped))


def scene_paths(scene: Scene) -> Collection[str]:
    """The files that are looked at."""
    return {each.path for each in scene.files.values()}


def _excusable(id_: str) -> str:
    """The name a comment excuses a constraint by: the part of its id before what it is about."""
    return id_.partition(":")[0].partition("@")[0]


def _is_changed(site: Site, lines: Mapping[str, Collection[int]] | None) -> bool:
    if lines is None:
        return True
    changed = lines.get(site.file, ())
    return any(site.line <= each <= site.end_line for each in changed)


def _finding(constraint: Constraint, site: Site) -> Finding:
    counts = constraint.counts
    evidence: dict[str, int | float | str] = {"constraint": constraint.id}
    if counts is not None:
        evidence |= {"holding": counts.holding, "sites": counts.sites}
    share = f" ({counts.holding} of {counts.sites} places)" if counts is not None else ""
    return finding(
        f"constraint/{constraint.type.replace('_', '-')}",
        f"{constraint.rule}{share}; here: {site.what}",
        file=site.file,
        lines=(site.line, site.end_line),
        symbol=site.symbol,
        snippet=f"{constraint.id} {site.what}",
        severity=constraint.severity,
        evidence=evidence,
        suggestion=constraint.guidance,
    )
