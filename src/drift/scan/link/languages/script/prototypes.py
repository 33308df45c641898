"""Functions with prototypes as linking reads them: as the classes they stand for."""

from __future__ import annotations

from drift.languages import FileFacts, Symbol
from drift.languages.expressions import Expression


def read_prototypes(facts: FileFacts) -> FileFacts:
    """The same facts, in which a function with members on its prototype, or with a parent, is a class."""
    named = {
        found for store in facts.stores if (found := _with_prototype(store.receiver, store.name)) is not None
    }
    if not named and not any(symbol.bases and symbol.kind == "function" for symbol in facts.symbols):
        return facts
    return facts._replace(symbols=tuple(_read_symbol(symbol, named) for symbol in facts.symbols))


def _with_prototype(receiver: Expression, name: str) -> str | None:
    """The name of the function on whose prototype a member is set, or whose prototype is."""
    owner = receiver
    if name != "prototype" and receiver is not None:
        owner = receiver[1] if receiver[0] == "member" and receiver[2] == "prototype" else None
    return str(owner[1]) if owner is not None and owner[0] == "name" else None


def _read_symbol(symbol: Symbol, named: set[str]) -> Symbol:
    if symbol.kind != "function" or not (symbol.bases or symbol.name in named):
        return symbol
    return symbol._replace(kind="class", modifiers=tuple(sorted({*symbol.modifiers, "prototype"})))
