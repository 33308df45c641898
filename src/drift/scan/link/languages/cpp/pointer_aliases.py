"""Other names of pointers in C++, `using BoxPointer = std::unique_ptr<Box>`: to make one makes no Box."""

from __future__ import annotations

from typing import Final

from drift.scan.link.analysis import Analysis
from drift.scan.link.values import Values, symbol_of, tag_of

_HOLDER: Final = "holder"  # the modifier of a type that only holds another


def named_pointer(analysis: Analysis, values: Values, tag: int) -> str | None:
    """The name of a pointer type, SYMBOL, or of the type of a pointer, INSTANCE, among the values; else None."""
    for value in values:
        if isinstance(value, int) and tag_of(value) == tag:
            symbol = analysis.program.symbol(symbol_of(value))
            if symbol.kind == "type" and _HOLDER in symbol.modifiers:
                return symbol.name
    return None
