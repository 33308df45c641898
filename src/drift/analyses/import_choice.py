"""Which symbol an import should bring in: the one that can be imported, is of the language and is used most."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from drift.index import IndexReader
from drift.index.ids import SymbolId, file_of_symbol
from drift.index.records import ImportRecord, SymbolRecord

_FAMILIES: Final = {"javascript": "script", "typescript": "script"}
_SHARED_BY_FOLDER: Final = frozenset({"go", "java"})  # whose files see their neighbours without an import
_CONTINUED: Final = frozenset({"ruby"})  # whose modules go on in any file
_PACKAGED: Final = frozenset({"script"})  # whose packages may offer their files under other names
_OUTER: Final = frozenset({"module", "namespace"})
_CODE: Final = frozenset({"function", "method", "constructor"})
_OF_CLASSES: Final = frozenset({"constructor", "method"})
_MOST_CANDIDATES: Final = 60
_MOST_BARRELS: Final = 5  # one behind the other


class Choice(NamedTuple):
    """The symbol to import, who imports it already, and what else the name could mean."""

    symbol: SymbolRecord
    importers: tuple[ImportRecord, ...]
    member: str | None = None  # the name asked for, where the symbol is what holds it
    others: tuple[SymbolRecord, ...] = ()
    of_file: tuple[ImportRecord, ...] = ()  # what else is imported from its file
    offered_by: tuple[str, ...] = ()  # the files that export it again under its name, the nearest first


def family_of(language: str | None) -> str | None:
    """Languages whose files import each other have one name."""
    return _FAMILIES.get(language or "", language)


def choose_symbol(
    reader: IndexReader, found: Sequence[SymbolRecord], *, family: str, target_path: str, is_test: bool
) -> Choice | None:
    """The best of the symbols that a name means, or None where none can be imported from there.

    What a file has without an import comes first, then what stands by itself, then what is imported most.
    """
    held: dict[SymbolId, tuple[SymbolRecord, SymbolRecord]] = {}
    for symbol in found[:_MOST_CANDIDATES]:
        if family_of(symbol.language) == family and (is_test or symbol.role != "test"):
            outer = _outermost(reader, symbol)
            if outer is not None:
                held.setdefault(outer.id, (outer, symbol))  # a class comes before its constructors
    # A method that is defined outside of its class comes with that, wherever it is written.
    held = {one: pair for one, pair in held.items() if pair[0].kind not in _OF_CLASSES} or held
    folder = target_path.rpartition("/")[0] if family in _SHARED_BY_FOLDER else None
    ranked = sorted(
        ((_importers(reader, outer), outer, symbol) for outer, symbol in held.values()),
        key=lambda each: (
            each[2].id != each[1].id,
            each[1].path.rpartition("/")[0] != folder,
            each[1].path != target_path,
            -_weight(each[0], each[1], target_path),
            each[1].path,
        ),
    )
    if not ranked:
        return None
    importers, outer, symbol = ranked[0]
    is_member = symbol.id != outer.id
    others = tuple(each[1] for each in ranked[1:] if is_member or each[1].id == each[2].id)
    if family in _CONTINUED and not is_member:
        others = tuple(one for one in others if one.qualname != outer.qualname)
    member = symbol.qualname if is_member else None
    if family not in _PACKAGED:
        return Choice(outer, importers, member, others)
    of_file = tuple(reader.facts.importers_of_file(file_of_symbol(outer.id)))
    return Choice(
        outer, importers, member, others, of_file, _offering(reader, outer.name, importers, of_file)
    )


def _offering(
    reader: IndexReader, name: str, importers: Iterable[ImportRecord], of_file: Iterable[ImportRecord]
) -> tuple[str, ...]:
    """The files that export a symbol again under its name: themselves, or with all that another exports."""
    found: dict[str, None] = {}
    front = [*importers, *of_file]
    for _ in range(_MOST_BARRELS):
        offering = {
            each.path: file_of_symbol(each.symbol_id)
            for each in front
            if each.is_reexport
            and each.path not in found
            and (each.name, each.alias) in {("*", None), (name, name)}  # not as a whole: export * as shop
        }
        if not offering:
            break
        found.update(dict.fromkeys(offering))
        front = [each for file in offering.values() for each in reader.facts.importers_of_file(file)]
    return tuple(found)


def _weight(importers: Sequence[ImportRecord], symbol: SymbolRecord, target_path: str) -> int:
    """How much speaks for a symbol: who imports it and how near they and it are to the target."""
    return _shared(symbol.path, target_path) + sum(1 + _shared(one.path, target_path) for one in importers)


def _shared(path: str, other: str) -> int:
    """How near two files are: the square of the number of folders they share."""
    mine, others = path.split("/")[:-1], other.split("/")[:-1]
    same = 0
    while same < min(len(mine), len(others)) and mine[same] == others[same]:
        same += 1
    return same * same


def _importers(reader: IndexReader, symbol: SymbolRecord) -> tuple[ImportRecord, ...]:
    return tuple(each for each in reader.facts.importers_of_symbol(symbol.id) if each.path != symbol.path)


def _outermost(reader: IndexReader, symbol: SymbolRecord) -> SymbolRecord | None:
    """What stands in the file itself and holds the symbol; None for what is local to a function."""
    current = symbol
    while current.parent_id is not None:
        parent = reader.symbols.get(current.parent_id)
        if parent is None or parent.kind in _OUTER:
            return current
        if parent.kind in _CODE:
            return None
        current = parent
    return None
