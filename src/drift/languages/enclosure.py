"""What stands around a place in the text: functions that belong to something elsewhere, and the function of a byte."""

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


class Scopes:
    """Which function a byte stands in: symbols that hold code, the innermost one."""

    def __init__(self, symbols: Sequence[Symbol]) -> None:
        holding = [
            (each.start_byte, -each.end_byte, number)
            for number, each in enumerate(symbols)
            if number and (each.complexity is not None or each.kind in {"class", "struct", "interface"})
        ]
        self._spans = sorted(holding)

    def numbers(self, places: Sequence[int]) -> dict[int, int]:
        """The number of the symbol around each byte; `places` are sorted."""
        found: dict[int, int] = {}
        open_spans: list[tuple[int, int]] = []  # end and number
        following = 0
        for place in places:
            while following < len(self._spans) and self._spans[following][0] <= place:
                _start, negative_end, number = self._spans[following]
                open_spans.append((-negative_end, number))
                following += 1
            while open_spans and open_spans[-1][0] <= place:
                open_spans.pop()
            found[place] = next((number for end, number in reversed(open_spans) if end > place), 0)
        return found
