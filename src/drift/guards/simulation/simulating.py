"""Ways to do a task in this project, each built on something it has, with what it would touch and a score in parts."""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.analyses.lookup import find_file
from drift.analyses.symbol_choice import choose_symbol
from drift.analyses.targets import is_folder
from drift.analyses.testing.reach import find_covered
from drift.analyses.testing.suites import suites_of
from drift.guards.constraints.mining import mine
from drift.guards.simulation.grounds import Ground, Spot, Target, find_grounds
from drift.guards.simulation.task import (
    Task,
    TaskCategory,
    Wishes,
    is_avoided,
    limit,
    read_task,
    read_wishes,
    settings,
)
from drift.index.ids import SymbolId
from drift.kernel.text import plural

if TYPE_CHECKING:
    from drift.index import IndexReader
    from drift.project import Project

_WHOLE: Final = 100
_MOST_CALLERS: Final = 8
_LEAST_SCORE: Final = 20


@dataclass(frozen=True, slots=True)
class PlaceRow:
    """A place that an approach would touch."""

    file: str
    line: int | None
    symbol: str | None


@dataclass(frozen=True, slots=True)
class ScorePart:
    """A part of a score, of 100; null where there was nothing to measure, and why."""

    part: str
    weight: float
    value: int | None
    because: str


@dataclass(frozen=True, slots=True)
class ApproachRow:
    """A way to do the task."""

    name: str
    strategy: str
    how: str
    score: int
    parts: tuple[ScorePart, ...]
    evidence: tuple[str, ...]
    places: tuple[PlaceRow, ...]
    callers: tuple[str, ...]
    caller_count: int
    tests: int | None
    keeps: tuple[str, ...] | None
    breaks: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class SimulationData:
    """Approaches, the best first; none where the project shows nothing to build on."""

    task: str
    category: TaskCategory
    target: str | None
    approaches: tuple[ApproachRow, ...]
    looked_for: tuple[str, ...]


class SimulationWish(NamedTuple):
    """What is to be tried."""

    task: str
    category: TaskCategory | None
    target: str | None
    constraints: tuple[str, ...]
    most: int


class Simulated(NamedTuple):
    """The answer, with a line on it and what has to be said beside it."""

    summary: str
    data: SimulationData
    warnings: tuple[str, ...]


class _Touched(NamedTuple):
    symbols: tuple[SymbolId, ...]
    callers: tuple[str, ...]
    users: int
    tests: int | None


def simulate(reader: "IndexReader", project: "Project", wish: SimulationWish) -> Simulated:
    """Try the task on paper."""
    task = read_task(wish.task, wish.category)
    wishes = read_wishes(wish.constraints)
    target, warnings = _target(reader, wish.target)
    grounds, notes = find_grounds(reader, project.root, task, target)
    rows = [_approach(reader, task, wishes, each) for each in grounds]
    kept = [row for row in rows if row.score >= _LEAST_SCORE]
    ordered = sorted(kept, key=lambda row: (bool(row.breaks), -row.score, row.name))[: wish.most]
    told = (
        f"{plural(len(ordered), 'approach', 'approaches')}, the best: {ordered[0].name} ({ordered[0].score} of 100)"
        if ordered
        else "No approach: nothing in this project or its history speaks of this task, and what is not shown is not guessed"
    )
    unread = tuple(
        f"not understood: {each}; use avoid-changing, max-files or must-work-with" for each in wishes.unread
    )
    looked = (
        f"words: {', '.join(sorted(task.words)) or 'none that tell'}",
        "guards before routes, middleware, mined wrappers, code alike, subjects of commits",
    )
    data = SimulationData(wish.task, task.category, wish.target, tuple(ordered), looked)
    return Simulated(told, data, (*warnings, *notes, *unread))


def _target(reader: "IndexReader", wanted: str | None) -> tuple[Target, tuple[str, ...]]:
    if wanted is None:
        return Target(None, None), ()
    file = find_file(reader, wanted)
    if file is not None:
        return Target(None, file.path), ()
    if is_folder(reader, wanted):
        return Target(None, wanted.rstrip("/")), ()
    symbol, warnings = choose_symbol(reader, wanted)
    return Target(symbol, symbol.path), warnings


