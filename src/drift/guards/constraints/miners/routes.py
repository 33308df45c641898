"""What stands before the routes of a project, of a folder of it, or before those that write."""

import posixpath
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from drift.conventions.statistics import wilson
from drift.guards.constraints.form import Constraint, Predicate, Where, fits_name
from drift.guards.constraints.miners.settings import parameters
from drift.guards.constraints.route_guards import is_asked, names_before
from drift.kernel.words import split_words

if TYPE_CHECKING:
    from drift.guards.constraints.scene import Route, Scene


def propose_routes(scene: "Scene") -> Iterator[Constraint]:
    """For each kind of guard: the widest part of the routes that has it, and folders that have it where the whole has not."""
    settings = parameters("routes")
    named = [(route, names_before(scene, route)) for route in scene.routes]
    open_names = tuple(settings["open"])
    asked = [
        (route, names)
        for route, names in named
        if is_asked(route, (), (), tuple(settings["except"]))
        and not any(fits_name(open_names, name) for name in names)
        and scene.every[route.file].role == "source"
    ]
    for kind in settings["kinds"]:
        yield from _of_kind(scene, kind, asked)


def _of_kind(
    scene: "Scene", kind: dict[str, Any], asked: list[tuple["Route", tuple[str, ...]]]
) -> Iterator[Constraint]:
    writing = tuple(parameters("routes")["writing"])
    methods = tuple(kind.get("methods", ()))
    rows = [(route, names) for route, names in asked if not methods or set(methods) & set(route.methods)]
    found = [(route, fitting_guards(names, kind)) for route, names in rows]
    if _is_sure(found):
        yield _constraint(kind, found, "", methods)
        return
    written = [(route, names) for route, names in found if set(writing) & set(route.methods)]
    if not methods and _is_sure(written):
        yield _constraint(kind, written, "", writing)
        return
    taken: list[str] = []
    for folder, inside in sorted(
        _by_folder(scene, found).items(), key=lambda one: (one[0].count("/"), one[0])
    ):
        if not any(folder.startswith(f"{each}/") for each in taken) and _is_sure(inside):
            taken.append(folder)
            yield _constraint(kind, inside, folder, methods)


def _by_folder(
    scene: "Scene", found: Iterable[tuple["Route", tuple[str, ...]]]
) -> dict[str, list[tuple["Route", tuple[str, ...]]]]:
    folders: dict[str, list[tuple[Route, tuple[str, ...]]]] = defaultdict(list)
    for route, names in found:
        folder = posixpath.dirname(scene.path(route.file))
        while folder:
            folders[folder].append((route, names))
            folder = posixpath.dirname(folder)
    return folders


def fitting_guards(names: Iterable[str], kind: dict[str, Any]) -> tuple[str, ...]:
    """The names before a route that have a word of the kind; of calls those that ask, by their first word."""
    words, phrases = frozenset(kind["words"]), tuple(kind["phrases"])
    asking, never = frozenset(kind["asking"]), tuple(parameters("routes")["never"])
    found = []
    for name in names:
        parts = split_words(name)
        is_asked = not name.endswith("()") or (parts and parts[0] in asking)
        is_of_kind = not words.isdisjoint(parts) or any(each in name.lower() for each in phrases)
        if is_asked and is_of_kind and not fits_name(never, name):
            found.append(name)
    return tuple(found)


def _is_sure(found: list[tuple["Route", tuple[str, ...]]]) -> bool:
    holding = sum(1 for _, names in found if names)
    least: int = parameters("routes")["least_sites"]
    sure: float = parameters("judging")["least_confidence"]
    return len(found) >= least and wilson(holding, len(found)) >= sure


def _constraint(
    kind: dict[str, Any], found: list[tuple["Route", tuple[str, ...]]], folder: str, methods: tuple[str, ...]
) -> Constraint:
    settings = parameters("routes")
    counts = Counter(name for _, names in found for name in set(names))
    guards = tuple(name for name, _ in counts.most_common())
    which = "Every route that writes" if methods == tuple(settings["writing"]) else "Every route"
    if methods and methods != tuple(settings["writing"]):
        which = f"Every {', '.join(methods)} route"
    where = f" in {folder}" if folder else ""
    writes = "-writing" if methods == tuple(settings["writing"]) else ""
    return Constraint(
        f"routes/{kind['kind']}{writes}" + (f"@{folder}" if folder else ""),
        "must_have",
        kind["category"],
        f"{which}{where} {kind['rule']}: {', '.join(guards[:3])}",
        Predicate(
            "routes",
            {
                "guards": guards,
                "methods": methods,
                "except": tuple(settings["except"]),
                "open": tuple(settings["open"]),
            },
        ),
        Where(files=(f"{folder}/**",)) if folder else Where(),
        severity=kind["severity"],
        guidance=f"Put {guards[0]} before it, as {counts[guards[0]]} others have.",
    )
