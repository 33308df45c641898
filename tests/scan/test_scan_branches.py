import os
import subprocess

import pytest
from index_dump import dump_index

from drift.project import StateDir
from drift.scan import ScanOptions, engine, scan

COUNT = 30


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
        f"class Part{number}:\n"
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


def test_where_most_files_changed_all_are_read_anew(repository, monkeypatch):
    scan(repository, ScanOptions(jobs=0))
    monkeypatch.setattr(engine, "_FEWEST_FOR_BUILD", COUNT // 2)
    for path in (repository / "shop").glob("part*.py"):
        path.write_text(f"{path.read_text()}\n\ndef last():\n    return 1\n")

    report = scan(repository, ScanOptions(jobs=0))

    assert (report.mode, report.read) == ("full", COUNT + 1)
