"""Python's descriptors: objects in the body of a class that say what reading and setting a member does.

`channel = property(_get_channel)` runs `_get_channel` where `channel` is read, and an object of a class with a
`__get__` runs that, also where the object is what a decorator made of a method.
"""

from __future__ import annotations

from typing import Final

from drift.languages.facts import SETTING
from drift.languages.kinds import CODE_KINDS, TYPE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.hierarchy import declared_members, line_of_descent
from drift.scan.link.keys import method_key
from drift.scan.link.languages.python.models import mapped_readers
from drift.scan.link.names import definition_values
from drift.scan.link.returns import returned_values
from drift.scan.link.tables import Definition, FileTable
from drift.scan.link.values import (
    INSTANCE,
    NOTHING,
    SYMBOL,
    SYMBOL_MASK,
    Value,
    Values,
    is_instance,
    is_reference,
    merge,
    symbol_of,
    tag_of,
)

_READING: Final = "__get__"
_OF_OBJECTS: Final = frozenset({INSTANCE})
_WITH_MEMBERS: Final = frozenset({INSTANCE, SYMBOL})
_WRITING: Final = "__set__"
_NAMING: Final = "__set_name__"


def described(analysis: Analysis, values: Values, name: str) -> tuple[int, ...]:
    """What descriptors run where a member is read or set; a class itself is asked by reading alone."""
    method, tags = (_WRITING, _OF_OBJECTS) if name.endswith(SETTING) else (_READING, _WITH_MEMBERS)
    found: dict[int, None] = {}
    for value in values:  # plainly: it is asked for every member that is read
        if isinstance(value, int) and tag_of(value) in tags:
            owner = symbol_of(value)
            if analysis.program.symbol(owner).kind in TYPE_KINDS:
                accessors = _accessors_of(analysis, owner, name.removesuffix(SETTING), method=method)
                found.update(dict.fromkeys(accessors))
    return tuple(found)


def _accessors_of(analysis: Analysis, owner: int, name: str, *, method: str) -> tuple[int, ...]:
    """The code that reading or setting a member of a class's objects runs, where a descriptor has it."""
    found: tuple[int, ...] = analysis.cached(
        ("accessors", owner, name, method), _accessors, owner, name, method
    )
    return found


def _accessors(analysis: Analysis, owner: int, name: str, method: str) -> tuple[int, ...]:
    program = analysis.program
    for ancestor in line_of_descent(analysis, owner):
        if isinstance(ancestor, str):
            continue
        table = program.table_of(ancestor)
        definitions = program.definitions(table, ancestor & SYMBOL_MASK, name)
        if definitions is not None:
            values = merge(
                [definition_values(analysis, ancestor, name), *_decorated(analysis, table, definitions)]
            )
            found = dict.fromkeys(one for value in values for one in _running(analysis, value, method))
            if method == _READING:
                found.update(dict.fromkeys(mapped_readers(analysis, owner, name, definitions=definitions)))
            return tuple(found)
    return mapped_readers(analysis, owner, name) if method == _READING else ()


def _decorated(analysis: Analysis, table: FileTable, definitions: list[Definition]) -> list[Values]:
    """What decorators make of properties, whose names stand for what the properties give."""
    numbers = [one.number for one in definitions if one.kind == "symbol"]
    return [
        analysis.evaluate(("result", call), table.first + table.symbols[number].parent)
        for number in numbers
        if analysis.program.symbol(table.first + number).kind == "property"
        for call in table.decorations.get(number, ())
    ]


def _running(analysis: Analysis, value: Value, method: str) -> tuple[int, ...]:
    if isinstance(value, tuple) and value[0] == "property":
        accessor = value[1] if method == _READING else value[2]
        return () if accessor is None else (accessor,)
    if not is_instance(value):
        return ()
    found = declared_members(analysis, symbol_of(value), method)
    return tuple(one for one in found if analysis.program.symbol(one).kind in CODE_KINDS)


def naming_hooks(analysis: Analysis, owner: int) -> tuple[int, ...]:
    """What runs where a class is made, of the objects in its body: each is told the name it has there."""
    program = analysis.program
    # Few projects have such a method, and the body of every class would be gone through for nothing.
    if not program.is_provided(method_key(program.table_of(owner).facts.language, _NAMING)):
        return ()
    table, number = program.table_of(owner), owner & SYMBOL_MASK
    found: dict[int, None] = {}
    # No note is taken of the names: only the file of a class asks what makes it, and is linked again when it changes.
    for name, definitions in table.names[number].items():
        if any(_may_be_made(table, one) for one in definitions):
            values = merge(
                [definition_values(analysis, owner, name), *_decorated(analysis, table, definitions)]
            )
            objects = (value for value in values if isinstance(value, int))
            found.update((one, None) for value in objects for one in _running(analysis, value, _NAMING))
    return tuple(found)


def _may_be_made(table: FileTable, definition: Definition) -> bool:
    """Whether a definition in the body of a class is what a call gives, be it that of a decorator."""
    if definition.kind == "symbol":
        return definition.number in table.decorations
    return definition.value is not None and definition.value[0] == "result"


def read_values(analysis: Analysis, values: Values) -> Values:
    """What reading a member gives whose class has these values for it: what descriptors among them give back."""
    if not any(_may_describe(value) for value in values):
        return values
    parts: list[Values] = []
    for value in values:
        given = [returned_values(analysis, one) for one in _running(analysis, value, _READING)]
        parts.append(merge(given) if given else (value,))
        if given and not any(given):
            # It gives what the function gives that it was made of, as a value or once that is called.
            parts.extend(_wrapped_results(analysis, values))
    return merge(parts)


def _may_describe(value: Value) -> bool:
    if isinstance(value, int):
        return is_instance(value)
    return isinstance(value, tuple) and value[0] == "property"


def _wrapped_results(analysis: Analysis, values: Values) -> list[Values]:
    functions = [symbol_of(value) for value in values if is_reference(value)]
    return [
        returned_values(analysis, one) for one in functions if analysis.program.symbol(one).kind in CODE_KINDS
    ] or [NOTHING]
