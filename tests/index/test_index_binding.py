"""An index is believed by the user who made it, on the machine and at the place where it was made."""

import json
import shutil
import sqlite3
from contextlib import closing

import pytest

from drift.index import IndexReader, read_index_state
from drift.kernel.errors import DriftError, ErrorCode
from drift.project import StateDir
from drift.scan import ScanOptions, scan
from drift.scan.choices import NO_CHOICES
from drift.scan.record import kept_choices, read_record
from drift.scan.snapshots import read_snapshots

ONE_PROCESS = ScanOptions(jobs=0)


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "shop"
    folder.mkdir()
    (folder / "cart.py").write_text(
        "def total(items):\n    return sum(items)\n\n\ndef pay(items):\n    total(items)\n"
    )
    scan(folder, ONE_PROCESS)
    return folder


def forge(root):
    """Hide every caller, as an index does that came with a stranger's repository."""
    with closing(sqlite3.connect(StateDir(root).index_db)) as connection, connection:
        connection.execute("DELETE FROM edges")


def callers(root):
    with closing(sqlite3.connect(StateDir(root).index_db)) as connection:
        return connection.execute("SELECT count(*) FROM edges").fetchone()[0]


@pytest.mark.parametrize("how", ["another user", "another place"])
def test_an_index_that_came_with_a_clone_is_not_believed_and_is_built_anew(root, tmp_path, monkeypatch, how):
    honest = callers(root)
    forge(root)
    if how == "another user":
        monkeypatch.setenv("DRIFT_HOME", str(tmp_path / "their home"))
    else:
        root = shutil.copytree(root, tmp_path / "clone")

    state = read_index_state(StateDir(root).index_db)
    with pytest.raises(DriftError) as refused:
        IndexReader(StateDir(root).index_db)
    report = scan(root, ONE_PROCESS)

    assert not state.is_usable
    assert "not made at this place by you" in state.problem
    assert refused.value.code is ErrorCode.SCAN_REQUIRED
    assert report.mode == "full"
    assert callers(root) == honest > 0
    assert read_index_state(StateDir(root).index_db).is_usable


@pytest.mark.parametrize("key", ["nonce", "seal"])
def test_an_index_whose_seal_was_changed_or_taken_away_is_not_believed(root, key):
    for statement in ("UPDATE meta SET value = '0' WHERE key = ?", "DELETE FROM meta WHERE key = ?"):
        with closing(sqlite3.connect(StateDir(root).index_db)) as connection, connection:
            connection.execute(statement, [key])

        assert not read_index_state(StateDir(root).index_db).is_usable


def test_what_a_clone_says_of_its_scans_is_not_believed(root, tmp_path):
    clone = shutil.copytree(root, tmp_path / "clone")
    record = clone / ".drift" / "scan.json"
    record.write_text(json.dumps(json.loads(record.read_text()) | {"choices": {"exclude": ["*.py"]}}))

    assert read_record(StateDir(root)) is not None
    assert len(read_snapshots(StateDir(root))) == 1
    assert read_record(StateDir(clone)) is None
    assert kept_choices(StateDir(clone)) == NO_CHOICES
    assert read_snapshots(StateDir(clone)) == []
