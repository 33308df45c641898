"""An index that one machine publishes is what another starts from; one that somebody made to harm is refused."""

import hashlib
import shutil
import sqlite3
from contextlib import closing

import pytest
from index_dump import dump_index

from drift.index import read_index_state
from drift.index.engine import engine_digest
from drift.kernel.errors import DriftError, ErrorCode
from drift.project import StateDir
from drift.scan import ScanOptions, exchange, scan
from drift.scan.exchange import publish_index
from drift.scan.pulling import pull_index
from drift.scan.snapshot_stores import FolderStore
from drift.scan.vetting import find_unfit

ONE_PROCESS = ScanOptions(jobs=0)


@pytest.fixture(scope="module")
def origin(tmp_path_factory):
    """A project with an index, and the folder that a snapshot of it was published to."""
    place = tmp_path_factory.mktemp("origin")
    root = place / "shop"
    root.mkdir()
    (root / "cart.py").write_text(
        "def total(items):\n    return sum(items)\n\n\ndef pay(items):\n    total(items)\n"
    )
    (root / "till.py").write_text("from cart import pay\n\npay([1])\n")
    (root / "gone.py").write_text("unheard_of_elsewhere()\n")
    scan(root, ONE_PROCESS)
    (root / "gone.py").unlink()
    scan(root, ONE_PROCESS)
    publish_index(root, FolderStore(place / "shared"))
    return place


@pytest.fixture
def elsewhere(origin, tmp_path, monkeypatch):
    """Another machine with the same files, and the folder."""
    monkeypatch.setenv("DRIFT_HOME", str(tmp_path / "home"))
    shutil.copytree(origin / "shared", tmp_path / "shared")
    return shutil.copytree(origin / "shop", tmp_path / "shop", ignore=shutil.ignore_patterns(".drift"))


def snapshot_in(folder):
    (found,) = folder.iterdir()
    return found


def republish(folder, content):
    """Put other content there under a name that fits it."""
    snapshot_in(folder).unlink()
    digest = hashlib.sha256(content).hexdigest()
    (folder / f"{engine_digest()}-0-{digest}.driftindex").write_bytes(content)


def test_what_is_pulled_is_brought_up_to_date_and_is_what_a_scan_gives(elsewhere):
    (elsewhere / "till.py").write_text("from cart import pay, total\n\npay([total([1])])\n")

    taken, report = pull_index(elsewhere, FolderStore(elsewhere.parent / "shared"), ONE_PROCESS)
    pulled = dump_index(StateDir(elsewhere).index_db)
    scan(elsewhere, ScanOptions(jobs=0, is_forced=True))

    assert (report.mode, report.read, report.removed) == ("update", 1, 0)
    assert taken.commit is None
    assert [each.name for each in (elsewhere / ".drift").iterdir() if each.name.startswith("pulled")] == []
    assert pulled == dump_index(StateDir(elsewhere).index_db)


def test_a_snapshot_holds_nothing_of_files_that_are_gone_nor_of_who_made_it(origin):
    content = snapshot_in(origin / "shared").read_bytes()

    assert b"unheard" not in content
    assert b"gone" not in content
    assert b"nonce" not in content
    assert b"unheard" in (origin / "shop" / ".drift" / "drift.db").read_bytes()


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("CREATE TRIGGER t AFTER INSERT ON files BEGIN DELETE FROM edges; END", "other tables"),
        ("CREATE VIEW v AS SELECT 1", "other tables"),
        ("UPDATE files SET path = '../../etc/passwd' WHERE id = 1", "leads out"),
        ("UPDATE files SET path = '/etc/passwd' WHERE id = 1", "leads out"),
        ("UPDATE files SET path = '.git/hooks/x.py' WHERE id = 1", "leads out"),
        ("UPDATE meta SET value = 'another' WHERE key = 'engine'", "another version"),
        ("INSERT INTO meta VALUES ('seal', 'forged')", "other things of itself"),
        ("UPDATE meta SET value = '1e9' WHERE key = 'generation'", "other things of itself"),
        ("INSERT INTO comments VALUES (99, 0, 1, 1, 'of nobody')", "rows of no file in comments"),
        ("UPDATE file_facts SET packed = x'0102'", "facts that are none"),
        ("UPDATE file_facts SET traces = x'ffffffff'", "traces that are cut"),
        ("PRAGMA user_version = 1", "schema 1"),
    ],
)  # fmt: skip
def test_a_snapshot_that_is_not_what_an_index_is_is_refused(origin, tmp_path, how, said):
    made = shutil.copy(snapshot_in(origin / "shared"), tmp_path / "made.db")
    with closing(sqlite3.connect(made)) as connection, connection:
        connection.execute(how)

    assert said in find_unfit(made)


def test_a_snapshot_is_refused_that_brings_down_who_looks_through_it_and_the_index_stays(
    elsewhere, monkeypatch
):
    scan(elsewhere, ONE_PROCESS)
    before = read_index_state(StateDir(elsewhere).index_db)
    content = snapshot_in(elsewhere.parent / "shared").read_bytes()
    republish(elsewhere.parent / "shared", content[:4096] + b"\xff" * (len(content) - 4096))

    with pytest.raises(DriftError, match="is not taken in") as refused:
        pull_index(elsewhere, FolderStore(elsewhere.parent / "shared"), ONE_PROCESS)

    assert refused.value.code is ErrorCode.STORE_UNAVAILABLE
    assert read_index_state(StateDir(elsewhere).index_db) == before


def test_content_that_is_not_what_its_name_says_is_not_looked_through(elsewhere, monkeypatch):
    snapshot = snapshot_in(elsewhere.parent / "shared")
    snapshot.write_bytes(snapshot.read_bytes()[:-1] + b"x")
    monkeypatch.setattr(exchange, "vet", lambda *_: 1 / 0)

    with pytest.raises(DriftError, match="not the one its name says"):
        pull_index(elsewhere, FolderStore(elsewhere.parent / "shared"), ONE_PROCESS)


def test_a_snapshot_that_was_made_with_other_rules_of_the_project_is_refused(elsewhere):
    shared = elsewhere.parent / "shared"
    made = shutil.copy(snapshot_in(shared), elsewhere.parent / "made.db")
    with closing(sqlite3.connect(made)) as connection, connection:
        connection.execute("UPDATE meta SET value = 'others' WHERE key = 'rules'")
    republish(shared, made.read_bytes())

    with pytest.raises(DriftError, match="other rules than the project's own"):
        pull_index(elsewhere, FolderStore(shared), ONE_PROCESS)


def test_links_and_indexes_of_other_engines_are_none(elsewhere):
    shared = elsewhere.parent / "shared"
    snapshot = snapshot_in(shared)
    snapshot.rename(shared / f"{'0' * 32}{snapshot.name[32:]}")
    (shared / snapshot.name).symlink_to(shared / f"{'0' * 32}{snapshot.name[32:]}")

    with pytest.raises(DriftError) as refused:
        pull_index(elsewhere, FolderStore(shared), ONE_PROCESS)

    assert refused.value.code is ErrorCode.FILE_NOT_FOUND


def test_without_an_index_nothing_is_published(tmp_path):
    with pytest.raises(DriftError) as refused:
        publish_index(tmp_path, FolderStore(tmp_path / "shared"))

    assert refused.value.code is ErrorCode.SCAN_REQUIRED
    assert not (tmp_path / "shared").exists()
