"""Names that somebody may have meant: what a scope sees by its bare names, and the nearest of some."""

from collections.abc import Collection, Iterable, Iterator

from drift.guards.slips import is_slip, shares_head
from drift.kernel.similar import similar_names
from drift.kernel.words import split_words
from drift.languages.kinds import CODE_KINDS, TYPE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.hierarchy import class_around
from drift.scan.link.links import Place
from drift.scan.link.names import types_imported_whole
from drift.scan.link.values import SYMBOL_MASK, symbol_of
from drift.scan.link.wholeness import members_of

Named = tuple[str, int]
"""A name and a symbol that has it."""


def names_in_sight(analysis: Analysis, scope: int) -> Iterator[Named]:
    """The functions and classes that a scope sees by their bare names."""
    table = analysis.program.table_of(scope)
    number = scope & SYMBOL_MASK
    while True:
        for name, definitions in table.names[number].items():
            for definition in definitions:
                if (
                    definition.kind == "symbol"
                    and table.symbols[definition.number].kind in CODE_KINDS | TYPE_KINDS
                ):
                    yield name, table.first + definition.number
                elif definition.kind == "import":
                    for value in analysis.evaluate(("name", name), table.first + number):
                        if isinstance(value, int):
                            yield name, symbol_of(value)
        if not number:
            break
        number = table.symbols[number].parent
    yield from _given_by_types(analysis, scope)


def value_in_sight(analysis: Analysis, name: str, scope: int) -> str | None:
    """The nearest name of a parameter, a variable or an import of which a bare name that nothing gives is a slip.

    Of what has a verb before the name of a value it is none: `user = getUser()`.
    """
    table = analysis.program.table_of(scope)
    number, found = scope & SYMBOL_MASK, set[str]()
    while True:
        found |= {one for one in table.names[number] if is_slip(name, one) and shares_head(name, one)}
        if not number:
            break
        number = table.symbols[number].parent
    return next(iter(similar_names(name, sorted(found), 1) or sorted(found)), None)


def _given_by_types(analysis: Analysis, scope: int) -> Iterator[Named]:
    """What the class around has from its parents, and types that the file imports whole, where bare names call that."""
    if not analysis.program.semantics_at(scope).has_implicit_this:
        return
    around = class_around(analysis, scope)
    if around is not None:
        yield from members_of(analysis, around << 2)
    for one in types_imported_whole(analysis, analysis.program.table_of(scope)):
        yield from members_of(analysis, one)


def nearest_name(
    analysis: Analysis,
    name: str,
    known: Iterable[Named],
    kinds: Collection[str] = CODE_KINDS | TYPE_KINDS,
) -> tuple[str | None, Place | None]:
    """The nearest of some names, of code rather than of values where nobody says other."""
    program = analysis.program
    is_special = name.startswith("__")
    found = {
        one: symbol
        for one, symbol in known
        if program.symbol(symbol).kind in kinds and one.startswith("__") == is_special
    }
    slips = tuple(one for one in found if is_slip(name, one))
    alike = tuple(one for one in slips if len(split_words(one)) == len(split_words(name)))
    begun = tuple(one for one in slips if shares_head(name, one))
    near = similar_names(name, alike, 1) or alike[:1] or similar_names(name, begun, 1)
    near = near or similar_names(name, found, 1) or slips[:1]
    if near:
        return near[0], program.place(found[near[0]])
    return None, None
