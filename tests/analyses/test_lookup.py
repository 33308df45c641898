"""Finding the symbol that someone means."""

import pytest

from drift.analyses.lookup import find_symbols
from drift.analyses.types import describe_types
from drift.index import IndexReader
from drift.project import StateDir
from drift.scan import ScanOptions, scan

SHOP = "class Cart:\n    def add(self, item):\n        return item\n\n\ndef total(cart):\n    return cart\n"
BELOW = "from shop.cart import Cart\n\n\nclass Basket(Cart):\n    pass\n\n\nclass Hamper(Basket):\n    pass\n"
TWO = "<?php\nnamespace A\\B { class Till { function ring() {} } }\nnamespace C { class Other {} }\n"
BANK = "def total(account):\n    return account\n"


@pytest.fixture
def reader(tmp_path):
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "cart.py").write_text(SHOP)
    (tmp_path / "shop" / "below.py").write_text(BELOW)
    (tmp_path / "bank.py").write_text(BANK)
    (tmp_path / "test_bank.py").write_text("def total(x): pass\n")
    (tmp_path / "two.php").write_text(TWO)
    scan(tmp_path, ScanOptions(jobs=0))
    with IndexReader(StateDir(tmp_path).index_db) as found:
        yield found


@pytest.mark.parametrize(
    ("wanted", "names"),
    [
        ("add", ["Cart.add"]),
        ("Cart.add", ["Cart.add"]),
        ("Cart::add()", ["Cart.add"]),
        ("shop.cart.Cart.add", ["Cart.add"]),
        ("cart.total", ["total"]),
        ("shop.Cart.add", ["Cart.add"]),
        ("shop/Cart.add", ["Cart.add"]),
        ("shop/cart.py:3", ["Cart.add"]),
        ("ADD", ["Cart.add"]),
        ("Other.add", []),
        ("Hamper.add", ["Cart.add"]),
        ("shop.below.Basket.add", ["Cart.add"]),
        ("Hamper.take", []),
        ("A\\B.Till.ring", ["A\\B.Till.ring"]),
        ("\\A\\B\\Till::ring", ["A\\B.Till.ring"]),
        ("", []),
        ("...", []),
    ],
)
def test_a_symbol_is_found_by_what_people_write(reader, wanted, names):
    assert [symbol.qualname for symbol in find_symbols(reader, wanted).symbols] == names


def test_product_code_comes_before_tests(reader):
    assert [symbol.path for symbol in find_symbols(reader, "total").symbols] == [
        "bank.py",
        "shop/cart.py",
        "test_bank.py",
    ]


def test_a_file_narrows_the_choice(reader):
    assert [symbol.path for symbol in find_symbols(reader, "total", file="cart.py").symbols] == [
        "shop/cart.py"
    ]


def test_a_misspelt_name_has_similar_ones(reader):
    found = find_symbols(reader, "totl")

    assert found.symbols == ()
    assert "total" in found.similar


def test_a_type_that_several_files_open_is_told_once_with_its_places(tmp_path):
    (tmp_path / "a.rb").write_text("module Agents\n  def one = 1\nend\nclass Box\n  def size = 1\nend\n")
    (tmp_path / "b.rb").write_text("module Agents\n  include Other\n  def two = 2\n  class Inner; end\nend\n")
    scan(tmp_path, ScanOptions(jobs=0))

    with IndexReader(StateDir(tmp_path).index_db) as opened:
        shape = describe_types(opened, find_symbols(opened, "Agents").symbols, depth=1)

    assert (shape.file, shape.opened_at, shape.others) == ("b.rb", ("a.rb:1", "b.rb:1"), None)
    assert [(one.name, one.file) for one in shape.methods] == [("one", "a.rb"), ("two", None)]
