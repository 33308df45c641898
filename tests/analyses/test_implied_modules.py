"""Modules that only the paths of classes name: one symbol to a reader, told by the classes in it."""

import pytest

from drift.analyses.lookup import find_symbols
from drift.analyses.types import describe_types
from drift.index import IndexReader
from drift.project import StateDir
from drift.scan import ScanOptions, scan


@pytest.fixture(scope="module")
def reader(tmp_path_factory):
    root = tmp_path_factory.mktemp("implied")
    for name in ("One", "Two", "Three"):
        (root / f"{name.lower()}.rb").write_text(f"class Api::V1::{name}\n  def go = 1\nend\n")
    (root / "open.rb").write_text("module Open\n  LIMIT = 1\nend\n")
    (root / "part.rb").write_text("class Open::Part\nend\n")
    scan(root, ScanOptions(jobs=0))
    with IndexReader(StateDir(root).index_db) as found:
        yield found


@pytest.mark.parametrize(("wanted", "path"), [("Api", "one.rb"), ("Api::V1", "one.rb"), ("Open", "open.rb")])
def test_a_module_that_many_paths_name_is_one(reader, wanted, path):
    found = find_symbols(reader, wanted).symbols

    assert [one.path for one in found] == [path]


def test_a_module_that_nothing_opens_is_told_by_the_classes_in_it(reader):
    shape = describe_types(reader, find_symbols(reader, "Api::V1").symbols, depth=1)

    assert shape.opened_at is None
    assert {(row.type, row.relation) for row in shape.related} == {
        ("Api.V1.One", "holds"),
        ("Api.V1.Two", "holds"),
        ("Api.V1.Three", "holds"),
    }


def test_a_module_that_is_opened_is_told_where_it_is(reader):
    shape = describe_types(reader, find_symbols(reader, "Open").symbols, depth=1)

    assert shape.opened_at is None or shape.opened_at == ("open.rb:1",)
    assert [row.name for row in shape.fields] == ["LIMIT"]
