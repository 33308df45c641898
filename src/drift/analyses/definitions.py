"""Functions that are declared in one place and have their code in another: which belong together.

In C and C++ a header announces what a file defines; in Python and TypeScript overloads stand before the one function
that has the code, and calls lead to that.
Known limits: overloads of C++ whose types are written differently in both places are told apart by how many
parameters they take, and not at all where that is the same.
"""

from collections.abc import Iterable
from posixpath import splitext
from typing import Final

from drift.analyses.opened_names import whole_names
from drift.index import IndexReader
from drift.index.ids import SymbolId
from drift.index.records import SymbolRecord

_LANGUAGES: Final = frozenset({"c", "cpp"})
_NO_OFFERS: Final = frozenset({"module", "namespace"})
_MEMBERS: Final = frozenset({"constructor", "method"})
_WITH_OWNER: Final = 2  # parts of a name: that of the class, and its own
_MOST: Final = 1_000
_HEADERS: Final = frozenset({".h", ".hh", ".hpp", ".hxx", ".inl", ".ipp"})


def is_declaration(symbol: SymbolRecord) -> bool:
    """Whether the symbol only announces a function that has its code elsewhere."""
    return is_overload(symbol) or (symbol.language in _LANGUAGES and "declaration" in symbol.modifiers)


def is_overload(symbol: SymbolRecord) -> bool:
    """Whether the symbol only adds a signature to a function of its name beside it."""
    return "overload" in symbol.modifiers


def find_definitions(reader: IndexReader, symbol: SymbolRecord) -> tuple[SymbolRecord, ...]:
    """Where the code of a declared function is; nothing for what is defined itself or nowhere in the index."""
    if not is_declaration(symbol):
        return ()
    if is_overload(symbol):
        return _overloaded(reader, symbol)
    return _alike(symbol, [one for one in _namesakes(reader, symbol) if not is_declaration(one)])


def find_header_place(reader: IndexReader, symbol: SymbolRecord) -> SymbolRecord | None:
    """Where a header offers what C or C++ code has to other files, if one does."""
    if symbol.language not in _LANGUAGES or symbol.visibility == "private" or symbol.kind in _NO_OFFERS:
        return None
    declared = find_declaration(reader, symbol)
    is_offered = declared is not None and declared.visibility != "private" and _is_header(declared)
    return declared if is_offered else None


def find_declaration(reader: IndexReader, symbol: SymbolRecord) -> SymbolRecord | None:
    """Where C or C++ declares a symbol, in whatever part of its class: a method overrides by what stands there.

    It is the symbol itself where that is defined as it is declared; None in other languages.
    """
    if symbol.language not in _LANGUAGES:
        return None
    if is_declaration(symbol) or (_is_header(symbol) and not is_apart(symbol)):
        return symbol
    declared = [one for one in _namesakes(reader, symbol) if is_declaration(one)]
    headers = [one for one in declared if _is_header(one)]
    return next(iter(_alike(symbol, headers or declared)), symbol)


def declarations_of(reader: IndexReader, symbols: Iterable[SymbolRecord]) -> set[SymbolId]:
    """Where methods of C++ are declared: a class overrides by what is in it, not by where the code is."""
    methods = (one for one in symbols if one.language == "cpp" and one.kind == "method")
    return {found.id for one in methods if (found := find_declaration(reader, one)) is not None}


def visibility_of(reader: IndexReader, symbol: SymbolRecord) -> str:
    """Who may name a symbol: of a method of C++ that stands outside of its class, the class says so."""
    declared = find_declaration(reader, symbol) if is_apart(symbol) else None
    return symbol.visibility if declared is None else declared.visibility


def owner_of(reader: IndexReader, symbol: SymbolRecord) -> SymbolId | None:
    """What a symbol is a member of: of a method of C++ that stands outside of its class, that class."""
    declared = find_declaration(reader, symbol) if is_apart(symbol) else None
    return symbol.parent_id if declared is None else declared.parent_id


def as_member(reader: IndexReader, symbol: SymbolRecord) -> SymbolRecord:
    """A symbol as what it is a member of says it is: of a method of C++ that stands outside of its class."""
    declared = find_declaration(reader, symbol) if is_apart(symbol) else None
    if declared is None or declared.id == symbol.id:
        return symbol
    modifiers = sorted({*symbol.modifiers, *declared.modifiers} - {"declaration"})
    return symbol._replace(
        parent_id=declared.parent_id, visibility=declared.visibility, modifier_text=" ".join(modifiers)
    )


def is_apart(symbol: SymbolRecord) -> bool:
    """Whether a method of C++ stands outside of its class."""
    return symbol.language in _LANGUAGES and any(one.kind == "receiver" for one in symbol.parameters)


def define_all(reader: IndexReader, symbols: Iterable[SymbolRecord]) -> tuple[SymbolRecord, ...]:
    """The symbols, each declaration with a known definition replaced by that; each once, in their order."""
    found: dict[SymbolId, SymbolRecord] = {}
    for symbol in symbols:
        for one in find_definitions(reader, symbol) or (symbol,):
            found.setdefault(one.id, one)
    return tuple(found.values())


def _overloaded(reader: IndexReader, symbol: SymbolRecord) -> tuple[SymbolRecord, ...]:
    """The function that an overload is of: the one with code, or the first of them where a stub has no other."""
    around = reader.symbols.members(symbol.parent_id) if symbol.parent_id is not None else ()
    same = [one for one in around if one.name == symbol.name and one.kind == symbol.kind]
    coded = [one for one in same if not is_overload(one)]
    return tuple(coded[-1:] or same[:1])


def _namesakes(reader: IndexReader, symbol: SymbolRecord) -> list[SymbolRecord]:
    """Functions of the same whole name; those private to another file are somebody else, and methods never are."""
    # Under `using namespace` a definition bears the name of its class alone.
    alike = reader.symbols.qualified(".".join(symbol.qualname.split(".")[-_WITH_OWNER:]), limit=_MOST)
    names = whole_names(reader, (symbol, *alike))
    return [
        one
        for one in alike
        if names[one.id] == names[symbol.id]
        and one.kind == symbol.kind
        and one.language in _LANGUAGES
        and (
            one.path == symbol.path
            or one.visibility != "private"
            or one.parent_id == symbol.parent_id
            or one.kind in _MEMBERS
        )
    ]


def _alike(symbol: SymbolRecord, others: list[SymbolRecord]) -> tuple[SymbolRecord, ...]:
    types = _types(symbol)
    same = [one for one in others if _types(one) == types]
    found = same or [one for one in others if len(_types(one)) == len(types)]
    near = [one for one in found if one.path == symbol.path]
    return tuple(near or found)


def _types(symbol: SymbolRecord) -> list[str]:
    return [
        "".join((one.type_text or "").split()).replace("const", "")
        for one in symbol.parameters
        if one.kind != "receiver"
    ]


def _is_header(symbol: SymbolRecord) -> bool:
    return splitext(symbol.path)[1].lower() in _HEADERS
