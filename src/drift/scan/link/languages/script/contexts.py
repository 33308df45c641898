"""What contexts hold: the values that the file of a context provides, else an object of the type it is made for.

`const Cart = createContext<CartState>(empty)` makes a context, `<Cart.Provider value={…}>` puts something in it, and
`useContext(Cart)` gives that, to whatever is rendered below. Which libraries do so is `words.contexts` of the frameworks.
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from drift.languages import Call
from drift.languages.expressions import Expression
from drift.languages.typescript.vocabulary import TYPE_STOOD_FOR
from drift.scan.link.analysis import Analysis
from drift.scan.link.referenced_symbols import referenced_symbols
from drift.scan.link.tables import FileTable
from drift.scan.link.values import SYMBOL_MASK, Values, merge

_MOST_PROVIDERS: Final = 8


class _Words(NamedTuple):
    """How a library speaks of contexts."""

    packages: tuple[str, ...]
    makers: frozenset[str]
    givers: frozenset[str]
    providers: frozenset[
        str
    ]  # members of a context that put something in it; the empty text is the context itself
    value: str  # the attribute that says what


def context_value(analysis: Analysis, name: str, call: Call, scope: int) -> Values | None:
    """What a call gives that asks a context of the project, which may be unknown; None where it is another call."""
    words = next((one for one in _words() if name.startswith(one.packages)), None)
    if words is None or name.rpartition(".")[2] not in words.givers or not call.arguments:
        return None
    program = analysis.program
    found: list[Values] = []
    for symbol in referenced_symbols(analysis, call.arguments[0][1], scope):
        table, around = program.table_of(symbol), program.parent(symbol)
        own = program.symbol(symbol).name
        for definition in program.definitions(table, around & SYMBOL_MASK, own) or ():
            value = definition.value
            made = table.facts.calls[value[1]] if value is not None and value[0] == "result" else None
            if made is not None and made.text.rpartition(".")[2] in words.makers:
                found.append(_held(analysis, words, table, own, made=made, around=around))
    return merge(found) if found else None


def _held(
    analysis: Analysis, words: _Words, table: FileTable, name: str, *, made: Call, around: int
) -> Values:
    """What is provided beside the context and what it holds by default; else an object of its type."""
    provided = [
        analysis.evaluate(given, table.first + table.facts.calls[number].scope)
        for member in sorted(words.providers)
        for number in table.calls_by_text.get(f"{name}.{member}" if member else name, ())[:_MOST_PROVIDERS]
        for keyword, given in table.facts.calls[number].arguments
        if keyword == words.value
    ]
    default: list[Expression] = [value for keyword, value in made.arguments if keyword is None]
    held = merge([*provided, *(analysis.evaluate(value, around) for value in default)])
    if any(not isinstance(value, str) for value in held):
        return tuple(value for value in held if not isinstance(value, str))
    types = [value for keyword, value in made.arguments if keyword == TYPE_STOOD_FOR]
    return merge(analysis.evaluate(value, around) for value in types)


@cache
def _words() -> tuple[_Words, ...]:
    from drift.languages.frameworks import (
        load_frameworks,
    )  # only projects with scripts pay for reading the words

    return tuple(
        _Words(
            tuple(f"{package}{end}" for package in row["packages"] for end in (".", "/")),
            frozenset(row["makers"]),
            frozenset(row["givers"]),
            frozenset(row["providers"]),
            row["value"],
        )
        for row in load_frameworks("typescript").words["contexts"]
    )
