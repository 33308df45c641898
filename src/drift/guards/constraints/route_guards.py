"""What stands before the handlers of routes: decorators, middleware, dependencies, and checks at their beginning."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from drift.guards.constraints.form import CannotTellError, Constraint, Site, fits_name
from drift.index.ids import file_of_symbol

if TYPE_CHECKING:
    from drift.guards.constraints.scene import Route, Scene
    from drift.index.ids import SymbolId

_JOINTS: Final = ("::", "->", ".")


def check_routes(scene: "Scene", constraint: Constraint) -> Iterator[Site]:
    """Routes of `methods` and `paths`, but for those of `except`, have one of `guards` before or at their beginning.

    A route that has one of `open` says itself that it needs none. With `times` handlers are counted instead: each serves
    so many routes.
    """
    if not scene.has_routes:
        raise CannotTellError("no route is known here")
    wanted = constraint.predicate
    if wanted.get("times"):
        yield from _check_served(scene, constraint)
        return
    for route in scene.routes:
        if not scene.is_about(constraint.where, route.file):
            continue
        if is_asked(route, wanted.get("methods"), wanted.get("paths"), wanted.get("except")):
            names = names_before(scene, route)
            if any(fits_name(wanted.get("open"), name) for name in names):
                continue
            holds = any(fits_name(wanted.get("guards"), name) for name in names)
            told = f"{','.join(route.methods)} {route.path}"
            yield Site(scene.path(route.file), route.line, route.line, route.name, holds, told)


def _check_served(scene: "Scene", constraint: Constraint) -> Iterator[Site]:
    """Each handler with how many routes it serves."""
    served: dict[SymbolId, list[Route]] = {}
    for route in scene.routes:
        if scene.is_about(constraint.where, route.file):
            served.setdefault(route.handler, []).append(route)
    for routes in served.values():
        holds = str(len({(each.methods, each.path) for each in routes})) in constraint.predicate.get("times")
        last = routes[-1]
        told = ", ".join(f"{','.join(each.methods)} {each.path}" for each in routes[:5])
        yield Site(scene.path(last.file), last.line, last.line, last.name, holds, told)


def is_asked(
    route: "Route", methods: tuple[str, ...], paths: tuple[str, ...], excepted: tuple[str, ...]
) -> bool:
    """Whether a route is among those asked about."""
    if methods and set(methods).isdisjoint(route.methods):
        return False
    path = route.path.lower()
    return (not paths or fits_name(paths, path)) and not fits_name(excepted, path)


def names_before(scene: "Scene", route: "Route") -> tuple[str, ...]:
    """All names before a route, and behind a mark those that its handler calls; of dotted ones the last part."""
    calls = scene.calls_in(file_of_symbol(route.handler)).get(route.handler, ())
    named = [*map(last_part, route.guards), *(f"{last_part(call.names[-1])}()" for call in calls)]
    return tuple(dict.fromkeys(named))


def last_part(name: str) -> str:
    """The last part of a name with dots or double colons, without what a single colon hands it: throttle:10 is throttle."""
    for joint in _JOINTS:
        name = name.rpartition(joint)[2] or name
    return name.partition(":")[0] or name
