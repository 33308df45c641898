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
    around: list[int] = []
    for number in sorted(
        range(len(symbols)), key=lambda one: (symbols[one].start_byte, -symbols[one].end_byte, one)
    ):
        symbol = symbols[number]
        while around and symbols[around[-1]].end_byte < symbol.end_byte:
            around.pop()
        if symbol.kind == "method" and around and around[-1] != symbol.parent:
            found[number] = around[-1]
        around.append(number)
    return found
