"""Files made to take the machine: each costs so much and no more, and what can be had of it is kept."""

import os
import sys
from pathlib import Path

import pytest

from drift.index import IndexReader
from drift.kernel.own_process import Start
from drift.project import StateDir
from drift.scan import ScanOptions, scan
from drift.scan.describing import Task
from drift.scan.limits import Limits
from drift.scan.pool import read_files

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no limits of the system there")

LOW = Limits(cpu_seconds=1, memory_bytes=300_000_000)
HEAD = {
    "cpp": "int first() { return 1; }\n",
    "csharp": "class First { void Go() {} }\n",
    "go": "package a\n\nfunc first() {}\n",
    "java": "class First { void go() {} }\n",
    "javascript": "function first() {}\n",
    "php": "<?php\nfunction first() {}\n",
    "python": "def first():\n    pass\n",
    "rust": "fn first() {}\n",
    "typescript": "function first() {}\n",
}
NAMES = {
    "cpp": "a.cpp", "csharp": "A.cs", "go": "a.go", "java": "A.java", "javascript": "a.js", "php": "a.php",
    "python": "a.py", "rust": "a.rs", "typescript": "a.ts",
}  # fmt: skip


def read_one(root, language, text, *, limits=LOW, worker=None):
    (root / NAMES[language]).write_text(text)
    task = Task(1, NAMES[language], language, "source", len(text), 0)
    (rows,) = read_files(root, [task], jobs=1, limits=limits, worker=worker)
    return rows


def names_in(rows):
    return {row[3] for row in rows.symbols}


@pytest.mark.parametrize(
    ("language", "hostile"),
    [
        ("javascript", '"' * 90_000),
        ("cpp", "[[a]]" * 19_800),
        ("typescript", "`${" * 30_000 + '"' * 90_000),
    ],
)
def test_what_a_grammar_cannot_get_through_is_read_in_part(tmp_path, language, hostile):
    rows = read_one(tmp_path, language, HEAD[language] * 200 + hostile)

    assert rows.file.status == "partial"
    assert "CPU time: what follows was left out" in rows.file.problem
    assert "first" in names_in(rows)
    assert rows.file.size == len(HEAD[language] * 200 + hostile)


@pytest.mark.parametrize("language", ["javascript", "typescript"])
def test_functions_in_functions_have_an_end(tmp_path, language):
    rows = read_one(tmp_path, language, HEAD[language] + "() =>" * 16_000 + "1")

    assert rows.file.status == "partial"
    assert "nested deeper than 100 levels" in rows.file.problem
    assert "first" in names_in(rows)
    assert len(rows.symbols) < 150


@pytest.mark.parametrize(
    ("language", "hostile"),
    [
        ("cpp", "int x = a" + "()" * 30_000 + ";"),
        ("cpp", "a<" * 20_000),
        ("csharp", "class A { object x = " + "()=>" * 20_000 + "1;}"),
        ("go", "var x = " + "func(){" * 12_000),
        ("java", "class A { Object x = " + "()->" * 20_000 + "1;}"),
        ("javascript", "a" + "()" * 30_000),
        ("php", "$x = " + "fn()=>" * 15_000 + "1;"),
        ("python", "x = " + "lambda:" * 12_000 + "1"),
        ("python", "a" + "()" * 30_000),
        ("rust", "fn f(){ " + "||" * 30_000 + "1}"),
        ("typescript", "x={a:" * 18_000),
    ],
)
def test_what_is_nested_without_end_leaves_the_rest_of_the_file_whole(tmp_path, language, hostile):
    rows = read_one(tmp_path, language, HEAD[language] + hostile, limits=Limits())

    assert rows.file.status in {"ok", "partial"}
    assert {"first", "First"} & names_in(rows)


