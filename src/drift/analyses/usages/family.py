"""Which symbols answer to one name together: what a rename of one has to rename, too.

Declarations with their definition, overloads, accessors of one property, a class with its constructors, and a method
with all that override it or that it overrides.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.analyses.callables import CLASS_KINDS, FUNCTION_KINDS
from drift.analyses.opened_names import whole_names
from drift.index import FileId, SymbolId, SymbolRecord, file_of_symbol

if TYPE_CHECKING:
    from drift.index import IndexReader

_MOST_NAMED: Final = 5_000
_MOST_RELATED: Final = 2_000
TYPE_KINDS: Final = CLASS_KINDS | {"type"}
_APART: Final = frozenset({"cpp"})
"""Languages in which a method is declared in its class and defined elsewhere."""
_REOPENED: Final = frozenset({"ruby"})
"""Languages in which a class or module that is written again is the same one, continued."""
_OF_CLASSES: Final = frozenset({"constructor", "method"})  # in C++ private to a class, and not to a file
FIELDS_APART: Final = frozenset({"java", "php", "rust"})
"""Languages in which a method of an object is named only where it is called, and a field only where it is not."""


class Family(NamedTuple):
    """The symbol asked about, those that are it in other words, those it overrides or is overridden by, and namesakes."""

    symbol: SymbolRecord
    same: tuple[SymbolRecord, ...]  # with the symbol itself
    related: tuple[SymbolRecord, ...]  # overriders and overridden
    others: tuple[SymbolRecord, ...]  # of this name, and something else
    owners: frozenset[SymbolId]  # the classes that the members stand in, with those that inherit them
    constructors: tuple[SymbolId, ...]

    @property
    def is_member(self) -> bool:
        """Whether it belongs to a type."""
        return bool(self.owners)

    @property
    def files(self) -> frozenset[FileId]:
        """Where it is declared."""
        return frozenset(file_of_symbol(one.id) for one in self.same)

    def is_named_like_another(self, receiver: str) -> bool:
        """Whether an object is called just like another class that has a member of this name."""
        mine = {_class_of(one) for one in (*self.same, *self.related)}
        said = _plain(receiver)
        return bool(said) and said not in mine and any(said == _class_of(one) for one in self.others)

    def is_named_alike(self, receiver: str) -> bool:
        """Whether the name of an object has to do with that of a class it belongs to."""
        said = _plain(receiver)
        return bool(said) and any(
            said in owner or owner in said for one in (*self.same, *self.related) if (owner := _class_of(one))
        )

    @property
    def is_only_one(self) -> bool:
        """Whether nothing else in the project's code has this name."""
        return not self.others


def _class_of(member: SymbolRecord) -> str:
    return _plain(member.qualname.rpartition(".")[0].rpartition(".")[2])


def _plain(name: str) -> str:
    return name.replace("_", "").lower()


def find_family(reader: "IndexReader", symbol: SymbolRecord) -> Family:
    """What belongs to the symbol, and what only has its name."""
    named = [one for one in reader.symbols.named(symbol.name, limit=_MOST_NAMED) if one.kind != "module"]
    kinds = {one.id: one.kind for one in _parents(reader, named)}
    names = whole_names(reader, named)
    whole = [one._replace(qualname=names[one.id]) for one in named]
    asked = symbol._replace(qualname=names.get(symbol.id, symbol.qualname))
    same = [
        one
        for one, each in zip(named, whole, strict=True)
        if one.id == symbol.id or _is_same(each, asked, kinds)
    ]
    ids = {one.id for one in same}
    constructors = tuple(
        each.id
        for one in same
        if one.kind in CLASS_KINDS
        for each in reader.symbols.members(one.id)
        if each.kind == "constructor"
    )
    # C++ defines them apart from their class.
    of_same = {f"{one.qualname}.{one.name}" for one in same if one.kind in CLASS_KINDS}
    apart = (one.id for one in whole if one.kind == "constructor" and one.qualname in of_same)
    constructors = tuple(dict.fromkeys((*constructors, *apart)))
    ids |= set(constructors)
    # Constructors bear one name and never run in each other's place.
    related_ids = _all_related(reader, ids, whole) - ids if symbol.kind != "constructor" else set()
    related = [one for one in reader.symbols.many(sorted(related_ids)) if one.name == symbol.name]
    known = ids | {one.id for one in related}
    others = tuple(one for one in named if one.id not in known)
    parents = {one.parent_id for one in (*same, *related)} - {None}
    owners = {parent for parent in parents if parent is not None and kinds.get(parent) in TYPE_KINDS}
    return Family(symbol, tuple(same), tuple(related), others, _heirs(reader, owners), constructors)


