"""Questions about symbols: by id, name, place, kind; what they consist of and descend from."""

import re
from collections.abc import Iterable
from typing import Any, Final

from drift.index.ids import FileId, SymbolId, symbols_of_file
from drift.index.records import (
    BaseRecord,
    ComplexityRecord,
    DecoratorRecord,
    SearchHit,
    SymbolRecord,
)
from drift.index.selection import Selection, as_list
from drift.index.words import search_expressions
from drift.kernel.similar import similar_names

_MOST_BEGINNING: Final = 5_000  # names looked through for those of one owner
COLUMNS: Final = """
    symbols.id, files.path, files.language, files.role, symbols.parent_id, symbols.kind, symbols.name,
    symbols.qualname, symbols.line, symbols.column, symbols.end_line, symbols.start_byte, symbols.end_byte,
    symbols.signature, symbols.parameters, symbols.return_text, symbols.visibility, symbols.modifiers,
    symbols.doc
"""
COLUMN_COUNT: Final = len(SymbolRecord._fields)
_SELECT: Final = f"SELECT {COLUMNS} FROM symbols JOIN files ON files.id = symbols.file_id"  # noqa: S608 - our own names

_BY_ID: Final = f"{_SELECT} WHERE symbols.id = ?"
_BY_IDS: Final = f"""
    SELECT {COLUMNS} FROM json_each(?) AS wanted
    CROSS JOIN symbols ON symbols.id = wanted.value
    JOIN files ON files.id = symbols.file_id
    ORDER BY wanted.key
"""  # noqa: S608 - our own names
# The index folds case, so it serves both ways of comparing.
_FOLDED: Final = f"{_SELECT} WHERE symbols.name = ? COLLATE NOCASE ORDER BY symbols.id LIMIT ?"
_NAMED: Final = f"""
    {_SELECT} WHERE symbols.name = ?1 COLLATE NOCASE AND symbols.name = ?1 ORDER BY symbols.id LIMIT ?2
"""
_QUALIFIED: Final = f"""
    {_SELECT}
    WHERE symbols.name = ?1 COLLATE NOCASE AND symbols.name = ?1
        AND (symbols.qualname = ?2 OR substr(symbols.qualname, -length(?2) - 1) = '.' || ?2)
    ORDER BY symbols.qualname = ?2 DESC, symbols.id LIMIT ?3
"""
_AT_LINE: Final = f"""
    {_SELECT}
    WHERE symbols.id BETWEEN ?1 AND ?2 AND symbols.line <= ?3 AND symbols.end_line >= ?3
    ORDER BY symbols.line = ?3 AND symbols.kind <> 'module' DESC,
        (symbols.end_line - symbols.line) * iif(symbols.line = ?3 AND symbols.kind <> 'module', -1, 1),
        symbols.start_byte * iif(symbols.line = ?3, 1, -1), symbols.end_byte * iif(symbols.line = ?3, -1, 1),
        symbols.id DESC
    LIMIT 1
"""
# Within the kind alone: there are tens of thousands, which takes some milliseconds.
_MEASURED: Final = f"""
    {_SELECT}
    WHERE symbols.kind = ?1 AND symbols.operators = ?2 AND symbols.cyclomatic = ?3
    ORDER BY symbols.id LIMIT ?4
"""
# Numbers are kept over edits, so the order of the text is that of the bytes; outer ones first.
_PLACE: Final = "symbols.start_byte, symbols.end_byte DESC, symbols.id"
_OF_FILE: Final = f"{_SELECT} WHERE symbols.id BETWEEN ?1 AND ?2 ORDER BY symbols.id > ?1, {_PLACE}"
_MEMBERS: Final = f"{_SELECT} WHERE symbols.parent_id = ? ORDER BY {_PLACE}"
_IDENTITIES: Final = "SELECT id & 65535, kind, qualname FROM symbols WHERE id BETWEEN ? AND ? ORDER BY id"
_OF_KIND: Final = f"{_SELECT} WHERE symbols.kind = ? AND symbols.id > ? ORDER BY symbols.id LIMIT ?"
# Bounds instead of LIKE, whose wildcards a prefix may hold.
_BEGINNING: Final = """
    SELECT DISTINCT name, qualname FROM symbols
    WHERE name >= ?1 COLLATE NOCASE AND name < ?2 COLLATE NOCASE AND kind <> 'module'
    ORDER BY name COLLATE NOCASE LIMIT ?3
"""
_NAMES_WITH: Final = """
    SELECT DISTINCT name FROM symbols WHERE kind = ?1 AND instr(' ' || modifiers || ' ', ' ' || ?2 || ' ')
"""
_ALL_NAMES: Final = "SELECT DISTINCT name FROM symbols INDEXED BY symbols_by_name"
# Weights of name, qualname, path, doc: a word in the name says most, one in a text least.
_SEARCH: Final = f"""
    SELECT {COLUMNS}, -rank FROM (
        SELECT rowid, bm25(search, 10.0, 4.0, 4.0, 1.0) AS rank FROM search
        WHERE search MATCH ?1 ORDER BY rank LIMIT ?2
    ) AS found
    CROSS JOIN symbols ON symbols.id = found.rowid
    JOIN files ON files.id = symbols.file_id
    ORDER BY found.rank, symbols.id
"""  # noqa: S608 - our own names
_BASES: Final = """
    SELECT symbol_id, text, kind, target_symbol_id, external_name FROM bases WHERE symbol_id = ? ORDER BY position
"""
_DERIVED: Final = f"""
    SELECT {COLUMNS} FROM bases
    CROSS JOIN symbols ON symbols.id = bases.symbol_id
    JOIN files ON files.id = symbols.file_id
    WHERE bases.target_symbol_id = ? ORDER BY symbols.id
"""  # noqa: S608 - our own names
_DECORATORS: Final = (
    "SELECT symbol_id, name, text, line FROM decorators WHERE symbol_id = ? ORDER BY position"
)
_DECORATED: Final = f"""
    SELECT {COLUMNS} FROM decorators
    CROSS JOIN symbols ON symbols.id = decorators.symbol_id
    JOIN files ON files.id = symbols.file_id
    WHERE decorators.name = ? ORDER BY symbols.id
"""  # noqa: S608 - our own names
_COMPLEXITY: Final = f"""
    SELECT id, {", ".join(ComplexityRecord._fields[1:])} FROM symbols
    WHERE id BETWEEN ? AND ? AND cyclomatic IS NOT NULL
"""  # noqa: S608 - our own names

