import sqlite3
from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drift.index import document_rows, rows, statements
from drift.index.ids import FileId, call_id, calls_of_file, file_of_symbol, symbol_id, symbols_of_file
from drift.index.schema import create_indexes, create_tables, has_our_schema, read_schema
from drift.kernel.errors import DriftError

TABLES = {
    rows.FileRow: "files", rows.SymbolRow: "symbols", rows.DecoratorRow: "decorators", rows.BaseRow: "bases",
    rows.ImportRow: "imports", rows.CallRow: "calls", rows.EdgeRow: "edges", rows.ReferenceRow: "refs",
    rows.ConstantRow: "constants", rows.EnvironmentReadRow: "environment_reads", rows.CommentRow: "comments",
    rows.HandlingRow: "handlings", rows.EntryPointRow: "entry_points", rows.FingerprintRow: "fingerprints",
    rows.OverrideRow: "overrides", rows.ConstructRow: "constructs", rows.CallDetailRow: "call_details",
    rows.FieldRow: "fields", rows.GuardRow: "guards", rows.MemberRow: "members",
    document_rows.ElementRow: "elements", document_rows.MarkupBindingRow: "markup_bindings",
    document_rows.DocumentRow: "documents", document_rows.DocumentItemRow: "document_items",
}  # fmt: skip


@pytest.fixture
def connection():
    with closing(sqlite3.connect(":memory:")) as opened:
        create_tables(opened)
        yield opened


@pytest.mark.parametrize(("row", "table"), TABLES.items())
def test_the_fields_of_a_row_are_the_columns_of_its_table(connection, row, table):
    # table_info leaves generated columns out.
    assert row._fields == tuple(column[1] for column in connection.execute(f"PRAGMA table_info({table})"))


def test_every_table_is_strict(connection):
    created = [text for text in read_schema().tables if text.startswith("CREATE TABLE")]

    assert all("STRICT" in text.rpartition(")")[2] for text in created)


def test_a_file_is_deleted_from_every_table_there_is(connection):
    deleting = " ".join(
        (
            *statements.DELETE_FACTS_BY_FILE, *statements.DELETE_FACTS_BY_SYMBOL,
            *statements.DELETE_LINKS_BY_SYMBOL, statements.DELETE_CALLS, statements.DELETE_SEARCH,
            statements.DELETE_FINGERPRINTS, statements.DELETE_CALL_DETAILS,
        )
    )  # fmt: skip
    tables = {
        name
        for (name,) in connection.execute(
            "SELECT name FROM pragma_table_list WHERE type IN ('table', 'virtual')"
        )
    }

    left = {name for name in tables if f"FROM {name} " not in deleting and f"INTO {name} " not in deleting}
    assert left == {"meta", "words", "sqlite_schema", "sqlite_temp_schema"}


def test_our_own_schema_is_recognised_when_it_is_whole(connection):
    assert not has_our_schema(connection)

    create_indexes(connection)

    assert has_our_schema(connection)


@pytest.mark.parametrize(
    "change",
    [
        "CREATE TABLE more (x)",
        "CREATE VIEW more AS SELECT 1",
        "CREATE VIEW search_more AS SELECT 1",
        "CREATE TRIGGER more AFTER INSERT ON files BEGIN SELECT 1; END",
        "DROP INDEX symbols_by_name",
        "ALTER TABLE files ADD COLUMN more TEXT",
    ],
)
def test_any_other_schema_is_not_ours(connection, change):
    create_indexes(connection)

    connection.execute(change)

    assert not has_our_schema(connection)


@given(st.integers(1, 1 << 40), st.integers(0, (1 << 16) - 1), st.integers(0, (1 << 20) - 1))
def test_an_id_lies_in_the_range_of_its_file_alone(file, number, call):
    symbol = symbol_id(FileId(file), number)

    assert file_of_symbol(symbol) == file
    assert symbols_of_file(FileId(file))[0] <= symbol <= symbols_of_file(FileId(file))[1]
    assert symbols_of_file(FileId(file))[1] + 1 == symbols_of_file(FileId(file + 1))[0]
    assert calls_of_file(FileId(file))[0] <= call_id(FileId(file), call) <= calls_of_file(FileId(file))[1]


@pytest.mark.parametrize(("make", "number"), [(symbol_id, 1 << 16), (call_id, 1 << 20), (symbol_id, -1)])
def test_a_file_with_too_many_things_is_refused(make, number):
    with pytest.raises(DriftError, match="cannot number"):
        make(FileId(1), number)
