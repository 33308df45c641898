"""Copies of precious stores: at most one a day, only of what changed, whole whatever happens."""

import os
import subprocess
import sys
import time
from contextlib import closing

import pytest

from drift.kernel.errors import DriftError, ErrorCode
from drift.memory import Draft, MemoryStore
from drift.project import backups, open_project
from drift.project.backups import KEPT, back_up, back_up_soon, list_backups, restore

DAY = 86_400


@pytest.fixture
def stores(tmp_path):
    (tmp_path / "shop").mkdir()
    environ = {"HOME": str(tmp_path / "user"), "DRIFT_HOME": str(tmp_path / "home")}
    return open_project(tmp_path / "shop", environ).prepare().stores


def remember(stores, title):
    with closing(MemoryStore(stores.memory_db)) as store:
        store.add(Draft(type="tribal", title=title), actor="test")


def titles(path):
    with closing(MemoryStore(path)) as store:
        return sorted(one.title for one in store.list().memories)


def age(stores, days):
    """Make the last backup older, and the store a bit less old."""
    for each in list_backups(stores, "memory")[:1]:
        then = time.time() - days * DAY
        older = each.path.with_name(f"memory-{time.strftime('%Y-%m-%d', time.gmtime(then))}.db")
        each.path.rename(older)
        os.utime(older, (then, then))


def test_what_was_never_copied_is_copied_and_only_to_its_owner(stores):
    remember(stores, "a")

    (made,) = back_up(stores)

    assert titles(made.path) == ["a"]
    assert made.path.stat().st_mode & 0o777 == 0o600
    assert not list(stores.backups.glob("*.incoming*"))


def test_a_store_is_copied_once_a_day_and_only_if_it_changed(stores):
    remember(stores, "a")
    back_up(stores)
    remember(stores, "b")
    assert back_up(stores) == ()

    age(stores, 2)
    assert [titles(made.path) for made in back_up(stores)] == [["a", "b"]]

    age(stores, 1)
    then = time.time() - 2 * DAY
    for path in stores.memory_db.parent.glob("cortex.db*"):
        os.utime(path, (then, then))
    assert back_up(stores) == ()


def test_the_newest_copies_are_kept(stores):
    for day in range(KEPT + 3):
        remember(stores, f"memory {day}")
        back_up(stores, now=lambda day=day: time.time() + day * DAY)
        for each in list_backups(stores, "memory")[:1]:
            os.utime(each.path, (1, 1))

    kept = list_backups(stores, "memory")

    assert len(kept) == KEPT
    assert len(titles(kept[0].path)) == KEPT + 3


def test_a_change_starts_a_copy_beside_it_and_the_next_hour_none(stores):
    remember(stores, "a")
    backups._looked.clear()

    thread = back_up_soon(stores)
    thread.join()

    assert titles(list_backups(stores, "memory")[0].path) == ["a"]
    assert back_up_soon(stores) is None


def test_a_copy_that_fails_fails_nobody(stores, caplog):
    stores.memory_db.parent.mkdir(parents=True)
    stores.memory_db.write_bytes(b"no database at all" * 100)
    backups._looked.clear()

    back_up_soon(stores).join()

    assert "not backed up" in caplog.text
    assert list_backups(stores, "memory") == []


def test_a_backup_is_restored_and_the_present_is_kept_beside_it(stores):
    remember(stores, "a")
    (made,) = back_up(stores)
    remember(stores, "b")

    aside = restore(made, stores, lambda _connection: None)

    assert titles(stores.memory_db) == ["a"]
    assert titles(aside) == ["a", "b"]


def test_a_server_that_has_the_store_open_goes_on_with_what_is_restored(stores):
    remember(stores, "a")
    (made,) = back_up(stores)
    with closing(MemoryStore(stores.memory_db)) as held:
        held.add(Draft(type="tribal", title="b"), actor="test")

        restore(made, stores, lambda _connection: None)
        held.add(Draft(type="tribal", title="c"), actor="test")

        assert sorted(one.title for one in held.list().memories) == ["a", "c"]
    assert titles(stores.memory_db) == ["a", "c"]


@pytest.mark.parametrize("present", ["damaged", "gone"])
def test_a_backup_takes_the_place_of_a_store_that_is_lost(stores, present):
    remember(stores, "a")
    (made,) = back_up(stores)
    if present == "gone":
        stores.memory_db.unlink()
    else:
        stores.memory_db.write_bytes(b"no database at all" * 100)

    aside = restore(made, stores, lambda _connection: None)

    assert titles(stores.memory_db) == ["a"]
    assert aside is None or aside.read_bytes() == b"no database at all" * 100


def test_a_damaged_backup_is_refused_and_nothing_is_changed(stores):
    remember(stores, "a")
    (made,) = back_up(stores)
    made.path.write_bytes(made.path.read_bytes()[:9000])
    remember(stores, "b")

    with pytest.raises(DriftError) as caught:
        restore(made, stores, lambda _connection: None)

    assert caught.value.code is ErrorCode.STORE_UNAVAILABLE
    assert titles(stores.memory_db) == ["a", "b"]


@pytest.mark.slow
@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("step", ["copy_store", "_keep_aside", "_copied_into"])
def test_whatever_is_killed_leaves_the_store_and_its_backups_whole(stores, tmp_path, step, when):
    remember(stores, "a")
    back_up(stores)
    remember(stores, "b")
    age(stores, 2)
    program = f"""
import os, signal
from pathlib import Path
from drift.project import backups, open_project
real = backups.{step}
def killed(*args, **named):
    if {when!r} == "after":
        real(*args, **named)
    os.kill(os.getpid(), signal.SIGKILL)
backups.{step} = killed
stores = open_project(Path({str(stores.root)!r}), os.environ).stores
backups.back_up(stores)
backups.restore(backups.list_backups(stores, "memory")[-1], stores, lambda connection: None)
"""
    environ = {**os.environ, "DRIFT_HOME": str(tmp_path / "home")}

    died = subprocess.run([sys.executable, "-c", program], env=environ, check=False)

    assert died.returncode == -9
    assert titles(stores.memory_db) in (["a", "b"], ["a"])
    assert all(titles(each.path) in (["a"], ["a", "b"]) for each in list_backups(stores, "memory"))
    restore(list_backups(stores, "memory")[-1], stores, lambda _connection: None)
    assert titles(stores.memory_db) == ["a"]
    back_up(stores)