_SEPARATORS: Final = re.compile(r"::|->|#|/|\\|\.")
_LONGEST_SIMILAR: Final = 100


class SymbolQueries:
    """Questions about symbols. Lists are in the order of ids, that is by file and number, unless said."""

    def __init__(self, selection: Selection) -> None:
        self._selection = selection

    def get(self, symbol: SymbolId) -> SymbolRecord | None:
        """The symbol with this id."""
        return next(iter(self._select(_BY_ID, symbol)), None)

    def many(self, symbols: Iterable[SymbolId]) -> list[SymbolRecord]:
        """The symbols with these ids, in their order; ids that are not there are left out."""
        return self._select(_BY_IDS, as_list(symbols))

    def named(self, name: str, *, limit: int = 100) -> list[SymbolRecord]:
        """Symbols with exactly this name."""
        return self._select(_NAMED, name, limit)

    def named_alike(self, name: str, *, limit: int = 100) -> list[SymbolRecord]:
        """Symbols with this name, whatever the case of its ASCII letters."""
        return self._select(_FOLDED, name, limit)

    def qualified(self, qualname: str, *, limit: int = 100) -> list[SymbolRecord]:
        """Symbols whose qualified name is this or ends in it at a dot; whole matches first.

        `Class.method`, `Class::method`, `Class#method` and `Class->method` are the same.
        """
        parts = [part for part in _SEPARATORS.split(qualname.strip()) if part]
        return self._select(_QUALIFIED, parts[-1], ".".join(parts), limit) if parts else []

    def at_line(self, file: FileId, line: int) -> SymbolRecord | None:
        """The outermost symbol that begins on a line, else the innermost around it."""
        return next(iter(self._select(_AT_LINE, *symbols_of_file(file), line)), None)

    def of_file(self, file: FileId) -> list[SymbolRecord]:
        """The symbols of a file in the order of the text, the file itself first."""
        return self._select(_OF_FILE, *symbols_of_file(file))

    def members(self, symbol: SymbolId) -> list[SymbolRecord]:
        """What stands directly in a class, module or function, in the order of the text."""
        return self._select(_MEMBERS, symbol)

    def of_kind(self, kind: str, *, after: SymbolId | None = None, limit: int = 100) -> list[SymbolRecord]:
        """Symbols of a kind, from the one after `after`; a negative limit is none."""
        return self._select(_OF_KIND, kind, -1 if after is None else after, limit)

    def measured_alike(
        self, kind: str, *, operators: int, cyclomatic: int, limit: int = 60
    ) -> list[SymbolRecord]:
        """Symbols of a kind whose code has as many operators and paths."""
        return self._select(_MEASURED, kind, operators, cyclomatic, limit)

    def identities(self, file: FileId) -> tuple[tuple[int, str, str], ...]:
        """The number, kind and qualified name of a file's symbols, by which an edited file keeps its numbers."""
        return tuple(
            (number, kind, qualname)
            for number, kind, qualname in self._selection.rows(_IDENTITIES, symbols_of_file(file))
        )

    def similar_names(self, name: str, *, limit: int = 5) -> tuple[str, ...]:
        """The names in the index most like a misspelt one, best first."""
        names = [known for (known,) in self._selection.rows(_ALL_NAMES) if len(known) <= _LONGEST_SIMILAR]
        return similar_names(name, names, limit)

    def names_with(self, kind: str, modifier: str) -> list[str]:
        """The names of the symbols of a kind that have a modifier. Goes through all of the kind."""
        return [name for (name,) in self._selection.rows(_NAMES_WITH, (kind, modifier))]

    def names_beginning(self, prefix: str, *, limit: int = 100) -> list[str]:
        """Names that begin so, whatever the case; for a prefix with a dot qualified names."""
        owner, dot, beginning = prefix.rpartition(".")
        bounds = (beginning, f"{beginning}\U0010ffff", _MOST_BEGINNING if dot else limit)
        found = self._selection.rows(_BEGINNING, bounds)
        names = [qualname for _name, qualname in found] if dot else [name for name, _qualname in found]
        wanted = f"{owner}{dot}".casefold()
        return list(dict.fromkeys(name for name in names if name.casefold().startswith(wanted)))[:limit]

    def search(self, query: str, *, limit: int = 20) -> list[SearchHit]:
        """Symbols and files that have words beginning like each word of the query, best first.

        Where there are none, those that have any of the words. Looked at are names with their parts, the
        names around them, paths and doc comments.
        """
        for expression in search_expressions(query):
            rows = self._selection.rows(_SEARCH, (expression, limit))
            if rows:
                return [SearchHit(SymbolRecord._make(row[:COLUMN_COUNT]), row[COLUMN_COUNT]) for row in rows]
        return []

    def bases(self, symbol: SymbolId) -> list[BaseRecord]:
        """The direct parents of a class, as named."""
        return list(map(BaseRecord._make, self._selection.rows(_BASES, (symbol,))))

    def derived(self, symbol: SymbolId) -> list[SymbolRecord]:
        """The classes that have this one as a direct parent."""
        return self._select(_DERIVED, symbol)

    def decorators(self, symbol: SymbolId) -> list[DecoratorRecord]:
        """The decorators of a symbol, as written."""
        return list(map(DecoratorRecord._make, self._selection.rows(_DECORATORS, (symbol,))))

    def decorated_with(self, name: str) -> list[SymbolRecord]:
        """The symbols that have a decorator of this dotted name."""
        return self._select(_DECORATED, name)

    def count(self) -> int:
        """How many symbols there are, files not counted."""
        row = self._selection.row("SELECT count(*) FROM symbols WHERE kind <> 'module'")
        return int(row[0]) if row else 0

    def complexities(self, file: FileId) -> list[ComplexityRecord]:
        """What was counted in the functions of a file."""
        rows = self._selection.rows(_COMPLEXITY, symbols_of_file(file))
        return list(map(ComplexityRecord._make, rows))

    def _select(self, query: str, *values: Any) -> list[SymbolRecord]:
        return list(map(SymbolRecord._make, self._selection.rows(query, values)))
