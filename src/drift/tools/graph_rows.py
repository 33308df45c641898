"""Rows that graph tools share, and how they are made from what the analyses found."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from drift.kernel.answer import NextAction
from drift.tools.targets import require_defined, require_symbol

if TYPE_CHECKING:
    from drift.analyses.unresolved import OpenName
    from drift.index import IndexReader
    from drift.index.ids import SymbolId
    from drift.index.records import SymbolRecord

ARROW: Final = " > "
_MOST_OTHERS: Final = 3


@dataclass(frozen=True, slots=True)
class SymbolRow:
    """A symbol and where it is defined."""

    symbol: str
    kind: str
    file: str
    line: int


@dataclass(frozen=True, slots=True)
class FarRow:
    """A symbol some calls away. `path` is one shortest way, in the direction of the calls."""

    symbol: str
    file: str
    line: int
    depth: int
    path: str


@dataclass(frozen=True, slots=True)
class EntryRow:
    """An entry point that is reached: its kind, what opens it, and one shortest way in the direction of calls."""

    kind: str
    detail: str
    symbol: str
    file: str
    line: int
    depth: int
    path: tuple[str, ...]


def symbol_row(symbol: "SymbolRecord") -> SymbolRow:
    """A symbol as a row."""
    return SymbolRow(shown_name(symbol), symbol.kind, symbol.path, symbol.line)


def shown_name(symbol: "SymbolRecord") -> str:
    """The name a reader knows a symbol by: for a file, its path."""
    return symbol.path if symbol.kind == "module" else symbol.qualname


def choose_symbol(
    reader: "IndexReader", wanted: str, file: str | None
) -> "tuple[SymbolRecord, tuple[str, ...]]":
    """The one symbol a text means, and warnings about the choice: something callable, product before tests."""
    from drift.analyses.callables import CALLABLE_KINDS  # loaded when first asked: it brings the index
    from drift.analyses.lookup import find_symbols

    kinds = CALLABLE_KINDS if find_symbols(reader, wanted, file=file, kinds=CALLABLE_KINDS).symbols else None
    found = require_defined(reader, wanted, file=file, kinds=kinds)
    product = [one for one in found if one.role != "test"]
    if len(found) > 1 and len(product) == 1:
        return product[0], (f"{len(found) - 1} more of this name in tests; give `file` to mean one of those",)
    # A member can be meant by Class.name; what is no member has no longer name to give.
    whole = [one for one in product if one.qualname == wanted.strip().removesuffix("()")]
    if len(whole) == 1 and len(product) > 1:
        others = [f"{one.qualname} {one.path}:{one.line}" for one in product if one.id != whole[0].id]
        more = ", …" if len(others) > _MOST_OTHERS else ""
        named = ", ".join(others[:_MOST_OTHERS])
        return whole[0], (f"{len(others)} more of this name outside tests: {named}{more}",)
    return require_symbol(reader, wanted, file=file, kinds=kinds), ()


def describe_path(reader: "IndexReader", path: "Sequence[SymbolId]") -> tuple[str, ...]:
    """A way of calls as lines: each symbol with the place where it calls the next, the last where it is defined."""
    known = {one.id: one for one in reader.symbols.many(path)}
    steps = []
    for here, following in zip(path, [*path[1:], None], strict=True):
        symbol = known.get(here)
        if symbol is None:
            continue
        hop = reader.graph.hop(here, following) if following is not None else None
        steps.append(f"{shown_name(symbol)} {symbol.path}:{hop.line if hop else symbol.line}")
    return tuple(steps)


def name_path(symbols: "Iterable[SymbolRecord]") -> str:
    """A way of calls as names."""
    return ARROW.join(map(shown_name, symbols))


def open_name_warnings(found: "Iterable[OpenName]") -> tuple[str, ...]:
    """That silence is no proof, for each name with unresolved calls near what was asked about."""
    return tuple(map(_open_name_warning, found))


def silence_warnings(reader: "IndexReader", symbol: "SymbolRecord") -> tuple[str, ...]:
    """That callers of a symbol which are not told may be among the unresolved calls of its name."""
    from drift.analyses.unresolved import find_open_names  # with the first look-up, not at start

    return open_name_warnings(find_open_names(reader, [symbol]))


def _open_name_warning(one: "OpenName") -> str:
    calls = "1 unresolved call" if one.calls.times == 1 else f"{one.calls.times:,} unresolved calls"
    where = "" if one.depth == 0 else f", {one.depth} up"
    some = ", ".join(f"{each.text} at {each.path}:{each.line}" for each in one.calls.examples)
    return f"{calls} named {one.symbol.name} may lead to {shown_name(one.symbol)}{where}: {some}"


def suggest_impact(symbol: "SymbolRecord", why: str) -> NextAction:
    """A following call that weighs a change of the symbol."""
    return NextAction("drift_impact_analysis", {"target": place_of(symbol)}, why)


def place_of(symbol: "SymbolRecord") -> str:
    """The text by which a following call means the same symbol and no other."""
    return f"{symbol.path}:{symbol.line}"
