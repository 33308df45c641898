"""A copy of a project starts from the index of another one, and holds then what a scan from nothing gives."""

import os
import shutil
import sqlite3
from contextlib import closing

import pytest
from index_dump import dump_index

from drift.index import places, read_index_state
from drift.project import StateDir
from drift.scan import ScanOptions, engine, scan

REUSING = ScanOptions(jobs=0, may_reuse=True)
COUNT = 8


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("DRIFT_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def module(number):
    return (
        f"from shop.part{(number + 1) % COUNT} import Part as Next\n\n\n"
        "class Part(Next):\n    def price(self):\n        return Next().price()\n"
    )


@pytest.fixture
def first(tmp_path):
    root = tmp_path / "first"
    (root / "shop").mkdir(parents=True)
    for number in range(COUNT):
        (root / "shop" / f"part{number}.py").write_text(module(number))
    (root / "web").mkdir()
    (root / "web" / "tsconfig.json").write_text('{"extends": "./made/tsconfig.json"}')
    (root / "web" / "page.ts").write_text('import { total } from "@/cart";\ntotal();\n')
    (root / "web" / "lib").mkdir()
    (root / "web" / "lib" / "cart.ts").write_text("export function total() { return 1; }\n")
    (root / "web" / "made").mkdir()
    (root / "web" / "made" / "tsconfig.json").write_text(
        '{"compilerOptions": {"baseUrl": "..", "paths": {"@/*": ["lib/*"]}}}'
    )
    (root / ".gitignore").write_text("made/\n")
    scan(root, REUSING)
    return root


def copy(first, name="second"):
    return shutil.copytree(first, first.with_name(name), ignore=shutil.ignore_patterns(".drift"))


def dump(root):
    return dump_index(StateDir(root).index_db)


def scanned_anew(root):
    scan(root, ScanOptions(jobs=0, is_forced=True))
    return dump(root)


def test_a_copy_reads_what_differs_and_no_more(first):
    second = copy(first)
    (second / "shop" / "part1.py").write_text(module(1) + "\n\ndef late():\n    return Part()\n")
    (second / "shop" / "part2.py").rename(second / "shop" / "moved.py")
    (second / "shop" / "part3.py").unlink()

    report = scan(second, REUSING)
    started = dump(second)

    assert (report.mode, report.read, report.removed) == ("update", 2, 2)
    assert read_index_state(StateDir(second).index_db).is_usable
    assert [each.name for each in (second / ".drift").glob("drift.db*") if "building" in each.name] == []
    assert scan(second, REUSING).mode == "none"
    assert started == scanned_anew(second)


def test_files_are_compared_by_content_whatever_their_times_say(first):
    long_ago = 1_000_000_000
    for path in (first / "shop").iterdir():
        os.utime(path, (long_ago, long_ago))
    scan(first, REUSING)
    second = copy(first)
    changed = second / "shop" / "part1.py"
    changed.write_text(module(1).replace("price", "prise"))
    os.utime(changed, (long_ago, long_ago))
    with closing(sqlite3.connect(StateDir(first).index_db)) as connection, connection:
        # As if the first had been scanned long after the second was written, which then has nothing new to tell.
        connection.execute("UPDATE meta SET value = '2099-01-01T00:00:00+00:00' WHERE key = 'scanned_at'")

    report = scan(second, REUSING)

    assert (report.mode, report.read) == ("update", 1)


def test_links_that_rest_on_files_beside_the_index_are_made_anew_where_those_differ(first):
    second, third = copy(first), copy(first, "third")
    (second / "web" / "made" / "tsconfig.json").unlink()

    reports = [scan(each, REUSING) for each in (second, third)]
    started = [dump(each) for each in (second, third)]

    assert [report.mode for report in reports] == ["update", "update"]
    assert started == [scanned_anew(second), scanned_anew(third)]
    assert started[0]["edges"] != started[1]["edges"]


def forge(index):
    with closing(sqlite3.connect(index)) as connection, connection:
        connection.execute("UPDATE meta SET value = 'ff' WHERE key = 'seal'")


def damage(index):
    with closing(sqlite3.connect(index)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    content = index.read_bytes()
    index.write_bytes(content[:4096] + b"\xa5" * 20_000 + content[24_096:])


def let_another_engine_build(index):
    with closing(sqlite3.connect(index)) as connection, connection:
        connection.execute("UPDATE meta SET value = 'another' WHERE key = 'engine'")


@pytest.mark.parametrize("spoil", [forge, damage, let_another_engine_build, os.unlink])
def test_an_index_that_cannot_be_trusted_or_used_is_no_start(first, spoil):
    second = copy(first)
    spoil(StateDir(first).index_db)

    report = scan(second, REUSING)

    assert report.mode == "full"
    assert read_index_state(StateDir(second).index_db).is_usable


def test_who_does_not_want_it_neither_takes_nor_gives(first, home):
    second, third = copy(first), copy(first, "third")
    shutil.rmtree(first)

    reports = [scan(second, ScanOptions(jobs=0)), scan(third, REUSING)]

    assert [report.mode for report in reports] == ["full", "full"]
    assert (home / "indexes.json").stat().st_mode & 0o077 == 0


def test_another_project_is_no_start(first, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    for number in range(COUNT):
        (other / f"part{number}.py").write_text(module(number) * 3)

    assert scan(other, REUSING).mode == "full"


def test_a_start_that_is_broken_off_leaves_nothing(first, monkeypatch):
    second = copy(first)
    monkeypatch.setattr(engine, "find_changes", lambda *_, **__: 1 / 0)

    with pytest.raises(ZeroDivisionError):
        scan(second, REUSING)

    assert not list((second / ".drift").glob("drift.db*[!k]"))


@pytest.mark.parametrize("content", [b"{", b"[1, null]", b'["\\u0000"]', b'{"a": 1}', b"[" * 100_000])
def test_a_list_of_places_that_makes_no_sense_is_none(home, content):
    home.mkdir(exist_ok=True)
    (home / "indexes.json").write_bytes(content)

    assert places.known_roots() == ()
