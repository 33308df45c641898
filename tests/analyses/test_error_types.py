from pathlib import Path

from drift.analyses.error_types import find_error_types
from drift.index import IndexReader
from drift.project import StateDir
from drift.scan import scan

SOURCE = """
class ShopError(Exception): ...
class OutOfStock(ShopError): ...
class LastPiece(OutOfStock): ...
class TestShopError: ...
class FakeClockError(datetime): ...

def make_error(): return ShopError()
def sell():
    raise make_error()
def buy():
    try:
        sell()
    except (OutOfStock, KeyError):
        raise
"""


def found_in(root: Path, name: str, source: str):
    (root / name).write_text(source, "utf-8")
    scan(root)
    with IndexReader(StateDir(root).index_db) as reader, reader.snapshot():
        return find_error_types(reader)


def test_what_is_only_called_an_error_is_none(tmp_path):
    found = found_in(tmp_path, "shop.py", SOURCE)

    assert {row.type for row in found.declared} == {"ShopError", "OutOfStock", "LastPiece"}


def test_a_function_that_makes_errors_is_no_type_from_outside(tmp_path):
    found = found_in(tmp_path, "shop.py", SOURCE)

    assert [row.type for row in found.outside] == ["KeyError"]


def test_where_anything_may_be_thrown_a_name_is_enough(tmp_path):
    found = found_in(tmp_path, "shop.js", "class ShopError {}\nfunction f() { throw new RangeError('x') }\n")

    assert [row.type for row in found.declared] == ["ShopError"]
    assert [row.type for row in found.outside] == ["RangeError"]


def test_in_go_the_method_makes_the_error_and_not_the_name(tmp_path):
    (tmp_path / "methods.go").write_text(
        'package shop\nfunc (e soldOut) Error() string { return "sold out" }\n', "utf-8"
    )
    found = found_in(
        tmp_path,
        "shop.go",
        "package shop\ntype soldOut struct{}\n"
        "type MatcherWithError interface { MatchWithError() (bool, error) }\n"
        "type byName struct{}\nfunc (byName) MatchWithError() (bool, error) { return true, nil }\n"
        "type StaticError struct { Error string }\ntype Coded interface { error; Code() int }\n",
    )

    assert {row.type for row in found.declared} == {"soldOut", "Coded"}


def test_errors_of_tests_and_examples_are_left_out_and_counted(tmp_path):
    (tmp_path / "examples").mkdir()
    (tmp_path / "examples/demo.py").write_text("class DemoError(Exception): ...\nraise KeyError\n", "utf-8")
    (tmp_path / "test_shop.py").write_text("class FakeError(Exception): ...\nraise ShopError\n", "utf-8")
    found = found_in(tmp_path, "shop.py", "class ShopError(Exception): ...\nraise ShopError\n")

    assert [(row.type, row.raised) for row in found.declared] == [("ShopError", 1)]
    assert (found.outside, found.left_out) == ((), 2)


def test_errors_of_tests_and_examples_come_last_where_they_are_wanted(tmp_path):
    (tmp_path / "examples").mkdir()
    (tmp_path / "examples/demo.py").write_text("class DemoError(Exception): ...\n", "utf-8")
    (tmp_path / "test_shop.py").write_text("class FakeError(Exception): ...\nraise FakeError\n", "utf-8")
    (tmp_path / "shop.py").write_text("class ShopError(Exception): ...\n", "utf-8")
    scan(tmp_path)
    with IndexReader(StateDir(tmp_path).index_db) as reader:
        found = find_error_types(reader, with_tests=True)

    assert [(row.type, row.is_test) for row in found.declared] == [
        ("ShopError", None), ("FakeError", True), ("DemoError", None),
    ]  # fmt: skip
    assert found.left_out == 0


def test_a_project_that_is_an_example_has_errors_of_its_own(tmp_path):
    (tmp_path / "samples").mkdir()
    found = found_in(tmp_path, "samples/shop.py", "class ShopError(Exception): ...\n")

    assert [row.type for row in found.declared] == ["ShopError"]


def test_an_impl_of_rust_counts_for_the_type_of_its_crate_and_for_none_outside(tmp_path):
    (tmp_path / "src").mkdir()
    (tmp_path / "src/kinds.rs").write_text("pub struct SoldOut;\n", "utf-8")
    found = found_in(
        tmp_path,
        "src/lib.rs",
        "mod kinds;\nuse kinds::SoldOut;\nimpl std::error::Error for SoldOut {}\n"
        "impl SinkError for Box<dyn std::error::Error> {}\n",
    )

    assert [(row.type, row.file, row.extends) for row in found.declared] == [
        ("SoldOut", "src/kinds.rs", ("std::error::Error",))
    ]
