"""Where the texts of imports lead."""

from __future__ import annotations

import re
from typing import Final

from drift.scan.link.analysis import Analysis
from drift.scan.link.destination_form import Destination
from drift.scan.link.keys import part_key
from drift.scan.link.tables import FileTable

_PARTS: Final = re.compile(r"[^\s./\\:\"'<>]+")


def import_destination(analysis: Analysis, table: FileTable, number: int) -> Destination:
    """Where the text of an import leads."""
    # Asked of the rules alone it leads to no further question, so it is kept with the file.
    known = table.destinations.get(number)
    if known is None:
        known = analysis.program.read_apart(_find_destination, analysis, table, number)
        table.destinations[number] = known
    analysis.program.reads.update(known[1])
    return known[0]


def _find_destination(analysis: Analysis, table: FileTable, number: int) -> Destination:
    written = table.facts.imports[number]
    for part in set(_PARTS.findall(f"{written.module}.{written.name or ''}")):
        analysis.program.note(part_key(part))
        analysis.program.note_name(table, 0, part)
    return analysis.program.semantics(table).destination(table.path, table.facts, written)
