"""Where the calls of a file are that give the parameters of its functions values: found by names, before any is evaluated."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from typing import Final

from drift.languages.expressions import Expression
from drift.languages.facts import FileFacts
from drift.languages.kinds import CODE_KINDS, TYPE_KINDS

RESULT: Final = "()"
"""Stands for the name of what a call gives back, such as a function made inside another."""

ALIASED: Final = "="
"""Stands for the names that a function without one is kept under."""


def calls_of(
    facts: FileFacts, scopes: Sequence[Container[str]], *, closures: bool
) -> dict[str | tuple[int, str], list[int]]:
    """The calls of what has a name that a function or class has, another name of one, or of what a call gave back.

    `scopes` has the names of each scope. A function that a call may give back is called by any that calls a result.
    """
    names = {s.name for s in facts.symbols if s.kind in CODE_KINDS or s.kind in TYPE_KINDS}
    aliases = _aliases(facts, names)
    returned = sorted(names & set(_returned_names(facts)))
    found: dict[str | tuple[int, str], list[int]] = {}
    for number, call in enumerate(facts.calls):
        if not call.arguments:
            continue
        callee = call.callee
        if closures and call.kind == "implicit" and callee is not None and callee[0] == "symbol":
            found.setdefault((callee[1], ""), []).append(number)
            continue
        if callee is not None and callee[0] == "result":
            for one in (RESULT, *returned):
                found.setdefault(one, []).append(number)
            continue
        name = last_name(callee)
        if name in names:
            assert name is not None
            found.setdefault(name, []).append(number)
        elif callee is not None and callee[0] == "name":
            if callee[1] in scopes[call.scope]:
                found.setdefault((call.scope, callee[1]), []).append(number)
            for meant in aliases.get(callee[1], ()):
                found.setdefault(meant if isinstance(meant, str) else (meant, ALIASED), []).append(number)
    return found


def _returned_names(facts: FileFacts) -> Iterator[str]:
    for one in facts.returns:
        value = one.value
        if value is not None and (value[0] == "name" or value[0] == "outer"):
            yield value[1]


def calls_with(facts: FileFacts) -> dict[int | str, list[int]]:
    """The calls that are given a function: by its number where it is written there, else by its name."""
    names = {symbol.name for symbol in facts.symbols if symbol.kind in CODE_KINDS}
    aliases = _aliases(facts, names)
    found: dict[int | str, list[int]] = {}
    for number, call in enumerate(facts.calls):
        if call.kind == "decorator":
            continue
        for _, value in call.arguments:
            for one in _functions_meant(value, names, aliases):
                found.setdefault(one, []).append(number)
    return found


def _functions_meant(
    value: Expression, names: Container[str], aliases: dict[str, list[int | str]]
) -> Iterable[int | str]:
    if value is None:
        return ()
    if value[0] == "symbol":
        return (value[1],)
    if value[0] == "name" or value[0] == "outer":
        return (value[1],) if value[1] in names else aliases.get(value[1], ())
    if value[0] == "member" and value[2] in names:
        return (value[2],)
    return ()


def _aliases(facts: FileFacts, names: Container[str]) -> dict[str, list[int | str]]:
    """The functions that other names of the file are given: by their own name, or their number where they have none."""
    found: dict[str, list[int | str]] = {}
    for one in facts.bindings:
        value = one.value
        if value is None or one.name in names:
            continue
        for meant in _functions_meant(value, names, {}) if value[0] != "member" else ():
            found.setdefault(one.name, []).append(meant)
    return found


def last_name(expression: Expression) -> str | None:
    """The name that an expression ends in: of `a.b.c` it is `c`."""
    form = expression
    while form is not None:
        if form[0] in {"name", "outer", "member"}:
            name: str = form[-1]
            return name
        if form[0] not in {"instance", "awaited", "list", "either", "generic", "own"} or len(form) < 2:  # noqa: PLR2004  # the form and what is in it
            return None
        form = form[1]
    return None


def filled_name(receiver: Expression) -> tuple[Expression, int]:
    """What something is put into or into an element of, and how deep: `table` and 1 of `table[key].append(value)`."""
    levels = 0
    while receiver is not None and receiver[0] == "item":
        receiver = receiver[1]
        levels += 1
    return receiver, levels
