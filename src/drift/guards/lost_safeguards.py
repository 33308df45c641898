"""What a change takes away that kept code safe: the check before a route, the wrapper around a library, what a test asserts.

What it does: holds routes and calls of a file after a change against those before it.
Why it matters: a guard that is gone breaks no test, and a wrapper that is passed by takes its timeouts and logs with it.
Known limits: guards that stand in another file are those of that file as it is; a route is the same by its methods and path.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from drift.guards.constraints.miners.routes import fitting_guards
from drift.guards.constraints.miners.settings import parameters
from drift.guards.constraints.route_guards import last_part, names_before
from drift.guards.draft_scene import scene_of
from drift.guards.overlay import OverlaidFile, Overlay
from drift.guards.text_checks import asserts_itself, calls_within
from drift.languages.facts import Symbol
from drift.languages.kinds import CODE_KINDS
from drift.quality.findings import Finding, finding
from drift.scan.link.links import Place

GUARD_RULE: Final = "security/guard-removed"
WRAPPER_RULE: Final = "wrappers/bypassed"
TEST_RULE: Final = "testing/no-assertion"
_AUTH: Final = "auth"

Guards = Mapping[tuple[tuple[str, ...], str], "GuardedRoute"]


class GuardedRoute(NamedTuple):
    """A route, and what stands before it that asks who is there."""

    line: int
    name: str
    guards: tuple[str, ...]


def guards_in(overlay: Overlay, file: OverlaidFile) -> Guards:
    """The routes of a text with their guards, by methods and path."""
    if not any(
        each.kind == "http" and not each.detail.startswith("PAGE ") for each in file.facts.entry_points
    ):
        return {}
    with scene_of(overlay, file.path) as scene:
        return {
            (each.methods, each.path): GuardedRoute(
                each.line, each.name, fitting_guards(names_before(scene, each), _kind())
            )
            for each in scene.routes
        }


def lost_guards(before: Guards, after: Guards, path: str) -> Iterator[Finding]:
    """The routes that had a check of who asks, and have none now."""
    for key, route in after.items():
        had = before.get(key)
        if had is not None and had.guards and not route.guards:
            told = f"{','.join(key[0])} {key[1]}"
            yield finding(
                GUARD_RULE,
                f"{told} was behind {had.guards[0]} and is open now",
                file=path,
                lines=(route.line, route.line),
                symbol=route.name,
                snippet=told,
                evidence={"guard": had.guards[0]},
                suggestion=f"Put {had.guards[0]} back, or say why everybody may call it",
            )


def lost_decorators(before: OverlaidFile, after: OverlaidFile) -> Iterator[Finding]:
    """Functions and classes that had a decorator or attribute which asks who is there: routes may be registered elsewhere."""
    now = {name: number for number, name in enumerate(after.names) if number}
    for number, symbol in enumerate(before.facts.symbols):
        there = now.get(before.names[number]) if number else None
        if there is None or not symbol.decorators:
            continue
        had, has = _asking(symbol), _asking(after.facts.symbols[there])
        if had and not has:
            name, line = before.names[number], after.facts.symbols[there].line
            yield finding(
                GUARD_RULE,
                f"{name} was behind {had[0]} and is open now",
                file=after.path,
                lines=(line, line),
                symbol=name,
                snippet=name,
                evidence={"guard": had[0]},
                suggestion=f"Put {had[0]} back, or say why everybody may call it",
            )


def _asking(symbol: Symbol) -> tuple[str, ...]:
    return fitting_guards((last_part(each.name) for each in symbol.decorators), _kind())


def _kind() -> dict[str, Any]:
    found: dict[str, Any] = next(each for each in parameters("routes")["kinds"] if each["kind"] == _AUTH)
    return found


class FormerCalls(NamedTuple):
    """How often a function called functions of the project, and names outside."""

    inside: Counter[Place]
    outside: Counter[str]


def calls_by_function(file: OverlaidFile) -> dict[str, FormerCalls]:
    """What each function of a text calls, by its qualified name."""
    found: dict[str, FormerCalls] = {}
    for one in file.calls():
        calls = found.setdefault(file.names[one.call.scope], FormerCalls(Counter(), Counter()))
        calls.inside.update(target.place for target in one.link.targets)
        if one.link.external_name is not None:
            calls.outside[one.link.external_name] += 1
    return found


def bypassed_wrappers(
    overlay: Overlay, before: Mapping[str, FormerCalls], after: OverlaidFile
) -> Iterator[Finding]:
    """Calls of something outside where the function called one of the project that calls it for others."""
    now = calls_by_function(after)
    told: set[tuple[str, str]] = set()
    for one in after.calls():
        name, called = after.names[one.call.scope], one.link.external_name
        had = before.get(name)
        if had is None or called is None or now[name].outside[called] <= had.outside[called]:
            continue
        for place in sorted(had.inside - now[name].inside):
            is_wrapper = place.path != after.path and called in _called_outside(overlay, place)
            if is_wrapper and (name, called) not in told:
                told.add((name, called))
                wrapper = overlay.symbol(place)
                yield finding(
                    WRAPPER_RULE,
                    f"{one.call.text} is called directly; {wrapper.name} of {place.path}, which was called here, does so for others",
                    file=after.path,
                    lines=(one.call.line, one.call.line),
                    symbol=name or None,
                    snippet=f"{called} {wrapper.name}",
                    evidence={"wrapper": wrapper.name},
                    suggestion=f"Call {wrapper.name} of {place.path}",
                )


def lost_assertions(before: OverlaidFile, after: OverlaidFile) -> Iterator[Finding]:
    """Tests that asserted something and do so no more, though they call nothing new that may do it for them."""
    former = {
        before.names[each.symbol]: each.symbol for each in before.facts.entry_points if each.kind == "test"
    }
    for entry in after.facts.entry_points:
        name, symbol = after.names[entry.symbol], after.facts.symbols[entry.symbol]
        if entry.kind != "test" or name not in former or symbol.kind not in {"function", "method"}:
            continue
        had = before.facts.symbols[former[name]]
        calls, former_calls = calls_within(after, symbol), calls_within(before, had)
        if asserts_itself(after, symbol, calls) or not asserts_itself(before, had, former_calls):
            continue
        if {one.call.text for one in calls} <= {one.call.text for one in former_calls}:
            yield finding(
                TEST_RULE,
                f"{name} asserted something and does so no more",
                file=after.path,
                lines=(symbol.line, symbol.end_line),
                symbol=name,
                snippet=symbol.name,
            )


class Safeguards(NamedTuple):
    """What a file had before a change."""

    file: OverlaidFile
    guards: Guards
    calls: Mapping[str, FormerCalls]


def lost_safeguards(overlay: Overlay, before: Safeguards, after: OverlaidFile) -> tuple[Finding, ...]:
    """All that a change took away; of a function that is a route once."""
    routes = list(lost_guards(before.guards, guards_in(overlay, after), after.path))
    told = {each.symbol for each in routes}
    others = [each for each in lost_decorators(before.file, after) if each.symbol not in told]
    return (*routes, *others, *bypassed_wrappers(overlay, before.calls, after))


def _called_outside(overlay: Overlay, place: Place) -> frozenset[str]:
    symbol = overlay.symbol_id(place)
    if symbol is None or place.path in overlay.gone or overlay.symbol(place).kind not in CODE_KINDS:
        return frozenset()
    calls = overlay.reader.calls.calls_of(symbol)
    return frozenset(each.external_name for each in calls if each.external_name is not None)