def _approach(reader: "IndexReader", task: Task, wishes: Wishes, ground: Ground) -> ApproachRow:
    touched = _touched(reader, ground.spots)
    paths = tuple(dict.fromkeys(each.file for each in ground.spots))
    breaks = _broken(wishes, ground, paths)
    parts = _parts(task, ground, touched, breaks)
    measured = [(each.weight, each.value) for each in parts if each.value is not None]
    score = sum(weight * value for weight, value in measured) / sum(weight for weight, _ in measured)
    about = tuple(
        each.id for each in mine(reader) if any(_concerns(each.where.files, path, reader) for path in paths)
    )
    return ApproachRow(
        ground.name,
        ground.strategy,
        ground.how,
        round(score),
        parts,
        ground.evidence,
        tuple(PlaceRow(*each) for each in ground.spots),
        touched.callers,
        touched.users,
        touched.tests,
        tuple(dict.fromkeys([*ground.keeps, *about]))[:6] or None,
        breaks or None,
    )


def _concerns(patterns: tuple[str, ...], path: str, reader: "IndexReader") -> bool:  # noqa: ARG001 - as other tests of paths
    return any(path.startswith(each.removesuffix("**")) for each in patterns)


def _touched(reader: "IndexReader", spots: tuple[Spot, ...]) -> _Touched:
    """The symbols at the places, who calls them, and how many of them tests run."""
    symbols: list[SymbolId] = []
    for spot in spots:
        file = reader.files.at(spot.file)
        if file is None:
            continue
        found = reader.symbols.of_file(file.id)
        named = [each for each in found if spot.symbol is not None and each.qualname == spot.symbol]
        code = [each for each in found if each.kind in ("function", "method", "constructor")]
        symbols += [each.id for each in (named or ([] if spot.symbol else code))]
    places = reader.callers.places(symbols) if symbols else []
    names = [
        f"{each.qualname} ({each.path})" for each in reader.symbols.many({one.caller_id for one in places})
    ]
    if not symbols:
        return _Touched((), (), 0, None)
    suites = suites_of(reader)
    if not suites.count_all(reader):
        return _Touched(tuple(symbols), tuple(names[:_MOST_CALLERS]), len(names), None)
    covered = find_covered(reader, suites)
    ran = sum(1 for each in symbols if each in covered)
    return _Touched(
        tuple(symbols), tuple(sorted(names)[:_MOST_CALLERS]), len(names), round(_WHOLE * ran / len(symbols))
    )


def _parts(task: Task, ground: Ground, touched: _Touched, breaks: tuple[str, ...]) -> tuple[ScorePart, ...]:
    weights: dict[str, float] = settings()["weights"]
    many, wide = limit("many_precedents"), limit("many_users")
    precedent = min(1.0, math.log2(1 + ground.precedents) / math.log2(1 + many))
    own = ground.shared & task.words
    fit = len(own) / len(task.words) if task.words else 0.0
    if ground.shared - task.words:
        fit = max(fit, 0.5)  # of the same kind, though not by the words of the task
    reach = 1 - min(1.0, touched.users / wide) if touched.symbols else None
    return (
        ScorePart(
            "precedent", weights["precedent"], round(_WHOLE * precedent), plural(ground.precedents, "place") + " or changes like it"
        ),
        ScorePart(
            "fit", weights["fit"], round(_WHOLE * min(1.0, fit)), f"shares {', '.join(sorted(ground.shared)) or 'no word'}"
        ),
        ScorePart(
            "reach",
            weights["reach"],
            None if reach is None else round(_WHOLE * reach),
            "nothing is there yet" if reach is None else f"{plural(touched.users, 'caller')} to look at",
        ),
        ScorePart(
            "tests",
            weights["tests"],
            touched.tests,
            "nothing that tests could run is there yet" if touched.tests is None else f"tests run {touched.tests} % of what is touched",
        ),
        ScorePart(
            "rules", weights["rules"], _WHOLE if not breaks else 0, "; ".join(breaks) or "keeps all wishes"
        ),
    )  # fmt: skip


def _broken(wishes: Wishes, ground: Ground, paths: tuple[str, ...]) -> tuple[str, ...]:
    found = [f"changes {path}, which is to stay" for path in paths if is_avoided(wishes, path)]
    if wishes.most_files is not None and len(paths) > wishes.most_files:
        found.append(f"touches {len(paths)} files, {wishes.most_files} are allowed")
    said = " ".join((ground.name, ground.how, *ground.evidence, *paths)).lower()
    found += [f"{each} plays no part in it" for each in wishes.required if each.lower() not in said]
    return tuple(found)
