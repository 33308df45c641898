"""What a call runs, and what it gives back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from drift.languages.facts import Call
from drift.languages.kinds import CODE_KINDS, TYPE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.bodies import bodies_of
from drift.scan.link.container_methods import call_method, method_name
from drift.scan.link.definition_values import wrappers_of
from drift.scan.link.hidden_types import named_types
from drift.scan.link.hierarchy import class_of, constructors_of, declared_members, line_of_descent
from drift.scan.link.inclusion import symbols_in_sight
from drift.scan.link.members import value_member
from drift.scan.link.metaclasses import calls_of_class
from drift.scan.link.names import free_values
from drift.scan.link.outside_results import outside_result
from drift.scan.link.overloads import chosen_values, fitting_overloads
from drift.scan.link.partials import other_parts
from drift.scan.link.returns import gives_itself, gives_only_itself, returned_values
from drift.scan.link.type_arguments import member_objects, receiver_of
from drift.scan.link.type_counts import with_arguments
from drift.scan.link.values import (
    BOUND,
    CALL_SHIFT,
    FILE_SHIFT,
    INSTANCE,
    NOTHING,
    SYMBOL,
    Value,
    Values,
    as_instance,
    instance_value,
    is_instance,
    is_reference,
    is_symbol,
    merge,
    symbol_of,
    tag_of,
)
from drift.scan.link.variable_results import call_objects

_WRAPPED: Final = frozenset({"extension", "partial"})  # values that call another value

_MOST_INDIRECTIONS: Final = 3  # an object whose call is an object whose call is …


class Run(NamedTuple):
    """Something a call runs: a symbol of the project, or a name outside."""

    symbol: int | None
    external: str | None = None
    is_virtual: bool = False  # a method of an object, so that one below may run instead
    is_constructor: bool = False
    is_beside: bool = False  # it runs as well as another, not instead


def call_result(analysis: Analysis, number: int) -> Values:
    """What call `number` of the program gives back."""
    return analysis.memoised_for_file(number, _call_result, number)


def _call_result(analysis: Analysis, number: int) -> Values:
    call = analysis.program.call(number)
    scope = (number >> CALL_SHIFT << FILE_SHIFT) + call.scope
    parts = []
    values = chosen_values(analysis, call, scope, values=callee_values(analysis, call, scope))
    if (held := _held_object(analysis, call, scope, values)) is not None:
        return held
    for value in values if len(values) == 1 else _without_wrappers(analysis, values):
        if is_reference(value) and gives_itself(analysis, symbol_of(value)):
            receiver = _receiver(analysis, call, scope, is_static=is_symbol(value))
            parts.append(receiver)
            if receiver and gives_only_itself(analysis, symbol_of(value)):
                continue
        given_type = (
            member_objects(analysis, symbol_of(value), receiver_of(call.callee), scope)
            if is_reference(value)
            else None
        )
        if given_type is None and is_reference(value):
            given_type = call_objects(analysis, symbol_of(value), call, scope)
        parts.append(_result_of(analysis, value, call, scope) if given_type is None else given_type)
        if is_reference(value):
            semantics = analysis.program.semantics_at(symbol_of(value))
            given = semantics.passed_through(analysis, symbol_of(value), call)
            parts.extend(analysis.evaluate(one, scope) for one in given)
    return parts[0] if len(parts) == 1 else merge(parts)


def _held_object(analysis: Analysis, call: Call, scope: int, values: Values) -> Values | None:
    """The object that a pointer or the like gives which reads as that; None where something else is called."""
    callee = call.callee
    if values or callee is None or callee[0] != "member":
        return None
    if callee[2] not in analysis.program.semantics_at(scope).wrapper_methods:
        return None
    return tuple(one for one in analysis.evaluate(callee[1], scope) if is_instance(one))


def _without_wrappers(analysis: Analysis, values: Values) -> Values:
    """Without what decorators put in the place of a function and what passes on all that the function gives.

    A wrapper gives what any function gives that is decorated with it; this one is known.
    """
    passing: set[int] = set()
    for value in values:
        if is_reference(value):
            own = wrappers_of(analysis, symbol_of(value))
            given = set(returned_values(analysis, symbol_of(value))) if own else set()
            passing.update(
                one
                for one in own
                if given and given.issubset(returned_values(analysis, one)) and one != symbol_of(value)
            )
    return (
        tuple(value for value in values if not isinstance(value, int) or symbol_of(value) not in passing)
        or values
    )


def _receiver(analysis: Analysis, call: Call, scope: int, *, is_static: bool) -> Values:
    """The object whose method is called: what a method gives back that returns its object."""
    callee = call.callee
    if callee is None or callee[0] != "member":
        return NOTHING
    values = analysis.evaluate(callee[1], scope)
    return tuple(
        as_instance(value)
        for value in values
        if isinstance(value, int)
        and (
            is_instance(value)
            or (
                is_static
                and is_symbol(value)
                and analysis.program.symbol(symbol_of(value)).kind in TYPE_KINDS
            )
        )
    )


def _result_of(analysis: Analysis, value: Value, call: Call, scope: int) -> Values:
    if isinstance(value, str):
        return outside_result(analysis, value, call, scope)
    if isinstance(value, tuple):
        if value[0] == "method":
            return call_method(analysis, value, call, scope)
        if value[0] == "raised":
            return (value,)
        if value[0] == "component":
            return _accessed(analysis, value[1])
        return (
            _result_of(analysis, value[1], call, scope)
            if value[0] == "partial" or value[0] == "extension"
            else NOTHING
        )
    kind, tag = analysis.program.symbol(symbol_of(value)).kind, tag_of(value)
    if tag == INSTANCE and kind == "enum":
        return (value,)  # a variant that takes values
    if tag == INSTANCE:
        return merge(
            returned_values(analysis, symbol_of(method)) if isinstance(method, int) else NOTHING
            for method in _call_members(analysis, value)
        )
    if kind in TYPE_KINDS:
        return (as_instance(value),) if tag == SYMBOL else NOTHING
    return (
        returned_values(analysis, symbol_of(value))
        if kind in CODE_KINDS and tag in {SYMBOL, BOUND}
        else NOTHING
    )


def _accessed(analysis: Analysis, field: int) -> Values:
    """What a method gives that is written for a field."""
    program = analysis.program
    return value_member(analysis, instance_value(program.parent(field)), program.symbol(field).name)


def _call_members(analysis: Analysis, value: int) -> Values:
    names = analysis.program.semantics(analysis.program.table_of(symbol_of(value))).call_members
    found = merge(value_member(analysis, value, name) for name in names)
    return tuple(one for one in found if not is_instance(one))


def follow_call(analysis: Analysis, call: Call, scope: int) -> tuple[Run, ...]:
    """What a call runs."""
    found: dict[Run, None] = {}
    semantics = analysis.program.semantics_at(scope)
    values = callee_values(analysis, call, scope) or semantics.magic_call_values(analysis, call, scope)
    if call.kind == "decorator" and len(values) > 1:
        # A function that also works as a decorator gives back its result or a function to decorate with.
        values = (
            tuple(value for value in values if isinstance(value, int) and not is_instance(value)) or values
        )
    if (alias := semantics.pointer_alias(analysis, values)) is not None:
        return (Run(None, alias),)
    for value in chosen_values(analysis, call, scope, values=values):
        runs = _runs_of(analysis, value)
        found.update(
            dict.fromkeys(runs if not call.arguments else _of_own_constructors(analysis, value, runs))
        )
    for made in semantics.constructed_beside(analysis, scope, {run.external for run in found}):
        found.update(dict.fromkeys(_constructors(analysis, made)))
    if semantics.macro_suffix:
        found = dict.fromkeys(_written_so(analysis, call, scope, runs=found))
    found = dict.fromkeys(_in_sight(analysis, found, scope))
    if not found and values:
        variants = semantics.named_variants(analysis, call.callee, scope)
        found = dict.fromkeys(Run(one, is_constructor=True) for one in variants)
    if len(found) == 1:
        return tuple(found)
    return _without_overloads(analysis, with_object(call, values), scope, runs=tuple(found))


def _written_so(analysis: Analysis, call: Call, scope: int, *, runs: Iterable[Run]) -> Iterator[Run]:
    """Those of the things that a call can mean, of macros or of all else: macros have names of their own."""
    symbol = analysis.program.symbol
    is_macro = call.text.endswith(analysis.program.semantics_at(scope).macro_suffix)
    fitting = [run for run in runs if run.symbol is None or (symbol(run.symbol).kind == "macro") == is_macro]
    yield from fitting
    callee = call.callee
    if is_macro and not fitting and callee is not None and callee[0] == "name":
        # A function of that name hides no macro.
        for value in free_values(analysis, analysis.program.table_of(scope), callee[1]):
            yield from _runs_of(analysis, value)


def _in_sight(analysis: Analysis, runs: Iterable[Run], scope: int) -> Iterator[Run]:
    """Those of the things that the file of the call sees, with the definition in the place of a declaration."""
    found = tuple(runs)
    if len(found) == 1 and found[0].symbol is None:
        yield found[0]
        return
    seen = set(symbols_in_sight(analysis, [run.symbol for run in found if run.symbol is not None], scope))
    for run in found:
        if run.symbol is None:
            yield run
        elif run.symbol in seen:
            yield from (run._replace(symbol=body) for body in bodies_of(analysis, run.symbol))


def _without_overloads(
    analysis: Analysis, call: Call, scope: int, *, runs: tuple[Run, ...]
) -> tuple[Run, ...]:
    """Without functions whose parameters do not fit, where others of the same class and name do."""
    program = analysis.program
    alike: dict[tuple[int | None, str], list[int]] = {}
    for run in runs:
        if run.symbol is not None:
            owner = class_of(analysis, run.symbol)
            whole = None if owner is None else min([owner, *other_parts(analysis, owner)])
            key = (whole, program.symbol(run.symbol).name)
            alike.setdefault(key, []).append(run.symbol)
    kept = {symbol for symbols in alike.values() for symbol in _fitting(analysis, call, scope, symbols)}
    return tuple(run for run in runs if run.symbol is None or run.symbol in kept)


def _fitting(analysis: Analysis, call: Call, scope: int, symbols: list[int]) -> tuple[int, ...]:
    fitting = fitting_overloads(analysis, call, scope, symbols=tuple(symbols))
    if len(fitting) < 2:  # noqa: PLR2004  # one is no choice
        return fitting
    program = analysis.program
    fitting = program.semantics_at(scope).overloads_for_receiver(analysis, call, scope, functions=fitting)
    return program.semantics_at(fitting[0]).overloads_for_type_arguments(analysis, call, fitting)


def _runs_of(analysis: Analysis, value: Value) -> list[Run]:
    if isinstance(value, str):
        return [Run(None, value)]
    if isinstance(value, tuple):
        if value[0] == "method":
            name = method_name(analysis, value)
            return [] if name is None else [Run(None, name)]
        if value[0] == "raised":
            return [Run(None, value[2])]
        if value[0] == "component" or value[0] == "setter":
            return [Run(value[1])]
        return _runs_of(analysis, value[1]) if value[0] in _WRAPPED and isinstance(value[1], int) else []
    symbol, tag = analysis.program.symbol(symbol_of(value)), tag_of(value)
    if tag == INSTANCE:
        return [run for method in _call_members(analysis, value) for run in _runs_of(analysis, method)]
    if symbol.kind in TYPE_KINDS and tag == SYMBOL:
        return _construct(analysis, symbol_of(value))
    return [Run(symbol_of(value), is_virtual=tag == BOUND)] if symbol.kind in CODE_KINDS else []


def _of_own_constructors(analysis: Analysis, value: Value, runs: list[Run]) -> list[Run]:
    """What is said of making an object of a class from something, where only constructors of its own can do that."""
    if not is_symbol(value) or not any(run.is_constructor for run in runs):
        return runs
    owner = symbol_of(value)
    program = analysis.program
    if program.symbol(owner).kind not in TYPE_KINDS or program.semantics_at(owner).hands_down_constructors(
        analysis, owner
    ):
        return runs
    makers = {class_of(analysis, run.symbol) for run in runs if run.symbol is not None}
    names = {program.symbol(one).name for one in makers if one is not None}
    inherited = bool(names) and program.symbol(owner).name not in names
    return [Run(owner, is_constructor=True)] if inherited else runs


def _construct(analysis: Analysis, owner: int) -> list[Run]:
    """What making an object of a class runs; the class where nothing is written."""
    runs = _constructors(analysis, owner)
    if calling := calls_of_class(analysis, owner):
        return _through_metaclass(analysis, calling, runs)
    taken = {run.symbol for run in runs}
    semantics = analysis.program.semantics(analysis.program.table_of(owner))
    names = semantics.constructors
    # One method may make an object and another fill it: of each the first in line runs.
    written = (one for name in names[1:] for one in _written(analysis, owner, names=(names[0], name)))
    others = (*written, *semantics.decorated_makers(analysis, owner))
    return [*runs, *(Run(one, is_constructor=True, is_beside=True) for one in others if one not in taken)]


def _through_metaclass(analysis: Analysis, calling: tuple[int, ...], runs: list[Run]) -> list[Run]:
    """What calling a class runs whose metaclass says what that does: it alone, where the rest is seen to follow from it."""
    program = analysis.program
    here = {program.table_of(one) for one in calling}
    beside = [
        run._replace(is_beside=True)
        for run in runs
        if run.symbol is not None and program.table_of(run.symbol) not in here
    ]
    return [*(Run(one, is_constructor=True) for one in calling), *beside]


def _written(analysis: Analysis, owner: int, *, names: tuple[str, ...]) -> Iterator[int]:
    for name in names:
        for one in declared_members(analysis, owner, name):
            if analysis.program.symbol(one).kind in CODE_KINDS:
                yield one


def _constructors(analysis: Analysis, owner: int) -> list[Run]:
    """The constructor a class runs, itself or inherited; the class where none is written."""
    line = line_of_descent(analysis, owner)
    if not analysis.program.semantics_at(owner).has_inherited_constructors:
        line = line[:1]
    for ancestor in line:
        if isinstance(ancestor, str):
            continue
        # What a class runs once for itself (`static Box() {}`) is not what makes its objects.
        constructors = [
            one
            for part in (ancestor, *other_parts(analysis, ancestor))
            for one in constructors_of(analysis, part)
            if "static" not in analysis.program.symbol(one).modifiers
        ]
        if constructors:
            return [Run(constructor, is_constructor=True) for constructor in constructors]
    return [Run(owner, is_constructor=True)]


def callee_values(analysis: Analysis, call: Call, scope: int) -> Values:
    """What a call calls; functions that stand in for a method where the language has such."""
    callee = call.callee
    if call.kind == "new":
        return named_types(analysis, with_arguments(callee, call.text), scope)
    values = analysis.evaluate(callee, scope)
    if callee is None or callee[0] != "member" or callee[1] is None:
        return values
    return analysis.program.semantics_at(scope).extension_values(analysis, call, scope, values=values)


def with_object(call: Call, values: Values) -> Call:
    """The call as written without the dot, where it is of extension methods: the object is the first argument."""
    callee = call.callee
    if not any(isinstance(value, tuple) and value[0] == "extension" for value in values):
        return call
    assert callee is not None
    assert callee[0] == "member"
    return call._replace(arguments=((None, callee[1]), *call.arguments))
