"""Names that a module makes up when it is asked for them."""

from drift.analyses.dead_code.finding import find_dead_code
from drift.index import IndexReader
from drift.project import StateDir
from drift.scan import ScanOptions, scan


def test_what_a_module_may_give_under_another_name_is_not_surely_dead(tmp_path):
    (tmp_path / "http.py").write_text(
        'def _parse_etags(x):\n    return x\n\n\ndef __getattr__(name):\n    return globals()[f"_{name}"]\n'
    )
    (tmp_path / "other.py").write_text("def _lost(x):\n    return x\n")
    scan(tmp_path, ScanOptions(jobs=0))

    with IndexReader(StateDir(tmp_path).index_db) as reader:
        found = {one.symbol.name: one.level for one in find_dead_code(reader, ()).found}

    assert found == {"_parse_etags": "low", "_lost": "high"}
