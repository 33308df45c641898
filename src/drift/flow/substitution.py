"""What a function of the project does at one place where it is called."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from drift.flow.checking import settle
from drift.flow.models import Given
from drift.flow.run import Run, Summary
from drift.flow.values import (
    EMPTY,
    MOST_PATH,
    NONE,
    Origin,
    Taint,
    Taints,
    Value,
    joined_taints,
    step_on,
    step_through,
)
from drift.index import file_of_symbol


class Arguments(NamedTuple):
    """What a function is called with."""

    callee: int
    given: Given
    receiver: Value | None
    line: int
    name: str
    doubt: int
    is_new: bool


class Outcome(NamedTuple):
    """What a call gives, and what it was given is afterwards; -1: its object."""

    result: Value
    written: Mapping[int, Value]


def apply_summary(run: Run, summary: Summary, arguments: Arguments) -> Outcome:
    """Put what a call is given in the place of parameters."""
    bound = _bound(summary, arguments)
    for hit in summary.hits:
        for origin, taint in _value_at(bound, hit.origin).all_taints().items():
            merged = _merged(run, arguments, taint, hit.taint)
            settle(run, hit._replace(origin=origin, taint=merged))
    shift = 1 if summary.has_receiver else 0
    written: dict[int, Value] = {}
    for place, value in summary.effects.items():
        given = bound.get(place, EMPTY)
        changed = _substituted(run, arguments, bound, value)
        if changed.all_taints() or changed.fields:
            written[-1 if place == 0 and shift else place - shift if place > 0 else place] = _laid_over(
                given, changed
            )
    if arguments.is_new or (summary.effects.get(-1) and arguments.receiver is None):
        made = _substituted(run, arguments, bound, summary.effects.get(0 if shift else -1, EMPTY))
        return Outcome(
            made
            if arguments.is_new or summary.returns is EMPTY
            else _substituted(run, arguments, bound, summary.returns),
            written,
        )
    return Outcome(_substituted(run, arguments, bound, summary.returns), written)


def _laid_over(given: Value, changed: Value) -> Value:
    fields = {**(given.fields or {}), **(changed.fields or {})}
    return Value(
        joined_taints(given.taints, changed.taints),
        fields=fields or None,
        is_whole=given.is_whole,
        type_name=given.type or changed.type,
        closure=given.closure,
    )


def _bound(summary: Summary, arguments: Arguments) -> dict[int, Value]:
    """The value of each parameter."""
    shift = 1 if summary.has_receiver else 0
    bound: dict[int, Value] = {}
    if arguments.receiver is not None:
        bound[0 if shift else -1] = arguments.receiver
    for number, value in enumerate(arguments.given.values):
        place = number + shift
        if 0 <= summary.first_rest <= place:
            known = bound.get(summary.first_rest, Value(fields={}, is_whole=True))
            bound[summary.first_rest] = known.with_part(str(place - summary.first_rest), value)
        else:
            bound[place] = value
    for keyword, value in arguments.given.keywords.items():
        if keyword in summary.parameters:
            bound[summary.parameters.index(keyword)] = value
    return bound


def _value_at(bound: Mapping[int, Value], origin: Origin) -> Value:
    """The part of a parameter that data comes from."""
    value = bound.get(origin.parameter, EMPTY)
    for key in origin.path:
        value = value.part(key)
    return value


def _all_merged(run: Run, arguments: Arguments, outer: Taints, inner: Taint) -> Taints:
    return {origin: _merged(run, arguments, taint, inner) for origin, taint in outer.items()}


def _merged(run: Run, arguments: Arguments, outer: Taint, inner: Taint) -> Taint:
    """The way up to a call, and on inside what is called."""
    step = step_on(outer.step, run.file, arguments.line, f"given to {arguments.name or 'a function'}")
    return Taint(
        step_through(step, inner.step),
        outer.safe | inner.safe,
        max(outer.doubt, inner.doubt, arguments.doubt),
        outer.is_built or inner.is_built,
        outer.leads and inner.leads,
    )


def _substituted(
    run: Run, arguments: Arguments, bound: Mapping[int, Value], value: Value, depth: int = 0
) -> Value:
    """A value in terms of what the call is given."""
    taints: Taints = NONE
    whole: Value | None = None
    fields: dict[str, Value] = {}
    for origin, taint in value.taints.items():
        if not origin.function:
            step = step_on(taint.step, run.file, arguments.line, f"given back by {arguments.name}")
            taints = joined_taints(
                taints, {origin: taint._replace(step=step, doubt=max(taint.doubt, arguments.doubt))}
            )
            continue
        if origin.function != arguments.callee:
            taints = joined_taints(taints, {origin: taint})  # of a function around
            continue
        given = _value_at(bound, origin)
        is_itself = not taint.is_built and not taint.doubt and not taint.safe and given.fields is not None
        if is_itself:  # handed back as it is: what is in one field gets into no other
            fields |= {
                key: each.tainted(_all_merged(run, arguments, each.taints, taint))
                for key, each in (given.fields or {}).items()
            }
        inside = given.taints if is_itself else given.all_taints()
        taints = joined_taints(taints, _all_merged(run, arguments, inside, taint))
        whole = whole or (bound.get(origin.parameter) if not origin.path and not taint.is_built else None)
    if value.fields is not None and depth <= MOST_PATH:
        fields |= {
            key: _substituted(run, arguments, bound, each, depth + 1) for key, each in value.fields.items()
        }
    type_name = value.type or (whole.type if whole is not None else "")
    return Value(
        taints,
        constant=value.constant,
        fields=fields if fields or value.fields is not None else None,
        is_whole=value.is_whole,
        type_name=type_name,
        # A function of another file is run in that file, where its lines are.
        closure=value.closure if file_of_symbol(arguments.callee) == run.file else None,
    )
