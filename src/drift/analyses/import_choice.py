"""Which symbol an import should bring in: the one that can be imported, is of the language and is used most."""

from collections.abc import Sequence
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


class Choice(NamedTuple):
    """The symbol to import, who imports it already, and what else the name could mean."""

    symbol: SymbolRecord
    importers: tuple[ImportRecord, ...]
    member: str | None = None  # the name asked for, where the symbol is what holds it
    others: tuple[SymbolRecord, ...] = ()
    of_file: tuple[ImportRecord, ...] = ()  # what else is imported from its file


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
    of_file = tuple(reader.facts.importers_of_file(file_of_symbol(outer.id))) if family in _PACKAGED else ()
    return Choice(outer, importers, symbol.qualname if is_member else None, others, of_file)


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
