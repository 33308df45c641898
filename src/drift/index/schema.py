"""The tables of an index, from schema.sql: making them, and telling an index of ours from any other file."""

import sqlite3
from functools import cache
from importlib import resources
from typing import Final, NamedTuple

SCHEMA_VERSION: Final = 19

UNKNOWN_WORD: Final = 1
"""The number of the word `unknown`, which an index of the tables names."""

_STORED = "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL"
_LINK_TABLES: Final = frozenset({"imports", "bases", "calls", "edges", "refs", "overrides", "words"})
_SEARCH_PREFIX: Final = "search_"  # the tables FTS5 makes for itself


class Schema(NamedTuple):
    """The statements of schema.sql, each as SQLite keeps it."""

    tables: tuple[str, ...]
    indexes: tuple[str, ...]


@cache
def read_schema() -> Schema:
    """The statements that make the tables, and those that make the indexes."""
    text = (resources.files("drift.index") / "schema.sql").read_text(encoding="utf-8")
    statements = _split(text)
    return Schema(
        tuple(each for each in statements if not each.startswith("CREATE INDEX")),
        tuple(each for each in statements if each.startswith("CREATE INDEX")),
    )


def create_tables(connection: sqlite3.Connection) -> None:
    """Make the empty tables, without indexes."""
    for statement in read_schema().tables:
        connection.execute(statement)
    connection.execute("INSERT INTO words (id, text) VALUES (?, 'unknown')", (UNKNOWN_WORD,))


def create_indexes(connection: sqlite3.Connection) -> None:
    """Make the indexes of the loaded tables."""
    for statement in read_schema().indexes:
        connection.execute(statement)


def drop_link_indexes(connection: sqlite3.Connection) -> None:
    """Take the indexes of the tables of links away, to be made again when the tables are full."""
    for statement in _link_indexes():
        connection.execute(f"DROP INDEX {statement.split()[2]}")


def create_link_indexes(connection: sqlite3.Connection) -> None:
    """Make the indexes of the tables of links."""
    for statement in _link_indexes():
        connection.execute(statement)


@cache
def _link_indexes() -> tuple[str, ...]:
    return tuple(each for each in read_schema().indexes if each.split()[4] in _LINK_TABLES)


def has_our_schema(connection: sqlite3.Connection) -> bool:
    """Whether the database holds exactly our tables and indexes.

    A file that came with a stranger's repository may claim our version and yet have views that never end
    or triggers that change what is written.
    """
    schema = read_schema()
    rows: list[tuple[str, str, str]] = connection.execute(_STORED).fetchall()
    own = {sql for _, name, sql in rows if not name.startswith(_SEARCH_PREFIX)}
    are_tables = all(kind == "table" for kind, name, _ in rows if name.startswith(_SEARCH_PREFIX))
    return are_tables and own == {*schema.tables, *schema.indexes}


def _split(text: str) -> list[str]:
    statements: list[str] = []
    pending = ""
    for line in text.splitlines():
        is_between = not pending and (not line or line.startswith("--"))
        if is_between:
            continue
        pending += line + "\n"
        if sqlite3.complete_statement(pending):
            statements.append(pending.rstrip().removesuffix(";"))
            pending = ""
    assert not pending, "schema.sql ends in the middle of a statement"
    return statements
