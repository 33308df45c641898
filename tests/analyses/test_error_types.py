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
