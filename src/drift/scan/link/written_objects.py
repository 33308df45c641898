"""Object literals that are given back or handed on, by the functions that are written in them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from drift.languages.expressions import Expression, last_name
from drift.languages.facts import FileFacts

_MOST_LEVELS: Final = 4


class WrittenObject(NamedTuple):
    """A literal, the scope that it stands in, and the name of what is called with it, if something is."""

    value: Expression
    scope: int
    called: str | None


def written_objects(facts: FileFacts) -> dict[int, WrittenObject]:
    """By the number of a function, the innermost literal that it is a member of."""
    found: dict[int, WrittenObject] = {}
    for given in facts.returns:
        for number, value in _members(given.value, _MOST_LEVELS):
            found.setdefault(number, WrittenObject(value, given.scope, None))
    for call in facts.calls:
        for _, argument in call.arguments:
            for number, value in _members(argument, _MOST_LEVELS):
                found.setdefault(number, WrittenObject(value, call.scope, last_name(call.callee)))
    return found


def _members(value: Expression, levels: int) -> Iterator[tuple[int, Expression]]:
    if value is None or value[0] != "dict" or not levels:
        return
    for _, part in value[1:]:
        if part is not None and part[0] == "symbol":
            yield part[1], value
        else:
            yield from _members(part, levels - 1)
