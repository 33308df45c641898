"""What was seen and decided is kept: over crashes, beside other processes, and never by a file that is not ours."""

import os
import random
import signal
import sqlite3
import stat
import subprocess
import sys
import textwrap
import time
from contextlib import closing
from datetime import UTC, datetime, timedelta

import pytest

from cluster import SHARE, environ_of
from drift.kernel.errors import DriftError, ErrorCode
from drift.project import open_project
from drift.project.backups import back_up, list_backups, restore
from drift.state import Curation, Feedback, Measure, Point, Run, Sighting, Snapshot, StateStore
from drift.state.store import LAYOUT

ON_BOTH_ENGINES = True
ON_SQLITE_ALONE = {
    "test_reading_makes_nothing",
    "test_only_the_user_may_enter_the_folder_that_is_made",
    "test_a_store_of_a_later_version_is_neither_used_nor_changed",
    "test_damage_within_is_found_by_the_check",
    "test_a_store_with_tables_of_somebody_else_is_not_used",
    "test_a_store_that_was_deleted_under_a_process_comes_back",
}

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)


@pytest.fixture
def path(tmp_path, keep_on):
    place = tmp_path / "kept" / "state.db"
    keep_on(state=place)
    return place


@pytest.fixture
def store(path):
    with closing(StateStore(path)) as store:
        yield store


def test_reading_makes_nothing(store, path):
    assert store.sightings() == {}
    assert store.statuses() == {}
    assert store.check() == ()
    assert not path.parent.exists()


def test_the_first_time_a_convention_was_seen_is_kept(store):
    store.note_seen(["a/b", "a/c"], NOON)
    store.note_seen(["a/b"], NOON + DAY)
    store.note_seen(["a/b"], NOON - DAY)

    assert store.sightings() == {"a/b": Sighting(NOON - DAY, NOON + DAY), "a/c": Sighting(NOON, NOON)}


def test_the_status_of_a_convention_is_its_last_and_all_are_told(store):
    approved = Curation("a/b", NOON, "ann", "approve", "approved", "we agreed", '{"files": []}')
    verified = Curation("a/b", NOON + DAY, "drift", "verify")
    ignored = Curation("a/c", NOON + DAY, "bob", "ignore", "ignored")
    numbers = [store.add_curation(each) for each in (approved, verified, ignored)]

    assert store.statuses() == {"a/b": approved, "a/c": ignored}
    assert [each.row for each in store.curation("a/b")] == [verified, approved]
    assert [each.row for each in store.curation(before=numbers[2], most=1)] == [verified]


def test_actions_of_one_call_are_kept_all_or_not_at_all(store):
    with pytest.raises(DriftError):
        store.add_curation(
            Curation("a/b", NOON, "ann", "approve", "approved"), Curation("", NOON, "ann", "approve")
        )

    assert store.statuses() == {}


def test_ratings_are_counted_by_what_they_are_about(store):
    for rating in ("useful", "not_useful", "not_useful"):
        store.add_feedback(
            Feedback(NOON, "tool", "drift_callers", rating, client="c", is_fixed=rating == "useful")
        )
    store.add_feedback(Feedback(NOON, "convention", "a/b", "partial", "implied"))
    store.add_feedback(Feedback(NOON - 40 * DAY, "tool", "drift_callers", "useful"))

    assert [tuple(each) for each in store.ratings(since=NOON - 30 * DAY)] == [
        ("convention", "a/b", "partial", "implied", 1),
        ("tool", "drift_callers", "not_useful", "said", 2),
        ("tool", "drift_callers", "useful", "said", 1),
    ]
    assert len(store.ratings(since=NOON - 30 * DAY, about="tool", subject="drift_callers")) == 2


def test_verified_claims_are_counted_by_client_and_kind(store):
    for passed in (True, True, False):
        store.count_verification(client="one", kind="symbol", passed=passed, at=NOON)
    store.count_verification(client="one", kind="symbol", passed=True, at=NOON + DAY)

    assert [tuple(each) for each in store.verifications(since=NOON)] == [("one", "symbol", 3, 1)]
    assert [tuple(each) for each in store.verifications(since=NOON + DAY)] == [("one", "symbol", 1, 0)]


def test_runs_of_gates_come_newest_first(store):
    runs = [
        Run(NOON + number * DAY, "ci", "strict", "change", "failed", None, "abc", "{}") for number in range(3)
    ]
    numbers = [store.add_run(each) for each in runs]
    store.add_run(Run(NOON, "ci", "relaxed", "project", "passed", 91.5, None, "{}"))

    assert [each.row for each in store.runs("strict")] == runs[::-1]
    assert [each.number for each in store.runs("strict", before=numbers[2])] == numbers[1::-1]


def test_a_snapshot_has_a_row_for_each_measured_thing(store):
    first = store.add_snapshot(
        Snapshot(NOON, "abc", "main", 7),
        [Measure("convention", "a/b", "frequency", 0.9), Measure("convention", "a/b", "sites", 40)],
    )
    store.add_snapshot(Snapshot(NOON + DAY), [Measure("convention", "a/b", "frequency", 0.95)])

    assert store.measures(first) == [
        Measure("convention", "a/b", "frequency", 0.9),
        Measure("convention", "a/b", "sites", 40.0),
    ]
    trend = store.trend(about="convention", subject="a/b", measure="frequency", since=NOON)
    assert trend == [Point(NOON, 0.9), Point(NOON + DAY, 0.95)]
    assert [each.row.head for each in store.snapshots()] == [None, "abc"]


