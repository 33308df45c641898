"""Operations of OpenAPI documents, and what may answer them: methods of classes with a parent outside, and functions."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:  # what reads files knows the rows, and needs no database
    import sqlite3
    from collections.abc import Iterable

_OPERATIONS: Final = """
    SELECT files.path, document_items.kind, name, method, document_items.path
    FROM documents CROSS JOIN document_items USING (file_id) CROSS JOIN files ON files.id = documents.file_id
    WHERE documents.kind = 'openapi' AND document_items.kind IN ('operation', 'server')
        AND document_items.path IS NOT NULL AND files.role <> 'test'
    ORDER BY files.path, position
"""
# The nearest parents outside, of the class or of those above it in the project.
_METHODS: Final = """
    WITH RECURSIVE found (id, owner, name, line, path) AS MATERIALIZED (
        SELECT symbols.id, symbols.parent_id, symbols.name, symbols.line, files.path
        FROM symbols CROSS JOIN files ON files.id = symbols.file_id
        WHERE symbols.name COLLATE NOCASE IN (SELECT value FROM json_each(?1)) AND +symbols.kind = 'method'
            AND symbols.parent_id IS NOT NULL AND symbols.visibility <> 'private' AND files.role <> 'test'
    ),
    line (owner, id, depth) AS (
        SELECT owner, owner, 0 FROM found
        UNION SELECT owner, target_symbol_id, depth + 1 FROM line CROSS JOIN bases ON bases.symbol_id = line.id
            WHERE target_symbol_id IS NOT NULL AND depth < 4
    )
    SELECT found.id, found.owner, found.name, found.line, found.path, coalesce(bases.external_name, bases.text)
    FROM found CROSS JOIN line ON line.owner = found.owner CROSS JOIN bases ON bases.symbol_id = line.id
    WHERE bases.target_symbol_id IS NULL
    ORDER BY found.id, depth, bases.position
"""
_FUNCTIONS: Final = """
    SELECT symbols.id, NULL, symbols.name, symbols.line, files.path, ''
    FROM symbols CROSS JOIN files ON files.id = symbols.file_id
    WHERE symbols.name COLLATE NOCASE IN (SELECT value FROM json_each(?1)) AND +symbols.kind = 'function'
        AND files.language = 'python' AND files.role <> 'test'
    ORDER BY symbols.id
"""


class OperationRow(NamedTuple):
    """An operation of a document, or what its server puts before all of them."""

    document: str
    kind: str
    name: str
    method: str | None
    path: str


class AnsweringRow(NamedTuple):
    """A method with a parent of its class that is outside, or a function without."""

    symbol_id: int
    owner_id: int | None
    name: str
    line: int
    path: str
    parent: str


def read_operations(connection: sqlite3.Connection) -> list[OperationRow]:
    """The operations that documents declare."""
    return list(map(OperationRow._make, connection.execute(_OPERATIONS)))


def read_answering(
    connection: sqlite3.Connection, names: Iterable[str], *, dotted: Iterable[str]
) -> list[AnsweringRow]:
    """The methods of these names, once for each parent outside, and the functions of those that stand behind modules."""
    rows = list(connection.execute(_METHODS, (json.dumps(sorted(names)),)))
    functions = sorted(dotted)
    if functions:
        rows += connection.execute(_FUNCTIONS, (json.dumps(functions),))
    return list(map(AnsweringRow._make, rows))
