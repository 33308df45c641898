"""What a project has already that a task can build on: guards on siblings, middleware, wrappers, like functions, like changes."""

import posixpath
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from drift.analyses.middleware import find_middleware
from drift.analyses.similarity import find_similar
from drift.guards.constraints.mining import mine
from drift.guards.constraints.route_guards import names_before
from drift.guards.constraints.scene import Scene
from drift.guards.simulation.task import Task, limit, stems
from drift.history import Commit, Wanted, opened_history
from drift.index.path_text import path_to_text
from drift.kernel.errors import DriftError
from drift.kernel.text import plural

if TYPE_CHECKING:
    from drift.guards.constraints.form import Constraint
    from drift.index import IndexReader
    from drift.index.records import SymbolRecord

Strategy = Literal["guard", "middleware", "wrapper", "extend", "precedent", "in-place"]
_MOST_SIMILAR: Final = 16
_MOST_OF_KIND: Final = 2
_MOST_SECONDS: Final = 2.0
_LEAST_SCORE: Final = 0.2
_GUARDED: Final = frozenset(
    {"rate-limiting", "authentication", "authorization", "caching", "logging", "validation", "middleware"}
)
"""What something before a route may do; a new route is none of it."""


class Spot(NamedTuple):
    """A place that an approach would touch or look at."""

    file: str
    line: int | None
    symbol: str | None


class Ground(NamedTuple):
    """Something there is, how often, and where a change that builds on it would be made."""

    strategy: Strategy
    name: str
    how: str
    precedents: int
    shared: frozenset[str]
    spots: tuple[Spot, ...]
    evidence: tuple[str, ...]
    keeps: tuple[str, ...] = ()


class Target(NamedTuple):
    """What the change is about: a symbol, or a file or folder."""

    symbol: "SymbolRecord | None"
    path: str | None


def find_grounds(
    reader: "IndexReader", root: Path, task: Task, target: Target
) -> tuple[list[Ground], tuple[str, ...]]:
    """All there is to build on, as found, and what could not be looked at."""
    notes: list[str] = []
    scene = Scene(reader)
    constraints = mine(reader)
    return [
        *_in_place(task, target),
        *_guards(scene, task, target, constraints),
        *_middleware(reader, task),
        *_wrappers(task, constraints),
        *_alike(reader, task, target),
        *_changes(root, scene, task, notes),
    ], tuple(notes)


def _in_place(task: Task, target: Target) -> Iterator[Ground]:
    if target.symbol is None:
        return
    one = target.symbol
    yield Ground(
        "in-place",
        f"Change {one.qualname} itself",
        f"Write it into {one.qualname}; who calls it gets it with the call.",
        1,
        task.words & frozenset(stems(f"{one.qualname} {one.doc}")),
        (Spot(one.path, one.line, one.qualname),),
        (f"{one.path}:{one.line} is what was named",),
    )


def _guards(
    scene: Scene, task: Task, target: Target, constraints: Collection["Constraint"]
) -> Iterator[Ground]:
    """Names before routes, nearest to the target, that speak of what the task is about."""
    if task.category not in _GUARDED:
        return
    near = target.symbol.path if target.symbol is not None else target.path
    routes = [route for route in scene.routes if near is None or _is_near(scene.path(route.file), near)]
    users: dict[str, list[tuple[str, int, str]]] = defaultdict(list)
    for route in routes or scene.routes:
        for name in names_before(scene, route):
            users[name].append(
                (scene.path(route.file), route.line, f"{','.join(route.methods)} {route.path}")
            )
    fitting = [
        (name, found)
        for name, found in users.items()
        if task.hints & frozenset(stems(name)) and not name.endswith("()")
    ]
    for name, found in sorted(fitting, key=lambda one: (-len(one[1]), one[0]))[:_MOST_OF_KIND]:
        where = (
            (Spot(target.symbol.path, target.symbol.line, target.symbol.qualname),)
            if target.symbol is not None
            else (Spot(near or found[0][0], None, None),)
        )
        keeps = tuple(each.id for each in constraints if name in each.predicate.get("guards"))
        yield Ground(
            "guard",
            f"Put {name} before it",
            f"Add {name} as {plural(len(found), 'route')} beside it have.",
            len(found),
            _shared(name, task),
            where,
            tuple(f"{path}:{line} {route}" for path, line, route in found[:3]),
            keeps,
        )


