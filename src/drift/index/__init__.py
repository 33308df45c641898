"""The one store of facts about a project: which layers it holds, how current they are, reading, writing."""

from typing import TYPE_CHECKING, Final

from drift.index.layers import Layer
from drift.index.state import IndexState, IndexWatch, read_index_state

if TYPE_CHECKING:
    from drift.index.ids import (
        CallId,
        FileId,
        SymbolId,
        call_id,
        file_of_symbol,
        file_symbol,
        is_file,
        symbol_id,
    )
    from drift.index.reader import IndexReader
    from drift.index.records import (
        CallRecord,
        EdgeRecord,
        EntryPointRecord,
        FileRecord,
        GuardRecord,
        HandlingRecord,
        ImportRecord,
        Neighbour,
        ParameterRecord,
        ReferenceRecord,
        SymbolRecord,
    )
    from drift.index.writer import IndexWriter

__all__ = [
    "CallId",
    "CallRecord",
    "EdgeRecord",
    "EntryPointRecord",
    "FileId",
    "FileRecord",
    "GuardRecord",
    "HandlingRecord",
    "ImportRecord",
    "IndexReader",
    "IndexState",
    "IndexWatch",
    "IndexWriter",
    "Layer",
    "Neighbour",
    "ParameterRecord",
    "ReferenceRecord",
    "SymbolId",
    "SymbolRecord",
    "call_id",
    "file_of_symbol",
    "file_symbol",
    "is_file",
    "read_index_state",
    "symbol_id",
]

# A start on a project without an index needs none of these; the reader and the writer bring SQLite.
_IDS: Final = frozenset(
    {"CallId", "FileId", "SymbolId", "call_id", "file_of_symbol", "file_symbol", "is_file", "symbol_id"}
)
_ON_DEMAND: Final = {"IndexReader": "reader", "IndexWriter": "writer"}


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    found: object = getattr(import_module(f"{__name__}.{_home(name)}"), name)
    globals()[name] = found  # so that it is asked for once
    return found


def _home(name: str) -> str:
    return _ON_DEMAND.get(name) or ("ids" if name in _IDS else "records")
