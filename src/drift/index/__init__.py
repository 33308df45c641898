"""The one store of facts about a project: which layers it holds, how current they are, reading, writing."""

from typing import TYPE_CHECKING

from drift.index.layers import Layer
from drift.index.state import IndexState, IndexWatch, read_index_state

if TYPE_CHECKING:
    from drift.index.reader import IndexReader
    from drift.index.writer import IndexWriter

__all__ = ["IndexReader", "IndexState", "IndexWatch", "IndexWriter", "Layer", "read_index_state"]

# These bring SQLite, which a start on a project without an index does not need.
_ON_DEMAND = {"IndexReader": "drift.index.reader", "IndexWriter": "drift.index.writer"}


def __getattr__(name: str) -> object:
    if name not in _ON_DEMAND:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_ON_DEMAND[name]), name)
