"""A fault of the linker costs the file it happens in, never the scan."""

import pytest

from drift.index import IndexReader
from drift.project import StateDir
from drift.scan import ScanOptions, scan
from drift.scan.link import rows

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
