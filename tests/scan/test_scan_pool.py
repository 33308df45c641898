"""Workers that crash, hang or print."""

import sys

from drift.scan.describing import Task
from drift.scan.pool import read_files

DEADLY = """
import os, sys, time
from drift.languages.facts import FileFacts, Symbol
from drift.scan import worker

def extract(source, path):
    if path == "crash.py":
        os._exit(9)
    if path == "hang.py":
        time.sleep(60)
    if path == "raise.py":
        raise ValueError("no")
    print("a library that talks")
    return FileFacts("python", 1, 0, 0, (Symbol("module", path, -1, 1, 0, 1, 0, len(source)),))

worker.extractor_of = lambda language: extract
worker.main()
"""


def read(tmp_path, names):
    for name in names:
        (tmp_path / name).write_text("x = 1\n")
    script = tmp_path / "worker_script.txt"
    script.write_text(DEADLY)
    tasks = [Task(number, name, "python", "source", 6, 0) for number, name in enumerate(names, 1)]
    rows = read_files(tmp_path, tasks, jobs=2, worker=(sys.executable, str(script)), seconds_per_file=8)
    return {each.file.path: each.file for each in rows}


def test_a_crash_a_hang_and_an_exception_cost_one_file_each(tmp_path):
    names = [f"m{number}.py" for number in range(40)]
    names[5:5] = ["crash.py", "hang.py", "raise.py"]

    files = read(tmp_path, names)

    assert len(files) == 43
    assert files.pop("crash.py").problem == "brought the reading process down"
    assert files.pop("hang.py").problem == "took longer than 8 s"
    assert files.pop("raise.py").problem == "ValueError while reading python"
    assert {file.status for file in files.values()} == {"ok"}


def test_a_file_that_vanished_is_recorded(tmp_path):
    tasks = [Task(1, "gone.py", "python", "source", 6, 0)]

    (rows,) = read_files(tmp_path, tasks, jobs=1)

    assert rows.file.status == "failed"
    assert "cannot be read" in rows.file.problem
