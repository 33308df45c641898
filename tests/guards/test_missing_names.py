"""Names that nobody has, and calls that do not fit, in texts held against a small shop."""

from pathlib import Path

import pytest

from drift.guards.missing_names import is_slip, missing_names
from drift.guards.overlay import overlaid
from drift.guards.signatures import mismatches
from drift.index import IndexReader


def _missing(shop: Path, reader: IndexReader, text: str) -> list[tuple[str, str | None]]:
    with overlaid(shop, reader, {"shop/till.py": text}) as overlay:
        return [(one.name, one.nearest) for one in missing_names(overlay, overlay.files["shop/till.py"])]


@pytest.mark.parametrize(
    ("text", "name", "nearest"),
    [
        ("from shop.cart import Cart\n\nCart().totals()\n", "totals", "total"),
        ("from shop.money import format_money\n\nformat_mony(1)\n", "format_mony", "format_money"),
        ("from shop import money\n\nmoney.format_price(1)\n", "format_price", "format_money"),
        ("from shop.cart import Cart\n\ndef show(cart: Cart):\n    cart.labels()\n", "labels", "label"),
        ("import os\n\nos.path.exist('a')\n", "exist", "exists"),
        ("from shop.nothing import thing\n", "shop.nothing", None),
        ("def parse_body():\n    pass\n\ndecode_body()\n", "decode_body", "parse_body"),
        (
            "class Till:\n    def open(self):\n        self.clos()\n    def close(self):\n        pass\n",
            "clos",
            "close",
        ),
    ],
)
def test_what_nobody_has_is_named_with_the_nearest_that_is_there(
    shop: Path, reader: IndexReader, text: str, name: str, nearest: str | None
) -> None:
    assert _missing(shop, reader, text) == [(name, nearest)]


@pytest.mark.parametrize(
    "text",
    [
        "def show(cart):\n    cart.totals()\n",  # of an object of which nothing is known
        "class Any:\n    def __getattr__(self, name):\n        return print\n\nAny().thing()\n",
        "from outside import Base\n\nclass Till(Base):\n    def run(self):\n        self.opening()\n",
        "class Till:\n    def __init__(self, **kw):\n        for name in kw:\n            setattr(self, name, 1)\n\nTill().opening()\n",
        "from shop.cart import *\n\nthing()\n",
        "import unittest\n\nclass T(unittest.TestCase):\n    def test(self):\n        self.assertEqual(1, 1)\n",
        "class Mixin:\n    def run(self):\n        self.helper()\n\nclass Real(Mixin):\n    def helper(self):\n        pass\n",
    ],
)
def test_what_may_be_there_out_of_sight_is_accused_of_nothing(
    shop: Path, reader: IndexReader, text: str
) -> None:
    assert _missing(shop, reader, text) == []


@pytest.mark.parametrize(
    ("call", "problem"),
    [
        ("format_money()", "cents is required and not given"),
        ("format_money(1, 'EUR')", "2 arguments are given by place, at most 1 are taken"),
        ("format_money(1, curency='EUR')", "there is no parameter curency"),
        ("Price(1, 'EUR', 3)", "3 arguments are given by place, at most 2 are taken"),
        ("Price(1).doubled(2)", "1 arguments are given by place, at most 0 are taken"),
        ("format_money(*a)", None),
        ("format_money(1, **b)", None),
        ("Price(cents=1)", None),
        ("Price.doubled(Price(1))", None),
    ],
)
def test_calls_are_held_against_what_they_call(
    shop: Path, reader: IndexReader, call: str, problem: str | None
) -> None:
    text = f"from shop.money import Price, format_money\n\na, b = [], {{}}\n{call}\n"

    with overlaid(shop, reader, {"shop/till.py": text}) as overlay:
        found = [one.problem for one in mismatches(overlay, overlay.files["shop/till.py"])]

    assert found == ([] if problem is None else [problem])


def test_a_slip_is_a_word_or_a_letter_not_another_name() -> None:
    assert is_slip("fetchUser", "getUser")
    assert is_slip("route_all", "route")
    assert is_slip("exsits", "exists")
    assert not is_slip("NotUpdated", "_do_update")
    assert not is_slip("get_starttag_text", "handle_starttag")
