"""Questions about how files hold on to each other: which uses which names of which, and what each offers."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from drift.index.link_words import LOADING_REFERENCE
from drift.index.selection import Selection, as_list

_USES: Final = f"""
    WITH wanted AS MATERIALIZED (SELECT value AS id FROM json_each(?2)), found AS (
        SELECT symbol_id >> 16 AS source_id, target_file_id AS target_id, target_symbol_id AS used, line,
            1 AS is_import, is_type_only
        FROM imports WHERE symbol_id >> 16 IN wanted AND target_file_id IS NOT NULL AND target_file_id <> symbol_id >> 16
            -- `import a.b` binds a, and is about a.b, which is the row behind it.
            AND (alias IS NOT module OR NOT EXISTS (
                SELECT 1 FROM imports AS meant WHERE meant.symbol_id = imports.symbol_id
                    AND meant.position = imports.position + 1 AND meant.line = imports.line
                    AND meant.alias IS NULL AND meant.module LIKE imports.module || '.%'
            ))
        UNION ALL
        SELECT caller_id >> 16, callee_id >> 16, callee_id, line, 0, NULL
        FROM edges WHERE caller_id >> 16 IN wanted AND confidence >= ?1 AND call_id AND caller_id >> 16 <> callee_id >> 16
            -- Who calls a method of an interface does not know the classes that have it.
            AND reason IS NOT (SELECT id FROM words WHERE text = 'override')
        UNION ALL
        SELECT symbol_id >> 16, target_symbol_id >> 16, target_symbol_id, line, 0, NULL
        FROM refs WHERE symbol_id >> 16 IN wanted AND confidence >= ?1 AND {LOADING_REFERENCE} AND symbol_id >> 16 <> target_symbol_id >> 16
        UNION ALL
        SELECT bases.symbol_id >> 16, bases.target_symbol_id >> 16, bases.target_symbol_id, symbols.line, 0, NULL
        FROM bases JOIN symbols ON symbols.id = bases.symbol_id
        WHERE bases.symbol_id >> 16 IN wanted AND bases.target_symbol_id IS NOT NULL AND bases.symbol_id >> 16 <> bases.target_symbol_id >> 16
    )
    SELECT source_id, target_id, used, min(line), max(is_import), min(is_type_only)
    FROM found GROUP BY source_id, target_id, used
"""  # noqa: S608 - our own names
_NAMES: Final = """
    SELECT symbols.id, iif(around.kind IN ('module', 'namespace'), symbols.name, around.name)
    FROM json_each(?) AS wanted CROSS JOIN symbols ON symbols.id = wanted.value
    JOIN symbols AS around ON around.id = symbols.parent_id
"""
_OFFERED: Final = """
    SELECT symbols.id >> 16, symbols.kind, symbols.visibility, symbols.modifiers FROM symbols
    JOIN symbols AS around ON around.id = symbols.parent_id
    WHERE around.kind IN ('module', 'namespace')
        AND symbols.kind IN ('class', 'interface', 'trait', 'struct', 'enum', 'type', 'function')
"""


class NameUse(NamedTuple):
    """One file using one name of another; `used` is None where a file is imported as a whole."""

    source_id: int
    target_id: int
    used: int | None
    line: int
    is_import: int
    is_type_only: int | None  # of imports alone


class Offered(NamedTuple):
    """What a file declares for others."""

    file_id: int
    kind: str
    visibility: str
    modifiers: str


class CouplingQueries:
    """Questions that read all links between files."""

    def __init__(self, selection: Selection) -> None:
        self._selection = selection

    def uses(self, files: Iterable[int], *, min_confidence: float) -> list[NameUse]:
        """Every use that these files make of a name of another: imports, calls, references and parents."""
        values = (int(min_confidence * 10_000), as_list(files))
        return list(map(NameUse._make, self._selection.rows(_USES, values)))

    def outer_names(self, symbols: set[int]) -> dict[int, str]:
        """What symbols are known by outside: of a method its class; a module has no such name."""
        return dict(self._selection.rows(_NAMES, (as_list(symbols),)))

    def offered(self) -> list[Offered]:
        """Types and functions that stand in no other."""
        return list(map(Offered._make, self._selection.rows(_OFFERED, ())))