def test_of_old_snapshots_the_last_of_a_day_stays(store):
    for hours in (0, 1, 2, 30, 31):
        store.add_snapshot(
            Snapshot(NOON + timedelta(hours=hours)), [Measure("project", ".", "health", hours)]
        )

    assert store.thin_snapshots(before=NOON + DAY) == 2

    values = [
        each.value for each in store.trend(about="project", subject=".", measure="health", since=NOON - DAY)
    ]
    assert values == [2, 30, 31]
    assert store.thin_snapshots(before=NOON + DAY) == 0


def test_the_last_of_a_day_stays_for_each_kind_of_thing(store):
    store.add_snapshot(Snapshot(NOON, generation=7), [Measure("health", "project", "score", 80)])
    store.add_snapshot(Snapshot(NOON + timedelta(hours=1)), [Measure("convention", "a/b", "score", 1)])

    assert store.thin_snapshots(before=NOON + DAY) == 0

    last = store.last_measured(about="health", subject="project", measure="score")
    assert (last.row.generation, store.measures(last.number)) == (
        7,
        [Measure("health", "project", "score", 80.0)],
    )
    assert store.last_measured(about="health", subject="tests", measure="score") is None


def test_only_the_user_may_enter_the_folder_that_is_made(store, path):
    store.note_seen(["a/b"], NOON)

    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_a_store_of_a_later_version_is_neither_used_nor_changed(store, path):
    store.note_seen(["a/b"], NOON)
    store.close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")
    before = path.read_bytes()

    for use in (store.sightings, lambda: store.note_seen(["a/c"], NOON)):
        with pytest.raises(DriftError, match="a later version of Drift wrote it") as raised:
            use()
        assert raised.value.code is ErrorCode.STORE_UNAVAILABLE
    assert path.read_bytes() == before


@pytest.mark.parametrize("content", [b"no database at all", b"SQLite format 3\0" + b"\xff" * 9000])
def test_a_damaged_store_is_said_and_left_as_it_is(store, path, content):
    path.parent.mkdir()
    path.write_bytes(content)

    with pytest.raises(DriftError) as raised:
        store.note_seen(["a/b"], NOON)

    assert raised.value.code is ErrorCode.STORE_UNAVAILABLE
    assert path.read_bytes() == content


def test_damage_within_is_found_by_the_check(store, path):
    store.note_seen([f"a/{number}" for number in range(500)], NOON)
    store.close()
    content = bytearray(path.read_bytes())
    content[-4096:] = b"\x55" * 4096
    path.write_bytes(content)

    try:
        assert store.check() != ()
    except DriftError as error:
        assert error.code is ErrorCode.STORE_UNAVAILABLE


def test_a_store_with_tables_of_somebody_else_is_not_used(store, path):
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE conventions (id)")

    with pytest.raises(DriftError, match="other tables"):
        store.sightings()


def test_a_store_that_was_deleted_under_a_process_comes_back(store, path):
    store.note_seen(["a/b"], NOON)
    for each in path.parent.iterdir():
        each.unlink()

    store.note_seen(["a/c"], NOON)

    with closing(StateStore(path)) as other:
        assert set(other.sightings()) == {"a/b", "a/c"}


def test_it_is_backed_up_and_restored_like_the_other_stores(tmp_path):
    root = tmp_path / "shop"
    root.mkdir()
    stores = open_project(root, os.environ).prepare().stores
    with closing(StateStore(stores.state_db)) as store:
        store.note_seen(["a/b"], NOON)
        assert [each.store for each in back_up(stores)] == ["state"]
        store.note_seen(["a/c"], NOON)

        restore(list_backups(stores, "state")[0], stores, LAYOUT.check)

        assert set(store.sightings()) == {"a/b"}


WRITE = SHARE + textwrap.dedent("""
    import sys
    from datetime import UTC, datetime
    from pathlib import Path
    from drift.state import Curation, Measure, Snapshot, StateStore
    path, name, most = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    share_as_told(path)
    store = StateStore(path)
    for number in range(most):
        at = datetime.now(UTC)
        store.add_curation(Curation(f"{name}/{number}", at, name, "approve", "approved"))
        store.add_snapshot(Snapshot(at, head=f"{name}/{number}"), [Measure("project", name, f"m{n}", n) for n in range(20)])
        sys.stdout.write(f"{name}/{number}\\n")
        sys.stdout.flush()
""")


def start(path, name, most):
    command = [sys.executable, "-c", WRITE, str(path), name, str(most)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environ_of(path))


def check_told(store, told):
    assert set(told) <= set(store.statuses())
    snapshots = store.snapshots(most=1000)
    assert set(told) <= {each.row.head for each in snapshots}
    assert {len(store.measures(each.number)) for each in snapshots} == {20}
    assert store.check() == ()


def test_two_processes_that_make_it_at_once_lose_nothing(store, path):
    writers = [start(path, name, 10) for name in ("ann", "bob")]

    told = [line for writer in writers for line in writer.communicate(timeout=300)[0].split()]

    assert len(told) == 20
    check_told(store, told)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no such signal")
def test_what_was_told_survives_a_kill(store, path):
    chance, told = random.Random(5), []
    for round_number in range(3):
        writers = [start(path, f"{name}{round_number}", 150) for name in ("ann", "bob")]
        first = [writer.stdout.readline() for writer in writers]
        time.sleep(chance.uniform(0.01, 0.1))  # any moment will do
        for writer in writers:
            writer.kill()
        told += [
            *first,
            *(line for writer in writers for line in writer.communicate()[0].splitlines(keepends=True)),
        ]

    whole = [line.strip() for line in told if line.endswith("\n")]
    assert len(whole) >= 6
    check_told(store, whole)
