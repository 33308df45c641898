"""Functions run on parameters: of those that nobody is known to call with anything, on parameters as such."""

from __future__ import annotations

import re
from typing import Final

from drift.flow.assignment import is_clean, type_of
from drift.flow.execution import execute
from drift.flow.findings import Hit
from drift.flow.ir import Function, Parameter
from drift.flow.patterns import whole_text
from drift.flow.run import Environment, Run, Summary
from drift.flow.sources import source_value
from drift.flow.values import EMPTY, INSIDE, MUCH, Origin, Step, Taint, Value, cleaned, doubted, join

_MOST_NESTED: Final = 6
_MOST_DEPTH: Final = 100
_MOST_HITS: Final = 200
# A part of a path that is given to a handler, with what it must be: `<int:id>` or `{id:int}`.
_PART: Final = re.compile(
    r"[<{](?:(\w{1,40}(?:\([^)>]{0,200}\))?):)?\*{0,2}(\w{1,60})(?::([^<>{}]{1,80}))?[>}]"
)
_GROUP: Final = re.compile(r"\(\?P<(\w{1,60})>((?:[^()]|\([^()]{0,100}\)){0,200})\)")
_HARMLESS: Final = frozenset(
    {"int", "integer", "float", "uuid", "guid", "long", "bool", "decimal", "datetime", "double", "slug", "any", "alpha"}
)  # fmt: skip
_NO_SLASH: Final = frozenset({"", "string", "str"})
_OPEN: Final = frozenset({"path"})


def parameter_values(run: Run, function: Function, *, unit: int, has_receiver: bool) -> Environment:
    """What parameters are: data of a request, objects of a framework, or whatever callers give."""
    env: Environment = {}
    plain = 0
    for number, parameter in enumerate(function.parameters):
        if number == 0 and has_receiver:
            origin = Origin(unit, 0)
            env[parameter.name] = Value(
                {origin: Taint(Step(None, run.file, function.line, f"object of {function.name}", 1))}
            )
            continue
        env[parameter.name] = _parameter(run, function, parameter, unit=unit, number=number, place=plain)
        plain += 1
    return env


def _parameter(
    run: Run, function: Function, parameter: Parameter, *, unit: int, number: int, place: int
) -> Value:
    declared = type_of(run, parameter.type) if parameter.type else ""
    if is_clean(run, parameter.type):
        return EMPTY
    for mark in parameter.decorators:
        if source := run.models.decorated.get(mark):
            return source_value(run, source, function.line, f"{mark} {parameter.name}").typed(declared)
    last = declared.rpartition(".")[2]
    if source := run.models.source_types.get(last):
        return source_value(run, source, function.line, parameter.name).typed(declared)
    if named := _object_type(run, parameter, declared, place):
        return Value(type_name=named)
    if run.is_handler and unit == run.unit:
        for source in run.models.handler_sources:
            if place in source.handler_parameters or (-1 in source.handler_parameters and not declared):
                value = source_value(run, source, function.line, parameter.name).typed(declared)
                return _converted(value, run.handlers.get(unit, ""), parameter)
    origin = Origin(unit, number, label=f"parameter {parameter.name}", trust="unknown")
    taint = Taint(
        Step(
            None, run.file, function.line, f"parameter {parameter.name} of {function.name or 'a function'}", 1
        )
    )
    return Value({origin: taint}, type_name=declared)


def _converted(value: Value, path: str, parameter: Parameter) -> Value:
    """What a route lets through for a part of its path: `<int:id>`, `{id:guid}`, `(?P<id>[0-9]+)`."""
    name = parameter.name.lstrip("$")
    for part, pattern in _GROUP.findall(path):
        if part == name:
            ruled_out = whole_text(f"^{pattern}$", "", lines_end=False)
            return value.tainted(cleaned(value.taints, ruled_out)) if ruled_out else value
    for before, part, behind in _PART.findall(path):
        if part != name:
            continue
        kind = (before or behind).partition("(")[0]
        if kind in _HARMLESS:
            return EMPTY
        if kind in _NO_SLASH:
            return value.tainted(cleaned(value.taints, (INSIDE,)))
        return value if kind in _OPEN else value.tainted(doubted(value.taints, MUCH))
    # What has a default and is not in the path is set where the route is.
    return EMPTY if path and parameter.default is not None else value


