"""Calls that belong together in a function: what is opened is closed, what is asked is asked before."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from drift.guards.constraints.form import Constraint, Site
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
    is_before = constraint.type == "must_precede"
    answering = {(call.file, call.number) for call in scene.calls_of(first if is_before else then)}
    for call in scene.calls_of(then if is_before else first):
        if not scene.is_about(constraint.where, call.file):
            continue
        if not is_before and call.traits & (CallTrait.RETURNED | CallTrait.IN_RESOURCE):
            continue
        place = scene.place(call.caller)
        if place is None or place.kind == "module":
            continue
        holds = any(
            (each.file, each.number) in answering
            and (each.number < call.number if is_before else each.number > call.number)
            and (not is_same or _joined(call, each))
            for each in scene.calls_in(call.file).get(call.caller, ())
        )
        yield Site(scene.path(call.file), call.line, call.line, place.qualname, holds, call.names[-1])


def receiver(text: str) -> str:
    """What a call is made on, as written; empty where it is made on nothing."""
    ends = max((text.rfind(joint) for joint in _JOINTS), default=-1)
    return text[:ends].rstrip("?:-.") if ends > 0 else ""


def _joined(left: "Call", right: "Call") -> bool:
    return receiver(left.names[-1]) == receiver(right.names[-1])
