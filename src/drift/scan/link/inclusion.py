"""What a file sees of things with one name: those of the files it includes, in languages that include."""

from __future__ import annotations

from typing import Any

from drift.scan.link.analysis import Analysis
from drift.scan.link.destinations import import_destination
from drift.scan.link.tables import FileTable


def symbols_in_sight(analysis: Analysis, symbols: list[int], scope: int) -> list[int]:
    """Without other names of a type beside the type itself, and without what the file does not include.

    All of them where that leaves none.
    """
    if len(symbols) < 2:  # noqa: PLR2004  # one is no choice
        return symbols
    program = analysis.program
    named = [one for one in symbols if program.symbol(one).kind != "type"] or symbols
    table = program.table_of(scope)
    if not program.rules(table).has_open_namespaces:
        return named
    visible: Any
    (visible,) = analysis.remember_here(("visible", table.file), _visible_files, table)
    return [one for one in named if program.table_of(one).path in visible] or named


def _visible_files(analysis: Analysis, table: FileTable) -> tuple[Any]:
    """The file and those it includes, directly or through others: one set, which is kept as one value."""
    program = analysis.program
    found = {table.path}
    waiting = [table]
    while waiting:
        one = waiting.pop()
        program.note_stars(one)
        for number in (number for numbers in one.stars.values() for number in numbers):
            path = import_destination(analysis, one, number).file
            if path is not None and path not in found and path in program.files:
                found.add(path)
                waiting.append(program.table(program.files[path]))
    return (frozenset(found),)
