"""The layers of facts an index may hold; a tool names the ones it needs."""

from enum import StrEnum
from typing import Final


class Layer(StrEnum):
    """One layer, by the name the index file keeps it under."""

    FILES = "files"
    SYMBOLS = "symbols"
    IMPORTS = "imports"
    CALLS = "calls"
    REFERENCES = "references"
    TESTS = "tests"
    CONVENTIONS = "conventions"
    DATA_ACCESS = "data_access"
    HISTORY = "history"


SYMBOL_LAYERS: Final = frozenset({Layer.FILES, Layer.SYMBOLS})
"""What is there while calls are still being linked."""
ALL_LAYERS: Final = SYMBOL_LAYERS | {Layer.IMPORTS, Layer.CALLS, Layer.REFERENCES}
"""What a finished scan leaves."""
