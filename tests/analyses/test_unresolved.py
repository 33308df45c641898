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


def test_a_call_of_an_object_is_none_of_what_a_class_of_php_has_by_itself(tmp_path):
    (tmp_path / "Orders.php").write_text(
        "<?php\nclass Orders {\n  public static function get($id) { return 1; }\n}\n"
        "class Bills {\n  public function get($id) { return 1; }\n}\n"
    )
    (tmp_path / "page.php").write_text("<?php\nfunction page($given) {\n  $given->items()->get(1);\n}\n")
    scan(tmp_path, ScanOptions(jobs=0))

    with IndexReader(tmp_path / ".drift/drift.db") as reader:
        found = [
            one.symbol.qualname
            for each in reader.symbols.named("get")
            for one in find_open_names(reader, [each])
        ]

    assert found == ["Bills.get"]
