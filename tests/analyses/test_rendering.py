"""Pages that name members, pages that take those in, and the functions that make them."""

import pytest

from drift.analyses.testing.affected import find_neighbourhood
from drift.analyses.testing.suites import suites_of
from drift.analyses.usages.rendering import find_rendering
from drift.index import IndexReader
from drift.project import StateDir
from drift.scan import ScanOptions, scan

FILES = {
    "shop/models.py": (
        "class Order:\n    @property\n    def shown_total(self):\n        return 1\n"
        "    def line_count(self):\n        return 2\n    def items(self):\n        return 3\n"
    ),
    "shop/app.py": (
        "from flask import Flask, render_template\napp = Flask(__name__)\n"
        "@app.get('/orders')\ndef show_orders():\n    return render_template('orders/list.html')\n"
        "@app.get('/other')\ndef show_other():\n    return render_template('orders/other.html')\n"
        "def title():\n    return 'row'\n"
    ),
    "shop/templates/orders/row.html": "<td>{{ order.shown_total }} {{ order.items }}</td>\n",
    "shop/templates/orders/list.html": "{% extends 'orders/base.html' %}{% include \"orders/row.html\" %}\n",
    "shop/templates/orders/base.html": "<p>{{ order.line_count() }}</p>\n",
    "shop/templates/orders/other.html": "<p>nothing</p>\n",
    "tests/test_app.py": (
        "from shop.app import app\nclient = app.test_client()\n"
        "def test_orders():\n    client.get('/orders')\ndef test_other():\n    client.get('/other')\n"
    ),
    "resources/views/welcome.blade.php": "<p>{{ $cart->sumUp() }}</p>\n",
    "app/Cart.php": (
        "<?php\nclass Cart { public function sumUp() {} }\n"
        "class Page { public function show() { return view('welcome'); } }\n"
    ),
}


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    root = tmp_path_factory.mktemp("rendered")
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    scan(root, ScanOptions(jobs=0))
    with IndexReader(StateDir(root).index_db) as reader:
        yield root, reader


@pytest.mark.parametrize(
    ("name", "makers"),
    [
        ("shown_total", ["show_orders"]),
        ("line_count", ["show_orders"]),
        ("sumUp", ["Page.show"]),
        ("items", []),  # a name of anything
        ("show_other", []),
    ],
)
def test_who_says_a_page_makes_what_it_names_and_what_it_takes_in(project, name, makers):
    root, reader = project
    (symbol,) = reader.symbols.named(name)

    found = find_rendering(reader, root, [symbol]).get(symbol.id, ())

    assert [one.qualname for one in reader.symbols.many(found)] == makers


def test_tests_that_ask_for_a_page_run_what_it_names(project):
    root, reader = project
    (symbol,) = reader.symbols.named("shown_total")
    suites = suites_of(reader)

    around = find_neighbourhood(reader, suites, [symbol.id], rendering=find_rendering(reader, root, [symbol]))

    assert [suites.cases[case].title for case in around.cases] == ["test_orders"]
