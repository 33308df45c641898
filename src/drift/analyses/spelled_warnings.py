"""That code may be called by a name which is put together at run time, or which a text says, with the place of both."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from drift.analyses.running.spelled import Spelt, find_spellings
from drift.index.ids import SymbolId
from drift.kernel.text import shorten

if TYPE_CHECKING:
    from drift.index import IndexReader
    from drift.index.records import SymbolRecord

_MOST_TOLD: Final = 3
_LONGEST: Final = 80


def spelled_at(reader: "IndexReader", symbol: SymbolId) -> str | None:
    """Where a name is put together that may be a symbol's, and where such names are called."""
    spelt = find_spellings(reader).places.get(symbol)
    return _say(reader, spelt) if spelt is not None else None


def spelled_warnings(reader: "IndexReader", symbols: "Iterable[SymbolRecord]") -> tuple[str, ...]:
    """That these may be called by names that are put together, each of the texts once."""
    places = find_spellings(reader).places
    names: dict[Spelt, str] = {}
    for one in symbols:
        spelt = places.get(one.id)
        if spelt is not None:
            names.setdefault(spelt, one.qualname)
    return tuple(
        f"{name} may be called by its name: {_say(reader, one)}"
        for one, name in list(names.items())[:_MOST_TOLD]
    )


def _say(reader: "IndexReader", spelt: Spelt) -> str:
    known = {one.id: one for one in reader.symbols.many({spelt.caller, spelt.said_in})}
    caller, said_in = known[spelt.caller], known[spelt.said_in]
    text = shorten(spelt.text, _LONGEST)
    return f"{text} at {said_in.path}:{spelt.said_at}, and {caller.qualname} calls what a text names at {caller.path}:{spelt.line}"
