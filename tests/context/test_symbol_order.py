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


def test_a_member_whose_name_and_owner_the_task_spells_comes_first(tmp_path):
    (tmp_path / "pool.py").write_text(
        "class RenderPool:\n    def spawn_pool_render(self):\n        return self.render_pool_render\n\n"
        "    def render(self):\n        return 1\n\n\nclass Pool:\n    def render(self):\n        return 2\n"
    )
    scan(tmp_path, ScanOptions(jobs=0))

    with IndexReader(StateDir(tmp_path).index_db) as reader:
        located = locate(reader, StateDir(tmp_path), Question("render pool render"))
        first = rank_symbols(reader, located, located.files)[0]

    assert first.symbol.qualname == "RenderPool.render"
