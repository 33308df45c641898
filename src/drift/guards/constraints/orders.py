"""Calls that belong together in a function: what is opened is closed, what is asked is asked before."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from drift.guards.constraints.form import Constraint, Site, fits_name
from drift.languages.facts import CallTrait

if TYPE_CHECKING:
    from drift.guards.constraints.scene import Call, Scene

_JOINTS: Final = ("?.", ".", "->", "::")


def check_order(scene: "Scene", constraint: Constraint) -> Iterator[Site]:
    """Functions that call one of `first` call one of `then` behind it; with must_precede, the other way round.

    With `same` = receiver both are calls on the same object. What is returned or left in an orderly way is no place:
    somebody else has to close it, or the language does.
    """
    first, then = constraint.predicate.get("first"), constraint.predicate.get("then")
    is_same = "receiver" in constraint.predicate.get("same")
    for symbol, calls in scene.functions:
        if not scene.is_about(constraint.where, calls[0].file):
            continue
        place = scene.place(symbol)
        if place is None or place.kind == "module":
            continue
        path = scene.path(calls[0].file)
        if constraint.type == "must_precede":
            found = _unpreceded(calls, first, then, is_same=is_same)
        else:
            found = _unfollowed(calls, first, then, is_same=is_same)
        for call, holds in found:
            yield Site(path, call.line, call.line, place.qualname, holds, call.names[-1])


def _unfollowed(
    calls: Sequence["Call"], first: tuple[str, ...], then: tuple[str, ...], *, is_same: bool
) -> Iterator[tuple["Call", bool]]:
    for number, call in enumerate(calls):
        if call.traits & (CallTrait.RETURNED | CallTrait.IN_RESOURCE) or not _is(call, first):
            continue
        yield (
            call,
            any(_is(each, then) and (not is_same or _joined(call, each)) for each in calls[number + 1 :]),
        )


def _unpreceded(
    calls: Sequence["Call"], first: tuple[str, ...], then: tuple[str, ...], *, is_same: bool
) -> Iterator[tuple["Call", bool]]:
    for number, call in enumerate(calls):
        if _is(call, then):
            before = calls[:number]
            yield call, any(_is(each, first) and (not is_same or _joined(call, each)) for each in before)


def _is(call: "Call", patterns: tuple[str, ...]) -> bool:
    return any(fits_name(patterns, name) for name in call.names)


def receiver(text: str) -> str:
    """What a call is made on, as written; empty where it is made on nothing."""
    ends = max((text.rfind(joint) for joint in _JOINTS), default=-1)
    return text[:ends].rstrip("?:-.") if ends > 0 else ""


def _joined(left: "Call", right: "Call") -> bool:
    return receiver(left.names[-1]) == receiver(right.names[-1])
