import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drift.index import IndexWatch, Layer, read_index_state
from drift.index.binding import bind
from drift.index.schema import SCHEMA_VERSION
from drift.index.state import _interpret

META = {
    "schema_version": str(SCHEMA_VERSION),
    "generation": "17",
    "scanned_at": "2026-01-02T03:04:05+01:00",
    "layers": "files, symbols,calls",
    "file_count": "250",
}


def write_index(path: Path, meta: dict[str, str], *, journal: str = "wal") -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(f"PRAGMA journal_mode = {journal}")
        connection.execute("CREATE TABLE IF NOT EXISTS meta(key TEXT PRIMARY KEY, value TEXT) STRICT")
        described = {**bind(path), **meta}
        connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", described.items())


@pytest.fixture
def db(tmp_path):
    path = tmp_path / "drift.db"
    write_index(path, META)
    return path


def test_an_absent_index_does_not_exist_and_is_no_problem(tmp_path):
    state = read_index_state(tmp_path / "drift.db")

    assert (state.exists, state.problem, state.is_usable, state.generation) == (False, None, False, 0)
    assert not (tmp_path / "drift.db").exists()


def test_a_good_index_tells_all_about_itself(db):
    state = read_index_state(db)

    assert state.is_usable
    assert state.problem is None
    assert (state.schema_version, state.generation, state.file_count) == (SCHEMA_VERSION, 17, 250)
    assert state.scanned_at == "2026-01-02T02:04:05+00:00"
    assert state.layers == {Layer.FILES, Layer.SYMBOLS, Layer.CALLS}


def test_reading_leaves_the_index_as_it_was(db):
    before = db.read_bytes()

    read_index_state(db)

    assert db.read_bytes() == before


@pytest.mark.parametrize("name", ["a?mode=rwc", "a#b", "a%20b", "ä ö", "a&b=c", "100%"])
def test_odd_characters_in_the_path_are_no_options(tmp_path, name):
    directory = tmp_path / name
    directory.mkdir()
    write_index(directory / "drift.db", META)

    assert read_index_state(directory / "drift.db").generation == 17


def test_changes_still_in_the_write_ahead_log_are_seen(db):
    with closing(sqlite3.connect(db)) as writer:
        writer.execute("UPDATE meta SET value = '18' WHERE key = 'generation'")
        writer.commit()
        assert db.with_name("drift.db-wal").stat().st_size > 0

        assert read_index_state(db).generation == 18


def test_a_file_that_is_no_database_is_a_problem(tmp_path):
    path = tmp_path / "drift.db"
    path.write_bytes(b"this is not a database at all, but long enough to look at" * 100)

    state = read_index_state(path)

    assert state.exists
    assert not state.is_usable
    assert "not a SQLite database" in state.problem


def test_a_damaged_database_is_a_problem(db):
    with db.open("r+b") as stream:
        stream.seek(100)
        stream.write(b"\xff" * (db.stat().st_size - 100))

    state = read_index_state(db)

    assert state.exists
    assert state.problem is not None


def test_an_empty_file_has_no_description(tmp_path):
    (tmp_path / "drift.db").touch()

    assert "table meta" in read_index_state(tmp_path / "drift.db").problem


@pytest.mark.parametrize("kind", ["directory", "pipe"])
def test_what_is_not_a_file_is_a_problem_and_never_waited_for(tmp_path, kind):
    path = tmp_path / "drift.db"
    path.mkdir() if kind == "directory" else os.mkfifo(path)

    state = read_index_state(path)

    assert state.exists
    assert "not a regular file" in state.problem


def test_a_path_with_a_nul_is_a_problem_or_absent_but_never_raises():
    assert not read_index_state(Path("/tmp/a\0b")).is_usable


def test_a_meta_view_that_never_ends_is_cut_off(tmp_path):
    path = tmp_path / "drift.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            "CREATE VIEW meta AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
            " SELECT 'generation' AS key, '1' AS value FROM n WHERE i < 0"
        )

    state = read_index_state(path)

    assert state.exists
    assert state.problem is not None


