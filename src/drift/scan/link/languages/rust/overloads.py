"""Which of several Rust methods of one name a call means: in impls for other type arguments it may take more, less or others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from drift.languages.expressions import Expression
from drift.languages.facts import Call
from drift.scan.link.analysis import Analysis
from drift.scan.link.hierarchy import line_of_descent
from drift.scan.link.values import is_instance, symbol_of

_MOST_CHOSEN_AMONG: Final = 40  # more are not told apart by what they take


def overloads_with_count(
    analysis: Analysis, call: Call, scope: int, functions: tuple[int, ...]
) -> tuple[int, ...]:
    """Those that take as much as is given, the object too where a path names the method, and such types; all if none."""
    count = len(call.arguments)
    is_path = "::" in call.text.rpartition(".")[2]
    found = []
    for one in functions:
        parameters = analysis.program.symbol(one).parameters
        counts = is_path or not any(given.kind == "receiver" for given in parameters)
        if len(parameters) - (not counts) == count or any(given.kind == "rest" for given in parameters):
            found.append(one)
    chosen = tuple(found) or functions
    if not 1 < len(chosen) <= _MOST_CHOSEN_AMONG:
        return chosen
    given = [_objects(analysis, value, scope) for _, value in call.arguments]
    if not any(given):
        return chosen
    return tuple(one for one in chosen if _takes(analysis, one, given, is_path=is_path)) or chosen


def _takes(analysis: Analysis, function: int, given: list[frozenset[int]], *, is_path: bool) -> bool:
    """Whether objects of the project that are given are of the types that a function declares to take."""
    program = analysis.program
    parameters = [one for one in program.symbol(function).parameters if is_path or one.kind != "receiver"]
    for parameter, objects in zip(parameters, given, strict=False):
        if not objects or parameter.kind != "plain" or parameter.type is None:
            continue
        declared = _objects(analysis, parameter.type, program.parent(function))
        lines = {above for one in objects for above in _line(analysis, one)}
        if not lines & declared and not _is_open(analysis, parameter.type, program.parent(function)):
            return False
    return True


def _is_open(analysis: Analysis, declared: Expression, scope: int) -> bool:
    """Whether nothing is known of a type."""
    return not analysis.evaluate(declared, scope)


def _objects(analysis: Analysis, value: Expression, scope: int) -> frozenset[int]:
    """The types of the project of which a value is an object; none where it may be something else."""
    if value is None:
        return frozenset()
    values = analysis.evaluate(value, scope)
    found = frozenset(symbol_of(one) for one in values if is_instance(one))
    return found if len(found) == len(values) else frozenset()


def _line(analysis: Analysis, owner: int) -> Iterator[int]:
    yield from (one for one in line_of_descent(analysis, owner) if isinstance(one, int))
