"""Error types that are made errors elsewhere: an `impl` of Rust in another file than the type."""

from collections.abc import Iterable, Sequence
from typing import Final

from drift.index import IndexReader
from drift.index.records import SymbolRecord

_DECLARING: Final = frozenset({"struct", "enum"})


def settle_impls(
    reader: IndexReader, symbols: Sequence[SymbolRecord]
) -> list[tuple[SymbolRecord, tuple[str, ...]]]:
    """Each type with what it descends from; an `impl` counts for the type of its crate, and for none outside it.

    `impl SinkError for Box<dyn Error>` declares no type: `Box` is of the standard library.
    """
    parents: dict[SymbolRecord, list[str]] = {}
    for one in symbols:
        for target in _types_of(reader, one) if "impl" in one.modifiers else (one,):
            bases = (base.text for base in reader.symbols.bases(one.id))
            parents.setdefault(target, []).extend(text for text in bases if text != target.name)
    return [(one, tuple(dict.fromkeys(texts))) for one, texts in parents.items()]


def _types_of(reader: IndexReader, impl: SymbolRecord) -> Iterable[SymbolRecord]:
    named = reader.symbols.named(impl.name)
    return [one for one in named if one.kind in _DECLARING and _crate(one) == _crate(impl)]


def _crate(symbol: SymbolRecord) -> str:
    """The folder that holds the sources of a crate."""
    outer, source, _ = f"/{symbol.path}".partition("/src/")
    return outer + source if source else outer.rpartition("/")[0]
