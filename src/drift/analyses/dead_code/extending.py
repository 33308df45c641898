"""What stands in one class and is used as if it were another's: extension methods, attached properties, promised methods."""

from collections.abc import Iterable, Mapping

from drift.analyses.callables import CLASS_KINDS
from drift.index import IndexReader
from drift.index.ids import SymbolId
from drift.index.records import SymbolRecord


def extensions_of(
    reader: IndexReader, symbols: Iterable[SymbolRecord]
) -> Mapping[SymbolId, list[SymbolRecord]]:
    """The methods of static classes that are called on objects of others, by the classes."""
    classes = [one.id for one in symbols if one.kind in CLASS_KINDS and "static" in one.modifiers]
    return {
        one: found
        for one in classes
        if (found := [each for each in reader.symbols.members(one) if "extension" in each.modifiers])
    }


def attached_property(reader: IndexReader, symbol: SymbolRecord, owner: SymbolRecord | None) -> str | None:
    """The attached property that a static method is there to read or set: `SetRow` of `RowProperty`."""
    if owner is None or "static" not in symbol.modifiers or symbol.name[:3] not in {"Get", "Set"}:
        return None
    name = f"{symbol.name[3:]}Property"
    return name if any(one.name == name for one in reader.symbols.members(owner.id)) else None


def promised_names(reader: IndexReader, names: list[str]) -> dict[str, str]:
    """The names that a method of an interface has, and which: what looks like it may stand in for it."""
    methods = [one for name in names for one in reader.symbols.named(name) if one.kind == "method"]
    owners = {one.id: one for one in reader.symbols.many({one.parent_id for one in methods if one.parent_id})}
    found = {}
    for one in methods:
        owner = owners.get(one.parent_id) if one.parent_id is not None else None
        if owner is not None and owner.kind in {"interface", "trait"}:
            found[one.name] = owner.qualname
    return found