def _object_type(run: Run, parameter: Parameter, declared: str, place: int) -> str:
    """The type that a framework gives a parameter, by its name or its place in a handler."""
    if not declared or declared.rpartition(".")[2] in {"any", "Any"}:
        if named := run.models.parameter_types.get(parameter.name.lstrip("$")):
            return named
        if run.is_handler:
            for row in run.models.objects:
                if row.handler_parameter == place:
                    return row.type
        return ""
    known = {row.type.rpartition(".")[2] for row in run.models.objects}
    return declared if declared.rpartition(".")[2] in known else ""


def run_closure(run: Run, function: Function, values: tuple[Value, ...]) -> Value:
    """Run a function that stands in another, with the names around it; what it gives is told."""
    if function.body is None or len(run.words) > _MOST_NESTED * 4 or run.depth > _MOST_DEPTH:
        return EMPTY
    symbol = run.context.by_start.get(function.start_byte, 0)
    unit = int(symbol) or -(function.start_byte + 1)
    handles = symbol in run.handlers
    state = (
        run.env,
        run.alive,
        run.returned,
        run.has_returned,
        run.hits,
        run.exits,
        run.words,
        run.is_handler,
        run.unit,
    )
    before = run.env
    run.unit, run.is_handler = unit, handles
    run.env = {**before, **parameter_values(run, function, unit=unit, has_receiver=False)}
    for parameter, value in zip(function.parameters, values, strict=False):
        run.env[parameter.name] = value if value.type else value.typed(run.env[parameter.name].type)
    run.alive, run.returned, run.has_returned, run.hits, run.exits = True, EMPTY, False, [], []
    run.words = (*run.words, function.name)
    execute(run, function.body)
    own = [hit for hit in run.hits if hit.origin.function == unit][:_MOST_HITS]
    outer = [hit for hit in run.hits if hit.origin.function != unit]
    result, env = run.returned, run.env
    (
        run.env,
        run.alive,
        run.returned,
        run.has_returned,
        run.hits,
        run.exits,
        run.words,
        run.is_handler,
        run.unit,
    ) = state
    run.hits += outer
    names = tuple(each.name for each in function.parameters)
    if not values and symbol:
        run.keep(symbol, Summary(result, own, {}, names, is_known=True))
    _keep_captured(run, before, env, names)
    return result


def _keep_captured(run: Run, before: Environment, env: Environment, parameters: tuple[str, ...]) -> None:
    """Names around a function that it gave other values to."""
    for name, value in before.items():
        if name not in parameters and env.get(name, value) is not value:
            run.env[name] = join(value, env[name])


def summary_of(run: Run, function: Function, *, has_receiver: bool) -> Summary:
    """What a function does, once it was run."""
    names = tuple(each.name for each in function.parameters)
    rest = next((number for number, each in enumerate(function.parameters) if each.is_rest), -1)
    effects: dict[int, Value] = {}
    for number, name in enumerate(names):
        value = run.env.get(name)
        if value is not None and value.fields:
            effects[number] = Value(fields=value.fields)
    for name in run.form.self_names:
        value = run.env.get(name)
        if value is not None and value.fields and not has_receiver:
            effects[-1] = Value(fields=value.fields)
    return Summary(
        run.returned, _distinct(run.hits), effects, names, has_receiver, is_known=True, first_rest=rest
    )


def _distinct(hits: list[Hit]) -> list[Hit]:
    found: dict[tuple[object, ...], Hit] = {}
    for hit in hits:
        found.setdefault((hit.origin, hit.kind, hit.file, hit.line, hit.name), hit)
    return list(found.values())[:_MOST_HITS]
