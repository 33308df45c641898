"""A small project whose errors are named in one way but for two, and what is seen of its conventions."""

import os
from datetime import date

import pytest

from drift.conventions.picture import look
from drift.index import IndexReader
from drift.project import open_project
from drift.scan import scan

TODAY = date(2026, 11, 17)


def errors(*names):
    return "".join(f"class {name}(Exception): ...\n\n" for name in names)


@pytest.fixture(scope="session")
def shop(tmp_path_factory):
    root = tmp_path_factory.mktemp("shop")
    files = {
        "shop/cart.py": errors("CartError", "StockError", "PriceError", "TaxError"),
        "shop/orders.py": errors("OrderError", "PayError", "SoldOut"),
        "shop/legacy.py": "# drift-ignore errors/exception-suffix: as the old clients expect\n"
        + errors("Gone"),
        "vendor/lib.py": errors("A", "B", "C", "D", "E", "F"),
        "tests/test_cart.py": "def test_it(): ...\n" + errors("Fake", "Faked"),
        "tests/test_orders.py": "def test_it(): ...\n",
        "tests/test_pay.py": "def test_it(): ...\n",
    }
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    scan(root)
    return open_project(root, os.environ)


@pytest.fixture(scope="session")
def seen():
    return _seen


def _seen(project):
    with IndexReader(project.state.index_db) as reader, reader.snapshot():
        return look(reader, project, TODAY)
