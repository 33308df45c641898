"""Routes of which only the end is known, since what stands before them is said where their handlers are not."""

from collections import defaultdict
from typing import TYPE_CHECKING

from drift.index.ids import SymbolId
from drift.index.route_rows import UNKNOWN_PREFIX

if TYPE_CHECKING:
    from drift.index import IndexReader


def told_alike(reader: "IndexReader") -> set[SymbolId]:
    """The handlers of routes of which only the end is known, where others have the same end: `/<…>/edit/`."""
    handlers: dict[str, set[SymbolId]] = defaultdict(set)
    for one in reader.graph.product_entries():
        if one.kind == "http" and UNKNOWN_PREFIX in one.detail:
            handlers[one.detail.partition(" ")[2]].add(one.symbol_id)
    return {each for some in handlers.values() if len(some) > 1 for each in some}
