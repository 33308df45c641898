"""A fleet is brought up to date by workers: what changed is scanned, what fails is told, a lost worker costs its own repository."""

import os
import signal
import threading
import time
from datetime import UTC, datetime, timedelta

import pytest
from small_fleet import FILES, git, make_repository, write_list

from drift.fleet import FleetStore, Wish, cluster, report_fleet, run, update_fleet
from drift.fleet.page import write_fleet_page
from drift.fleet.task import COPIES, bring_up
from drift.kernel.errors import DriftError, ErrorCode
from drift.kernel.files import locked
from drift.project import StateDir
from drift.project.git_mirror import fetch_mirror
from drift.scan.exchange import list_snapshots
from drift.scan.snapshot_stores import FolderStore

NOW = datetime.now(UTC)


def states_of(fleet):
    with FleetStore(fleet.database) as store:
        return store.states()


@pytest.fixture
def in_this_process(monkeypatch):
    """Tasks are done here one after the other: what they do is the same, and a cluster takes seconds to start."""

    class Cluster:
        def __enter__(self):
            return None

        def __exit__(self, *_):
            return None

    monkeypatch.setattr(run, "local_cluster", lambda *_: Cluster())
    monkeypatch.setattr(run, "run_tasks", lambda _client, tasks, _workers: map(bring_up, tasks))
    monkeypatch.setenv("DRIFT_HOME", os.environ["DRIFT_HOME"])  # put back what a task changes


def test_each_repository_is_scanned_and_published_and_one_that_fails_is_told(fleet):
    states = states_of(fleet)

    assert [name for name, state in states.items() if state.reason] == ["nowhere"]
    assert "git ls-remote" in states["nowhere"].reason
    for name in FILES:
        origin = fleet.file.parent / "origins" / name
        (snapshot,) = list_snapshots(FolderStore(fleet.home / "snapshots" / name))
        assert snapshot.commit == states[name].commit == git(origin, "rev-parse", "HEAD")
        assert snapshot.name == states[name].snapshot


def test_a_later_run_scans_what_changed_alone_and_keeps_the_newest_snapshots(tmp_path, in_this_process):
    for name in ("one", "two", "gone"):
        make_repository(tmp_path / "origins" / name, {"a.py": "def f(): pass\n"})
    fleet = write_list(tmp_path, ["one", "two", "gone"], keep_snapshots=1)
    first = update_fleet(fleet, Wish())
    make_repository(tmp_path / "origins" / "two", {"b.py": "def g(): pass\n"})
    told = []

    fleet = write_list(tmp_path, ["one", "two"], keep_snapshots=1)
    second = update_fleet(fleet, Wish(), told=lambda *given: told.append(given[2]))

    assert (first.scanned, first.unchanged, first.failed) == (3, 0, 0)
    assert (second.scanned, second.unchanged, second.failed, second.gone) == (1, 1, 0, 1)
    assert {each.name: each.mode for each in told} == {"one": "none", "two": "update"}
    assert states_of(fleet).keys() == {"one", "two"}
    assert not (fleet.home / COPIES / "gone").exists()
    (kept,) = list_snapshots(FolderStore(fleet.home / "snapshots" / "two"))
    assert kept.commit == git(tmp_path / "origins" / "two", "rev-parse", "HEAD")


def test_a_repository_that_fails_later_keeps_what_was_known(tmp_path, in_this_process):
    origin = make_repository(tmp_path / "origins" / "one", {"a.py": "def f(): pass\n"})
    fleet = write_list(tmp_path, ["one"])
    update_fleet(fleet, Wish())
    origin.rename(tmp_path / "away")

    report = update_fleet(fleet, Wish())
    row = report_fleet(fleet, states_of(fleet), NOW).repositories[0]

    assert report.failed == 1
    assert (row.standing, row.files) == ("failed", 1)
    assert row.reason is not None


def test_copies_go_when_they_take_too_much_and_a_new_one_starts_from_the_snapshot(tmp_path, in_this_process):
    for name in ("one", "two"):
        make_repository(tmp_path / "origins" / name, {"a.py": "x = 1\n", "big.txt": "y" * 4_000_000})
    fleet = write_list(tmp_path, ["one", "two"], max_disk_mb=6)
    update_fleet(fleet, Wish())
    kept = [name for name in ("one", "two") if (fleet.home / COPIES / name).exists()]
    make_repository(tmp_path / "origins" / "one", {"b.py": "z = 1\n"})
    told = []

    update_fleet(fleet, Wish(), told=lambda *given: told.append(given[2]))

    assert kept == ["two"]
    assert {each.name: each.mode for each in told} == {"one": "update", "two": "none"}


def test_a_worker_that_is_lost_costs_its_repository_another_try_and_no_more(tmp_path):
    names = ["one", "two", "three"]
    for name in names:
        make_repository(tmp_path / "origins" / name, {"a.py": "def f(): pass\n"})
    fleet = write_list(tmp_path, names)
    tasks = [run._task(fleet, Wish(), each, None) for each in fleet.repositories]
    copies = fleet.home / COPIES
    fetch_mirror(copies / "one", tasks[0].source, tasks[0].bounds, os.environ)
    held = StateDir(copies / "one").ensure().index_db

    def lose_one(client):
        """Kill the worker while it waits for the index of the first repository, which somebody else has."""
        while not (copies / ".one.trying").exists():
            time.sleep(0.01)
        os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL)

    with cluster.local_cluster(1, 2_000, tmp_path / "dask") as client:
        with locked(held, timeout_seconds=1):
            outcomes = cluster.run_tasks(client, iter(tasks), 1)
            killer = threading.Thread(target=lose_one, args=(client,))
            killer.start()
            # Nothing is handed out before the first is asked for.
            first = threading.Thread(target=lambda: found.append(next(outcomes)))
            found = []
            first.start()
            killer.join()
        first.join()
        found += outcomes

    assert {each.name: (each.reason, each.attempts) for each in found} == {
        "one": (None, 2),
        "two": (None, 1),
        "three": (None, 1),
    }


def test_two_runs_at_once_do_not_mix(tmp_path, in_this_process, monkeypatch):
    fleet = write_list(tmp_path, [])
    update_fleet(fleet, Wish())
    monkeypatch.setattr(run, "_LOCK_SECONDS", 0.0)

    with locked(fleet.database, timeout_seconds=1), pytest.raises(DriftError, match="is held by") as refused:
        update_fleet(fleet, Wish())

    assert refused.value.code is ErrorCode.STORE_UNAVAILABLE


def test_the_page_and_the_report_tell_old_and_failed_and_run_nothing(fleet):
    late = NOW + timedelta(days=fleet.old_after_days + 1)

    report = report_fleet(fleet, states_of(fleet), late)
    page = write_fleet_page(report)

    assert {row.name: row.standing for row in report.repositories} == dict.fromkeys(FILES, "old") | {
        "nowhere": "never"
    }
    assert any("nowhere (" in each for each in report.warnings)
    assert "<script" not in page
    assert "Content-Security-Policy" in page
    assert "git ls-remote" in page