def join_families(families: Sequence[Family]) -> Family:
    """Several symbols of one name as one: what is any of them, and what is none."""
    known = {one.id for family in families for one in (*family.same, *family.related)}
    known.update(each for family in families for each in family.constructors)
    return Family(
        families[0].symbol,
        tuple({one.id: one for family in families for one in family.same}.values()),
        tuple({one.id: one for family in families for one in family.related}.values()),
        tuple(one for one in families[0].others if one.id not in known),
        frozenset().union(*(family.owners for family in families)),
        tuple(dict.fromkeys(each for family in families for each in family.constructors)),
    )


def _parents(reader: "IndexReader", named: Iterable[SymbolRecord]) -> list[SymbolRecord]:
    return reader.symbols.many(sorted({one.parent_id for one in named if one.parent_id is not None}))


def _is_same(one: SymbolRecord, symbol: SymbolRecord, kinds: "dict[SymbolId, str]") -> bool:
    """Whether both are one thing in two places: an overload, a declaration, an accessor, a part of a partial class."""
    if one.qualname != symbol.qualname or one.language != symbol.language:
        return False
    if one.language in FIELDS_APART and (one.kind in FUNCTION_KINDS) != (symbol.kind in FUNCTION_KINDS):
        return False
    if one.language in _REOPENED and one.kind in TYPE_KINDS:
        return symbol.kind in TYPE_KINDS
    if one.path == symbol.path:
        return one.parent_id == symbol.parent_id or one.kind == symbol.kind
    is_inner = symbol.parent_id is not None and kinds.get(symbol.parent_id) in TYPE_KINDS
    if symbol.language == "cpp":
        is_hidden = "private" in (one.visibility, symbol.visibility) and one.kind not in _OF_CLASSES
        return (one.kind == symbol.kind and not is_hidden) or is_inner
    return symbol.language == "csharp" and "partial" in one.modifiers and "partial" in symbol.modifiers


def _all_related(
    reader: "IndexReader", ids: "set[SymbolId]", named: Sequence[SymbolRecord]
) -> "set[SymbolId]":
    """Those that may run in each other's place, with the declarations and definitions that stand apart from them."""
    apart: dict[str, set[SymbolId]] = {}
    names: dict[SymbolId, str] = {}
    for one in named:
        if one.language in _APART and one.kind in FUNCTION_KINDS:
            apart.setdefault(one.qualname, set()).add(one.id)
            names[one.id] = one.qualname
    found = _related(reader, ids)
    while more := {other for one in found if one in names for other in apart[names[one]]} - found:
        found |= _related(reader, found | more)
    return found


def _related(reader: "IndexReader", ids: "Iterable[SymbolId]") -> "set[SymbolId]":
    """All methods that may run in each other's place, as far as overrides lead."""
    found, pending = set(ids), list(ids)
    while pending and len(found) < _MOST_RELATED:
        one = pending.pop()
        near = {*reader.calls.overriders(one), *reader.calls.overridden(one)} - found
        found |= near
        pending += near
    return found


def _heirs(reader: "IndexReader", classes: "Iterable[SymbolId]") -> "frozenset[SymbolId]":
    found, pending = set(classes), list(classes)
    while pending and len(found) < _MOST_RELATED:
        heirs = {heir for heir, _ in reader.usages.heirs(pending)} - found
        found |= heirs
        pending = sorted(heirs)
    return frozenset(found)


def enclosing_chain(symbols: Sequence[SymbolRecord], offset: int) -> list[SymbolRecord]:
    """What stands around a byte of a file, innermost first, the file itself not counted."""
    around = [one for one in symbols if one.start_byte <= offset < one.end_byte and one.kind != "module"]
    return sorted(around, key=lambda one: (one.end_byte - one.start_byte, -one.start_byte))
