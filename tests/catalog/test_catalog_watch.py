"""Changes by hand are seen by the very next call, however large a catalog is and however they were made."""

import json
import os
import shutil
import sqlite3

import pytest

from drift.catalog import freshness as freshness_module
from drift.catalog.files import InstructionFiles
from drift.kernel.errors import DriftError
from drift.kernel.folder_watch import FolderWatch

LONG_AGO_NS = 1_600_000_000_000_000_000


@pytest.fixture
def watching(catalog, write, tmp_path, monkeypatch):
    """A catalog that listens, and counts how often it looks at all files."""
    for name in ("one", "two", "three"):
        path = write(f"{name}.json", {"id": name, "body": "aaa"})
        os.utime(path, ns=(LONG_AGO_NS, LONG_AGO_NS))
    if FolderWatch(tmp_path).is_off:
        pytest.skip("this system, or this file system, does not tell of changes")
    catalog.count()
    catalog.count()
    catalog.looks = 0
    look = InstructionFiles.look

    def count_look(self):
        catalog.looks += 1
        return look(self)

    monkeypatch.setattr(InstructionFiles, "look", count_look)
    return catalog


def put_with_old_time(path, body):
    """As an edit that keeps size and time: nothing but its bytes shows it, and the time of its inode."""
    path.write_text(json.dumps({"id": path.stem, "body": body}))
    os.utime(path, ns=(LONG_AGO_NS, LONG_AGO_NS))


def test_nothing_is_looked_at_while_nothing_happens(watching):
    for _ in range(5):
        watching.list_entries()
        watching.get("one")
        watching.search("aaa")

    assert watching.looks == 0


def test_an_edit_in_place_is_seen_by_the_next_call_without_a_look(watching, write):
    before = watching.hash()

    put_with_old_time(watching.directory / "one.json", "bbb")

    assert watching.hash() != before
    assert watching.export()[0].body == "bbb"
    assert watching.looks == 0


def test_files_that_come_go_and_move_are_seen_without_a_look(watching, write):
    write("four.json", {"id": "four", "body": "x"})
    (watching.directory / "two.json").unlink()
    (watching.directory / "three.json").rename(watching.directory / "five.json")
    write("notes.txt", "no instruction")

    assert [each.id for each in watching.export()] == ["four", "one"]
    assert [each.name for each in watching.problems()] == ["five.json"]
    assert watching.looks == 0


def test_many_writes_need_no_look(watching, entry):
    for number in range(10):
        watching.add(entry(f"new-{number}"))
        assert watching.count() == 4 + number

    assert watching.looks == 0


def test_a_file_with_a_second_name_elsewhere_is_looked_at_each_time(watching, tmp_path):
    os.link(watching.directory / "one.json", tmp_path / "other")
    watching._store.look_again()

    (tmp_path / "other").write_text(json.dumps({"id": "one", "body": "by its other name"}))

    assert watching.export()[0].body == "by its other name"


def test_a_directory_that_is_replaced_is_seen(watching, tmp_path):
    watching.directory.rename(tmp_path / "old")
    shutil.copytree(tmp_path / "old", watching.directory)
    put_with_old_time(watching.directory / "one.json", "ccc")
    assert watching.get("one").body == "ccc"
    assert watching.count() == 3

    put_with_old_time(watching.directory / "two.json", "ddd")
    assert {each.body for each in watching.export()} == {"aaa", "ccc", "ddd"}
    shutil.rmtree(watching.directory)
    assert watching.count() == 0


def test_a_directory_that_is_made_later_is_listened_to(catalog, write):
    for _ in range(3):
        assert catalog.count() == 0

    path = write("one.json", {"id": "one", "body": "aaa"})
    assert catalog.count() == 1
    put_with_old_time(path, "bbb")

    assert catalog.export()[0].body == "bbb"


def test_what_was_heard_is_not_lost_when_the_index_is_busy(watching, monkeypatch):
    put_with_old_time(watching.directory / "one.json", "bbb")

    def refuse(*_arguments):
        error = sqlite3.OperationalError("database is locked")
        error.sqlite_errorname = "SQLITE_BUSY"
        raise error

    with monkeypatch.context() as busy:
        busy.setattr(watching._store._index, "apply", refuse)
        with pytest.raises(DriftError, match="cannot be used now"):
            watching.count()

    assert watching.export()[0].body == "bbb"


def test_all_files_are_looked_at_now_and_then(watching, monkeypatch):
    monkeypatch.setattr(freshness_module, "_HEARSAY_NS", 0)

    watching.count()

    assert watching.looks == 1


def test_a_large_catalog_is_listened_to_before_its_first_look(open_catalog, write, monkeypatch, tmp_path):
    if FolderWatch(tmp_path).is_off:
        pytest.skip("this system, or this file system, does not tell of changes")
    path = write("one.json", {"id": "one", "body": "aaa"})
    write("two.json", {"id": "two", "body": "aaa"})
    first = open_catalog()
    first.count()
    first.close()
    monkeypatch.setattr(freshness_module, "_MANY_FILES", 1)
    catalog = open_catalog()
    assert catalog.count() == 2
    monkeypatch.setattr(InstructionFiles, "look", lambda _: pytest.fail("it looked again"))

    put_with_old_time(path, "bbb")

    assert catalog.export()[0].body == "bbb"


def test_where_nobody_tells_files_are_looked_at(open_catalog, write, tmp_path):
    write("one.json", {"id": "one", "body": "aaa"})
    linked = tmp_path / "linked"
    linked.mkdir()
    (linked / "instructions").symlink_to(tmp_path / "instructions")
    catalog = open_catalog(root=linked)
    for _ in range(3):
        assert catalog.count() == 1

    put_with_old_time(tmp_path / "instructions" / "one.json", "bbb")

    assert catalog.export()[0].body == "bbb"
    catalog.close()
