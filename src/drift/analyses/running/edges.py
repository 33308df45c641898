"""One run that no call in the text shows."""

from typing import NamedTuple

from drift.index.ids import SymbolId


class Run(NamedTuple):
    """A symbol that comes to run another, and how surely."""

    user: SymbolId
    used: SymbolId
    confidence: float
