"""Stores in a team's database: apart from each other, in turn, and clear about what goes wrong."""

import logging
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import closing, suppress
from datetime import UTC, datetime

import pytest

from cluster import SHARE, environ_of, fresh_schema
from drift.kernel.errors import DriftError, ErrorCode
from drift.kernel.postgres.store import forget_ready
from drift.kernel.sharing import Place, share, unshare
from drift.kernel.stamps import store_stamp
from drift.memory import Draft, MemoryStore
from drift.state import Curation, StateStore

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)


def draft(text):
    return Draft(type="tribal", text=text)


@pytest.fixture
def open_shared(tmp_path, cluster):
    """Opens the memories of a project of a team, each under a path of its own."""
    opened = []

    def open_it(schema, role="alpha", address=None):
        path = tmp_path / f"{len(opened)}" / "cortex.db"
        share(path, Place(address or cluster.address(role), schema, "memory"))
        opened.append(path)
        return MemoryStore(path)

    yield open_it
    unshare(opened)


def test_what_one_saves_another_finds_and_nobody_of_another_project(open_shared):
    schema = fresh_schema()
    ann, bob, other = open_shared(schema), open_shared(schema), open_shared(fresh_schema())
    memory = ann.add(draft("the gateway drops connections"), actor="ann")
    other.add(draft("something else"), actor="cy")

    assert bob.get(memory.id) == memory
    assert other.get_many([memory.id]) == {}
    assert [each.text for each in other.list().memories] == ["something else"]


def test_another_team_is_turned_away_by_the_database_itself(open_shared):
    schema = fresh_schema()
    ours, theirs = open_shared(schema), open_shared(schema, "beta")
    memory = ours.add(draft("ours"), actor="ann")
    with pytest.raises(DriftError) as reading:
        theirs.get(memory.id)
    with pytest.raises(DriftError) as writing:
        theirs.add(draft("theirs"), actor="eve")

    for caught in (reading, writing):
        assert caught.value.code is ErrorCode.CORTEX_UNAVAILABLE
        assert "does not let this user" in caught.value.message
    assert ours.counts().total == 1


