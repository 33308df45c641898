"""Classes and modules that are opened in several places, and which methods are those of a class itself."""

from __future__ import annotations

from drift.languages.kinds import CODE_KINDS, TYPE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.hierarchy import line_of_descent
from drift.scan.link.keys import type_key
from drift.scan.link.values import (
    NOTHING,
    SYMBOL_MASK,
    Values,
    is_reference,
    is_symbol,
    symbol_of,
    symbol_value,
)

LANGUAGE = "ruby"
_MOST_EDITIONS = 4  # beyond, modules that happen to have a class of that name
_RUN_BY_CLASS = (
    "Mailer.Base",
)  # how parents outside end that make an object for what their class is asked for
IMPLIED = "implied"
"""The modifier of a module that only the path of a class names."""


def other_parts(analysis: Analysis, owner: int) -> tuple[int, ...]:
    """The other places where a class or module is opened and given more than classes, which are found by their paths."""
    path = path_of(analysis, owner)
    found: tuple[int, ...] = analysis.cached(("ruby filled parts", path), _find_filled, path)
    return tuple(part for part in found if part != owner)


def parts_of(analysis: Analysis, owner: int) -> tuple[int, ...]:
    """All places where a class or module is opened, that which says most of it first."""
    found = parts_at(analysis, path_of(analysis, owner))
    return found or (owner,)  # nothing is known of them while they are looked for


def parts_at(analysis: Analysis, path: tuple[str, ...]) -> tuple[int, ...]:
    """The same by its path: none where the project has no such class."""
    found: dict[tuple[str, ...], tuple[int, ...]] | tuple[()]
    found = analysis.cached(("ruby paths", path[-1]), _find_paths, path[-1])
    return found.get(path, ()) if found else ()


def editions_at(analysis: Analysis, path: tuple[str, ...]) -> tuple[int, ...]:
    """The modules that outermost modules have under a path: `Enterprise::Order`, `EE::Order` of `Order`."""
    found: dict[tuple[str, ...], tuple[int, ...]] | tuple[()]
    found = analysis.cached(("ruby paths", path[-1]), _find_paths, path[-1])
    wanted = sorted(each for each in found if len(each) == len(path) + 1 and each[1:] == path)
    parts = [found[each][0] for each in wanted] if found else []
    return tuple(parts) if len(parts) <= _MOST_EDITIONS else ()


def inner_class(analysis: Analysis, owner: int, name: str) -> int | None:
    """The class of that name in a class or module, in whichever place that is opened for it."""
    if not name[:1].isupper():
        return None
    found = parts_at(analysis, (*path_of(analysis, owner), name))
    return found[0] if found else None


def path_of(analysis: Analysis, owner: int) -> tuple[str, ...]:
    """The names from the outermost module to a class."""
    table = analysis.program.table_of(owner)
    names: list[str] = []
    number = owner & SYMBOL_MASK
    while number:
        names.append(table.symbols[number].name)
        number = table.symbols[number].parent
    return tuple(reversed(names))


def _find_paths(analysis: Analysis, name: str) -> dict[tuple[str, ...], tuple[int, ...]]:
    """All classes and modules of a name by their paths: one module may be opened by each file of a project."""
    program = analysis.program
    found: dict[tuple[str, ...], list[int]] = {}
    for table in program.tables_at(program.providing(type_key(LANGUAGE, name))):
        for number, symbol in enumerate(table.symbols):
            if symbol.name == name and symbol.kind in TYPE_KINDS:
                found.setdefault(path_of(analysis, table.first + number), []).append(table.first + number)
    return {
        path: tuple(sorted(parts, key=lambda part: _rank(analysis, part)))  # which takes note of each
        for path, parts in found.items()
    }


def _find_filled(analysis: Analysis, path: tuple[str, ...]) -> tuple[int, ...]:
    return tuple(part for part in parts_at(analysis, path) if _is_filled(analysis, part))


def _is_filled(analysis: Analysis, part: int) -> bool:
    """Whether a place where a class is opened gives it parents, methods or values."""
    program = analysis.program
    symbol, table, number = program.symbol(part), program.table_of(part), part & SYMBOL_MASK
    if symbol.bases or symbol.decorators or number in table.fields:
        return True
    program.note_members(table, number)
    return any(
        one.kind != "symbol" or program.symbol(table.first + one.number).kind not in TYPE_KINDS
        for definitions in table.names[number].values()
        for one in definitions
    )


def _rank(analysis: Analysis, part: int) -> tuple[bool, bool, int]:
    symbol = analysis.program.symbol(part)
    return IMPLIED in symbol.modifiers, not any(base.kind == "extends" for base in symbol.bases), part


def whole_classes(analysis: Analysis, values: Values) -> Values:
    """The values with the first place in the stead of all others where a class is opened."""
    found: dict[object, None] = {}
    for value in values:
        is_class = is_symbol(value) and analysis.program.symbol(symbol_of(value)).kind in TYPE_KINDS
        found[symbol_value(parts_of(analysis, symbol_of(value))[0]) if is_class else value] = None  # type: ignore[arg-type] # a class is a number
    return tuple(found)  # type: ignore[arg-type] # keys are values


def reachable_members(analysis: Analysis, values: Values, *, is_object: bool) -> Values:
    """Those of the members of a name that objects have, or that the class itself has; both may have one of that name."""
    program = analysis.program
    kept = []
    for value in values:
        if is_reference(value):
            symbol = program.symbol(symbol_of(value))
            is_of_class = "classmethod" in symbol.modifiers
            is_other = (
                symbol.kind in CODE_KINDS and "static" not in symbol.modifiers and is_of_class == is_object
            )
            if is_other and (is_object or not _is_run_by_class(analysis, symbol_of(value))):
                continue
        kept.append(value)
    return whole_classes(analysis, tuple(kept)) if kept else NOTHING


def _is_run_by_class(analysis: Analysis, method: int) -> bool:
    """Whether a class runs a method of its objects when it is asked for it itself: `UserMailer.welcome(user)`."""
    line = line_of_descent(analysis, analysis.program.parent(method))
    return any(isinstance(one, str) and one.endswith(_RUN_BY_CLASS) for one in line)
