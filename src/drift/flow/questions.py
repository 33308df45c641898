"""Data that something asks about on its way, whatever the answer means: then it is less sure that it does harm."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from drift.flow import ir
from drift.flow.checking import words, words_in
from drift.flow.narrowing import place_of, set_place
from drift.flow.run import Run
from drift.flow.values import ASKED_NO, ASKED_YES, LOOKED_UP, QUESTIONED, Value, cleaned

_EQUAL: Final = frozenset({"==", "===", "!=", "!==", "<>", "is", "is not", "eq"})
_LOGICAL: Final = frozenset({"and", "or", "&&", "||", "??", "?:"})
_MOST_DEPTH: Final = 4


def question(run: Run, test: ir.Expression, *, positive: bool) -> None:
    """Mark the data that a condition asks about: where both ways go on, the marks cancel each other out."""
    mark = ASKED_YES if positive else ASKED_NO
    is_equality = isinstance(test, ir.Operation) and test.operator in _EQUAL
    marks = (mark,) if is_equality else (mark, QUESTIONED)
    for form in _asked_in(test):
        _mark(run, form, marks)


def question_call(run: Run, name: str, form: ir.Call) -> None:
    """Mark what a function is given whose name says that it checks, since it may throw or be heeded later, or looks up."""
    said = words_in(name)
    if said & words("checks"):
        for each in form.arguments:
            _mark(run, each.value, (ASKED_YES, QUESTIONED))
    elif said & words("looks_up"):
        for key in _keys_in(form):
            if isinstance(key, ir.Name | ir.Member | ir.Index):
                _mark(run, key, (LOOKED_UP,))


def question_result(name: str, value: Value) -> Value:
    """What a function gives whose name says that it checks or cleans what it is given."""
    return _marked(value, (QUESTIONED,)) if value.all_taints() and words_in(name) & words("checks") else value


def _keys_in(form: ir.Call) -> Iterator[ir.Expression]:
    """What something is looked up by: arguments, and the entries of a table that is written there."""
    for argument in form.arguments:
        value = argument.value
        if isinstance(value, ir.Table):
            yield from (each for _key, each in value.entries)
        else:
            yield value


def _mark(run: Run, form: ir.Expression, marks: tuple[str, ...]) -> None:
    form = place_of(form)
    if not isinstance(form, ir.Name | ir.Member | ir.Index | ir.Call):
        return
    value = run.env.get(form.name) if isinstance(form, ir.Name) else run.evaluate(form)
    if value is not None and value.all_taints():
        set_place(run, form, _marked(value, marks))


def _marked(value: Value, marks: tuple[str, ...]) -> Value:
    fields = (
        {key: each.tainted(cleaned(each.taints, marks)) for key, each in value.fields.items()}
        if value.fields
        else value.fields
    )
    return Value(
        cleaned(value.taints, marks),
        constant=value.constant,
        fields=fields,
        is_whole=value.is_whole,
        type_name=value.type,
        closure=value.closure,
    )


def _asked_in(test: ir.Expression, depth: int = 0) -> Iterator[ir.Expression]:
    """What a condition asks about; not what it only wants to be there."""
    if depth > _MOST_DEPTH:
        return
    if isinstance(test, ir.Not):
        yield from _asked_in(test.operand, depth + 1)
    elif isinstance(test, ir.Operation):
        yield from _compared(test, depth)
    elif isinstance(test, ir.Call):
        yield from _given(test)
    elif isinstance(test, ir.Index) and test.key is not None:  # looked up in a table
        yield test.key
    elif isinstance(test, ir.Opaque):
        for part in test.parts[:1]:
            yield from _asked_in(part, depth + 1)


def _compared(test: ir.Operation, depth: int) -> Iterator[ir.Expression]:
    sides = (test.left, test.right)
    if test.operator in _LOGICAL:
        for side in sides:
            yield from _asked_in(side, depth + 1)
        return
    for side, other in (sides, sides[::-1]):
        if isinstance(side, ir.Index):
            yield from _asked_in(side)
        if isinstance(side, ir.Call):
            yield from _given(side)
        elif not isinstance(other, ir.Literal) and not (test.operator in _EQUAL and _is_nothing(other)):
            yield side


def _is_nothing(form: ir.Expression) -> bool:
    return isinstance(form, ir.Name) and form.name in {"undefined", "nil", "null", "None"}


def _given(test: ir.Call, depth: int = 0) -> Iterator[ir.Expression]:
    name = test.callee.name if isinstance(test.callee, ir.Member | ir.Name) else ""
    if isinstance(test.callee, ir.Member) and isinstance(test.callee.owner, ir.Call) and depth < _MOST_DEPTH:
        yield from _given(test.callee.owner, depth + 1)  # `pattern.matcher(x).matches()`
    for each in test.arguments:
        if isinstance(each.value, ir.Call) and depth < _MOST_DEPTH:
            yield from _given(each.value, depth + 1)
        if name not in words("presence"):
            yield each.value
        elif (
            isinstance(each.value, ir.Index) and each.value.key is not None
        ):  # whether a table has such a key
            yield each.value.key
    if name in words("presence"):
        return
    if isinstance(test.callee, ir.Member) and name not in words("gets"):
        yield test.callee.owner
