"""Which type a name means in a file, and the text of what declares it."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from drift.analyses.contracts.paths import data
from drift.analyses.contracts.strictness import Strictness
from drift.analyses.contracts.type_texts import is_primitive
from drift.analyses.error_handling.hierarchy import family_name
from drift.index.ids import SymbolId, file_of_symbol
from drift.index.path_text import text_to_path
from drift.kernel.reading import read_beginning

if TYPE_CHECKING:
    from drift.index import IndexReader
    from drift.index.records import SymbolRecord

_TYPES: Final = frozenset({"class", "interface", "type", "struct", "record", "enum"})
_VALUES: Final = frozenset({"constant", "variable", "function"})
_MOST_BYTES: Final = 2_000_000
_MOST_FILES: Final = 100  # whose text is kept
_MOST_ABOVE: Final = 12


class TypeNames:
    """Names of types in the files of a project."""

    def __init__(self, reader: "IndexReader", root: Path) -> None:
        self._reader = reader
        self._root = root
        self._imports: dict[str, dict[str, SymbolId]] = {}
        self._texts: dict[str, bytes] = {}
        self.strictness = Strictness(root)

    def resolve(self, written: str, file: str) -> tuple["SymbolRecord | None", str | None]:
        """The type that a name means in a file, or why that is not known."""
        name = re.split(r"[.\\]", written)[-1]
        if name in data()["types"]["unknown"] or is_primitive(name):
            return None, f"{name} says nothing of its fields"
        return self._find(name, file, _TYPES)

    def value(self, written: str, file: str) -> "SymbolRecord | None":
        """The constant that a name means in a file."""
        return self._find(written.rpartition(".")[2], file, _VALUES)[0]

    def _find(self, name: str, file: str, kinds: frozenset[str]) -> tuple["SymbolRecord | None", str | None]:
        imported = self._imported(file).get(name)
        if imported is not None:
            symbol = self._reader.symbols.get(imported)
            if symbol is not None and symbol.kind in kinds:
                return symbol, None
        record = self._reader.files.at(file)
        family = family_name(record.language or "") if record is not None else ""
        named = [
            one
            for one in self._reader.symbols.named(name)
            if one.kind in kinds and family_name(one.language or "") == family and one.role != "test"
        ]
        own = [one for one in named if one.path == file]
        found = own or named
        if not found:
            return None, f"{name} is not in the project"
        return (found[0], None) if len(found) == 1 else (None, f"there are {len(found)} types {name}")

    def _imported(self, file: str) -> dict[str, "SymbolId"]:
        if file not in self._imports:
            record = self._reader.files.at(file)
            rows = self._reader.facts.imports_of(record.id) if record is not None else []
            self._imports[file] = {
                (one.alias or one.name or ""): one.target_symbol_id
                for one in rows
                if one.target_symbol_id is not None
            }
        return self._imports[file]

    def line(self, symbol: "SymbolRecord") -> tuple[list["SymbolRecord"], frozenset[str]]:
        """A type and those of the project above it, nearest first, and the names of those above outside."""
        found: list[SymbolRecord] = []
        outside: set[str] = set()
        waiting = [symbol]
        while waiting and len(found) < _MOST_ABOVE:
            one = waiting.pop(0)
            found.append(one)
            for base in self._reader.symbols.bases(one.id):
                parent = self._reader.symbols.get(base.target_symbol_id) if base.target_symbol_id else None
                if parent is not None and parent not in found:
                    waiting.append(parent)
                elif parent is None:
                    outside.add(re.split(r"[\\.:]", re.split(r"[<\[(]", base.text)[0])[-1])
        return found, frozenset(outside)

    def text(self, symbol: "SymbolRecord") -> bytes:
        """What declares a symbol, as it stands in its file; nothing where that is not what was scanned."""
        record = self._reader.files.get(file_of_symbol(symbol.id))
        if record is None:
            return b""
        if record.path not in self._texts:
            if len(self._texts) >= _MOST_FILES:
                self._texts.clear()
            self._texts[record.path] = self._read(record.path, record.size)
        return self._texts[record.path][symbol.start_byte : symbol.end_byte]

    def _read(self, path: str, size: int | None) -> bytes:
        try:
            found = read_beginning(self._root, text_to_path(path), _MOST_BYTES)
        except OSError:
            return b""
        return found if len(found) == size else b""
