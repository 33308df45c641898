"""Objects that Laravel makes by the name of a class: factories of models, the models they make, the user of a request.

`User::factory()` is an object of `UserFactory`, what a factory is told gives the same factory, and `create()` the model.
`auth()->user()` is an object of the model that is called so. Which names do what is data: `records.toml`.
Known limits: a factory that is named otherwise and that no `newFactory` gives; users of a model with another name.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any, Final, NamedTuple

from drift.languages import Call
from drift.languages.kinds import TYPE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.hierarchy import declared_members, line_of_descent
from drift.scan.link.keys import type_key
from drift.scan.link.languages.php.records import spelled
from drift.scan.link.returns import returned_values
from drift.scan.link.values import Values, instance_value, is_instance, merge, symbol_of

_LANGUAGE: Final = "php"
_NEW: Final = "new"
_MOST_NAMESAKES: Final = 3  # of more it is not known which is meant


class _Made(NamedTuple):
    call: str
    own: str
    suffix: str
    parents: frozenset[str]
    making: frozenset[str]
    raw: frozenset[str]
    users: frozenset[str]
    user: str
    guarded: frozenset[str]


@cache
def _made() -> _Made:
    rows: dict[str, Any] = tomllib.loads(files(__package__).joinpath("records.toml").read_text("utf-8"))
    factories, users = rows["factories"], rows["users"]
    making, raw = frozenset(factories["making"]), frozenset(factories["raw"])
    parents, names, guarded = map(spelled, (factories["parents"], users["names"], users["parents"]))
    return _Made(
        factories["call"],
        factories["own"],
        factories["suffix"],
        parents,
        making,
        raw,
        names,
        users["model"],
        guarded,
    )


def made_values(analysis: Analysis, name: str, call: Call, scope: int) -> Values | None:
    """What a call outside gives that makes an object by the name of a class; None for any other."""
    known, callee = _made(), call.callee
    if callee is None or callee[0] != "member":
        return None
    if name in known.users:
        return _users(analysis) or None
    owner, _, method = name.rpartition(".")
    if method == known.call:
        receivers = (one for one in analysis.evaluate(callee[1], scope) if isinstance(one, int))
        classes = [symbol_of(one) for one in receivers if _is_class(analysis, one)]
        return merge(_factories_of(analysis, one) for one in classes) or None
    if owner not in known.parents or method in known.raw:
        return None
    factories = [
        symbol_of(one)
        for one in analysis.evaluate(callee[1], scope)
        if isinstance(one, int) and (is_instance(one) or method == _NEW)
    ]
    if method in known.making:
        return merge(_models_of(analysis, one) for one in factories) or None
    return tuple(dict.fromkeys(instance_value(one) for one in factories)) or None


def _is_class(analysis: Analysis, value: int) -> bool:
    return analysis.program.symbol(symbol_of(value)).kind in TYPE_KINDS


def _factories_of(analysis: Analysis, model: int) -> Values:
    """The factories of a model: what its own method gives, else the class of its name."""
    known = _made()
    own = merge(returned_values(analysis, one) for one in declared_members(analysis, model, known.own))
    found = tuple(one for one in own if is_instance(one))
    return found or tuple(
        instance_value(one)
        for one in _classes(analysis, f"{analysis.program.symbol(model).name}{known.suffix}")
        if not known.parents.isdisjoint(line_of_descent(analysis, one))
    )


def _models_of(analysis: Analysis, factory: int) -> Values:
    """The model that a factory is named after."""
    name = analysis.program.symbol(factory).name
    suffix = _made().suffix
    return tuple(
        instance_value(one)
        for one in (_classes(analysis, name.removesuffix(suffix)) if name.endswith(suffix) else ())
        if any(isinstance(each, str) for each in line_of_descent(analysis, one))
    )


def _users(analysis: Analysis) -> Values:
    known = _made()
    return tuple(
        instance_value(one)
        for one in _classes(analysis, known.user)
        if not known.guarded.isdisjoint(line_of_descent(analysis, one))
    )


def _classes(analysis: Analysis, name: str) -> list[int]:
    """The classes of a name, where few have it."""
    program = analysis.program
    paths = program.providing(type_key(_LANGUAGE, name))
    tables = program.tables_at(paths) if len(paths) <= _MOST_NAMESAKES else ()
    return [
        table.first + number
        for table in tables
        for number, symbol in enumerate(table.symbols)
        if symbol.name == name and symbol.kind in TYPE_KINDS
    ]
