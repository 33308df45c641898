"""Files that are what a page shows as a whole, as components of Vue are: no name in them is the component."""

from __future__ import annotations

from typing import Final

from drift.languages.facts import EntryPoint
from drift.scan.link.analysis import Analysis
from drift.scan.link.destinations import import_destination
from drift.scan.link.links import Place
from drift.scan.link.tables import FileTable
from drift.scan.link.values import SYMBOL_MASK

PAGE: Final = "PAGE "
"""What the routes of pages begin with that a router in the browser shows."""
_THE_FILE: Final = 0  # the symbol of a file as a whole
_DEFAULT: Final = "default"
_ITSELF: Final = ("symbol", _THE_FILE)


def gives_itself(analysis: Analysis, symbol: int) -> bool:
    """Whether a file is what others import from it as its default, as a component of Vue is."""
    if symbol & SYMBOL_MASK:
        return False
    stores = analysis.program.table_of(symbol).facts.stores
    return any(one.name == _DEFAULT and one.value == _ITSELF for one in stores)


def shown_file(analysis: Analysis, table: FileTable, entry: EntryPoint) -> Place | None:
    """The file that a page is imported from, at the top or in the function that loads it."""
    shown = entry.handler
    if shown is not None and shown[0] == "member":
        shown = shown[1]
    for number, each in enumerate(table.facts.imports):
        is_named = shown is not None and shown[0] == "name" and each.alias == shown[1]
        is_loaded = shown is not None and shown[0] == "called" and shown[1] == ("symbol", each.scope)
        if is_named or is_loaded:
            file = import_destination(analysis, table, number).file
            return None if file is None else Place(file, _THE_FILE)
    return None
