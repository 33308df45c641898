"""Members that a tool writes when Java is compiled, as annotations of the class or field ask for: Lombok's.

Nothing of them stands in the project. Those of a field are that field, and give what it holds; others are outside by the name
of their annotation.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cache
from typing import Final, NamedTuple

from drift.languages.facts import Call, Decorator
from drift.languages.frameworks import load_frameworks
from drift.languages.kinds import TYPE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.hierarchy import declared_members, own_members
from drift.scan.link.values import NOTHING, SYMBOL_MASK, Values, is_instance, is_reference, symbol_of

_SETTING: Final = "set"
_COMPONENT: Final = "component"
_READING: Final = ("get", "is")


class _Words(NamedTuple):
    getters: frozenset[str]
    setters: frozenset[str]
    builders: frozenset[str]
    building: frozenset[str]
    loggers: dict[str, str]
    logger: str


@cache
def _words() -> _Words:
    frameworks = load_frameworks("java")
    return _Words(
        frameworks.names("generated", "getters"),
        frameworks.names("generated", "setters"),
        frameworks.names("generated", "builders"),
        frameworks.names("generated", "building"),
        frameworks.mapping("generated", "loggers"),
        frameworks.texts("generated", "logger_fields")[0],
    )


def generated_members(analysis: Analysis, line: tuple[int | str, ...], name: str) -> Values:
    """The method of that name that is written for the first class in a line of descent that has it so."""
    words = _words()
    if name in words.building:
        for owner in line:
            if isinstance(owner, int) and (tool := _annotated(_decorators(analysis, owner), words.builders)):
                return (f"{tool}.{name}",)
        return NOTHING
    is_setter = name.startswith(_SETTING)
    annotations = words.setters if is_setter else words.getters
    for field_name in _fields_of(name):
        for owner in line:
            for field in own_members(analysis, owner, field_name) if isinstance(owner, int) else ():
                if analysis.program.symbol(field).kind != "field":
                    continue
                tool = _annotated(_decorators(analysis, field), annotations)
                tool = tool or _annotated(_decorators(analysis, analysis.program.parent(field)), annotations)
                if tool:
                    return (("setter" if is_setter else "component", field),)
    return NOTHING


def component_reads(analysis: Analysis, call: Call, scope: int, values: Values) -> Values:
    """The components that a call reads which a record has no method for: `order.total()`."""
    callee = call.callee
    if callee is None or callee[0] != "member" or call.arguments or any(map(is_reference, values)):
        return NOTHING
    return tuple(
        dict.fromkeys(
            ("component", one)
            for owner in analysis.evaluate(callee[1], scope)
            if isinstance(owner, int) and is_instance(owner)
            for one in declared_members(analysis, symbol_of(owner), callee[2])
            if _COMPONENT in analysis.program.symbol(one).modifiers
        )
    )


def generated_names(analysis: Analysis, name: str, scope: int) -> Values:
    """What a bare name means that is written for one of the classes around: a logger, or a method of its object."""
    words = _words()
    table = analysis.program.table_of(scope)
    number = scope & SYMBOL_MASK
    while number:
        symbol = analysis.program.symbol(table.first + number)
        if symbol.kind in TYPE_KINDS:
            if name == words.logger:
                found = [words.loggers[one.name] for one in symbol.decorators if one.name in words.loggers]
                if found:
                    return (found[0],)
            elif made := generated_members(analysis, (table.first + number,), name):
                return made
        number = symbol.parent
    return NOTHING


def _fields_of(method: str) -> Iterator[str]:
    """The fields that a method may be written for: `isOpen` reads `open`, or `isOpen`."""
    for prefix in (*_READING, _SETTING):
        rest = method.removeprefix(prefix)
        if rest != method and rest[:1].isupper():
            yield rest[:1].lower() + rest[1:]
            yield rest
            yield f"is{rest}"


def _decorators(analysis: Analysis, number: int) -> tuple[Decorator, ...]:
    return analysis.program.symbol(number).decorators


def _annotated(decorators: Collection[Decorator], names: frozenset[str]) -> str:
    """The full name of the annotation that has something written."""
    found = (one.name.rpartition(".")[2] for one in decorators)
    return next((f"lombok.{name}" for name in found if name in names), "")