HUNGRY = """
import os
import time
from drift.languages.facts import FileFacts, Symbol
from drift.languages.overruns import OverrunError
from drift.scan import worker

def extract(source, path):
    what = source.split(b"\\n")[-1].decode()
    if what == "waiting":
        time.sleep(1)  # twice its limit, on the clock
    if what == "memory":
        hoard = [bytes(10_000_000) for _ in range(1000)]
    if what == "memory at once":
        hoard = bytes(10_000_000_000)
    if what == "python for ever":
        while True:
            pass
    if what == "swallowing":
        while True:
            try:
                sum(range(1000))
            except Exception:
                pass
    if what == "grammar for ever":
        b"a" * 100_000 in b"a" * 99_999  # nothing; what follows holds the interpreter
        sum(range(10**12))
    return FileFacts("python", 1, 0, 0, (Symbol("module", f"{len(source)}", -1, 1, 0, 1, 0, len(source)),))

worker.extractor_of = lambda language: extract
worker.main()
"""


@pytest.fixture
def hungry(tmp_path):
    script = tmp_path / "worker_script.txt"
    script.write_text(HUNGRY)
    return Start((sys.executable, "-P", str(script)), dict(os.environ), "/")


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("memory", "took more than 300 MB of memory"),
        ("memory at once", "took more than 300 MB of memory"),
        ("python for ever", "took more than 1."),
        ("swallowing", "took more than 1."),
        ("grammar for ever", "took more than 1"),
    ],
)
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the system does not limit memory")
def test_each_limit_ends_what_exceeds_it_and_the_beginning_is_read(tmp_path, hungry, what, said):
    text = "# nothing\n" * 1000 + what

    rows = read_one(tmp_path, "python", text, worker=hungry)

    assert rows.file.status == "partial"
    assert said in rows.file.problem
    assert "what follows was left out" in rows.file.problem
    assert names_in(rows) == {"2000"}  # the least that is called a beginning


def test_a_file_that_waits_takes_no_time_of_its_limit(tmp_path, hungry):
    tight = LOW._replace(cpu_seconds=0.5, cpu_seconds_per_mb=0)

    rows = read_one(tmp_path, "python", "waiting", limits=tight, worker=hungry)

    assert rows.file.status == "ok"
    assert names_in(rows) == {str(len("waiting"))}


def test_files_after_the_one_that_took_too_much_are_read(tmp_path, hungry):
    texts = {"a.py": "x = 1\n", "b.py": "# nothing\n" * 1000 + "memory", "c.py": "y = 1\n"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    tasks = [Task(n, name, "python", "source", 1, 0) for n, name in enumerate(texts, 1)]

    rows = list(read_files(tmp_path, tasks, jobs=1, limits=LOW, worker=hungry))

    assert [(each.file.path, each.file.status) for each in rows] == [
        ("a.py", "ok"),
        ("b.py", "partial"),
        ("c.py", "ok"),
    ]


def test_a_walk_that_exhausts_the_stack_keeps_what_it_found(tmp_path):
    script = tmp_path / "worker_script.txt"
    script.write_text(
        "from drift.languages import gathering\n"
        "from drift.scan import worker\n"
        "gathering._MOST_LEVELS = 10**6\n"
        "worker.main()\n"
    )
    start = Start((sys.executable, "-P", str(script)), dict(os.environ), "/")

    rows = read_one(
        tmp_path, "go", HEAD["go"] + "func last() { " + "f(" * 3_000 + ")" * 3_000 + "}", worker=start
    )

    assert rows.file.status == "partial"
    assert "is nested too deeply: what follows was left out" in rows.file.problem
    assert "first" in names_in(rows)


def test_a_project_of_one_file_is_read_in_a_worker_and_the_report_goes_on(tmp_path):
    (tmp_path / "a.js").write_text(HEAD["javascript"] * 900 + "() =>" * 900 + "1\n")
    (tmp_path / "b.js").write_text("function second() { first(); }\n")

    report = scan(tmp_path, ScanOptions(jobs=0))

    with IndexReader(StateDir(tmp_path).index_db) as reader:
        assert {stamp.path: stamp.status for stamp in reader.files.stamps()} == {
            "a.js": "partial",
            "b.js": "ok",
        }
    assert report.failures == ()
