"""A scan that is killed at any moment leaves the old index or the new one."""

import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from index_samples import LAYERS, build, sample_file

from drift.index import IndexReader, IndexWriter, read_index_state
from drift.kernel.errors import DriftError, ErrorCode

FILES = 40
_WRITE_FOREVER = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from index_samples import LAYERS, sample_file, sample_links
from drift.index import IndexWriter

path, mode, files = Path(sys.argv[2]), sys.argv[3], int(sys.argv[4])
print("ready", flush=True)
for state in range(1, 1_000_000):
    with IndexWriter(path) as writer:
        with getattr(writer, mode)(LAYERS) as transaction:
            for file in range(1, files + 1):
                put = transaction.add_file if mode == "rebuild" else transaction.replace_file
                put(sample_file(file, mark=f"state {state}"))
            for file in range(1, files + 1):
                transaction.set_links(sample_links(file, file - 1 or files))
    print("committed", flush=True)
"""


def write_until_killed(path: Path, mode: str, chance: random.Random) -> None:
    """Let a process write, and kill it some moment after none, one or two of its changes."""
    here = str(Path(__file__).parent)
    command = [sys.executable, "-c", _WRITE_FOREVER, here, str(path), mode, str(FILES)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"ready\n"
        for _ in range(chance.randrange(3)):
            assert child.stdout.readline() == b"committed\n"
        time.sleep(chance.uniform(0.0, 0.08))
        assert child.poll() is None, "the writer failed by itself"
        child.send_signal(signal.SIGKILL)


def assert_whole(path: Path) -> None:
    with IndexReader(path) as reader, reader.snapshot():
        files = reader.files.page(limit=-1)
        assert len(files) == FILES
        assert len({file.package for file in files}) == 1
        assert reader.calls.outcome_counts() == {"ambiguous": FILES, "external": FILES, "resolved": FILES}
        assert len(reader.calls.edges()) == 3 * FILES
        assert len(reader.symbols.search("save order", limit=1000)) == FILES
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no kill -9")
@pytest.mark.parametrize("mode", ["rebuild", "update"])
def test_a_scan_killed_at_any_moment_leaves_the_old_or_the_new_index(tmp_path, mode):
    path = tmp_path / "drift.db"
    build(path, files=FILES)
    chance = random.Random(mode)
    generations = [read_index_state(path).generation]

    with IndexReader(path) as open_all_along:
        for _ in range(10):
            write_until_killed(path, mode, chance)
            assert_whole(path)
            assert len(open_all_along.files.page(limit=-1)) == FILES
            generations.append(read_index_state(path).generation)

    assert generations == sorted(generations)
    assert len(set(generations)) > 2, "the writer never got to commit, so nothing was shown"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no kill -9")
def test_a_first_scan_killed_at_any_moment_leaves_no_index_or_a_whole_one(tmp_path):
    chance = random.Random(7)
    for attempt in range(8):
        path = tmp_path / str(attempt) / "drift.db"
        path.parent.mkdir()
        write_until_killed(path, "rebuild", chance)
        if path.exists():
            assert_whole(path)
        # Neither the lock nor the unfinished file of the dead one is in the way.
        with IndexWriter(path, wait_seconds=0.5) as writer, writer.rebuild(LAYERS) as transaction:
            transaction.add_file(sample_file(1))
        assert read_index_state(path).file_count == 1
        assert not path.with_name("drift.db.building").exists()


@contextmanager
def files_no_larger_than(most_bytes: int) -> Iterator[None]:
    """A disk that takes no more, as far as SQLite can tell."""
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def add_many_files(path: Path) -> None:
    with IndexWriter(path) as writer, writer.update(LAYERS) as transaction:
        for file in range(10, 3_000):
            transaction.add_file(sample_file(file, mark="after"))


def test_a_full_disk_is_told_as_one_and_leaves_the_old_index(tmp_path):
    path = tmp_path / "drift.db"
    build(path)
    size = path.stat().st_size

    with files_no_larger_than(size + 20_000), pytest.raises(DriftError, match="disk") as raised:
        add_many_files(path)

    assert raised.value.code is ErrorCode.STORE_UNAVAILABLE
    assert raised.value.recovery.command is None  # building anew would take still more of the disk
    assert "space" in raised.value.recovery.hint
    with IndexReader(path) as reader:
        assert len(reader.files.page(limit=-1)) == 3
