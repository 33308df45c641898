"""Methods of PHP that run for a type which does not name them: of classes below one outside, of traits that classes use."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from drift.languages.expressions import Expression
from drift.languages.kinds import TYPE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.hierarchy import line_of_descent, own_members
from drift.scan.link.keys import method_key, mixing_key, trait_method_key
from drift.scan.link.values import Values, is_instance, symbol_of

LANGUAGE: Final = "php"

_MOST_FILES: Final = 40  # that have a method of one name: beyond that the name says nothing
_MOST_USING: Final = 400  # files that use a trait of one name
_OF_PHP: Final = "php."  # before the types of PHP itself: what is `Countable` or `Stringable` is anything


def methods_below_outside(
    analysis: Analysis, receiver: Expression, values: Values, name: str
) -> tuple[int, ...]:
    """The methods that classes of the project have below the types outside that an object is declared to be of.

    A library declares what the project writes out, as the interfaces of PSR do. None is named where the
    receiver is a class by its name or the parent, whose methods are their own, or where they are several: any one of
    them is then rarely meant, as measured on traces.
    """
    if receiver == ("super",) or _names_class(receiver):
        return ()
    found: dict[int, None] = {}
    for family in _families(values):
        found.update(dict.fromkeys(analysis.cached(("family", family, name), _find_family, family, name)))
    return tuple(found) if len(found) == 1 else ()


def methods_below_receiver(
    analysis: Analysis, receiver: Expression, scope: int, name: str
) -> tuple[int, ...]:
    """The same of what a method is called on; most calls that lead outside are of names that the project has not."""
    if not analysis.program.is_provided(method_key(LANGUAGE, name)):
        return ()
    return methods_below_outside(analysis, receiver, analysis.evaluate(receiver, scope), name)


def _families(values: Values) -> Iterator[int | str]:
    """The types outside that objects are of, and the classes of the project, which may have a method from outside."""
    for value in values:
        if isinstance(value, str) and not value.startswith(_OF_PHP):
            yield value
        elif is_instance(value):
            yield symbol_of(value)


def _names_class(receiver: Expression) -> bool:
    """Whether a class is named rather than an object: variables are told by their `$`."""
    while receiver is not None and receiver[0] == "member":
        receiver = receiver[1]
    return receiver is not None and receiver[0] == "name" and not receiver[1].startswith("$")


def _find_family(analysis: Analysis, family: int | str, name: str) -> tuple[int, ...]:
    program = analysis.program
    paths = program.providing(method_key(LANGUAGE, name))
    if not paths or len(paths) > _MOST_FILES:
        return ()
    found = [
        table.first + number
        for table in program.tables_at(paths)
        for number, symbol in enumerate(table.symbols)
        if symbol.kind == "method"
        and symbol.name == name
        and "abstract" not in symbol.modifiers
        and family in line_of_descent(analysis, table.first + symbol.parent)
    ]
    return (*found, *trait_methods(analysis, family, name))


def trait_methods(analysis: Analysis, family: int | str, name: str) -> tuple[int, ...]:
    """The methods of that name which classes below a type get from traits, and have no own in their place."""
    program = analysis.program
    paths = program.providing(trait_method_key(LANGUAGE, name))
    if not paths or len(paths) > _MOST_FILES:
        return ()
    return tuple(
        table.first + number
        for table in program.tables_at(paths)
        for number, symbol in enumerate(table.symbols)
        if symbol.kind == "method"
        and symbol.name == name
        and table.symbols[symbol.parent].kind == "trait"
        and "abstract" not in symbol.modifiers
        and any(
            family in line_of_descent(analysis, user) and not own_members(analysis, user, name)
            for user in _users(analysis, table.first + symbol.parent)
        )
    )


def _users(analysis: Analysis, trait: int) -> tuple[int, ...]:
    found: tuple[int, ...] = analysis.cached(("users", trait), _find_users, trait)
    return found


def _find_users(analysis: Analysis, trait: int) -> tuple[int, ...]:
    program = analysis.program
    paths = program.providing(mixing_key(LANGUAGE, program.symbol(trait).name))
    return tuple(_classes_with(analysis, trait, paths)) if len(paths) <= _MOST_USING else ()


def _classes_with(analysis: Analysis, trait: int, paths: tuple[str, ...]) -> Iterator[int]:
    for table in analysis.program.tables_at(paths):
        for number, symbol in enumerate(table.symbols):
            is_mixed = symbol.kind in TYPE_KINDS and any(base.kind == "mixes" for base in symbol.bases)
            if is_mixed and trait in line_of_descent(analysis, table.first + number):
                yield table.first + number
