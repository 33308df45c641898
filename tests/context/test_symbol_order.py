"""Which symbol of a file a context names first."""

from drift.context.localize import Question, locate
from drift.context.symbols import rank_symbols
from drift.index import IndexReader
from drift.project import StateDir
from drift.scan import ScanOptions, scan

SOURCE = '''class RoutingException(Exception):
    """Raised where routing matches no url."""


class Adapter:
    def match(self, url):
        """How routing finds what matches."""
        return url
'''


def test_the_function_that_does_it_comes_before_the_type_that_mentions_it(tmp_path):
    (tmp_path / "routing.py").write_text(SOURCE)
    scan(tmp_path, ScanOptions(jobs=0))

    with IndexReader(StateDir(tmp_path).index_db) as reader:
        located = locate(reader, StateDir(tmp_path), Question("how routing matches a url"))
        first = rank_symbols(reader, located, located.files)[0]

    assert first.symbol.qualname == "Adapter.match"
