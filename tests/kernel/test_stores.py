import os
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from drift.kernel.stores import ForeignStoreError, keep_journal, open_store

SCHEMA = "CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;"
ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n WHERE x < 0"


def open_notes(path):
    return closing(open_store(path, SCHEMA, timeout_seconds=1))


def write_database(path, script):
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(script)


def test_a_new_store_is_made_and_keeps_what_is_written(tmp_path):
    path = tmp_path / "notes.db"
    with open_notes(path) as store:
        store.execute("INSERT INTO notes (text) VALUES ('kept')")

    with open_notes(path) as store:
        assert store.execute("SELECT text FROM notes").fetchall() == [("kept",)]


@pytest.mark.parametrize(
    "script",
    [
        f"CREATE VIEW notes AS {ENDLESS};",
        f"{SCHEMA} CREATE TRIGGER more AFTER INSERT ON notes BEGIN INSERT INTO notes {ENDLESS}; END;",
        "CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT);",
        f"{SCHEMA} CREATE TABLE other (x);",
        "CREATE TABLE other (x);",
    ],
)
def test_a_file_with_other_tables_than_ours_is_refused_unread(tmp_path, script):
    path = tmp_path / "notes.db"
    write_database(path, script)

    with pytest.raises(ForeignStoreError):
        open_store(path, SCHEMA, timeout_seconds=1)


def test_what_is_no_regular_file_is_refused_without_waiting(tmp_path):
    os.mkfifo(tmp_path / "pipe.db")
    (tmp_path / "folder.db").mkdir()

    for name in ("pipe.db", "folder.db"):
        with pytest.raises(sqlite3.Error):
            open_store(tmp_path / name, SCHEMA, timeout_seconds=1)


def test_a_journal_that_is_a_link_is_never_written_through(tmp_path):
    path, elsewhere = tmp_path / "notes.db", tmp_path / "elsewhere"
    write_database(path, SCHEMA)
    (tmp_path / "notes.db-journal").symlink_to(elsewhere)

    with pytest.raises(sqlite3.Error), open_notes(path) as store:
        store.execute("INSERT INTO notes (text) VALUES ('x')")

    assert not elsewhere.exists()


def test_a_store_that_another_process_is_making_is_waited_for_and_used(tmp_path):
    path = tmp_path / "store.db"
    schema = "CREATE TABLE one (id INTEGER); -- first; of two\nCREATE INDEX one_by_id ON one (id);\n"
    with closing(sqlite3.connect(path, isolation_level=None)) as maker, ThreadPoolExecutor(1) as pool:
        maker.execute("BEGIN IMMEDIATE")
        maker.execute("CREATE TABLE one (id INTEGER)")
        maker.execute("CREATE INDEX one_by_id ON one (id)")
        opening = pool.submit(open_store, path, schema, timeout_seconds=300)
        with pytest.raises(TimeoutError):
            opening.result(timeout=0.3)  # it has seen no tables, and waits to make them
        maker.execute("COMMIT")
        with closing(opening.result(timeout=300)) as store:
            assert store.execute("SELECT count(*) FROM one").fetchone() == (0,)


def test_a_journal_is_set_once_another_process_that_reads_is_done(tmp_path):
    path = tmp_path / "notes.db"
    write_database(path, SCHEMA)
    with (
        closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as reader,
        closing(open_store(path, SCHEMA, timeout_seconds=0)) as store,  # as where SQLite itself does not wait
        ThreadPoolExecutor(1) as pool,
    ):
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM notes").fetchall()
        setting = pool.submit(keep_journal, store, timeout_seconds=300)
        with pytest.raises(TimeoutError):
            setting.result(timeout=0.3)
        reader.execute("COMMIT")
        setting.result(timeout=300)

        assert store.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_a_journal_that_cannot_be_set_in_time_is_said(tmp_path):
    path = tmp_path / "notes.db"
    write_database(path, SCHEMA)
    with closing(sqlite3.connect(path, isolation_level=None)) as reader, open_notes(path) as store:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM notes").fetchall()

        with pytest.raises(sqlite3.OperationalError, match="locked"):
            keep_journal(store, timeout_seconds=0)
