"""Questions about markup: which elements a file puts somewhere, and what they are tied to."""

import json
from typing import Final, NamedTuple

from drift.index.ids import FileId, SymbolId, symbols_of_file
from drift.index.selection import Selection

_ELEMENTS: Final = """
    SELECT symbol_id, line, tag, identity, classes, attributes FROM elements
    WHERE symbol_id BETWEEN ? AND ? ORDER BY position
"""
_BINDINGS: Final = """
    SELECT symbol_id, line, element, property, kind, path, mode, converter, source, context FROM markup_bindings
    WHERE symbol_id BETWEEN ? AND ? ORDER BY position
"""


class ElementRecord(NamedTuple):
    """An element of a page; schema.sql says what each field means."""

    symbol_id: SymbolId
    line: int
    tag: str
    identity: str | None
    classes: tuple[str, ...]
    attributes: dict[str, str | None]
    """By name; None where no value is kept or none is given."""


class MarkupBindingRecord(NamedTuple):
    """What markup ties to code, to a resource or to another element."""

    symbol_id: SymbolId
    line: int
    element: str
    property: str
    kind: str
    path: str | None
    mode: str | None
    converter: str | None
    source: str | None
    context: str | None


class MarkupQueries:
    """What markup of the project says, in the order of the text."""

    def __init__(self, selection: Selection) -> None:
        self._selection = selection

    def elements_of(self, file: FileId) -> list[ElementRecord]:
        """The elements that a file puts on a page or a window."""
        return [
            ElementRecord(symbol, line, tag, identity, tuple((classes or "").split()), _attributes(told))
            for symbol, line, tag, identity, classes, told in self._selection.rows(
                _ELEMENTS, symbols_of_file(file)
            )
        ]

    def bindings_of(self, file: FileId) -> list[MarkupBindingRecord]:
        """What the markup of a file ties to code and resources."""
        return list(map(MarkupBindingRecord._make, self._selection.rows(_BINDINGS, symbols_of_file(file))))


def _attributes(told: str | None) -> dict[str, str | None]:
    return {name: value[0] if value else None for name, *value in json.loads(told or "[]")}
