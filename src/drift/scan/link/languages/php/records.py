"""What Laravel makes of models at run time: queries, relations and scopes. Which names do what is data: `records.toml`.

A query for models, many of them and one are all an object of the model: each has what the others hand on, and a chain
of calls ends at what the project itself declares.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Any, Final, NamedTuple

from drift.languages import Call
from drift.languages.kinds import TYPE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.hierarchy import declared_members, line_of_descent
from drift.scan.link.returns import returned_values
from drift.scan.link.values import (
    NOTHING,
    Values,
    as_instance,
    bound_value,
    is_instance,
    is_reference,
    is_symbol,
    merge,
    symbol_of,
)

ATTRIBUTE_METHODS: Final = frozenset({"__get", "__isset", "__set"})
"""What stands for reading, asking for and setting a property that a class has not."""
RECORD_PACKAGES: Final = ("laravel/framework", "illuminate/database")
"""What a project requires that has such models."""


class Records(NamedTuple):
    """What is known of models, as the data has it."""

    models: frozenset[str]
    relations: frozenset[str]
    other: frozenset[str]
    prefix: str


@cache
def records() -> Records:
    rows: dict[str, Any] = tomllib.loads(files(__package__).joinpath("records.toml").read_text("utf-8"))
    relations, other = (frozenset(rows[key]) for key in ("relations", "other"))
    return Records(spelled(rows["models"]), relations, other, rows["prefix"])


def spelled(names: Iterable[str]) -> frozenset[str]:
    """Names of classes outside as they come by `use` and as they come where they are written in full."""
    return frozenset(each for name in names for each in (name, name.replace("\\", ".")))


def is_model(line: tuple[int | str, ...]) -> bool:
    """Whether a class with this line of descent is a model."""
    return bool(line) and isinstance(line[-1], str) and not records().models.isdisjoint(line)


def scope_members(analysis: Analysis, line: tuple[int | str, ...], name: str) -> Values:
    """The scope of a model that a query calls by its short name: `active` is scopeActive."""
    owner = line[0] if line else ""
    if isinstance(owner, str) or not name or not is_model(line):
        return NOTHING
    found = declared_members(analysis, owner, records().prefix + name[:1].upper() + name[1:])
    return tuple(map(bound_value, found))


def record_values(analysis: Analysis, name: str, call: Call, scope: int) -> Values | None:
    """What a method of models outside gives: models again, of the class it is given where that says a relation."""
    owner, _, method = name.rpartition(".")
    known, callee = records(), call.callee
    if owner not in known.models or callee is None or callee[0] != "member":
        return None
    if method in known.relations:
        return _objects(analysis, analysis.evaluate(call.arguments[0][1], scope)) if call.arguments else None
    if method in known.other:
        return None
    return _objects(analysis, analysis.evaluate(callee[1], scope))


def _objects(analysis: Analysis, values: Values) -> Values | None:
    symbol = analysis.program.symbol
    found = (
        as_instance(one)
        for one in values
        if is_instance(one) or (is_symbol(one) and symbol(symbol_of(one)).kind in TYPE_KINDS)
    )
    return tuple(dict.fromkeys(found)) or None


def with_related(analysis: Analysis, owner: int, values: Values) -> Values:
    """What reading a member of a model gives: of a relation that is a method the models it leads to, too."""
    methods = [symbol_of(one) for one in values if is_reference(one)]
    if not methods or not is_model(line_of_descent(analysis, owner)):
        return values
    related = [
        tuple(
            one for one in returned_values(analysis, method) if is_instance(one) and _is_record(analysis, one)
        )
        for method in methods
        if analysis.program.symbol(method).kind == "method" and not analysis.program.symbol(method).parameters
    ]
    return merge([values, *related])


def record_elements(analysis: Analysis, value: int) -> Values | None:
    """Many models are gone through for models; None where the object is no model."""
    return (value,) if _is_record(analysis, value) else None


def _is_record(analysis: Analysis, value: int) -> bool:
    return is_model(line_of_descent(analysis, symbol_of(value)))


def attribute_methods(analysis: Analysis, owner: int, name: str, *, is_set: bool) -> list[int]:
    """The methods of a model that run for a property: a relation or an attribute of its name, an accessor."""
    if not is_model(line_of_descent(analysis, owner)):
        return []
    word = "".join(part[:1].upper() + part[1:] for part in name.split("_"))
    names = [f"set{word}Attribute"] if is_set else [f"get{word}Attribute", name]
    names.append(word[:1].lower() + word[1:])
    symbol = analysis.program.symbol
    found = [one for asked in dict.fromkeys(names) for one in declared_members(analysis, owner, asked)]
    # What has parameters and is no accessor is a method like any other.
    return [
        one
        for one in found
        if symbol(one).kind == "method" and (symbol(one).name in names[:1] or not symbol(one).parameters)
    ]
