"""A fault of the linker costs the file it happens in, never the scan."""

import shutil
import sqlite3
from contextlib import closing

import pytest

from drift.index import IndexReader
from drift.project import StateDir
from drift.scan import ScanOptions, scan
from drift.scan.link import rows
from drift.scan.packing import pack_facts, unpack_facts

FILES = {
    "good.py": "def work():\n    pass\n\n\ndef use():\n    work()\n",
    "odd.py": "from good import work\n\n\nclass Odd(list):\n    def run(self):\n        work()\n",
    "other.py": "from good import work\nfrom odd import Odd\n\n\ndef go():\n    work()\n    Odd().run()\n",
}


@pytest.fixture
def project(tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def outcomes(root):
    with IndexReader(StateDir(root).index_db) as reader, reader.snapshot():
        return {
            f"{symbol.path}:{call.text}": call.outcome
            for stamp in reader.files.stamps()
            for symbol in reader.symbols.of_file(stamp.id)
            for call in reader.calls.calls_of(symbol.id)
        }


@pytest.mark.parametrize("fault", [KeyError("x"), TypeError("x"), RecursionError(), AssertionError()])
def test_only_the_calls_of_the_file_with_the_fault_stay_unknown(project, monkeypatch, caplog, fault):
    follow = rows.follow_call

    def follow_or_fail(analysis, call, scope):
        if analysis.program.table_of(scope).path == "odd.py":
            raise fault
        return follow(analysis, call, scope)

    monkeypatch.setattr(rows, "follow_call", follow_or_fail)
    scan(project, ScanOptions(jobs=0))

    assert outcomes(project) == {
        "good.py:work": "resolved",
        "odd.py:work": "unknown",
        "other.py:work": "resolved",
        "other.py:Odd": "resolved",
        "other.py:Odd().run": "resolved",
    }
    assert "odd.py could not be linked" in caplog.text


def test_the_next_scan_of_the_file_links_it_as_if_nothing_had_happened(project, monkeypatch):
    with monkeypatch.context() as broken:
        broken.setattr(rows, "follow_call", lambda *_: {}["fault"])
        scan(project, ScanOptions(jobs=0))
    (project / "odd.py").write_text(FILES["odd.py"] + "        work()\n")
    scan(project, ScanOptions(jobs=0))

    assert outcomes(project)["odd.py:work"] == "resolved"


def test_the_file_with_the_fault_is_listed_until_it_is_linked(project, monkeypatch):
    follow = rows.follow_call

    def follow_or_fail(analysis, call, scope):
        return (
            {}["fault"]
            if analysis.program.table_of(scope).path == "odd.py"
            else follow(analysis, call, scope)
        )

    with monkeypatch.context() as broken:
        broken.setattr(rows, "follow_call", follow_or_fail)
        first = scan(project, ScanOptions(jobs=0))
    (project / "good.py").write_text(FILES["good.py"].replace("work", "worked"))
    second = scan(project, ScanOptions(jobs=0))

    assert [(each.path, "KeyError" in each.reason) for each in first.failures] == [("odd.py", True)]
    assert second.failures == ()
    assert outcomes(project)["other.py:Odd().run"] == "resolved"


def damage(root, column, value, path="odd.py"):
    with closing(sqlite3.connect(StateDir(root).index_db)) as connection, connection:
        connection.execute(
            f"UPDATE file_facts SET {column} = ? WHERE file_id = (SELECT id FROM files WHERE path = ?)",
            (value, path),
        )


@pytest.mark.parametrize("column", ["packed", "provides", "traces"])
@pytest.mark.parametrize("value", [b"x", b"\x01\x00\x00\x00\x00", b""])
@pytest.mark.parametrize("changed", ["odd.py", "good.py", "other.py"])
def test_what_is_damaged_in_the_index_costs_no_more_than_its_file_and_is_read_anew(
    project, tmp_path_factory, column, value, changed
):
    scan(project, ScanOptions(jobs=0))
    damage(project, column, value)
    (project / changed).write_text("import sys\n" + FILES[changed])
    between = scan(project, ScanOptions(jobs=0))
    (project / "more.py").write_text("from odd import Odd\n\nOdd().run()\n")
    for _ in range(2):  # one may be the first to find out, the next heals
        scan(project, ScanOptions(jobs=0))
    anew = tmp_path_factory.mktemp("anew")
    shutil.copytree(project, anew, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".drift"))
    scan(anew, ScanOptions(jobs=0))

    assert {each.path for each in between.failures} <= {"odd.py"}
    assert outcomes(project)["good.py:work"] == "resolved"
    assert outcomes(project) == outcomes(anew)


@pytest.mark.parametrize("facts", ["wrong parent", "wrong scope"])
def test_facts_that_make_no_table_cost_their_file_alone(project, facts, caplog):
    scan(project, ScanOptions(jobs=0))
    with IndexReader(StateDir(project).index_db) as reader:
        odd = next(stamp.id for stamp in reader.files.stamps() if stamp.path == "odd.py")
        found, numbers = unpack_facts(reader.files.packed_facts(odd))
    symbols = [each._replace(parent=99) if number == 2 else each for number, each in enumerate(found.symbols)]
    imports = [each._replace(scope=99) for each in found.imports]
    broken = {"wrong parent": {"symbols": tuple(symbols)}, "wrong scope": {"imports": tuple(imports)}}[facts]
    damage(project, "packed", pack_facts(found._replace(**broken), numbers))
    (project / "good.py").write_text("def work(x):\n    pass\n\n\ndef use():\n    work(1)\n")

    report = scan(project, ScanOptions(jobs=0))

    assert [each.path for each in report.failures] == ["odd.py"]
    said = outcomes(project)
    assert (said["good.py:work"], said["other.py:work"]) == ("resolved", "resolved")
    assert said.get("odd.py:work", "unknown") == "unknown"
    assert "odd.py could not be linked" in caplog.text
