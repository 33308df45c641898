"""Stores of every earlier version, with data in them, become stores of the newest.

`versions/NNNN.sql` is a dump of a store of version NNNN. Whoever adds a migration first writes the dump of the
version before it, with the code of that version: python tests/memory/test_memory_versions.py
"""

import sqlite3
import tempfile
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from drift.kernel.errors import DriftError
from drift.memory import (
    CausalEdge,
    Evidence,
    EvidenceKind,
    FileLink,
    Importance,
    Memory,
    MemoryStore,
    Relation,
    Session,
)
from drift.memory.search import Setting, WordCounts, search
from drift.memory.storage import schema as schema_module
from drift.memory.storage.schema import check_tables, migrate, migrations, newest_version, version_of

DUMPS = Path(__file__).parent / "versions"
TABLES = ("memories", "links", "edges", "usage", "sessions", "log")

FULL = Memory(
    id="m_full",
    type="tribal",
    title="The gateway",
    text="The gateway drops “one” connection in a thousand.\nSecond line; with 'quotes'",
    content={"topic": "réseau", "warnings": ["retry"], "severity": "critical"},
    confidence=0.75,
    importance=Importance.CRITICAL,
    tags=("net", "ops"),
    files=(FileLink("src/a.py", 3, 9, "abc"), FileLink("src/b.py")),
    functions=("connect",),
    patterns=("p1",),
    constraints=("c1",),
    source="manual",
    kind="finding",
    session="s1",
    created_by="ann",
    valid_from_ms=1_600_000_000_000,
    valid_until_ms=1_800_000_000_000,
    recorded_at_ms=1_700_000_000_000,
    updated_at_ms=1_700_000_000_500,
    last_validated_ms=1_700_000_000_400,
    last_accessed_ms=1_700_000_000_600,
    access_count=3,
)
OLD = Memory(
    id="m_old",
    type="episodic",
    title="Old",
    text="replaced " * 60,
    recorded_at_ms=1_690_000_000_000,
    updated_at_ms=1_690_000_000_000,
    superseded_by="m_full",
    archived=True,
    archive_reason="faded",
    deleted_at_ms=1_699_000_000_000,
)
EDGE = CausalEdge(
    "m_full", "m_old", Relation.DERIVED_FROM, 0.5, (Evidence(EvidenceKind.EXPLICIT, "says so", 0.9, "m_old"),)
)
SESSION = Session("s1", 1, 2, summary="worked", state={"sent": {"m_full": 1}})


def write_sample(path):
    store = MemoryStore.open(path, now_ms=lambda: 1_700_000_000_000)
    store.add_many([OLD, FULL], actor="sample")
    store.edges.put([EDGE], actor="sample")
    store.sessions.put(SESSION)
    store.close()


def dump(path):
    """The rows, without the word index, which is rebuilt, and with text as SQLite quotes it."""
    with closing(sqlite3.connect(path)) as connection:
        lines = [f"PRAGMA user_version = {version_of(connection)};"]
        for table in TABLES:
            columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
            quoted = " || ', ' || ".join(f"quote({column})" for column in columns)
            lines.extend(
                f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({values});"
                for (values,) in connection.execute(f"SELECT {quoted} FROM {table}")
            )
    return "\n".join(lines) + "\n"


def load(version, path):
    """A store of an earlier version, made by its own migrations and filled from the dump."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for script in migrations()[:version]:
            connection.executescript(script)
        connection.executescript((DUMPS / f"{version:04}.sql").read_text("utf-8"))


def without_log(text):
    return [line for line in text.splitlines() if not line.startswith("INSERT INTO log")]


def test_every_version_has_a_dump():
    assert [path.name for path in sorted(DUMPS.glob("*.sql"))] == [
        f"{version:04}.sql" for version in range(1, newest_version() + 1)
    ]


@pytest.mark.parametrize("version", range(1, newest_version() + 1))
def test_a_store_of_any_version_keeps_all_it_held(tmp_path, version):
    path = tmp_path / "cortex.db"
    load(version, path)

    store = MemoryStore.open(path)

    with store.reading() as connection:
        assert version_of(connection) == newest_version()
        found = connection.execute(
            "SELECT rowid FROM memory_words WHERE memory_words MATCH 'reseau'"
        ).fetchall()
    assert len(found) == 1
    assert store.get("m_old") == OLD
    assert store.get("m_full") == replace(FULL, supersedes=("m_old",))
    assert store.edges.all() == store.history.edges_at() == (EDGE,)
    assert store.sessions.get("s1") == SESSION
    assert store.history.memory_at("m_old", 1_700_000_000_000) == OLD
    assert store.update("m_full", {"text": "goes on"}, actor="test")


def test_words_that_nobody_marked_are_found_in_a_store_from_before_they_were_kept(tmp_path):
    path = tmp_path / "cortex.db"
    load(2, path)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA user_version = 2")
        connection.execute(
            "INSERT INTO memories (id, type, confidence, importance, recorded_at_ms, updated_at_ms, archived, title, text,"
            " content, words) VALUES ('m_han', 'insight', 1, 'normal', 1, 1, 0, '连接', '数据库连接池最多二十个', '{}', '')"
        )

    store = MemoryStore.open(path)
    with store.reading() as connection:
        found = search(connection, WordCounts(), "连接池", setting=Setting(1)).hits

    assert [hit.row.id for hit in found] == ["m_han"]
    assert store.check() == ()


def test_the_newest_dump_is_what_the_code_writes_now(tmp_path):
    path = tmp_path / "cortex.db"
    write_sample(path)

    kept = (DUMPS / f"{newest_version():04}.sql").read_text("utf-8")

    # Another zlib may deflate the log in other bytes; what they say is compared above.
    assert without_log(dump(path)) == without_log(kept)


def test_a_migration_that_fails_leaves_the_version_before_it(tmp_path, monkeypatch):
    path = tmp_path / "cortex.db"
    write_sample(path)
    broken = (*migrations(), "CREATE TABLE extra (x INTEGER) STRICT;\nINSERT INTO nowhere VALUES (1);\n")
    monkeypatch.setattr(schema_module, "migrations", lambda: broken)

    with pytest.raises(DriftError):
        MemoryStore.open(path)
    monkeypatch.undo()

    assert MemoryStore.open(path).get("m_old") == OLD


def test_a_migration_runs_once_and_keeps_the_data(tmp_path, monkeypatch):
    path = tmp_path / "cortex.db"
    write_sample(path)
    longer = (*migrations(), "CREATE TABLE extra (x INTEGER) STRICT;\nINSERT INTO extra VALUES (1);\n")
    monkeypatch.setattr(schema_module, "migrations", lambda: longer)
    schema_module._objects_of.cache_clear()
    first, second = MemoryStore.open(path), MemoryStore.open(path)

    with second.reading() as connection:
        extra = connection.execute("SELECT x FROM extra").fetchall()
        version = version_of(connection)

    assert (extra, version) == ([(1,)], len(longer))
    assert first.get("m_old") == second.get("m_old") == OLD
    schema_module._objects_of.cache_clear()


def test_tables_are_checked_against_the_version_they_say_they_are(tmp_path):
    with closing(sqlite3.connect(tmp_path / "cortex.db", isolation_level=None)) as connection:
        migrate(connection)
        check_tables(connection)
        connection.execute("PRAGMA user_version = 0")

        with pytest.raises(sqlite3.DatabaseError):
            check_tables(connection)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        write_sample(Path(folder) / "cortex.db")
        (DUMPS / f"{newest_version():04}.sql").write_text(dump(Path(folder) / "cortex.db"), "utf-8")
