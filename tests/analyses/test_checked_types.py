"""A class that code checks for is handed to nobody, and runs nothing."""

import pytest

from drift.analyses.testing.affected import find_neighbourhood, reach_functions
from drift.analyses.testing.suites import suites_of
from drift.index import IndexReader
from drift.scan import ScanOptions, scan

SHOP = """\
class Order:
    def check(self):
        return self.encrypt()

    def encrypt(self):
        return 1


class Bill(Order):
    def encrypt(self):
        return 2


def shown(value):
    if isinstance(
        value,
        (Order, Bill),
    ):
        return 1
    if type(value) in (
        Order,
        Bill,
    ):
        return 2
    if value.__class__ is Bill:
        return 3
    return 4


def made(kind=Bill):
    if type(kind()) is Order and kind == Bill:
        return 1
    return kind().encrypt()
"""
TESTS = """\
from shop import made, shown


def test_shown():
    assert shown(3) == 4


def test_made():
    assert made() == 2
"""


@pytest.fixture
def reader(tmp_path):
    (tmp_path / "shop.py").write_text(SHOP, "utf-8")
    (tmp_path / "test_shop.py").write_text(TESTS, "utf-8")
    scan(tmp_path, ScanOptions(jobs=0))
    with IndexReader(tmp_path / ".drift/drift.db") as found:
        yield found


@pytest.mark.parametrize(
    ("method", "titles"),
    [("Order.encrypt", set()), ("Order.check", set()), ("Bill.encrypt", {"test_made"})],
)
def test_what_is_named_in_a_check_of_types_does_not_run(reader, method, titles):
    (one,) = [each for each in reader.symbols.named(method.rpartition(".")[2]) if each.qualname == method]
    suites = suites_of(reader)

    found = reach_functions(find_neighbourhood(reader, suites, [one.id]), suites)[one.id]

    assert {suites.cases[case].title for case in found} == titles


def test_what_is_named_in_a_check_of_types_is_named_as_a_type(reader):
    (bill,) = [one for one in reader.symbols.named("Bill") if one.kind == "class"]

    kinds = {use.line: use.kind for use in reader.facts.references_to(bill.id)}

    assert kinds == {17: "type", 22: "type", 25: "type", 30: "value", 31: "value"}
