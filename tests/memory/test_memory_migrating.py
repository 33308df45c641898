"""Processes that meet over a store of an earlier version: one migrates it, the others wait, nothing is lost.

The migration to come is made up here, behind the newest there is; it changes every row and is no use twice.
"""

import subprocess
import sys
import textwrap
from contextlib import contextmanager

import pytest
from test_memory_versions import EDGE, OLD, SESSION, load

from drift.memory import MemoryStore
from drift.memory.storage import schema
from drift.memory.storage.schema import newest_version, version_of

PATIENCE_SECONDS = 300
NEXT = """
CREATE TABLE runs (at TEXT) STRICT;
INSERT INTO runs VALUES ('once');
UPDATE sessions SET started_at_ms = started_at_ms + 1000;
"""
# With "waits" it stops inside the migration, holding the lock, until it is told to go on or is killed.
OPEN = textwrap.dedent("""
    import sys
    from pathlib import Path
    from drift.memory import Draft, MemoryStore
    from drift.memory.storage import schema

    path, name, waits, following = sys.argv[1:]
    known = (*schema.migrations(), following)
    schema.migrations = lambda: known
    run_next = schema._run_next

    def run_and_wait(connection):
        run_next(connection)
        print("inside", flush=True)
        sys.stdin.readline()

    if waits:
        schema._run_next = run_and_wait
    else:
        print("starting", flush=True)
    store = MemoryStore.open(Path(path))
    print(store.add(Draft(type="tribal", text=f"saved by {name}"), actor=name).id, flush=True)
    store.close()
""")


@contextmanager
def opening(path, name, *, waits=False):
    """A process that opens the store, migrating it where that is still to do, and saves one memory."""
    command = [sys.executable, "-c", OPEN, str(path), name, "waits" * waits, NEXT]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


@contextmanager
def inside_migration(path):
    """A process that has done the migration and not committed it."""
    with opening(path, "first", waits=True) as process:
        assert process.stdout.readline() == "inside\n"
        yield process


def finish(process):
    """The id of what it saved."""
    output, errors = process.communicate("go on\n", timeout=PATIENCE_SECONDS)
    assert process.returncode == 0, errors
    return output.split()[-1]


@pytest.fixture(params=range(1, newest_version() + 1))
def path(request, tmp_path):
    """A store of each version there was, with data in it."""
    place = tmp_path / "cortex.db"
    load(request.param, place)
    return place


@pytest.fixture
def check(path, monkeypatch):
    """The store has the newest tables, was migrated once, and holds what it held and what was saved."""

    def check_store(saved):
        known = (*schema.migrations(), NEXT)
        monkeypatch.setattr(schema, "migrations", lambda: known)
        schema._objects_of.cache_clear()
        store = MemoryStore.open(path)
        with store.reading() as connection:
            assert version_of(connection) == len(known)
            assert connection.execute("SELECT at FROM runs").fetchall() == [("once",)]
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert set(store.get_many(saved)) == set(saved)
        assert store.counts().total == 2 + len(saved)
        assert store.get("m_old") == OLD
        assert store.edges.all() == (EDGE,)
        session = store.sessions.get("s1")
        assert (session.started_at_ms, session.state) == (SESSION.started_at_ms + 1000, SESSION.state)
        store.close()

    yield check_store
    monkeypatch.undo()
    schema._objects_of.cache_clear()


def test_a_process_that_starts_inside_the_migration_of_another_waits_and_does_not_run_it_again(path, check):
    with inside_migration(path) as first, opening(path, "second") as second:
        assert second.stdout.readline() == "starting\n"
        # It is at the lock, or on its way there: either way it must not end before the lock is gone.
        with pytest.raises(subprocess.TimeoutExpired):
            second.wait(timeout=1)

        saved = [finish(first), finish(second)]

    check(saved)


def test_a_process_killed_inside_its_migration_leaves_it_whole_to_the_next(path, check):
    with inside_migration(path) as first, opening(path, "second") as second:
        assert second.stdout.readline() == "starting\n"
        first.kill()

        saved = [finish(second)]

    check(saved)


def test_five_processes_that_find_an_old_store_at_once_migrate_it_once(path, check):
    with (
        opening(path, "a") as a, opening(path, "b") as b, opening(path, "c") as c,
        opening(path, "d") as d, opening(path, "e") as e,
    ):  # fmt: skip
        saved = [finish(process) for process in (a, b, c, d, e)]

    check(saved)


def test_a_reader_sees_the_old_store_until_the_migration_is_done(path):
    store = MemoryStore(path)
    before = store.get("m_old")
    with inside_migration(path) as first:
        during = store.get("m_old")
        finish(first)

    assert before == during == OLD
    store.close()