def _middleware(reader: "IndexReader", task: Task) -> Iterator[Ground]:
    rows = find_middleware(reader)
    # A single word of the task may be anything's; one of what it is about, or several, tell.
    fitting = [
        row
        for row in rows
        if task.hints & frozenset(stems(row.name)) or len(_shared(row.name, task)) >= limit("least_shared")
    ]
    is_asked = task.category in ("middleware", "rate-limiting", "logging", "authentication", "error-handling")
    for row in fitting[:_MOST_OF_KIND]:
        yield Ground(
            "middleware",
            f"Extend the {row.role} {row.name}",
            f"{row.name} runs around requests already ({row.framework}); do it there.",
            max(1, row.uses),
            _shared(row.name, task),
            (Spot(row.file, row.line, row.name),),
            (f"{row.file}:{row.line} {row.name}: {row.reason}",),
        )
    if rows and not fitting and is_asked:
        home, times = Counter(posixpath.dirname(row.file) for row in rows).most_common(1)[0]
        yield Ground(
            "middleware",
            f"Write a {rows[0].role} beside those in {home or 'the root'}",
            f"{plural(len(rows), 'part')} of the project run around requests; a new one is put up where they are.",
            times,
            task.words & frozenset(stems(home)),
            (Spot(home or ".", None, None),),
            tuple(f"{row.file}:{row.line} {row.name}" for row in rows[:3]),
        )


def _wrappers(task: Task, constraints: Collection["Constraint"]) -> Iterator[Ground]:
    for each in constraints:
        shared = _shared(f"{each.id} {each.rule}", task)
        if each.type == "must_wrap" and shared and each.counts is not None:
            path, _, name = each.predicate.get("instead")[0].partition("::")
            yield Ground(
                "wrapper",
                f"Go through {name}",
                each.rule,
                each.counts.holding,
                shared,
                (Spot(path, None, name),),
                (f"{each.counts.holding} of {each.counts.sites} places do so ({each.id})",),
                (each.id,),
            )


def _alike(reader: "IndexReader", task: Task, target: Target) -> Iterator[Ground]:
    """Code whose names and calls say what the task says."""
    found = find_similar(reader, None, task.text, limit=_MOST_SIMILAR)
    # A test says what is wanted in the words of the task, and is nothing to build on.
    rows = [row for row in found if (file := reader.files.at(row.file)) is not None and file.role == "source"]
    own = target.symbol.qualname if target.symbol is not None else None
    fitting = [row for row in rows if row.score >= _LEAST_SCORE and row.symbol != own]
    least = min(limit("least_shared"), len(task.words))
    telling = [row for row in fitting if len(_shared(f"{row.file} {row.symbol}", task) & task.words) >= least]
    for row in telling[:_MOST_OF_KIND]:
        yield Ground(
            "extend",
            f"Build on {row.symbol}",
            f"{row.symbol} does something alike: extend it, or write the new code beside and like it.",
            1,
            _shared(f"{row.file} {row.symbol} {row.doc or ''}", task),
            (Spot(row.file, row.line, row.symbol),),
            (f"{row.file}:{row.line} {row.signature[:120]}; alike by {', '.join(row.why[:3])}",),
        )


def _changes(root: Path, scene: Scene, task: Task, notes: list[str]) -> Iterator[Ground]:
    """Commits whose subjects say what the task says, with the files of theirs that are still there."""
    try:
        with opened_history(
            root, Wanted(commits=limit("most_history")), most_seconds=_MOST_SECONDS
        ) as history:
            commits = history.latest(limit("most_history"))
    except DriftError as error:
        notes.append(f"Earlier changes were not looked at: {error.message}")
        return
    there = {each.path for each in scene.every.values() if each.language}
    found = [each for commit in commits if (each := _alike_change(commit, task, there)) is not None]
    if not found:
        return
    best = max(len(each.shared) for each in found)
    alike = [each for each in found if len(each.shared) == best][: limit("most_alike")]
    touched = Counter(path for each in alike for path in set(each.files))
    least = 2 if len(alike) > 2 else 1  # noqa: PLR2004 - what two of three changes touch belongs to such a change
    common = [path for path, times in touched.most_common(limit("most_places")) if times >= least]
    told = [f"{each.commit.hash[:10]} {' '.join(each.commit.subject.split())[:90]}" for each in alike[:3]]
    yield Ground(
        "precedent",
        f"As {plural(len(alike), 'earlier change')} did",
        f"Changes alike touched these files again and again; read {alike[0].commit.hash[:10]} first.",
        len(alike),
        frozenset().union(*(each.shared for each in alike)),
        tuple(Spot(path, None, None) for path in common or alike[0].files[: limit("most_places")]),
        tuple(told),
    )


class _Alike(NamedTuple):
    commit: Commit
    shared: frozenset[str]
    files: tuple[str, ...]


def _alike_change(commit: Commit, task: Task, there: Collection[str]) -> _Alike | None:
    """A commit whose subject says what the task says, in more than a word."""
    shared = task.words & frozenset(stems(commit.subject))
    if len(shared) < min(limit("least_shared"), len(task.words) or 1):
        return None
    files = tuple(path for each in commit.changes if (path := path_to_text(each.path)) in there)
    return _Alike(commit, shared, files) if files else None


def _shared(text: str, task: Task) -> frozenset[str]:
    return task.all_words & frozenset(stems(text))


def _is_near(path: str, near: str) -> bool:
    folder = near if "." not in posixpath.basename(near) else posixpath.dirname(near)
    return path == near or path.startswith(f"{folder.rstrip('/')}/")
