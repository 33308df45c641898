"""Questions that tell where in a project something is at home: in which files names have a word."""

import re
from typing import Final

from drift.index.ids import FileId
from drift.index.selection import Selection

# The grouping runs over the ids that the words' lists give: neither symbols nor files are read.
_NAMES_WITH: Final = """
    SELECT rowid >> 16, count(*) FROM search WHERE search MATCH ? GROUP BY rowid >> 16
"""
_DEFINING: Final = """
    SELECT id >> 16, count(*) FROM symbols WHERE name = ?1 COLLATE NOCASE AND name = ?1 GROUP BY id >> 16
"""
_IMPORTERS: Final = """
    SELECT target_file_id, count(DISTINCT symbol_id >> 16) FROM imports INDEXED BY imports_by_file
    WHERE target_file_id IS NOT NULL GROUP BY target_file_id
"""
_NO_LETTER: Final = re.compile(r"[\W_]+")


class PlaceQueries:
    """Questions about files as homes of names."""

    def __init__(self, selection: Selection) -> None:
        self._selection = selection

    def files_naming(self, beginning: str) -> dict[FileId, int]:
        """How many symbols of each file have a word in their name that begins like this; whatever its case."""
        word = _NO_LETTER.sub("", beginning)
        return dict(self._selection.rows(_NAMES_WITH, (f'{{name}} : "{word}"*',))) if word else {}

    def files_defining(self, name: str) -> dict[FileId, int]:
        """How many symbols of exactly this name each file has."""
        return dict(self._selection.rows(_DEFINING, (name,)))

    def importer_counts(self) -> dict[FileId, int]:
        """By how many files each file is imported; those that nobody imports are left out."""
        return dict(self._selection.rows(_IMPORTERS))
