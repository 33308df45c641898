"""Workers that crash, hang or print."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from drift.kernel.errors import DriftError
from drift.kernel.own_process import Start
from drift.scan import pool
from drift.scan.describing import Task
from drift.scan.limits import Limits
from drift.scan.pool import read_files
from drift.scan.reader import Reader

DEADLY = """
import os, sys, time
from drift.languages.facts import FileFacts, Symbol
from drift.scan import worker

def extract(source, path):
    if path == "crash.py":
        os._exit(9)
    if path == "leave.py":
        os._exit(0)
    if path == "hang.py":
        time.sleep(60)
    if path == "raise.py":
        raise ValueError("no")
    print("a library that talks")
    return FileFacts("python", 1, 0, 0, (Symbol("module", path, -1, 1, 0, 1, 0, len(source)),))

worker.extractor_of = lambda language: extract
worker.main()
"""


def started_by(script):
    environ = {**os.environ, "PLACE": str(script.parent)}
    return Start((sys.executable, "-P", str(script)), environ, "/")


def read(tmp_path, names):
    for name in names:
        (tmp_path / name).write_text("x = 1\n")
    script = tmp_path / "worker_script.txt"
    script.write_text(DEADLY)
    tasks = [Task(number, name, "python", "source", 6, 0) for number, name in enumerate(names, 1)]
    rows = read_files(tmp_path, tasks, jobs=2, worker=started_by(script), limits=Limits(wall_seconds=8))
    return {each.file.path: each.file for each in rows}


def test_a_crash_a_hang_and_an_exception_cost_one_file_each(tmp_path):
    names = [f"m{number}.py" for number in range(40)]
    names[5:5] = ["crash.py", "hang.py", "leave.py", "raise.py"]

    files = read(tmp_path, names)

    assert len(files) == 44
    assert files.pop("crash.py").problem == "brought the reading process down, and its beginning alone, too"
    assert files.pop("leave.py").problem == "brought the reading process down, and its beginning alone, too"
    assert files.pop("hang.py").problem == "took longer than 8 s"
    assert files.pop("raise.py").problem == "ValueError while reading python"
    assert {file.status for file in files.values()} == {"ok"}


def test_a_large_file_that_hangs_costs_itself_alone_also_where_there_are_few(tmp_path):
    script = tmp_path / "worker_script.txt"
    script.write_text(DEADLY)
    for name in ("hang.py", "small.py", "notes.md"):
        (tmp_path / name).write_text("x = 1\n")
    tasks = [
        Task(1, "hang.py", "python", "source", 200_000, 0),
        Task(2, "small.py", "python", "source", 6, 0),
        Task(3, "notes.md", None, "docs", 200_000, 0),
    ]

    rows = read_files(tmp_path, tasks, jobs=2, worker=started_by(script), limits=Limits(wall_seconds=3))
    files = {each.file.path: each.file for each in rows}

    assert files.pop("hang.py").problem == "took longer than 3 s"
    assert {path: file.problem for path, file in files.items()} == {"small.py": None, "notes.md": None}


def test_a_worker_that_cannot_start_is_no_file_s_fault(tmp_path):
    (tmp_path / "a.py").write_text("x = 1\n")
    script = tmp_path / "worker_script.txt"
    script.write_text("raise SystemExit(4)\n")

    with pytest.raises(
        DriftError, match="No process that reads files could be started: it ended with code 4"
    ):
        list(
            read_files(
                tmp_path, [Task(1, "a.py", "python", "source", 6, 0)], jobs=1, worker=started_by(script)
            )
        )


KILLED_ONCE = """
import os, signal
from pathlib import Path
from drift.scan import worker

extractor_of = worker.extractor_of
place = Path(os.environ["PLACE"], "killed")

def kill(language):
    if TIMES > len(place.read_text()):
        place.write_text(place.read_text() + "x")
        os.kill(os.getpid(), signal.SIGKILL)
    return extractor_of(language)

worker.extractor_of = kill
worker.main()
"""


@pytest.mark.parametrize(
    ("times", "problem"),
    [(1, None), (2, "line 2: brought the reading process down: what follows was left out")],
)
def test_a_file_whose_worker_is_killed_from_outside_is_read_whole_again(tmp_path, times, problem):
    (tmp_path / "a.py").write_text("x = 1\n")
    (tmp_path / "killed").touch()
    script = tmp_path / "worker_script.txt"
    script.write_text(KILLED_ONCE.replace("TIMES", str(times)))

    (rows,) = read_files(
        tmp_path, [Task(1, "a.py", "python", "source", 6, 0)], jobs=1, worker=started_by(script)
    )

    assert rows.file.problem == problem


GROUPED = """
import os, sys
from pathlib import Path
from drift.scan import worker

Path(os.environ['PLACE'], "group.txt").write_text(str(os.getpgrp()))
worker.main()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no process groups there")
def test_a_signal_from_the_terminal_does_not_reach_the_workers(tmp_path):
    script = tmp_path / "worker_script.txt"
    script.write_text(GROUPED)
    (tmp_path / "a.py").write_text("x = 1\n")
    task = Task(1, "a.py", "python", "source", 200_000, 0)

    assert len(list(read_files(tmp_path, [task], jobs=1, worker=started_by(script)))) == 1

    assert int((tmp_path / "group.txt").read_text()) != os.getpgrp()


