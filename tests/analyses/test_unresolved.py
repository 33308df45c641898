"""Unresolved calls that may lead to a symbol by its name."""

import pytest

from drift.analyses.unresolved import find_open_names
from drift.index import IndexReader
from drift.scan import ScanOptions, scan

SHOP = """\
from django.views.generic import View


class OrderView(View):
    def get(self, request):
        return 1


class Shelf:
    def get(self, key):
        return key


def first(box):
    return box.get("key")
"""


@pytest.mark.parametrize(("wanted", "names"), [("OrderView.get", []), ("Shelf.get", ["Shelf.get"])])
def test_a_call_of_anything_is_no_call_of_what_requests_alone_run(tmp_path, wanted, names):
    (tmp_path / "shop.py").write_text(SHOP, "utf-8")
    scan(tmp_path, ScanOptions(jobs=0))

    with IndexReader(tmp_path / ".drift/drift.db") as reader:
        (symbol,) = [one for one in reader.symbols.named("get") if one.qualname == wanted]
        found = find_open_names(reader, [symbol])

    assert [one.symbol.qualname for one in found] == names
