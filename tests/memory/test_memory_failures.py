"""A store that cannot be opened or written says what is wrong, and works again when it is mended."""

import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import textwrap
from contextlib import closing
from pathlib import Path

import pytest

from drift.kernel.errors import DriftError, ErrorCode
from drift.memory import Draft, Memory, MemoryStore
from drift.memory.storage import failures


def add(store, text="note"):
    return store.add(Draft(type="tribal", text=text), actor="test")


def failure(call, *arguments):
    with pytest.raises(DriftError) as caught:
        call(*arguments)
    assert caught.value.code is ErrorCode.CORTEX_UNAVAILABLE
    assert caught.value.recovery.hint
    return caught.value


def run_python(code, *arguments, **options):
    command = [sys.executable, "-c", textwrap.dedent(code), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300, **options)


def test_reading_where_there_is_no_store_makes_none(tmp_path):
    store = MemoryStore(tmp_path / "memory" / "cortex.db")

    assert "no memories" in failure(store.get, "m_1").message
    assert not store.is_present
    assert list(tmp_path.iterdir()) == []


def test_saving_makes_the_folder_and_the_file(tmp_path):
    store = MemoryStore(tmp_path / "a ?#% folder" / "cortex.db")

    memory = add(store)

    assert store.is_present
    assert MemoryStore(store.path).get(memory.id) == memory


def test_a_folder_that_is_a_file_is_named(tmp_path):
    (tmp_path / "memory").write_text("in the way")

    error = failure(MemoryStore.open, tmp_path / "memory" / "cortex.db")

    assert str(tmp_path) in error.message


def test_a_place_that_cannot_be_looked_into_is_not_called_empty(tmp_path):
    (tmp_path / "memory").write_text("in the way")
    store = MemoryStore(tmp_path / "memory" / "cortex.db")

    assert store.is_present
    assert "Not a directory" in failure(store.counts).message


def test_a_store_that_is_a_folder_or_a_pipe_is_refused_at_once(tmp_path):
    (tmp_path / "folder.db").mkdir()
    os.mkfifo(tmp_path / "pipe.db")

    for name in ("folder.db", "pipe.db"):
        assert "regular file" in failure(MemoryStore.open, tmp_path / name).message


@pytest.mark.parametrize(
    "content", [b"not a database at all, but long enough" * 50, b"SQLite format 3\0" + b"\xff" * 4096]
)
def test_a_file_that_is_no_database_is_damaged_and_stays(tmp_path, content):
    path = tmp_path / "cortex.db"
    path.write_bytes(content)

    error = failure(MemoryStore.open, path)

    assert error.recovery.command == "drift memory salvage"
    assert path.read_bytes() == content


def test_a_store_of_a_newer_drift_is_left_alone(tmp_path):
    path = tmp_path / "cortex.db"
    MemoryStore.open(path).close()
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 999")
    connection.close()
    before = path.read_bytes()

    error = failure(MemoryStore.open, path)

    assert "newer Drift" in error.message
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "strange",
    [
        "CREATE TABLE mine (x)",
        "CREATE TRIGGER evil AFTER INSERT ON memories BEGIN DELETE FROM links; END",
        "CREATE VIEW evil AS SELECT 1",
        "DROP INDEX memories_by_time",
    ],
)
def test_a_store_with_other_tables_than_ours_is_not_used(tmp_path, strange):
    path = tmp_path / "cortex.db"
    MemoryStore.open(path).close()
    with sqlite3.connect(path) as connection:
        connection.execute(strange)
    connection.close()
    before = path.read_bytes()

    error = failure(MemoryStore.open, path)

    assert "not a memory store" in error.message
    assert path.read_bytes() == before


def test_somebody_elses_database_is_neither_used_nor_changed(tmp_path):
    path = tmp_path / "cortex.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE mine (x)")
    connection.close()
    before = path.read_bytes()

    failure(MemoryStore.open, path)

    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["cortex.db"]


def test_a_locked_store_says_when_to_come_again(tmp_path):
    path = tmp_path / "cortex.db"
    store = MemoryStore.open(path)
    memory = add(store)
    with store.reading() as connection:
        connection.execute("PRAGMA busy_timeout = 50")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")

    error = failure(add, store)
    other.execute("ROLLBACK")
    other.close()

    assert error.recovery.retry_after_ms
    assert "locked" in error.message
    assert store.get(memory.id) == memory
    assert add(store)


def test_a_full_store_saves_nothing_and_works_again_with_space(tmp_path):
    store = MemoryStore.open(tmp_path / "cortex.db")
    kept = [add(store).id]
    with store.reading() as connection:
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count = {pages + 5}")

    def save_on():
        while True:
            kept.append(add(store, "words " * 2000).id)

    error = failure(save_on)
    with store.reading() as connection:
        connection.execute("PRAGMA max_page_count = 1000000")
    after = add(store, "there is space").id

    assert "full" in error.message
    assert "Nothing was saved" in error.recovery.hint
    assert {memory.id for memory in store.list(limit=1000).memories} == {*kept, after}


def test_a_disk_that_takes_no_more_loses_nothing_that_was_acknowledged(tmp_path):
    path = tmp_path / "cortex.db"
    code = """
        import resource, signal, sys
        from pathlib import Path
        from drift.kernel.errors import DriftError
        from drift.memory import Draft, MemoryStore
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        store = MemoryStore.open(Path(sys.argv[1]))
        resource.setrlimit(resource.RLIMIT_FSIZE, (600_000, 600_000))
        try:
            while True:
                print(store.add(Draft(type="tribal", text="words " * 300), actor="test").id, flush=True)
        except DriftError as error:
            print("failed:", error.code, error.message)
    """

    result = run_python(code, path)
    *kept, last = result.stdout.splitlines()

    assert last.startswith("failed: CORTEX_UNAVAILABLE"), result.stderr
    store = MemoryStore.open(path)
    assert len(kept) > 10
    assert len(store.get_many(kept)) == len(kept)
    with store.reading() as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root can become somebody else")
