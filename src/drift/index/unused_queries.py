"""Questions about what nobody uses."""

from typing import Any, Final, NamedTuple

from drift.index.ids import SymbolId
from drift.index.records import SymbolRecord
from drift.index.selection import Selection, as_list
from drift.index.symbol_queries import COLUMN_COUNT, COLUMNS

_PRODUCT: Final = "(SELECT files.role FROM files WHERE files.id = {} >> 16) <> 'test'"


def _unused(edge: str, reference: str, importing: str) -> str:
    return f"""
        SELECT {COLUMNS} FROM symbols JOIN files ON files.id = symbols.file_id
        WHERE symbols.kind IN (
                'function', 'method', 'property', 'class', 'interface', 'trait', 'struct', 'enum', 'macro')
            AND files.role = 'source'
            AND NOT EXISTS (SELECT 1 FROM edges
                WHERE edges.callee_id = symbols.id AND edges.caller_id <> symbols.id {edge})
            AND NOT EXISTS (SELECT 1 FROM refs
                WHERE refs.target_symbol_id = symbols.id AND refs.symbol_id <> symbols.id {reference})
            AND NOT EXISTS (SELECT 1 FROM imports WHERE imports.target_symbol_id = symbols.id {importing})
            AND NOT EXISTS (SELECT 1 FROM entry_points WHERE entry_points.symbol_id = symbols.id)
            AND NOT EXISTS (SELECT 1 FROM overrides WHERE overrides.overrider_id = symbols.id)
            AND NOT EXISTS (SELECT 1 FROM bases WHERE bases.target_symbol_id = symbols.id)
        ORDER BY files.path, symbols.start_byte
    """  # noqa: S608 - our own names


_UNUSED: Final = _unused("", "", "")
_UNUSED_BY_PRODUCT: Final = _unused(
    f"AND {_PRODUCT.format('edges.caller_id')}",
    f"AND {_PRODUCT.format('refs.symbol_id')}",
    f"AND {_PRODUCT.format('imports.symbol_id')}",
)
# A class lives by its members: what is called on it from elsewhere, or overridden elsewhere.
_USED_OWNERS: Final = """
    SELECT DISTINCT wanted.value FROM json_each(?) AS wanted
    CROSS JOIN symbols AS members ON members.parent_id = wanted.value
    WHERE EXISTS (
            SELECT 1 FROM edges JOIN symbols AS callers ON callers.id = edges.caller_id
            WHERE edges.callee_id = members.id
                AND callers.id <> wanted.value AND coalesce(callers.parent_id, 0) <> wanted.value)
        OR EXISTS (
            SELECT 1 FROM refs JOIN symbols AS users ON users.id = refs.symbol_id
            WHERE refs.target_symbol_id = members.id
                AND users.id <> wanted.value AND coalesce(users.parent_id, 0) <> wanted.value)
        OR EXISTS (SELECT 1 FROM entry_points WHERE entry_points.symbol_id = members.id)
        OR EXISTS (SELECT 1 FROM overrides WHERE overrides.overrider_id = members.id)
"""
_DECORATED: Final = """
    SELECT decorators.symbol_id, decorators.name FROM json_each(?) AS wanted
    CROSS JOIN decorators ON decorators.symbol_id = wanted.value
    ORDER BY decorators.symbol_id, decorators.position
"""
_PARENTS: Final = """
    SELECT bases.symbol_id, bases.text, bases.target_symbol_id, bases.external_name, bases.kind
    FROM json_each(?) AS wanted
    CROSS JOIN bases ON bases.symbol_id = wanted.value ORDER BY bases.symbol_id, bases.position
"""
_STRINGS: Final = """
    SELECT wanted.value, files.path, constants.line FROM json_each(?) AS wanted
    CROSS JOIN constants ON substr(constants.value, -8) = substr(wanted.value, -8)
        AND +constants.value = wanted.value
    JOIN files ON files.id = constants.symbol_id >> 16
    WHERE constants.kind = 'string' GROUP BY wanted.value
"""

# A class is made where its constructor or, without one, the class itself is called, or where a child of it is.
_MADE: Final = """
    WITH RECURSIVE below (top, id) AS (
        SELECT wanted.value, wanted.value FROM json_each(?) AS wanted
        UNION
        SELECT below.top, bases.symbol_id FROM below CROSS JOIN bases ON bases.target_symbol_id = below.id
    )
    SELECT DISTINCT below.top FROM below
    WHERE EXISTS (SELECT 1 FROM edges WHERE edges.callee_id = below.id)
        OR EXISTS (SELECT 1 FROM symbols AS made JOIN edges ON edges.callee_id = made.id
            WHERE made.parent_id = below.id AND made.kind = 'constructor')
"""


class Parent(NamedTuple):
    """A parent of a class, as written, and whether it is in the project."""

    symbol_id: SymbolId
    text: str
    target_id: SymbolId | None
    external_name: str | None
    kind: str


class UnusedQueries:
    """Questions about what nobody uses."""

    def __init__(self, selection: Selection) -> None:
        self._selection = selection

    def unused(self, *, even_by_tests: bool) -> list[SymbolRecord]:
        """Symbols of the product that no link leads to; with `even_by_tests` not even one from a test.

        By path and place. Left out are entry points, what overrides another, and classes that have children.
        """
        query = _UNUSED if even_by_tests else _UNUSED_BY_PRODUCT
        return [SymbolRecord._make(row[:COLUMN_COUNT]) for row in self._selection.rows(query)]

    def used_through_members(self, owners: list[SymbolId]) -> frozenset[SymbolId]:
        """Those of the classes that have a member which is used from outside of them."""
        return frozenset(owner for (owner,) in self._wanted(_USED_OWNERS, owners))

    def decorators_of(self, symbols: list[SymbolId]) -> list[tuple[SymbolId, str]]:
        """The decorators of all these symbols, each with what it stands on."""
        return [(SymbolId(symbol), name) for symbol, name in self._wanted(_DECORATED, symbols)]

    def parents_of(self, classes: list[SymbolId]) -> list[Parent]:
        """The direct parents of all these classes."""
        return list(map(Parent._make, self._wanted(_PARENTS, classes)))

    def made(self, classes: list[SymbolId]) -> frozenset[SymbolId]:
        """Those of the classes of which the project makes an object, or of a child of them."""
        return frozenset(owner for (owner,) in self._wanted(_MADE, classes))

    def strings_equal_to(self, names: str) -> dict[str, tuple[str, int]]:
        """Where a name stands as a whole string, one place for each; the names are a JSON list."""
        rows = self._selection.rows(_STRINGS, (names,))
        return {name: (path, line) for name, path, line in rows}

    def _wanted(self, query: str, ids: list[SymbolId]) -> list[tuple[Any, ...]]:
        return self._selection.rows(query, (as_list(ids),))
