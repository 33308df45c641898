"""Snapshots lie in folders and in object stores alike, and no store is believed."""

import logging
import shutil
import subprocess
import sys

import fsspec
import pytest
from index_dump import dump_index
from moto.server import ThreadedMotoServer

from drift.kernel.errors import DriftError, ErrorCode
from drift.project import StateDir
from drift.scan import ScanOptions, scan
from drift.scan.exchange import list_snapshots, publish_index
from drift.scan.pulling import pull_index
from drift.scan.snapshot_stores import FolderStore, open_store

ONE_PROCESS = ScanOptions(jobs=0)


@pytest.fixture(scope="module")
def origin(tmp_path_factory):
    root = tmp_path_factory.mktemp("origin") / "shop"
    root.mkdir()
    (root / "cart.py").write_text("def total(items):\n    return sum(items)\n\n\ntotal([1])\n")
    scan(root, ONE_PROCESS)
    return root


@pytest.fixture
def go_elsewhere(origin, tmp_path, monkeypatch):
    """Goes to another machine with the same files."""

    def go():
        monkeypatch.setenv("DRIFT_HOME", str(tmp_path / "home"))
        return shutil.copytree(origin, tmp_path / "shop", ignore=shutil.ignore_patterns(".drift"))

    return go


@pytest.fixture(scope="module")
def s3():
    """A bucket of an S3 on this machine."""
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    server.start()
    with pytest.MonkeyPatch.context() as patch:
        host, port = server.get_host_and_port()
        for name, value in {
            "AWS_ENDPOINT_URL": f"http://{host}:{port}",
            "AWS_ACCESS_KEY_ID": "testing",
            "AWS_SECRET_ACCESS_KEY": "testing",
            "AWS_DEFAULT_REGION": "us-east-1",
            "AWS_EC2_METADATA_DISABLED": "true",
        }.items():
            patch.setenv(name, value)
        logging.getLogger("werkzeug").setLevel(logging.ERROR)
        fsspec.filesystem("s3").mkdir("indexes")
        yield "s3://indexes/shop"
    server.stop()


@pytest.fixture(params=["memory", "s3"])
def place(request):
    if request.param == "s3":
        return request.getfixturevalue("s3")
    fsspec.filesystem("memory").store.clear()
    return "memory://indexes/shop"


def test_what_is_published_to_a_store_is_pulled_from_it_elsewhere(place, origin, go_elsewhere, tmp_path):
    made = publish_index(origin, open_store(place, tmp_path))
    elsewhere = go_elsewhere()

    taken, report = pull_index(elsewhere, open_store(place, tmp_path), ONE_PROCESS)

    assert taken == made
    assert made.path == f"{place}/{made.name}"
    assert (report.mode, report.read) == ("update", 0)
    assert dump_index(StateDir(elsewhere).index_db) == dump_index(StateDir(origin).index_db)


def test_content_that_a_store_has_exchanged_is_refused(place, origin, go_elsewhere, tmp_path):
    made = publish_index(origin, open_store(place, tmp_path))
    elsewhere = go_elsewhere()
    files, path = fsspec.core.url_to_fs(made.path)
    files.pipe_file(path, files.cat_file(path)[:-1] + b"x")

    with pytest.raises(DriftError, match="not the one its name says") as refused:
        pull_index(elsewhere, open_store(place, tmp_path), ONE_PROCESS)

    assert refused.value.code is ErrorCode.STORE_UNAVAILABLE
    assert not StateDir(elsewhere).index_db.exists()
    files.rm_file(path)


def test_of_many_snapshots_the_newest_are_kept(origin, tmp_path):
    root, store = tmp_path / "shop", open_store("memory://many", tmp_path)
    shutil.copytree(origin, root, ignore=shutil.ignore_patterns(".drift"))
    made = []
    for count in range(4):
        (root / f"more{count}.py").write_text("x = 1\n")
        scan(root, ONE_PROCESS)
        made.append(publish_index(root, store, keep=2).name)

    assert [each.name for each in list_snapshots(store)] == made[:1:-1]


def test_a_first_scan_starts_from_what_is_published_where_the_user_says(origin, go_elsewhere, tmp_path):
    publish_index(origin, FolderStore(tmp_path / "shared" / "shop"))
    elsewhere = go_elsewhere()

    options = ScanOptions(jobs=0, snapshots=str(tmp_path / "shared" / "{name}"))
    report = scan(elsewhere, options)

    assert (report.mode, report.read) == ("update", 0)


def test_a_first_scan_does_without_a_store_that_fails_or_lies(go_elsewhere, tmp_path):
    (tmp_path / "shared").write_text("no folder")
    elsewhere = go_elsewhere()

    report = scan(elsewhere, ScanOptions(jobs=0, snapshots=str(tmp_path / "shared")))

    assert report.mode == "full"


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("nosuch://bucket", "cannot be used as a store"),
        ("simplecache::memory://bucket", "chained"),
        ("memory://bucket/../::zip://x", "chained"),
    ],
)
def test_an_address_that_leads_to_no_store_says_so(place, said, tmp_path):
    with pytest.raises(DriftError, match=said) as refused:
        open_store(place, tmp_path)

    assert refused.value.code is ErrorCode.CONFIG_INVALID


def test_no_password_in_an_address_is_shown(tmp_path):
    assert "hunter2" not in open_store("memory://me:hunter2@bucket/x", tmp_path).address


def test_a_folder_loads_nothing_of_fsspec(tmp_path):
    code = (
        "import sys; from pathlib import Path; from drift.scan import exchange, pulling, snapshot_stores;"
        "[snapshot_stores.open_store(each, Path.cwd()) for each in ('shared', 'file:///tmp/shared')];"
        "sys.exit('fsspec' in sys.modules)"
    )

    assert subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=False).returncode == 0


def test_a_folder_by_its_url_is_that_folder(tmp_path):
    assert open_store(f"file://{tmp_path}/a%20b", tmp_path).address == f"{tmp_path}/a b"
