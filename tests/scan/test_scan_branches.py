import os
import subprocess

import pytest
from index_dump import dump_index

from drift.project import StateDir
from drift.scan import ScanOptions, earlier, engine, link_pool, scan

COUNT = 30
process = link_pool._Process


def git(root, *args):
    environ = {"PATH": os.environ["PATH"], "HOME": str(root), "GIT_CONFIG_NOSYSTEM": "1"}
    identity = ("-c", "user.name=t", "-c", "user.email=t@t", "-c", "init.defaultBranch=first")
    subprocess.run(["git", *identity, *args], cwd=root, check=True, env=environ, capture_output=True)


def commit(root, message):
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", message)


def module(number):
    before, after = (number - 1) % COUNT, (number + 7) % COUNT
    return (
        f"from shop.part{before} import Part{before}\n"
        f"from shop.part{after} import make{after}\n\n\n"
        f"class Part{number}({f'Part{before}' if number else ''}):\n"
        "    def price(self):\n"
        f"        return make{after}().price()\n\n\n"
        f"def make{number}():\n"
        f"    return Part{before if number % 3 else number}()\n"
    )


def change(root, number):
    path = root / "shop" / f"part{number}.py"
    match number % 6:
        case 0:
            path.write_text(f"def first():\n    return make{number}()\n\n\n{path.read_text()}")
        case 1:
            path.rename(path.with_name(f"moved{number}.py"))
        case 2:
            path.unlink()
        case 3:
            path.write_text(path.read_text().replace(f"return Part{number}()", "return 1"))


@pytest.fixture
def repository(tmp_path):
    """A project on its branch `first`; on `second` most files are others, moved or gone."""
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "__init__.py").touch()
    for number in range(COUNT):
        (tmp_path / "shop" / f"part{number}.py").write_text(module(number))
    git(tmp_path, "init", "-q")
    commit(tmp_path, "first")
    git(tmp_path, "checkout", "-q", "-b", "second")
    for number in range(COUNT):
        change(tmp_path, number)
    commit(tmp_path, "second")
    git(tmp_path, "checkout", "-q", "first")
    return tmp_path


def test_after_a_checkout_the_index_is_the_one_a_forced_scan_gives(repository):
    database = StateDir(repository).index_db
    scan(repository, ScanOptions(jobs=0))

    for branch in ("second", "first"):
        git(repository, "checkout", "-q", branch)
        report = scan(repository, ScanOptions(jobs=0))
        updated = dump_index(database)
        scan(repository, ScanOptions(jobs=0, is_forced=True))

        assert report.mode == "update"
        assert report.read < COUNT
        assert updated == dump_index(database)


def test_what_a_checkout_matters_to_is_linked_side_by_side(repository, monkeypatch):
    scan(repository, ScanOptions(jobs=0))
    monkeypatch.setattr(link_pool, "_WORTH_BYTES", 100)
    started = []
    monkeypatch.setattr(link_pool, "_Process", lambda start: started.append(start) or process(start))
    git(repository, "checkout", "-q", "second")

    assert scan(repository, ScanOptions(jobs=2)).mode == "update"

    assert len(started) == 2
    monkeypatch.undo()
    updated, anew = forced(repository)
    assert updated == anew


def test_where_most_files_changed_all_are_read_anew(repository, monkeypatch):
    scan(repository, ScanOptions(jobs=0))
    monkeypatch.setattr(engine, "_FEWEST_FOR_BUILD", COUNT // 2)
    for path in (repository / "shop").glob("part*.py"):
        path.write_text(f"{path.read_text()}\n\ndef last():\n    return 1\n")

    report = scan(repository, ScanOptions(jobs=0))

    assert (report.mode, report.read) == ("full", COUNT + 1)


def test_where_the_files_that_changed_hold_little_of_the_whole_they_alone_are_read(repository, monkeypatch):
    (repository / "shop" / "table.py").write_text("".join(f"ROW_{n} = {n}\n" for n in range(2_000)))
    scan(repository, ScanOptions(jobs=0))
    monkeypatch.setattr(engine, "_FEWEST_FOR_BUILD", COUNT // 2)
    for path in (repository / "shop").glob("part*.py"):
        path.write_text(f"{path.read_text()}\n\ndef last():\n    return 1\n")

    report = scan(repository, ScanOptions(jobs=0))

    assert (report.mode, report.read) == ("update", COUNT)


REUSING = ScanOptions(jobs=0, may_reuse=True)


def switch(repository, branch, options=REUSING):
    git(repository, "checkout", "-q", branch)
    return scan(repository, options)


def set_aside(repository):
    return sorted(StateDir(repository).path.glob("earlier-*.db"))


def forced(repository):
    updated = dump_index(StateDir(repository).index_db)
    scan(repository, ScanOptions(jobs=0, is_forced=True))
    return updated, dump_index(StateDir(repository).index_db)


@pytest.fixture
def keeping(repository, monkeypatch):
    """The same, in which few changes are many."""
    monkeypatch.setattr(earlier, "_FEWEST_CHANGED", 5)
    return repository


def test_going_back_to_a_branch_reads_what_differs_since(keeping):
    scan(keeping, REUSING)
    assert switch(keeping, "second").read > 5
    (keeping / "shop" / "part4.py").write_text("def make4():\n    return 4\n")
    commit(keeping, "more")
    scan(keeping, REUSING)

    assert switch(keeping, "first").read == 0
    (keeping / "shop" / "part5.py").write_text("def make5():\n    return 5\n")
    commit(keeping, "more")
    assert switch(keeping, "second").read == 0
    assert switch(keeping, "first").read == 1

    assert len(set_aside(keeping)) == 1
    updated, anew = forced(keeping)
    assert updated == anew


def test_of_many_branches_the_last_are_kept(keeping):
    scan(keeping, REUSING)
    for number in range(4):
        git(keeping, "checkout", "-q", "-b", f"branch{number}")
        for path in (keeping / "shop").glob("part*.py"):
            path.write_text(f"{path.read_text()}\n\ndef last{number}():\n    return {number}\n")
        commit(keeping, "other")
        scan(keeping, REUSING)

    assert len(set_aside(keeping)) == 2
    assert switch(keeping, "branch1").read == 0


@pytest.mark.parametrize("damage", [b"", b"no database", None])
def test_an_index_set_aside_that_is_damaged_is_passed_over(keeping, damage):
    scan(keeping, REUSING)
    switch(keeping, "second")
    (kept,) = set_aside(keeping)
    content = kept.read_bytes()
    kept.write_bytes(damage if damage is not None else content[:5000] + b"x" * 3000 + content[8000:])

    assert switch(keeping, "first").read > 5
    updated, anew = forced(keeping)
    assert updated == anew


def test_without_reuse_nothing_is_set_aside(keeping):
    scan(keeping, ScanOptions(jobs=0))
    switch(keeping, "second", ScanOptions(jobs=0))

    assert set_aside(keeping) == []


def test_an_index_that_cannot_be_set_aside_costs_nothing(keeping, caplog):
    scan(keeping, REUSING)
    (StateDir(keeping).path / "earlier.building").mkdir()

    assert switch(keeping, "second").mode == "update"
    assert "is not kept" in caplog.text
    updated, anew = forced(keeping)
    assert updated == anew
