"""Which symbol a bare name means to the tools that walk the call graph."""

import pytest

from drift.index import IndexReader
from drift.kernel.errors import DriftError
from drift.project import StateDir
from drift.scan import ScanOptions, scan
from drift.tools.choice import choose_symbol


@pytest.fixture
def reader(tmp_path):
    (tmp_path / "url.py").write_text("def get_path(x):\n    return x\n\n\ndef twice():\n    pass\n")
    (tmp_path / "event.py").write_text(
        "class Event:\n    def get_path(self):\n        return 1\n\n\ndef twice():\n    pass\n"
    )
    scan(tmp_path, ScanOptions(jobs=0))
    with IndexReader(StateDir(tmp_path).index_db) as found:
        yield found


def test_a_bare_name_means_what_has_no_longer_one_and_tells_of_the_others(reader):
    symbol, warnings = choose_symbol(reader, "get_path()")

    assert symbol.path == "url.py"
    assert warnings == ("1 more of this name in the product: Event.get_path event.py:2",)


def test_a_name_that_two_functions_have_is_still_refused(reader):
    with pytest.raises(DriftError, match="means 2 symbols"):
        choose_symbol(reader, "twice")