def test_a_store_that_may_not_be_written_is_read_and_refuses_saves(tmp_path):
    path = tmp_path / "memory" / "cortex.db"
    store = MemoryStore.open(path)
    memory = add(store)
    store.close()
    for folder in (path.parent, *path.parents):
        if folder.stat().st_mode & 0o055 != 0o055 and Path(tempfile.gettempdir()) in folder.parents:
            folder.chmod(0o755)
    code = """
        import os, sys
        from pathlib import Path
        from drift.kernel.errors import DriftError
        from drift.memory import Draft, MemoryStore
        # What is imported late is imported now: nobody may read the folders of root.
        MemoryStore.open(Path(sys.argv[3])).add(Draft(type="tribal", text="x"), actor="test")
        store = MemoryStore(Path(sys.argv[1]))
        os.setuid(65534)
        print(store.get(sys.argv[2]).text)
        try:
            store.add(Draft(type="tribal", text="x"), actor="test")
        except DriftError as error:
            print(error.code, error.message)
    """

    result = run_python(code, path, memory.id, tmp_path / "other.db")

    assert result.stdout.splitlines()[:1] == ["note"], result.stderr
    assert "CORTEX_UNAVAILABLE" in result.stdout
    assert "read-only" in result.stdout


def test_a_store_that_was_replaced_is_opened_again(tmp_path):
    store = MemoryStore.open(tmp_path / "cortex.db")
    old = add(store, "old")
    other = MemoryStore.open(tmp_path / "other.db")
    new = add(other, "new")
    other.close()
    for ending in ("-wal", "-shm"):
        (tmp_path / f"cortex.db{ending}").unlink(missing_ok=True)
    (tmp_path / "other.db").replace(tmp_path / "cortex.db")

    assert store.get(new.id) == new
    with pytest.raises(DriftError):
        store.get(old.id)


def test_a_store_that_was_deleted_is_put_back_with_all_it_held(tmp_path):
    store = MemoryStore.open(tmp_path / "memory" / "cortex.db")
    before = add(store)
    shutil.rmtree(tmp_path / "memory")

    memory = add(store, "after")

    assert MemoryStore(store.path).get_many([before.id, memory.id]) == {before.id: before, memory.id: memory}


def test_a_store_that_is_deleted_while_it_is_written_is_put_back_before_the_caller_hears_of_it(tmp_path):
    store = MemoryStore.open(tmp_path / "memory" / "cortex.db")
    with store.transaction():
        memory = add(store)
        shutil.rmtree(tmp_path / "memory")

    assert MemoryStore(store.path).get(memory.id) == memory


def test_a_store_that_is_replaced_while_it_is_written_acknowledges_nothing(tmp_path):
    store = MemoryStore.open(tmp_path / "cortex.db")
    add(store)
    with closing(MemoryStore.open(tmp_path / "other.db")) as other:
        add(other)

    def add_while_it_is_replaced():
        with store.transaction():
            add(store, "lost")
            (tmp_path / "other.db").replace(store.path)
            for ending in ("-wal", "-shm"):
                store.path.with_name(store.path.name + ending).unlink(missing_ok=True)

    error = failure(add_while_it_is_replaced)

    assert "Nothing was saved" in error.recovery.hint
    assert [one.text for one in store.list().memories] == ["note"]


@pytest.mark.parametrize("endings", [("-wal",), ("-wal", "-shm")])
def test_a_log_that_was_deleted_takes_nothing_along(tmp_path, endings):
    store = MemoryStore.open(tmp_path / "cortex.db")
    saved = [add(store, "before")]
    for ending in endings:
        store.path.with_name(store.path.name + ending).unlink()

    saved += [add(store, "after")]
    copies = [shutil.copyfile(store.path, tmp_path / "killed.db")]
    if (log := tmp_path / "cortex.db-wal").exists():
        copies.append(shutil.copyfile(log, tmp_path / "killed.db-wal"))

    # As a process finds it after this one was killed.
    assert list(MemoryStore(copies[0]).get_many([one.id for one in saved]).values()) == saved


def test_damage_under_an_open_store_is_an_error_of_its_own(tmp_path):
    path = tmp_path / "cortex.db"
    store = MemoryStore.open(path)
    store.add_many(
        (
            Memory(id=f"r{number}", type="core", title="t" * 200, recorded_at_ms=1, updated_at_ms=1)
            for number in range(500)
        ),
        actor="test",
    )
    store.close()
    raw = bytearray(path.read_bytes())
    raw[4096 * 10 : -4096] = random.Random(1).randbytes(len(raw) - 4096 * 11)
    path.write_bytes(raw)

    error = failure(store.get_many, [f"r{number}" for number in range(500)])

    assert error.recovery.command == "drift memory salvage"


def test_every_way_sqlite_fails_has_words_of_its_own(tmp_path):
    messages = set()
    for name in (
        "SQLITE_BUSY",
        "SQLITE_FULL",
        "SQLITE_READONLY",
        "SQLITE_CANTOPEN",
        "SQLITE_IOERR_WRITE",
        "SQLITE_MISUSE",
    ):
        error = sqlite3.OperationalError("what SQLite said")
        error.sqlite_errorname = name
        messages.add(failures.explain(tmp_path, error).message)

    assert len(messages) == 6
