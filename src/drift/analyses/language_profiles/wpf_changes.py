"""What becomes of the properties of view models after these are made: which are set, and which setters are woven to tell."""

import re
from functools import cache
from posixpath import dirname
from typing import Final

from drift.analyses.language_profiles.sources import Sources
from drift.index.path_text import text_to_path
from drift.index.records import SymbolRecord
from drift.kernel.reading import read_text

_WEAVERS: Final = "FodyWeavers.xml"
_WEAVING: Final = "<PropertyChanged"
_MOST_BYTES: Final = 5_000_000


class Changes:
    """Asks the code of a project, whose files are read as they are now."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._lines = cache(self._read_lines)
        self.is_woven = cache(self._is_woven)

    def is_set_later(self, member: SymbolRecord) -> bool:
        """Whether its class sets a property outside of constructors; while an object is made, nobody shows it yet."""
        if member.parent_id is None:
            return False
        setting = re.compile(rf"(?:^|[\s{{}};(])(?:this\.)?{re.escape(member.name)}\s{{0,9}}=(?![=>])[^;]*;")
        lines = self._lines(member.path)
        return any(
            setting.search(line)
            for one in self._sources.reader.symbols.members(member.parent_id)
            if one.kind == "method" and one.path == member.path and not self._is_making(one)
            for line in lines[one.line - 1 : one.end_line]
        )

    def _is_making(self, method: SymbolRecord) -> bool:
        """Whether only constructors call a method: it is a part of making the object."""
        reader = self._sources.reader
        callers = reader.symbols.many({one.caller_id for one in reader.callers.places((method.id,))})
        return bool(callers) and all(one.kind == "constructor" for one in callers)

    def _read_lines(self, path: str) -> list[str]:
        try:
            return read_text(self._sources.root, text_to_path(path), _MOST_BYTES).splitlines()
        except OSError:
            return []

    def _is_woven(self, folder: str) -> bool:
        """Whether a weaver makes the setters of a folder tell of changes, as the file nearest to it says."""
        beside = "\n".join(self._read_lines(f"{folder}/{_WEAVERS}" if folder else _WEAVERS))
        if beside or not folder:
            return _WEAVING in beside
        return bool(self.is_woven(dirname(folder)))
