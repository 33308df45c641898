"""The predicates of constraints: each finds the places a constraint is about, and whether it is satisfied there.

What cannot be looked at raises CannotTellError: a constraint that nobody evaluated is never called satisfied.
"""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from drift.guards.constraints.companions import check_companion, check_declares, check_names
from drift.guards.constraints.data_access import find_accesses
from drift.guards.constraints.form import (
    CannotTellError,
    Constraint,
    PredicateName,
    Site,
    fits_name,
    fits_path,
)
from drift.guards.constraints.orders import check_order
from drift.guards.constraints.route_guards import check_routes
from drift.guards.constraints.scene import Scene
from drift.guards.constraints.tested import check_tests
from drift.languages.facts import HandlingTrait

if TYPE_CHECKING:
    from drift.guards.constraints.scene import Call

Evaluator = Callable[[Scene, Constraint], Iterator[Site]]


def evaluate(scene: Scene, constraint: Constraint) -> list[Site]:
    """The places of a constraint in the scene. Raises CannotTellError where they cannot be told."""
    languages = constraint.where.languages
    if languages and scene.languages.isdisjoint(languages):
        raise CannotTellError(f"the index has no file of {', '.join(languages)}")
    return list(EVALUATORS[constraint.predicate.name](scene, constraint))


def _check_uses(scene: Scene, constraint: Constraint) -> Iterator[Site]:
    """Which files and packages files use: none of `never`, and of the project's others only `only`."""
    never, only = constraint.predicate.get("never"), constraint.predicate.get("only")
    with_types = "types" in constraint.predicate.get("with")
    for link in scene.links:
        if link.is_type_only and not with_types:
            continue
        source, target = scene.path(link.source), scene.path(link.target)
        if scene.is_about(constraint.where, link.source):
            if fits_path(constraint.where.files, target):
                continue
            is_broken = fits_path(never, target) or (only and not fits_path(only, target))
            if is_broken or only:
                yield Site(source, link.line, link.line, None, not is_broken, target)
        elif scene.is_about(constraint.where, link.target) and fits_path(never, source):
            yield Site(source, link.line, link.line, None, holds=True, what=target)
    for one in scene.imports:
        package = one.package or one.module
        if one.is_external and scene.is_about(constraint.where, one.file_id) and fits_name(never, package):
            yield Site(scene.path(one.file_id), one.line, one.end_line, None, holds=False, what=package)


def _check_calls(scene: Scene, constraint: Constraint) -> Iterator[Site]:
    """What functions call: none of `never` but `instead`; of those that `functions` fits each one of `must`."""
    must = constraint.predicate.get("must")
    yield from _check_called(scene, constraint)
    if not must:
        return
    wanted = constraint.predicate.get("functions") or ("*",)
    for symbol, calls in scene.functions:
        place = scene.place(symbol)
        if place is None or place.kind == "module" or not scene.is_about(constraint.where, calls[0].file):
            continue
        if fits_name(wanted, place.qualname):
            holds = any(_is_called(call, must) for call in calls)
            path = scene.path(calls[0].file)
            yield Site(path, place.line, place.end_line, place.qualname, holds, f"no call of {must[0]}")


def _check_called(scene: Scene, constraint: Constraint) -> Iterator[Site]:
    never, instead = constraint.predicate.get("never"), constraint.predicate.get("instead")
    if not never:
        return
    followed = {call.number for call in scene.calls_of(instead)}
    for call in scene.calls_of((*never, *instead)):
        if scene.is_about(constraint.where, call.file):
            place = scene.place(call.caller)
            name = place.qualname if place is not None and place.kind != "module" else None
            holds = call.number in followed
            yield Site(scene.path(call.file), call.line, call.line, name, holds, call.names[-1])


def _check_access(scene: Scene, constraint: Constraint) -> Iterator[Site]:
    """Where data is reached: `tables` only in files of `in` or in types of `classes`."""
    tables = constraint.predicate.get("tables")
    inside, classes = constraint.predicate.get("in"), constraint.predicate.get("classes")
    is_any = False
    for access in find_accesses(scene):
        is_any = True
        call = access.call
        if not scene.is_about(constraint.where, call.file):
            continue
        if tables and not any(fits_name(tables, each) for each in access.tables):
            continue
        path, place = scene.path(call.file), scene.place(call.caller)
        owner = (place.owner if place is not None else None) or ""
        holds = fits_path(inside, path) or fits_name(classes, owner)
        told = ", ".join(access.tables) or call.names[-1]
        name = place.qualname if place is not None and place.kind != "module" else None
        yield Site(path, call.line, call.line, name, holds, told)
    if not is_any and scene.is_whole:
        raise CannotTellError("no call here is known to reach data")


def _check_cause(scene: Scene, constraint: Constraint) -> Iterator[Site]:
    """Handlers that throw another error give it the first."""
    for one in scene.handlings:
        if one.traits & HandlingTrait.THROWS_OTHER and scene.is_about(constraint.where, one.file_id):
            holds = bool(one.traits & HandlingTrait.KEEPS_CAUSE)
            yield Site(
                scene.path(one.file_id), one.line, one.end_line, None, holds, one.variable or "the error"
            )


def _is_called(call: "Call", patterns: tuple[str, ...]) -> bool:
    return any(fits_name(patterns, name) for name in call.names)


EVALUATORS: Final[dict[PredicateName, Evaluator]] = {
    "uses": _check_uses,
    "calls": _check_calls,
    "order": check_order,
    "routes": check_routes,
    "access": _check_access,
    "names": check_names,
    "companion": check_companion,
    "declares": check_declares,
    "cause": _check_cause,
    "tests": check_tests,
}
