"""Which symbols a person or a model means: by name, qualified name, place, or nearly so."""

import re
from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from drift.analyses.prominence import rank_place
from drift.index import IndexReader
from drift.index.ids import SymbolId
from drift.index.records import FileRecord, SymbolRecord
from drift.languages.kinds import TYPE_KINDS

_SEPARATOR: Final = re.compile(r"::|->|#|\\|/|\.")
_PLACE: Final = re.compile(r"(?P<path>.+?):(?P<line>\d{1,9})(?::\d{1,9})?")
# A file with its ending and a name in it, as test runners and editors write it.
_IN_FILE: Final = re.compile(r"(?P<path>[^:#]+\.\w+)(?:::|[:#])(?P<name>[^:#].*)")
_MOST: Final = 500
_MOST_ANCESTORS: Final = 100


class Found(NamedTuple):
    """The symbols meant, nearest first; where there is none, names that are like it."""

    symbols: tuple[SymbolRecord, ...]
    similar: tuple[str, ...] = ()


def find_symbols(
    reader: IndexReader, wanted: str, *, file: str | None = None, kinds: Collection[str] | None = None
) -> Found:
    """The symbols that a text means: `name`, `Class.method`, `Class::method`, `path/to/file.py:12`, `file.py::name`.

    `file` narrows the choice to a path or the end of one, `kinds` to kinds of symbols.
    """
    text = wanted.strip().removesuffix("()")
    place = _PLACE.fullmatch(text)
    if place is not None:
        at = _symbol_at(reader, place["path"], int(place["line"]))
        return Found((at,) if at is not None else ())
    inside = _IN_FILE.fullmatch(text) if file is None else None
    if inside is not None:
        found = find_symbols(reader, inside["name"], file=inside["path"], kinds=kinds)
        if found.symbols:
            return found
    return _find_named(reader, text, file=file, kinds=kinds)


def path_of_place(wanted: str) -> str | None:
    """The path in a text of the form path:line; None for another."""
    place = _PLACE.fullmatch(wanted.strip())
    return place["path"] if place is not None else None


def _find_named(reader: IndexReader, text: str, *, file: str | None, kinds: Collection[str] | None) -> Found:
    parts = [part for part in _SEPARATOR.split(text) if part]
    if not parts:
        return Found(())
    exact = [
        symbol
        for symbol in reader.symbols.named(parts[-1], limit=_MOST)
        if _ends_in(symbol, parts) and _is_wanted(symbol, file, None)
    ]
    found = [one for one in exact if kinds is None or one.kind in kinds]
    # Who writes capitals where something has that very name means it, though it is of another kind.
    if not found and (not exact or parts[-1].islower()):
        alike = reader.symbols.named_alike(parts[-1], limit=_MOST)
        found = [one for one in alike if _ends_in(one, parts) and _is_wanted(one, file, kinds)]
    if found:
        found = without_implied(found)
        # A file is seldom meant where something in it has its name.
        inner = [one for one in found if one.kind != "module"]
        return Found(tuple(sorted(inner or found, key=_order)))
    inherited = [one for one in _inherited(reader, parts, file) if kinds is None or one.kind in kinds]
    if inherited:
        return Found(tuple(inherited))
    return Found((), tuple(reader.symbols.similar_names(parts[-1])))


def without_implied(symbols: Sequence[SymbolRecord]) -> list[SymbolRecord]:
    """Symbols without modules that only paths of classes name, but one of each that is opened nowhere else."""
    opened = {one.qualname for one in symbols if not is_implied(one)}
    first: dict[str, SymbolRecord] = {}
    for one in sorted(symbols, key=_order):
        first.setdefault(one.qualname, one)
    return [
        one
        for one in symbols
        if not is_implied(one) or (one.qualname not in opened and first[one.qualname] is one)
    ]


def is_implied(symbol: SymbolRecord) -> bool:
    """Whether a module is one that stands in no line of its own: `class Api::V1::Orders` names two."""
    return "implied" in symbol.modifiers


def _inherited(reader: IndexReader, parts: list[str], file: str | None) -> list[SymbolRecord]:
    """The members that classes have from their parents, of each the nearest: `Class.method`, written above the class."""
    name, outer = parts[-1], parts[:-1]
    if not outer:
        return []
    classes = [
        one
        for one in reader.symbols.named(outer[-1], limit=_MOST)
        if one.kind in TYPE_KINDS and _ends_in(one, outer) and _is_wanted(one, file, None)
    ]
    found: dict[SymbolId, SymbolRecord] = {}
    for one in sorted(classes, key=_order):
        found.update((member.id, member) for member in _nearest_members(reader, one.id, name))
    return list(found.values())


def _nearest_members(reader: IndexReader, owner: SymbolId, name: str) -> list[SymbolRecord]:
    seen = {owner: None}
    waiting = [owner]
    while waiting and len(seen) <= _MOST_ANCESTORS:
        members = [one for each in waiting for one in reader.symbols.members(each) if one.name == name]
        if members:
            return members
        above = [base.target_symbol_id for each in waiting for base in reader.symbols.bases(each)]
        waiting = [one for one in dict.fromkeys(above) if one is not None and one not in seen]
        seen.update(dict.fromkeys(waiting))
    return []


def _symbol_at(reader: IndexReader, path: str, line: int) -> SymbolRecord | None:
    record = find_file(reader, path)
    return reader.symbols.at_line(record.id, line) if record is not None else None


def find_file(reader: IndexReader, path: str) -> FileRecord | None:
    """The file at a path of the project, given in full or by its end where that leaves one."""
    record = reader.files.at(path.removeprefix("./"))
    if record is not None:
        return record
    ending = paths_ending_in(reader, path)
    return reader.files.at(ending[0]) if len(ending) == 1 else None


def paths_ending_in(reader: IndexReader, path: str) -> list[str]:
    """The paths of the project that end in these folders and this name."""
    end = f"/{path.removeprefix('./')}"
    return [one.path for one in reader.files.stamps() if one.path.endswith(end)]


def _ends_in(symbol: SymbolRecord, parts: list[str]) -> bool:
    """Whether the outer names fit, as those of the symbol, its file or its folders.

    The file may be left out, for where a package is a folder code names only that: `caddyhttp.Server.ServeHTTP`.
    """
    wanted = [part.casefold() for part in parts[:-1]]
    if not wanted:
        return True
    stem = symbol.path.rpartition(".")[0] or symbol.path
    *folders, file = stem.casefold().split("/")
    # PHP's namespaces stand in qualified names as they are written: A\B.Class.method.
    outer = symbol.qualname.casefold().replace("\\", ".").split(".")[:-1]
    return any([*before, *outer][-len(wanted) :] == wanted for before in ([*folders, file], folders))


def _is_wanted(symbol: SymbolRecord, file: str | None, kinds: Collection[str] | None) -> bool:
    if kinds is not None and symbol.kind not in kinds:
        return False
    if file is None:
        return symbol.kind != "module"
    path = file.removeprefix("./")
    return symbol.path == path or symbol.path.endswith(f"/{path}")


def _order(symbol: SymbolRecord) -> tuple[int, int, str, int]:
    """Product before tests, outer before inner, then by place."""
    return rank_place(symbol.path, symbol.role), symbol.qualname.count("."), symbol.path, symbol.line
