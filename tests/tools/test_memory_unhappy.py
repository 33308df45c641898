"""Every memory tool over a real connection while the store cannot be written, is full, damaged or missing.

What can be read is read, what cannot be done is told with a way out, and all works again when the fault is gone.
"""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing, contextmanager

import pytest
from memory_stdio import IS_ROOT, READING, WRITING, serving

from drift.memory import MemoryStore
from drift.registry import ServerName
from drift.tools import all_tools
from store_places import memory_db

resource = pytest.importorskip("resource", reason="limits are set as Unix sets them")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits and rights are those of Linux"),
]
TELLS_ITSELF = {"drift_memory_discover"}  # needs no store: it lists the tools, and the fault as a warning
NEEDS_A_MODEL = "drift_memory_embed"
# The last one where links cannot be followed, so that where the store lies is not known.
REFUSALS = {"CORTEX_UNAVAILABLE", "STORE_UNAVAILABLE", "PATH_OUTSIDE_PROJECT"}


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "shop"
    make_project(folder)
    yield folder
    set_writable(folder, True)


def make_project(folder):
    (folder / ".git").mkdir(parents=True)
    (folder / "orders.py").write_text("def order():\n    return 1\n")
    (folder / "README.md").write_text(
        "# Shop\n\n## Rules\n\nPrices are in cents, never in floats: sums differ.\n"
    )


def store_path(root):
    return memory_db(root, {"DRIFT_HOME": str(root.parent / "drift")})


def set_writable(root, is_writable):
    state, kept = root / ".drift", store_path(root).parent
    for path in [each for top in (state, kept) if top.exists() for each in (top, *top.rglob("*"))]:
        path.chmod(
            (0o755 if path.is_dir() else 0o644) if is_writable else (0o555 if path.is_dir() else 0o444)
        )


def limit_files(server, size):
    """Let no file of the server grow beyond a size, as on a disk that is full; None frees it."""
    _, most = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (most if size is None else size, most))


def check_reading(server, memory_id, calls=READING):
    for tool, arguments in calls.items():
        answer = server.call(tool, arguments, id=memory_id)
        assert not answer["isError"], (tool, answer)


def check_refused(server, calls, memory_id):
    for tool, arguments in calls.items():
        answer = server.call(tool, arguments, id=memory_id)
        assert answer.get("code") in REFUSALS, (tool, answer)
        assert answer["message"]
        assert answer["hint"], (tool, answer)


def check_mended(server, root, ids):
    """All works again, and what was acknowledged before is there."""
    after = server.save("Deploys are on Tuesdays, since the bank is closed on Mondays.")
    check_reading(server, after)
    for memory_id in (*ids, after):
        assert not server.call("drift_memory_get", {"id": memory_id})["isError"]
    with closing(MemoryStore(store_path(root))) as store, store.reading() as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def save_until_full(server):
    """The ids that were acknowledged, and the answer that was none."""
    ids = []
    while len(ids) < 5_000:
        answer = server.call("save_memory", {"text": f"Note {len(ids)}: {os.urandom(300).hex()}"})
        if answer["isError"]:
            return ids, answer
        ids.append(answer["data"]["id"])
    raise AssertionError("it never gets full")


def test_every_tool_is_called_here():
    listed = {tool.name for tool in all_tools().of_server(ServerName.MEMORY)}

    assert listed == {*READING, *WRITING, NEEDS_A_MODEL}


def test_a_whole_store_takes_every_call(root, tmp_path):
    with serving(root, tmp_path) as server:
        memory_id = server.save()
        check_reading(server, memory_id)
        for tool, arguments in WRITING.items():
            answer = server.call(tool, arguments, id=memory_id)
            assert not answer["isError"], (tool, answer)


def test_a_read_only_store_is_read_refuses_changes_and_works_when_it_may_be_written(root, tmp_path):
    with serving(root, tmp_path) as server:
        memory_id = server.save()
    set_writable(root, False)

    with serving(root, tmp_path) as server:
        check_reading(server, memory_id)
        check_refused(server, WRITING, memory_id)
        set_writable(root, True)
        check_mended(server, root, [memory_id])


def test_a_read_only_store_with_a_journal_left_by_a_killed_server_is_read_whole(root, tmp_path):
    with serving(root, tmp_path) as server:
        ids = [server.save(), server.save("The bank refuses cents in transfers to Japan.")]
        server.process.kill()
        server.process.wait()
    assert store_path(root).with_name("cortex.db-wal").stat().st_size
    set_writable(root, False)

    with serving(root, tmp_path) as server:
        check_reading(server, ids[1])
        check_refused(server, WRITING, ids[0])
        set_writable(root, True)
        check_mended(server, root, ids)


def test_a_read_only_file_in_a_folder_that_may_be_written_is_written_as_soon_as_it_may_be(root, tmp_path):
    with serving(root, tmp_path) as server:
        memory_id = server.save()
    store_path(root).chmod(0o444)

    with serving(root, tmp_path) as server:
        check_reading(server, memory_id)
        check_refused(server, {"save_memory": WRITING["save_memory"]}, memory_id)
        store_path(root).chmod(0o644)
        check_mended(server, root, [memory_id])


def test_what_others_write_is_seen_by_a_server_that_may_only_read(root, tmp_path):
    with serving(root, tmp_path) as server:
        server.save()
    set_writable(root, False)

    with serving(root, tmp_path) as server:
        server.call("recall", {"query": "payments"})
        set_writable(root, True)
        with serving(root, tmp_path) as other:
            later = other.save("Invoices are rounded once, at the end.")
        set_writable(root, False)
        found = server.call("recall", {"query": "invoices rounded"})

    assert [row["id"] for row in found["data"]["results"]][:1] == [later]


