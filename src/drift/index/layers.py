"""The layers of facts an index may hold; a tool names the ones it needs."""

from enum import StrEnum


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
