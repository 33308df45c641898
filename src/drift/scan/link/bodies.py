"""Functions that are declared in one place and defined in another: where their code is."""

from __future__ import annotations

from collections.abc import Iterator

from drift.languages.facts import Symbol
from drift.scan.link.analysis import Analysis
from drift.scan.link.hierarchy import class_of, outside_members, own_members
from drift.scan.link.keys import space_key
from drift.scan.link.namespaces import SEPARATOR, namespace_of
from drift.scan.link.nearness import nearest


def bodies_of(analysis: Analysis, function: int) -> tuple[int, ...]:
    """The definitions of a function that is only declared; itself where it is defined, or nowhere else is."""
    program = analysis.program
    symbol = program.symbol(function)
    if (
        "declaration" not in symbol.modifiers
        or not program.semantics(program.table_of(function)).has_open_namespaces
    ):
        return (function,)
    found: tuple[int, ...] = analysis.cached(("bodies", function), _find_bodies, function)
    return found or (function,)


def declarations_of(analysis: Analysis, function: int) -> tuple[int, ...]:
    """Where a function that is defined here is declared, with the defaults of its parameters."""
    found: tuple[int, ...] = analysis.cached(("declarations", function), _find_declarations, function)
    return found


def _find_declarations(analysis: Analysis, function: int) -> tuple[int, ...]:
    program = analysis.program
    symbol = program.symbol(function)
    owner = class_of(analysis, function)
    members = None if owner is None else own_members(analysis, owner, symbol.name)
    return tuple(
        one
        for one in (_functions(analysis, function, symbol) if members is None else members)
        if "declaration" in program.symbol(one).modifiers and _types(program.symbol(one)) == _types(symbol)
    )


def _find_bodies(analysis: Analysis, function: int) -> tuple[int, ...]:
    program = analysis.program
    symbol = program.symbol(function)
    owner = class_of(analysis, function)
    if owner is None:
        candidates = list(_functions(analysis, function, symbol))
    else:
        candidates = outside_members(analysis, owner).get(symbol.name, [])
    defined = [one for one in candidates if "declaration" not in program.symbol(one).modifiers]
    alike = [one for one in defined if _types(program.symbol(one)) == _types(symbol)]
    count = len(_types(symbol))
    found = alike or [one for one in defined if len(_types(program.symbol(one))) == count]
    if owner is not None or len(found) < 2:  # noqa: PLR2004  # one is no choice
        return tuple(found)
    # Programs of one project may each have their own: the one beside the declaration is meant.
    path = nearest(program.table_of(function).path, [program.table_of(one).path for one in found])
    return tuple(one for one in found if program.table_of(one).path == path)


def _functions(analysis: Analysis, function: int, symbol: Symbol) -> Iterator[int]:
    """The functions of the same name and namespace; those that are private to another file are not meant."""
    program = analysis.program
    table = program.table_of(function)
    space = namespace_of(analysis, function)
    for other in program.tables_at(program.providing(space_key(table.facts.language, "", symbol.name))):
        for number in other.spaces:
            for definition in program.definitions(other, number, symbol.name) or ():
                if definition.kind != "symbol":
                    continue
                found = program.symbol(other.first + definition.number)
                is_seen = other is table or found.visibility != "private"
                if is_seen and _is_in(analysis, other.first + definition.number, space):
                    yield other.first + definition.number


def _is_in(analysis: Analysis, function: int, space: str) -> bool:
    """Whether a function is of a namespace, in it or outside of it as `void space::function()`."""
    symbol = analysis.program.symbol(function)
    if symbol.kind == "function":
        if namespace_of(analysis, function) == space:
            return True
        return f"{space.rpartition(SEPARATOR)[2]}{SEPARATOR}{symbol.name}" in symbol.signature
    # In a file that opens no such namespace, it reads as a method of a class of that name.
    owners = [one.type_text for one in symbol.parameters if one.kind == "receiver"]
    if not space or not owners or owners[0] is None:
        return False
    is_named = f"{SEPARATOR}{space}".endswith(f"{SEPARATOR}{owners[0]}")
    return is_named and class_of(analysis, function) is None


def _types(symbol: Symbol) -> list[str]:
    return [
        "".join((one.type_text or "").split()).replace("const", "")
        for one in symbol.parameters
        if one.kind != "receiver"
    ]