def test_a_locked_index_says_so(tmp_path):
    path = tmp_path / "drift.db"
    write_index(path, META, journal="delete")
    with closing(sqlite3.connect(path)) as holder:
        holder.execute("BEGIN EXCLUSIVE")

        assert "locked" in read_index_state(path).problem


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("generation", "-1"),
        ("generation", "seven"),
        ("generation", "٣"),
        ("generation", "9" * 5000),
        ("scanned_at", "yesterday"),
        ("scanned_at", "0001-01-01T00:00:00+14:00"),
        ("layers", "files,dreams"),
        ("layers", "files," * 1000),
        ("file_count", "1.5"),
        ("schema_version", ""),
    ],
)
def test_a_malformed_value_is_named_in_the_problem(tmp_path, key, value):
    path = tmp_path / "drift.db"
    write_index(path, {**META, key: value})

    state = read_index_state(path)

    assert not state.is_usable
    assert key in state.problem
    assert len(state.problem) < 300


def test_a_missing_key_is_named_and_the_others_are_read(tmp_path):
    path = tmp_path / "drift.db"
    write_index(path, {key: value for key, value in META.items() if key != "layers"})

    state = read_index_state(path)

    assert "layers missing" in state.problem
    assert state.layers == frozenset()
    assert state.generation == 17


@pytest.mark.parametrize(("version", "word"), [(1, "earlier"), (SCHEMA_VERSION + 1, "later")])
def test_an_index_of_another_version_has_no_layers_and_says_why(tmp_path, version, word):
    path = tmp_path / "drift.db"
    write_index(path, META | {"schema_version": str(version)})

    state = read_index_state(path)

    assert not state.is_usable
    assert state.layers == frozenset()
    assert word in state.problem


def test_an_index_without_layers_is_one_where_nothing_is_built(tmp_path):
    path = tmp_path / "drift.db"
    write_index(path, {**META, "layers": ""})

    state = read_index_state(path)

    assert state.is_usable
    assert state.layers == frozenset()


@given(st.dictionaries(st.sampled_from(sorted(META)), st.text(max_size=50)))
def test_no_meta_value_makes_reading_raise(meta):
    state = _interpret(Path("drift.db"), meta)

    assert state.generation >= 0
    assert state.problem is None or state.problem.isprintable()


class TestWatch:
    FAR_LATER_NS = 10**19

    def test_it_sees_an_index_appear_change_and_vanish(self, tmp_path):
        path = tmp_path / "drift.db"
        watch = IndexWatch(path)

        assert not watch.state().exists
        write_index(path, META)
        assert watch.state().generation == 17
        write_index(path, {"generation": "18"})
        assert watch.state().generation == 18
        path.unlink()
        assert not watch.state().exists

    def test_it_sees_a_commit_that_is_only_in_the_write_ahead_log(self, db):
        watch = IndexWatch(db, lambda: self.FAR_LATER_NS)
        watch.state()
        with closing(sqlite3.connect(db)) as writer:
            writer.execute("UPDATE meta SET value = '18' WHERE key = 'generation'")
            writer.commit()

            assert watch.state().generation == 18

    def test_a_settled_file_is_read_once(self, db):
        watch = IndexWatch(db, lambda: self.FAR_LATER_NS)

        assert watch.state() is watch.state()

    def test_a_file_written_just_now_is_read_again_since_the_stamp_may_hide_a_write(self, db):
        watch = IndexWatch(db, lambda: db.stat().st_mtime_ns + 1)

        assert watch.state() is not watch.state()


def test_a_link_to_another_projects_index_is_not_read(tmp_path):
    for name in ("shop", "other"):
        (tmp_path / name / ".drift").mkdir(parents=True)
    write_index(tmp_path / "other/.drift/drift.db", META)
    link = tmp_path / "shop/.drift/drift.db"
    link.symlink_to(tmp_path / "other/.drift/drift.db")

    state = read_index_state(link)

    assert not state.is_usable
    assert state.file_count is None
    assert "leads outside" in (state.problem or "")
