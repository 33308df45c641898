"""What object-relational mappers make at run time: managers of models, what these give, and views that go by models.

A manager and a query set are a container of objects of the model, so that its elements, what it is gone through for and
what most of its methods give follow as they do for lists. Which names do what is data: `models.toml`.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from drift.languages.expressions import Expression
from drift.languages.facts import Call
from drift.languages.kinds import TYPE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.containers import element_values
from drift.scan.link.hierarchy import line_of_descent
from drift.scan.link.values import (
    NOTHING,
    SYMBOL_MASK,
    MethodValue,
    Value,
    Values,
    as_instance,
    is_instance,
    is_symbol,
    merge,
    plain_name,
    symbol_of,
)


class Mapper(NamedTuple):
    """What is known of mappers, as the data has it."""

    models: tuple[str, ...]
    packages: tuple[str, ...]
    managers: frozenset[str]
    sets: tuple[str, ...]
    kind: str
    element: frozenset[str]
    same: frozenset[str]
    paired: frozenset[str]
    other: frozenset[str]
    fetching: frozenset[str]
    listing: frozenset[str]
    views: dict[str, tuple[dict[str, str], ...]]

    @property
    def methods(self) -> frozenset[str]:
        """All methods of managers and query sets."""
        return self.element | self.same | self.paired | self.other


@cache
def mapper() -> Mapper:
    rows: dict[str, Any] = tomllib.loads(files(__package__).joinpath("models.toml").read_text("utf-8"))
    views: dict[str, tuple[dict[str, str], ...]] = {}
    for row in rows["views"]:
        views[row["method"]] = (*views.get(row["method"], ()), row)
    return Mapper(
        models=tuple(rows["models"]),
        packages=tuple(f"{name}." for name in rows["packages"]),
        managers=frozenset(rows["managers"]),
        sets=tuple(rows["sets"]),
        kind=rows["kind"],
        element=frozenset(rows["element"]),
        same=frozenset(rows["same"]),
        paired=frozenset(rows["paired"]),
        other=frozenset(rows["other"]),
        fetching=frozenset(rows["fetching"]),
        listing=frozenset(rows["listing"]),
        views=views,
    )


def manager_values(analysis: Analysis, line: tuple[int | str, ...], name: str) -> Values:
    """The manager that a model has without saying so."""
    owner = line[0] if line else ""
    if isinstance(owner, str) or name not in mapper().managers or not _is_model(line):
        return NOTHING
    return (_all_of(analysis, owner),)


def with_model(analysis: Analysis, owner: int, values: Values) -> Values:
    """What a class has for a member: beside a manager of the project's own all objects of the model."""
    if not any(is_instance(one) and _is_set(analysis, one) for one in values):
        return values
    return (
        merge([values, (_all_of(analysis, owner),)])
        if _is_model(line_of_descent(analysis, owner))
        else values
    )


def _is_model(line: tuple[int | str, ...]) -> bool:
    known = mapper()
    return any(
        isinstance(one, str) and one.startswith(known.packages) and one.endswith(known.models) for one in line
    )


def _is_set(analysis: Analysis, value: int) -> bool:
    known = mapper()
    line = line_of_descent(analysis, symbol_of(value))
    return any(isinstance(one, str) and plain_name(one).endswith(known.sets) for one in line)


def _all_of(analysis: Analysis, model: int) -> Value:
    value, made = analysis.container(("all of", model), mapper().kind, model)
    if made is not None:
        made.entries.append((None, ("instance", ("symbol", model & SYMBOL_MASK)), model))
    return value


def set_result(analysis: Analysis, method: MethodValue, call: Call, scope: int) -> Values | None:
    """What a method of a manager gives, by its name; None where it is none that is known."""
    known = mapper()
    _, container, name = method
    if name in known.element:
        return element_values(analysis, (container,))
    if name in known.same:
        return (container,)
    if name in known.paired:
        key = ("paired", container, scope, call.line, call.column)
        value, made = analysis.container(key, "list", scope)
        if made is not None and isinstance(container, tuple) and container[0] == "container":
            made.entries.append((None, ("held", container[1]), scope))
        return (value,)
    return None


def mapped_result(analysis: Analysis, name: str, call: Call, scope: int) -> Values | None:
    """What functions and methods of a mapper outside give that go by the models of the project."""
    known, last = mapper(), name.rpartition(".")[2]
    if name in known.fetching or name in known.listing:
        return _fetched(analysis, call, scope, is_list=name in known.listing)
    callee = call.callee
    if callee is None or callee[0] != "member":
        return None
    if last in known.views:
        return _of_view(analysis, name, callee[1], scope)
    owner = name.removesuffix(f".{last}")
    if not owner.endswith(known.sets):
        return None
    if last == "as_manager":
        return (
            tuple(as_instance(one) for one in _classes(analysis, analysis.evaluate(callee[1], scope))) or None
        )
    if last == "from_queryset" and call.arguments:
        return _classes(analysis, analysis.evaluate(call.arguments[0][1], scope)) or None
    # A method of a project's own manager goes on from itself.
    own = tuple(one for one in analysis.evaluate(callee[1], scope) if is_instance(one))
    return own if own and last in known.same else None


def _fetched(analysis: Analysis, call: Call, scope: int, *, is_list: bool) -> Values | None:
    given = analysis.evaluate(call.arguments[0][1], scope) if call.arguments else NOTHING
    objects = [as_instance(one) for one in _classes(analysis, given)]
    held = element_values(analysis, tuple(one for one in given if isinstance(one, tuple)))
    found = merge([tuple(objects), tuple(one for one in held if is_instance(one))])
    if not found:
        return None
    return (
        found
        if not is_list
        else tuple(_all_of(analysis, symbol_of(one)) for one in found if isinstance(one, int))
    )


def _of_view(analysis: Analysis, name: str, view: Expression, scope: int) -> Values | None:
    """What a method of a framework's view gives, by what a member of the class says."""
    for row in mapper().views[name.rpartition(".")[2]]:
        if not name.startswith(row["package"]):
            continue
        held = analysis.evaluate(("member", view, row["member"]), scope)
        inside = tuple(one for one in held if not isinstance(one, str))
        if row["gives"] == "object":
            return tuple(as_instance(one) for one in _classes(analysis, inside)) or None
        sets = tuple(one for one in inside if isinstance(one, tuple))
        return (sets if row["gives"] == "same" else element_values(analysis, sets)) or None
    return None


def _classes(analysis: Analysis, values: Values) -> tuple[int, ...]:
    symbol = analysis.program.symbol
    return tuple(one for one in values if is_symbol(one) and symbol(symbol_of(one)).kind in TYPE_KINDS)
