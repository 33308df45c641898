"""Whole names of what C++ defines under `using namespace space;`: that of a class which a header has in `space`.

    // map.h                                  // map.cpp
    namespace store { class Map {             using namespace store;
      void clear(); }; }                      void Map::clear() {}     // is store.Map.clear

A file alone does not tell which of the namespaces it opens has the class; the declaration does. Functions outside of
classes are new ones of the file's own namespace, as for a compiler.
Known limits: a namespace that is opened by a part of its name, `using namespace A; using namespace B;` for `A::B`.
"""

from collections.abc import Iterable
from typing import Final

from drift.index import IndexReader
from drift.index.ids import FileId, SymbolId, file_of_symbol
from drift.index.records import ImportRecord, SymbolRecord

_LANGUAGE: Final = "cpp"
_MEMBERS: Final = frozenset({"constructor", "method"})
_SEPARATOR: Final = "::"


def whole_names(reader: IndexReader, namesakes: Iterable[SymbolRecord]) -> dict[SymbolId, str]:
    """The qualified names of symbols, of definitions with the namespace that one of their declarations stands in.

    `namesakes` are all that may be declarations of each other.
    """
    names = {one.id: one for one in namesakes}
    declared = {
        one.qualname
        for one in names.values()
        if one.language == _LANGUAGE and one.kind in _MEMBERS and "declaration" in one.modifiers
    }
    opened: dict[FileId, tuple[ImportRecord, ...]] = {}
    found = {each: one.qualname for each, one in names.items()}
    for one in names.values():
        if not declared or not _may_be_opened(one) or one.qualname in declared:
            continue
        file = file_of_symbol(one.id)
        if file not in opened:
            opened[file] = tuple(each for each in reader.facts.imports_of(file) if each.name)
        meant = {name for name in _names_in(one.qualname, opened[file]) if name in declared}
        if len(meant) == 1:
            found[one.id] = meant.pop()
    return found


def _may_be_opened(symbol: SymbolRecord) -> bool:
    """Whether it is the definition of a member, outside of its class."""
    return (
        symbol.language == _LANGUAGE
        and symbol.kind in _MEMBERS
        and "declaration" not in symbol.modifiers
        and any(one.kind == "receiver" for one in symbol.parameters[:1])
    )


def _names_in(qualname: str, imports: Iterable[ImportRecord]) -> Iterable[str]:
    """What the name may be in full: in the namespaces of `using namespace a::b;`, or by `using a::b::Map;`."""
    owner = qualname.partition(".")[0]
    for one in imports:
        space = one.module.strip(_SEPARATOR).replace(_SEPARATOR, ".")
        if space and one.name in {"*", owner}:
            yield f"{space}.{qualname}"