def test_numbers_have_no_gaps_however_many_write_at_once(open_shared):
    schema = fresh_schema()
    stores = [open_shared(schema) for _ in range(3)]

    def write(store, name):
        for number in range(6):
            with suppress(ZeroDivisionError), store.transaction():
                store.add(draft(f"{name} {number}"), actor=name)
                _ = 1 / (number % 3)  # every third is taken back

    threads = [
        threading.Thread(target=write, args=(store, f"n{place}")) for place, store in enumerate(stores)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    with stores[0].reading() as connection:
        numbers = [row[0] for row in connection.execute("SELECT number FROM memories ORDER BY number")]
        sequence = [row[0] for row in connection.execute("SELECT sequence FROM log ORDER BY sequence")]
    assert numbers == sequence == list(range(1, 13))


def test_who_overwrites_what_they_have_not_seen_is_told(open_shared):
    schema = fresh_schema()
    ann, bob = open_shared(schema), open_shared(schema)
    seen = ann.add(draft("first"), actor="ann")
    time.sleep(0.002)
    ann.update(seen.id, {"text": "second"}, actor="ann")

    with pytest.raises(DriftError) as caught:
        bob.update(seen.id, {"text": "third"}, actor="bob", unchanged_since_ms=seen.updated_at_ms)

    assert caught.value.code is ErrorCode.CONFLICT
    assert "Read it again" in caught.value.recovery.hint
    assert bob.get(seen.id).text == "second"


def test_a_reading_sees_one_state_while_others_write(open_shared):
    schema = fresh_schema()
    ann, bob = open_shared(schema), open_shared(schema)
    ann.add(draft("first"), actor="ann")

    with ann.reading():
        before = ann.counts().total
        bob.add(draft("second"), actor="bob")
        assert ann.counts().total == before

    assert ann.counts().total == before + 1


def test_nothing_secret_is_said_where_the_database_cannot_be_reached(open_shared, caplog):
    caplog.set_level(logging.DEBUG)
    address = "postgresql://ann:s3cr%40t@127.0.0.1:1/drift"
    store = open_shared(fresh_schema(), address=address)

    with pytest.raises(DriftError) as caught:
        store.add(draft("x"), actor="ann")

    error = caught.value
    told = [error.message, str(error.as_wire()), str(error.__cause__), repr(store), caplog.text]
    assert error.code is ErrorCode.CORTEX_UNAVAILABLE
    assert error.recovery.retry_after_ms
    assert "127.0.0.1:1" in error.message
    assert not [text for text in told if "s3cr" in text]


def test_an_outage_is_told_loses_nothing_and_ends_by_itself(open_shared, cluster):
    store = open_shared(fresh_schema())
    before = store.add(draft("before"), actor="ann")
    cluster.stop()
    try:
        with pytest.raises(DriftError) as caught:
            store.add(draft("meanwhile"), actor="ann")
        with pytest.raises(DriftError):
            store.get(before.id)
    finally:
        cluster.start()

    after = store.add(draft("after"), actor="ann")

    assert caught.value.code is ErrorCode.CORTEX_UNAVAILABLE
    assert "Nothing was saved" in caught.value.recovery.hint
    assert [each.id for each in store.list().memories] == [after.id, before.id]


def change_and_lose(store, cluster, *, adds_more):
    """Begin a change, lose the connection, and go on."""
    with store.transaction() as connection:
        store.add(draft("within"), actor="ann")
        process = connection.raw.info.backend_pid
        cluster.ask(f"SELECT pg_terminate_backend({process})")
        while cluster.ask(f"SELECT 1 FROM pg_stat_activity WHERE pid = {process}"):
            pass
        if adds_more:
            store.add(draft("behind"), actor="ann")


def test_a_connection_that_breaks_within_a_change_leaves_nothing_of_it(open_shared, cluster):
    store = open_shared(fresh_schema())
    store.add(draft("before"), actor="ann")

    with pytest.raises(DriftError) as caught:
        change_and_lose(store, cluster, adds_more=True)

    assert caught.value.recovery.retry_after_ms
    assert [each.text for each in store.list().memories] == ["before"]


def test_a_connection_that_breaks_while_a_change_is_confirmed_says_that_this_is_not_known(
    open_shared, cluster
):
    store = open_shared(fresh_schema())
    store.add(draft("before"), actor="ann")

    with pytest.raises(DriftError, match="before it confirmed"):
        change_and_lose(store, cluster, adds_more=False)

    assert store.counts().total == 1


def test_tables_of_a_newer_drift_are_neither_used_nor_changed(open_shared, cluster):
    schema = fresh_schema()
    store = open_shared(schema)
    store.add(draft("x"), actor="ann")
    cluster.ask(f"UPDATE {schema}.stores SET version = 99")
    forget_ready()

    with pytest.raises(DriftError, match="newer Drift"):
        store.add(draft("y"), actor="ann")

    assert cluster.ask(f"SELECT count(*) FROM {schema}.memories") == [(1,)]


def test_the_log_cannot_be_changed_nor_a_memory_deleted(open_shared, cluster):
    import psycopg

    schema = fresh_schema()
    open_shared(schema).add(draft("x"), actor="ann")

    for statement in (
        "UPDATE {}.log SET actor = 'eve'",
        "DELETE FROM {}.log",
        "TRUNCATE {}.memories CASCADE",
    ):
        with pytest.raises(psycopg.errors.RestrictViolation):
            cluster.ask(statement.format(schema), "alpha")


def test_a_file_that_was_not_taken_over_is_not_passed_by(open_shared):
    store = open_shared(fresh_schema())
    store.path.parent.mkdir()
    store.path.write_bytes(b"memories of before")

    with pytest.raises(DriftError) as caught:
        store.add(draft("x"), actor="ann")

    assert caught.value.recovery.command == "drift admin migrate-to-postgres"


def test_a_value_that_cannot_be_kept_is_an_argument_refused(open_shared):
    store = open_shared(fresh_schema())

    with pytest.raises(DriftError) as caught:
        store.history.of("m_\0")

    assert caught.value.code in {ErrorCode.INVALID_ARGUMENT, ErrorCode.CORTEX_UNAVAILABLE}


def test_the_stamp_of_a_store_tells_whether_it_was_written_to(tmp_path, cluster):
    path = tmp_path / "state.db"
    share(path, Place(cluster.address(), fresh_schema(), "state"))
    try:
        with closing(StateStore(path)) as store:
            assert store_stamp(path) == ""
            store.add_curation(Curation("a/b", NOON, "ann", "approve", "approved"))
            first = store_stamp(path)
            store.statuses()
            assert store_stamp(path) == first
            store.note_seen(["a/b"], NOON)
            assert store_stamp(path) != first
    finally:
        unshare([path])
    assert not path.parent.joinpath("state.db").exists()


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no such signal")
def test_who_is_killed_while_it_is_its_turn_keeps_nobody_waiting(open_shared):
    store = open_shared(fresh_schema())
    store.add(draft("before"), actor="ann")
    program = SHARE + (
        "import sys, time\nfrom pathlib import Path\nfrom drift.memory import Draft, MemoryStore\n"
        "path = Path(sys.argv[1])\nshare_as_told(path)\nstore = MemoryStore(path)\n"
        "with store.transaction():\n    store.add(Draft(type='tribal', text='never confirmed'), actor='bob')\n"
        "    print('holds', flush=True)\n    time.sleep(600)\n"
    )
    command = [sys.executable, "-c", program, os.fspath(store.path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environ_of(store.path)) as holder:
        assert holder.stdout.readline() == "holds\n"
        holder.kill()

    store.add(draft("after"), actor="ann")

    assert [each.text for each in store.list().memories] == ["after", "before"]
