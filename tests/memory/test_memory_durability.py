"""Nothing acknowledged is lost: processes killed while they save, and several at once.

DRIFT_KILL_ROUNDS=50 kills more often than a usual run does.
"""

import os
import sqlite3
import subprocess
import sys
import textwrap
from contextlib import closing

import pytest

from cluster import SHARE, environ_of
from drift.kernel.sharing import place_of
from drift.memory import MemoryStore

ON_BOTH_ENGINES = True
ROUNDS = int(os.environ.get("DRIFT_KILL_ROUNDS", "10"))
SHARED_ROUNDS = int(os.environ.get("DRIFT_KILL_ROUNDS", "3"))
SAVE = SHARE + textwrap.dedent("""
    import sys
    from pathlib import Path
    from drift.memory import Draft, MemoryStore
    share_as_told(Path(sys.argv[1]))
    store = MemoryStore(Path(sys.argv[1]))
    name, most = sys.argv[2], int(sys.argv[3])
    if len(sys.argv) > 4:
        sys.stdin.readline()
    for number in range(most):
        memory = store.add(Draft(type="tribal", text=f"{name} {number} words", tags=(name,)), actor=name)
        if number % 3 == 2:
            memory = store.update(memory.id, {"text": f"{name} {number} changed"}, actor=name)
        # Only what the store has confirmed is told.
        sys.stdout.write(f"{memory.id} {memory.text}\\n")
        sys.stdout.flush()
""")


def start(path, name, most, *, waits=False):
    command = [sys.executable, "-c", SAVE, str(path), name, str(most), *(["waits"] if waits else [])]
    pipes = {"stdout": subprocess.PIPE, "stdin": subprocess.PIPE, "text": True}
    return subprocess.Popen(command, **pipes, env=environ_of(path))


def told(lines):
    """What was acknowledged, whole lines only."""
    return dict(line.strip().split(" ", 1) for line in lines if line.endswith("\n"))


def check_store(path, acknowledged):
    store = MemoryStore.open(path)
    found = store.get_many(acknowledged)
    assert {memory_id: memory.text for memory_id, memory in found.items()} == acknowledged
    assert store.find_short() == ()
    if place_of(path) is None:
        check_file(store)
    replayed = {memory.id: memory for memory in store.history.memories_at()}
    assert replayed == store.get_many(replayed)
    assert len(replayed) == store.counts().total
    store.close()


def check_file(store):
    with store.transaction() as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        connection.execute("INSERT INTO memory_words (memory_words, rank) VALUES ('integrity-check', 1)")


def test_a_killed_process_loses_nothing_it_was_told_was_saved(tmp_path, engine, keep_on):
    path = tmp_path / "memory" / "cortex.db"
    keep_on(memory=path)
    acknowledged = {}
    rounds = ROUNDS if engine == "sqlite" else SHARED_ROUNDS
    for number in range(rounds):
        process = start(path, f"round{number}", 10_000)
        # Another moment in each round: within the first saves, also of the very first, which migrates.
        lines = [process.stdout.readline() for _ in range(number % 7 * 3)]
        process.kill()
        lines.extend(process.stdout)
        process.wait()
        process.stdin.close()
        process.stdout.close()
        acknowledged |= told(lines)
        check_store(path, acknowledged)

    assert len(acknowledged) >= rounds


def test_two_processes_that_start_and_save_at_once_lose_nothing(tmp_path, keep_on):
    path = tmp_path / "memory" / "cortex.db"
    keep_on(memory=path)
    processes = [start(path, name, 150, waits=True) for name in ("first", "second")]
    for process in processes:
        process.stdin.write("go\n")
        process.stdin.flush()

    acknowledged = {}
    for process in processes:
        output, _ = process.communicate(timeout=300)
        assert process.returncode == 0
        acknowledged |= told(output.splitlines(keepends=True))

    assert len(acknowledged) == 300
    check_store(path, acknowledged)


def test_a_process_that_starts_while_another_migrates_waits_for_it(tmp_path):
    path = tmp_path / "cortex.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as migrating:
        migrating.execute("PRAGMA journal_mode = WAL")
        migrating.execute("BEGIN IMMEDIATE")
        process = start(path, "second", 1)
        # It is at the lock, or on its way there: either way it must not end before the lock is gone.
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(timeout=2)
        migrating.execute("ROLLBACK")

    output, _ = process.communicate(timeout=300)

    assert process.returncode == 0
    check_store(path, told(output.splitlines(keepends=True)))


def test_six_processes_that_open_a_new_store_at_once_all_get_it(tmp_path):
    path = tmp_path / "memory" / "cortex.db"
    processes = [start(path, f"p{number}", 2, waits=True) for number in range(6)]
    for process in processes:
        process.stdin.write("go\n")
        process.stdin.flush()

    acknowledged = {}
    for process in processes:
        output, _ = process.communicate(timeout=300)
        assert process.returncode == 0
        acknowledged |= told(output.splitlines(keepends=True))

    assert len(acknowledged) == 12
    check_store(path, acknowledged)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_forked_process_opens_the_store_for_itself(tmp_path):
    code = textwrap.dedent("""
        import os, sys
        from pathlib import Path
        from drift.memory import Draft, MemoryStore
        store = MemoryStore.open(Path(sys.argv[1]))
        first = store.add(Draft(type="tribal", text="parent"), actor="t")
        child = os.fork()
        if child == 0:
            store.add(Draft(type="tribal", text="child"), actor="t")
            os._exit(0)
        _, status = os.waitpid(child, 0)
        store.add(Draft(type="tribal", text="after"), actor="t")
        print(status, sorted(memory.text for memory in store.list().memories))
    """)
    command = [sys.executable, "-c", code, str(tmp_path / "cortex.db")]

    result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)

    assert result.stdout == "0 ['after', 'child', 'parent']\n", result.stderr