STUCK = """
import os, sys, time
from pathlib import Path
from drift.languages.facts import FileFacts, Symbol
from drift.scan import worker

def extract(source, path):
    Path(os.environ['PLACE'], f"{os.getpid()}.pid").touch()
    if path.startswith("slow"):
        time.sleep(600)
    return FileFacts("python", 1, 0, 0, (Symbol("module", path, -1, 1, 0, 1, 0, len(source)),))

worker.extractor_of = lambda language: extract
worker.main()
"""


def has_ended(pid: int) -> bool:
    """Whether no such process is left, or only what its parent has not yet taken note of."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked up in /proc")
def test_reading_that_is_broken_off_leaves_no_worker_behind(tmp_path):
    names = [f"m{number}.py" for number in range(16)] + [f"slow{number}.py" for number in range(32)]
    for name in names:
        (tmp_path / name).write_text("x = 1\n")
    (tmp_path / "stuck.txt").write_text(STUCK)
    tasks = [Task(number, name, "python", "source", 6, 0) for number, name in enumerate(names, 1)]
    reading = read_files(
        tmp_path, tasks, jobs=2, worker=started_by(tmp_path / "stuck.txt"), limits=Limits(wall_seconds=600)
    )

    assert next(reading).file.path == "m0.py"
    pids = [int(each.stem) for each in tmp_path.glob("*.pid")]
    assert pids
    reading.close()

    while not all(map(has_ended, pids)):  # the timeout of tests ends it
        threading.Event().wait(0.02)


def test_a_file_that_vanished_is_recorded(tmp_path):
    tasks = [Task(1, "gone.py", "python", "source", 6, 0)]

    (rows,) = read_files(tmp_path, tasks, jobs=1)

    assert rows.file.status == "failed"
    assert "cannot be read" in rows.file.problem


def read_one(root):
    (root / "a.py").write_text("x = 1\n")
    (rows,) = read_files(root, [Task(1, "a.py", "python", "source", 6, 0)], jobs=4)
    return rows.file.status


def test_one_worker_stays_at_hand_and_reads_for_every_project(tmp_path):
    (tmp_path / "other").mkdir()
    assert read_one(tmp_path) == "ok"
    first = pool._STAND_BY._kept._process.pid

    assert read_one(tmp_path / "other") == "ok"

    assert pool._STAND_BY._kept._process.pid == first


def test_a_worker_knows_neither_our_settings_nor_the_users_home(tmp_path, monkeypatch):
    monkeypatch.setenv("DRIFT_SERVE_TOKEN", "secret")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert read_one(tmp_path) == "ok"
    kept = pool._STAND_BY._kept

    monkeypatch.setenv("DRIFT_SERVE_TOKEN", "another")
    assert read_one(tmp_path) == "ok"

    assert not [name for name in kept.start.environ if name == "HOME" or name.startswith("DRIFT_")]
    assert pool._STAND_BY._kept is kept  # no other is started where they change


def test_a_worker_that_has_retired_is_replaced_without_a_word(tmp_path):
    script = tmp_path / "worker_script.txt"
    script.write_text("from drift.scan import worker\n\nworker._IDLE_SECONDS = 0.01\nworker.main()\n")
    (tmp_path / "a.py").write_text("x = 1\n")
    task = Task(1, "a.py", "python", "source", 6, 0)
    reader = Reader(started_by(script), Limits())
    reader.begin()
    assert reader._process.wait(300) == 0

    for _ in range(2):
        (rows,) = reader.read(tmp_path, [task])
        assert rows.file.status == "ok"
        assert reader._process.wait(300) == 0
    reader.close()


LARGE_PARENT = """
import sys
from pathlib import Path
from drift.scan.describing import Task
from drift.scan.pool import read_files

large = bytearray(b"x") * 400_000_000  # as a server of a large project may be
(rows,) = read_files(Path(sys.argv[1]), [Task(1, "a.py", "python", "source", 6, 0)], jobs=1)
print(rows.file.problem, len(large))
"""


def test_a_large_server_s_workers_read(tmp_path):
    (tmp_path / "a.py").write_text("x = 1\n")
    command = [sys.executable, "-P", "-c", LARGE_PARENT, str(tmp_path)]

    done = subprocess.run(command, capture_output=True, text=True, check=True)

    assert done.stdout == "None 400000000\n"


KILLED = """
import sys
from pathlib import Path
from drift.scan import pool
from drift.scan.describing import Task

list(pool.read_files(Path(sys.argv[1]), [Task(1, "a.py", "python", "source", 6, 0)], jobs=1))
print(pool._STAND_BY._kept._process.pid, flush=True)
sys.stdin.read()
"""


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked up in /proc")
def test_the_worker_at_hand_ends_with_a_parent_that_is_killed(tmp_path):
    (tmp_path / "a.py").write_text("x = 1\n")
    command = [sys.executable, "-P", "-c", KILLED, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as parent:
        worker = int(parent.stdout.readline())
        assert not has_ended(worker)
        parent.kill()

    while not has_ended(worker):  # the timeout of tests ends it
        threading.Event().wait(0.02)
