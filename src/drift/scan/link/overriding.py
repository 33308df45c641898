"""Which methods override which: what may run in the place of a method, by the classes below."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from drift.scan.link.analysis import Analysis
from drift.scan.link.hierarchy import own_members
from drift.scan.link.tables import CLASS_KINDS, FUNCTION_KINDS
from drift.scan.link.values import SYMBOL_MASK

Overriders = dict[int, tuple[int, ...]]

_STRUCTURAL: Final = frozenset({"go", "javascript", "python", "typescript"})

_NO_METHOD: Final = -1

MOST_OVERRIDERS: Final = 10
"""A method overridden more often is a hook: naming all of them says nothing, and none are named."""


def find_overriders(analysis: Analysis, components: Mapping[str, str]) -> Overriders:
    """Each method that others override, with those, in the order of their places.

    A class that fits an interface without naming it counts only where imports connect the two, by the
    labels of their components: what is not connected can be linked apart.
    """
    found: dict[int, dict[int, None]] = {}
    program = analysis.program
    for owner in sorted(analysis.lines_of_descent):
        line = analysis.lines_of_descent[owner][1:]
        ancestors = [ancestor for ancestor in line if isinstance(ancestor, int)]
        if not ancestors:
            continue
        for name, methods in _methods_of(analysis, owner):
            for ancestor in ancestors:
                overridden = [
                    symbol
                    for symbol in own_members(analysis, ancestor, name)
                    if program.symbol(symbol).kind in FUNCTION_KINDS
                ]
                for symbol in overridden:
                    found.setdefault(symbol, {}).update(dict.fromkeys(methods))
    for symbol, methods in _structural_overriders(analysis, components):
        found.setdefault(symbol, {}).update(dict.fromkeys(methods))
    return {symbol: tuple(below) for symbol, below in found.items() if len(below) <= MOST_OVERRIDERS}


def _structural_overriders(
    analysis: Analysis, components: Mapping[str, str]
) -> Iterator[tuple[int, list[int]]]:
    """The methods of interfaces, with those of classes that have all of them without saying so."""
    program = analysis.program
    holders = _classes_by_member(analysis)
    for owner in sorted(analysis.lines_of_descent):
        table = program.table_of(owner)
        if program.symbol(owner).kind != "interface" or table.facts.language not in _STRUCTURAL:
            continue
        # What an interface has as a property a class may have as a plain field.
        wanted = [
            (name, methods)
            for name, methods in _methods_of(analysis, owner)
            if not name.startswith("__") and program.symbol(methods[0]).kind != "property"
        ]
        fitting = [holders.get(name, {}) for name, _ in wanted]
        if not wanted:
            continue
        smallest = min(fitting, key=len)
        here = components[table.path]
        classes = [
            one
            for one in smallest
            if all(one in others for others in fitting) and components[program.table_of(one).path] == here
        ]
        for (_, methods), holder in zip(wanted, fitting, strict=True):
            for symbol in methods:
                given = [holder[one] for one in classes]
                yield symbol, [other for other in given if other != _NO_METHOD and other not in methods]


def _classes_by_member(analysis: Analysis) -> dict[str, dict[int, int]]:
    """For each name of a member, the classes that have it, own or inherited, with the method if it is one."""
    found: dict[str, dict[int, int]] = {}
    program = analysis.program
    for owner in sorted(analysis.lines_of_descent):
        if program.symbol(owner).kind == "interface":
            continue
        for ancestor in analysis.lines_of_descent[owner]:
            if not isinstance(ancestor, int):
                continue
            for name, methods in _methods_of(analysis, ancestor):
                found.setdefault(name, {}).setdefault(owner, methods[0])
            for name in program.table_of(ancestor).names[ancestor & SYMBOL_MASK]:
                found.setdefault(name, {}).setdefault(owner, _NO_METHOD)
    return found


def _methods_of(analysis: Analysis, owner: int) -> list[tuple[str, list[int]]]:
    program = analysis.program
    assert program.symbol(owner).kind in CLASS_KINDS
    names = [*program.table_of(owner).names[owner & SYMBOL_MASK], *program.attached.get(owner, ())]
    found = []
    for name in dict.fromkeys(names):
        methods = [
            symbol
            for symbol in own_members(analysis, owner, name)
            if program.symbol(symbol).kind in FUNCTION_KINDS
        ]
        if methods:
            found.append((name, methods))
    return found