def test_a_project_that_may_not_be_written_has_memories_all_the_same(root, tmp_path):
    root.chmod(0o555)

    with serving(root, tmp_path) as server:
        found = server.call("recall", {"query": "payments"})
        saved = server.save()
        check_mended(server, root, [saved])
    root.chmod(0o755)

    assert found["data"]["results"] == []
    assert not (root / ".drift").exists()


@pytest.mark.parametrize("is_open_before", [True, False])
def test_a_full_disk_is_read_refuses_changes_and_works_with_space(root, tmp_path, is_open_before):
    with serving(root, tmp_path) as server:
        memory_id = server.save()

    with serving(root, tmp_path) as server:
        if is_open_before:
            check_reading(server, memory_id)
        limit_files(server, 1)
        check_reading(server, memory_id)
        check_refused(server, WRITING, memory_id)
        limit_files(server, None)
        check_mended(server, root, [memory_id])


def test_a_full_disk_before_the_first_save_is_an_empty_memory(root, tmp_path):
    with serving(root, tmp_path) as server:
        limit_files(server, 1)
        found = server.call("recall", {"query": "payments"})
        check_refused(server, {"save_memory": WRITING["save_memory"]}, "m_1")
        limit_files(server, None)
        check_mended(server, root, [])

    assert found["data"]["results"] == []


def test_nothing_acknowledged_is_lost_when_files_cannot_grow(root, tmp_path):
    with serving(root, tmp_path) as server:
        server.save()
        limit_files(server, 1_000_000)
        ids, refusal = save_until_full(server)
        limit_files(server, None)
        check_mended(server, root, ids)

    assert len(ids) > 10
    assert refusal["code"] == "CORTEX_UNAVAILABLE"
    assert "Nothing was saved" in refusal["hint"]


@contextmanager
def small_disk(folder):
    """A disk of two megabytes mounted on a folder."""
    folder.mkdir()
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(folder)], capture_output=True, check=False
    )
    if done.returncode:
        pytest.skip(f"no disk can be mounted here: {done.stderr.decode().strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


@pytest.mark.skipif(not IS_ROOT, reason="only root mounts disks")
def test_nothing_acknowledged_is_lost_on_a_real_disk_that_is_full(tmp_path):
    with small_disk(tmp_path / "disk") as disk:
        project, ballast = disk / "shop", disk / "ballast"
        make_project(project)
        ballast.write_bytes(bytes(1_000_000))
        with serving(project, disk) as server:
            ids, refusal = save_until_full(server)
            check_refused(server, {"save_memory": {"text": os.urandom(3_000).hex()}}, ids[0])
        with serving(project, disk) as server:
            fill(disk)
            # An export that is long is written to a file.
            check_reading(server, ids[-1], calls={**READING, "drift_memory_export": {"types": ["core"]}})
            ballast.unlink()
            check_mended(server, project, ids)

    assert len(ids) > 10
    assert "full" in refusal["message"]


def fill(disk):
    """Take the last byte there is, so that not even the files a store is read with can be made."""
    with (disk / "rest").open("wb", buffering=0) as file:
        while True:
            try:
                file.write(bytes(4_096))
            except OSError:
                return


def test_a_damaged_store_is_told_by_every_tool_and_stays(root, tmp_path):
    damaged = b"no database" * 500
    store_path(root).parent.mkdir(parents=True)
    store_path(root).write_bytes(damaged)

    with serving(root, tmp_path) as server:
        told = {tool: call for tool, call in READING.items() if tool not in TELLS_ITSELF}
        check_refused(server, {**told, **WRITING}, "m_1")
        for tool in TELLS_ITSELF:
            assert "damaged" in str(server.call(tool, READING[tool])["warnings"])
        assert store_path(root).read_bytes() == damaged
        store_path(root).rename(tmp_path / "aside.db")
        check_mended(server, root, [])


def test_a_folder_that_may_not_be_looked_into_is_not_called_empty(root, tmp_path):
    with serving(root, tmp_path) as server:
        memory_id = server.save()
    folder = store_path(root).parent
    folder.chmod(0)

    with serving(root, tmp_path) as server:
        told = {tool: call for tool, call in READING.items() if tool not in TELLS_ITSELF}
        check_refused(server, {**told, **WRITING}, memory_id)
        folder.chmod(0o755)
        check_mended(server, root, [memory_id])


def test_without_a_store_what_is_looked_for_is_not_found_and_nothing_fails(root, tmp_path):
    with serving(root, tmp_path) as server:
        for tool, arguments in READING.items():
            answer = server.call(tool, arguments, id="m_1")
            assert answer.get("code") in {None, "RESOURCE_NOT_FOUND"}, (tool, answer)
            assert not answer["isError"] or answer["hint"]
        assert not (root / ".drift").exists(), "reading left a trace"


def test_while_another_process_writes_all_is_read_and_a_save_says_when_to_come_again(root, tmp_path):
    with serving(root, tmp_path) as server:
        memory_id = server.save()
        with closing(sqlite3.connect(store_path(root), isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            server.call("drift_memory_get", {"id": memory_id})
            refused = server.call("save_memory", WRITING["save_memory"])
            other.execute("ROLLBACK")
        check_mended(server, root, [memory_id])

    assert refused["code"] == "CORTEX_UNAVAILABLE"
    assert refused["retryAfterMs"] > 0
