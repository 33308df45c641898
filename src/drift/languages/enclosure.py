"""Where functions stand in the text that belong to something standing elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from drift.languages.facts import Symbol


def outer_scopes(symbols: Sequence[Symbol]) -> dict[int, int]:
    """For each method that does not stand directly in what it belongs to, what it stands in.

    `Stack.prototype.push = function …` belongs to Stack and sees the names of the file; `this.push = function …` in
    a constructor sees that constructor's variables.
    """
    found: dict[int, int] = {}
    for number, symbol in enumerate(symbols):
        if symbol.kind != "method":
            continue
        # Symbols are numbered as they begin, so what is around one is the one before it or around that.
        here = number - 1
        while here and not _holds(symbols[here], symbol):
            here = found.get(here, symbols[here].parent)
        owner = symbols[symbol.parent]
        # Code nested too deep is read later than its neighbours; what then seems to be around may be too far out.
        if here != symbol.parent and (not _holds(owner, symbol) or _holds(owner, symbols[here])):
            found[number] = here
    return found


def _holds(outer: Symbol, inner: Symbol) -> bool:
    return outer.start_byte <= inner.start_byte and inner.end_byte <= outer.end_byte
