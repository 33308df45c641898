"""Every use of a symbol: found whatever its kind, none twice, and nothing that only has its name."""

import os

import pytest

from drift.analyses.lookup import find_symbols
from drift.analyses.usages.references import find_references
from drift.index import IndexReader
from drift.scan import ScanOptions, scan

PRICING = """\
__all__ = ["total"]


def total(items):
    return sum(items)


def twice(items):
    return 2 * total(items)
"""


@pytest.fixture
def uses(tmp_path):
    """The uses of a symbol in a project of these files, as (path:line, kind, certainty)."""

    def find(files, wanted):
        for path, text in files.items():
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).write_bytes(text if isinstance(text, bytes) else text.encode())
        scan(tmp_path, ScanOptions(jobs=0))
        with IndexReader(tmp_path / ".drift/drift.db") as reader:
            found = find_references(reader, tmp_path, find_symbols(reader, wanted).symbols[0])
        places = [(use.path, use.offset) for use in found.uses if use.offset is not None]
        assert len(places) == len(set(places))
        return {(f"{use.path}:{use.line}", use.kind, use.certainty) for use in found.uses}

    return find


def test_calls_imports_and_exports_of_a_function_are_resolved(uses):
    found = uses(
        {
            "pricing.py": PRICING,
            "bill.py": "from pricing import total\n\n\ndef pay(x):\n    return total(x)\n",
        },
        "total",
    )

    assert found == {
        ("pricing.py:1", "export", "resolved"),
        ("pricing.py:4", "declaration", "resolved"),
        ("pricing.py:9", "call", "resolved"),
        ("bill.py:1", "import", "resolved"),
        ("bill.py:5", "call", "resolved"),
    }


def test_texts_that_name_a_function_in_full_are_resolved_whatever_they_are_for(uses):
    found = uses(
        {
            "pricing.py": "def total(items):\n    return sum(items)\n",
            "settings.py": "TOTAL = 'pricing.total'\nENTRY = 'pricing:total'\nTEXT = 'shop.total'\n",
            "test_bill.py": "from unittest import mock\n\n\ndef test_it():\n    mock.patch('pricing.total')\n",
        },
        "total",
    )

    assert found == {
        ("pricing.py:1", "declaration", "resolved"),
        ("settings.py:1", "string", "resolved"),
        ("settings.py:2", "string", "resolved"),
        ("settings.py:3", "string", "text"),
        ("test_bill.py:5", "mock", "resolved"),
    }


@pytest.mark.parametrize(
    "body",
    [
        "def pay(total):\n    return total + 1\n",
        "def pay():\n    total = 3\n    return total\n",
        "def pay(rows):\n    for n, total in rows:\n        print(total)\n",
        "from elsewhere import total\n\n\ndef pay():\n    return total\n",
        "def pay(f):\n    return f(total=1)\n",
        "class Bill:\n    def total(self):\n        return self.total()\n",
    ],
    ids=["parameter", "variable", "loop", "import from outside", "argument", "method of another class"],
)
def test_what_only_has_the_name_is_left_out(uses, body):
    found = uses({"pricing.py": PRICING, "bill.py": body}, "pricing.py:4")

    assert not [place for place, _, _ in found if place.startswith("bill.py")]


def test_a_method_of_two_classes_is_only_possible_where_nobody_knows_the_receiver(uses):
    files = {
        "cart.py": "class Cart:\n    def total(self):\n        return 1\n",
        "bill.py": "class Bill:\n    def total(self):\n        return 2\n",
        "use.py": "from cart import Cart\n\n\ndef sure():\n    return Cart().total()\n\n\ndef unsure(x):\n    return x.total()\n",
    }

    found = uses(files, "Cart.total")

    assert ("use.py:5", "call", "resolved") in found
    assert ("use.py:9", "call", "possible") in found
    assert not [place for place, _, _ in found if place.startswith("bill.py")]


def test_overriders_belong_to_a_method_and_calls_of_them_are_likely(uses):
    files = {
        "shapes.py": "class Shape:\n    def area(self):\n        return 0\n\n\nclass Box(Shape):\n    def area(self):\n        return 4\n",
        "use.py": "from shapes import Box\n\nBox().area()\n",
    }

    found = uses(files, "Shape.area")

    assert ("shapes.py:7", "override", "resolved") in found
    assert {each for each in found if each[0] == "use.py:3"} == {("use.py:3", "call", "likely")}


def test_a_call_under_another_name_is_found(uses):
    bill = (
        "from pricing import total as add_up\nfrom pricing import total as _total\nadd_up([1])\n_total([1])\n"
    )

    found = uses({"pricing.py": PRICING, "bill.py": bill}, "total")

    assert {("bill.py:1", "import", "resolved"), ("bill.py:2", "import", "resolved")} <= found
    assert {("bill.py:3", "call", "resolved"), ("bill.py:4", "call", "resolved")} <= found


def test_strings_by_which_tests_replace_it_are_mocks(uses):
    tests = (
        "from unittest.mock import patch\n\nimport pricing\n\n\n"
        '@patch("pricing.total")\ndef test_one(fake): ...\n\n\n'
        'def test_two():\n    with patch.object(pricing, "total"):\n        pass\n\n\n'
        'def test_three():\n    print("total is a word")\n'
    )

    found = uses({"pricing.py": PRICING, "test_pricing.py": tests}, "total")

    assert ("test_pricing.py:6", "mock", "resolved") in found
    assert ("test_pricing.py:11", "mock", "likely") in found
    assert ("test_pricing.py:16", "string", "text") in found


def test_comments_documents_pages_and_settings_are_told_apart(uses):
    files = {
        "pricing.py": PRICING + "\n# total is slow\n",
        "README.md": "Call `total`.\n",
        "templates/bill.html": "<b>{{ total }}</b>\n",
        "jobs.yaml": "run: pricing.total\n",
        "schema.sql": "select total from bills;\n",
    }

    found = uses(files, "total")

    assert {each for each in found if not each[0].startswith("pricing.py:4")} >= {
        ("pricing.py:11", "comment", "text"),
        ("README.md:1", "doc", "text"),
        ("templates/bill.html:1", "template", "possible"),
        ("jobs.yaml:1", "config", "text"),
        ("schema.sql:1", "other", "text"),
    }


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("<b>{{ bill.total }}</b>", "possible"),
        ("{% if total %}", "possible"),
        ("<%= total %>", "possible"),
        # The browser runs no Python, and no engine of pages in HTML writes the last.
        ('<b :sum="total">', "text"),
        ('<b (click)="total()">', "text"),
        ("<script>\nconst x = total;\n</script>", "text"),
        ("@total", "text"),
        ("<b>the total</b>", "text"),
        ('<b class="total">', "text"),
        ("{{ x }} is the total", "text"),
    ],
)
def test_a_word_of_a_page_may_be_code_only_where_code_can_stand(uses, page, expected):
    found = uses({"pricing.py": PRICING, "page.html": page}, "total")

    assert {certainty for place, _, certainty in found if place.startswith("page.html")} == {expected}


def test_what_the_scan_ignores_is_not_looked_through(uses):
    files = {
        "pricing.py": PRICING,
        ".gitignore": "private.md\n",
        "private.md": "total\n",
        "node_modules/x/readme.md": "total\n",
        "logo.dat2": b"total \0 total",
    }

    found = uses(files, "total")

    assert {place.partition(":")[0] for place, _, _ in found} == {"pricing.py"}


@pytest.mark.skipif(os.name == "nt", reason="needs links")
def test_a_link_that_leads_outside_is_not_followed(uses, tmp_path, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside") / "secret.md"
    outside.write_text("total\n")
    (tmp_path / "secret.md").symlink_to(outside)

    found = uses({"pricing.py": PRICING}, "total")

    assert {place.partition(":")[0] for place, _, _ in found} == {"pricing.py"}


def test_a_document_that_changes_is_read_again(tmp_path):
    (tmp_path / "pricing.py").write_text(PRICING)
    (tmp_path / "a.md").write_text("nothing\n")
    scan(tmp_path, ScanOptions(jobs=0))

    def docs():
        with IndexReader(tmp_path / ".drift/drift.db") as reader:
            found = find_references(reader, tmp_path, find_symbols(reader, "total").symbols[0])
        return {use.path for use in found.uses if use.kind == "doc"}

    assert docs() == set()
    (tmp_path / "a.md").write_text("now total\n")
    assert docs() == {"a.md"}
    (tmp_path / "b.md").write_text("total, too\n")
    assert docs() == {"a.md", "b.md"}
    (tmp_path / "a.md").unlink()
    assert docs() == {"b.md"}


def test_a_property_is_found_in_the_holes_of_strings(uses):
    files = {
        "src/cart.ts": "export class Cart {\n  weight = 1;\n}\n",
        "src/use.ts": "import { Cart } from './cart';\nexport const show = (c: Cart) => `${c.weight} weight`;\n",
    }

    found = uses(files, "Cart.weight")

    assert [certainty for place, _, certainty in found if place == "src/use.ts:2"].count("text") == 1
    assert {certainty for place, _, certainty in found if place == "src/use.ts:2"} - {"text"} <= {
        "resolved",
        "likely",
    }


def test_a_class_and_its_constructor_are_one(uses):
    files = {
        "src/Cart.java": "package shop;\n\npublic class Cart {\n  public Cart() {}\n}\n",
        "src/Shop.java": "package shop;\n\nclass Shop {\n  Cart cart = new Cart();\n}\n",
    }

    found = uses(files, "Cart")

    assert ("src/Cart.java:3", "declaration", "resolved") in found
    assert ("src/Cart.java:4", "declaration", "resolved") in found
    assert {certainty for place, _, certainty in found if place == "src/Shop.java:4"} == {"resolved"}


def test_a_namespace_of_another_file_with_the_name_is_left_out(uses):
    files = {
        "a/styles.ts": "export const Wrapper = 1;\n",
        "a/page.ts": "import * as S from './styles';\nexport const x = S.Wrapper;\n",
        "b/styles.ts": "export const Wrapper = 2;\n",
        "b/page.ts": "import * as S from './styles';\nexport const x = S.Wrapper;\n",
    }

    found = uses(files, "a/styles.ts:1")

    assert {place for place, _, _ in found} == {"a/styles.ts:1", "a/page.ts:2"}


def test_a_string_that_is_the_name_counts_where_it_can_mean_nothing_else(uses):
    files = {
        "admin.py": 'class Admin:\n    columns = ("id", "created_by")\n\n    def created_by(self): ...\n',
        "views.py": 'def show(row):\n    return row["created_by"], "the created_by of it"\n',
        "other.py": 'class Other:\n    def total(self): ...\n\n\nrow = {"total": 1}\n',
    }

    found = uses(files, "Admin.created_by")
    plain = uses(files, "Other.total")

    assert ("admin.py:2", "string", "likely") in found
    assert {certainty for place, _, certainty in found if place == "views.py:2"} == {"likely", "text"}
    assert ("other.py:5", "string", "text") in plain


def test_a_property_taken_out_of_an_object_is_of_the_type_that_its_file_imports(uses):
    page = "import { Props } from './types';\nexport const page = ({ visible }: Props) => 1;\n"
    types = "export interface Props {\n  visible: boolean;\n}\n"
    files = {"a/types.ts": types, "a/page.ts": page, "b/types.ts": types, "b/page.ts": page}

    found = uses(files, "a/types.ts:2")

    assert {(place, certainty) for place, _, certainty in found} == {
        ("a/types.ts:2", "resolved"),
        ("a/page.ts:2", "likely"),
    }


def test_a_field_of_an_object_is_no_method_of_that_name_where_a_language_keeps_them_apart(uses):
    files = {
        "Cargo.toml": '[package]\nname = "shop"\n',
        "src/lib.rs": (
            "pub struct Order { pub id: i32 }\nimpl Order { pub fn id(&self) -> i32 { self.id } }\n"
            "fn keep(order: &Order) -> i32 {\n  order.id +\n  order.id()\n}\n"
            "fn all(orders: Vec<Order>) { orders.iter().map(Order::id); orders.map(|one|\n one.id); }\n"
            "fn read(one: &str) { json::id(one); }\n"
        ),
    }

    assert {each for each in uses(files, "src/lib.rs:2") if each[2] != "text"} == {
        ("src/lib.rs:2", "declaration", "resolved"),
        ("src/lib.rs:5", "call", "resolved"),
        ("src/lib.rs:7", "value", "resolved"),
    }


def test_a_constructor_is_used_where_its_class_is_made_and_by_no_other_constructor(uses):
    files = {
        "errors.ts": (
            "export class Fault { constructor(m: string) {} }\n"
            "export class Late extends Fault { constructor() { super('late'); } }\n"
            "export class Early extends Fault { constructor() { super('early'); } }\n// a constructor\n"
        ),
        "use.ts": "import { Early, Late } from './errors';\nexport const one = new Late();\nnew Early();\n",
    }

    assert uses(files, "Late.constructor") == {
        ("errors.ts:2", "declaration", "resolved"),
        ("use.ts:2", "call", "resolved"),
    }


def test_a_field_is_likely_in_methods_defined_apart_and_where_its_type_is_made(uses):
    cart = "class Cart {\n public:\n  int total();\n private:\n  int lines = 0;\n};\n"
    code = '#include "cart.h"\nint Cart::total() {\n  lines = use();\n}\nint other() {\n  return lines;\n}\n'
    found = uses({"cart.h": cart, "cart.cpp": code, "other.h": "struct Other { int lines; };\n"}, "cart.h:5")
    assert ("cart.cpp:3", "value", "likely") in found
    assert not [each for each in found if each[0] == "cart.cpp:6"]

    rust = (
        "pub struct Row { pub wide: bool }\npub struct Other { pub wide: bool }\n"
        "pub fn make() -> Row {\n  Row {\n    wide: true,\n  }\n}\n"
    )
    found = uses({"Cargo.toml": '[package]\nname = "a"\n', "src/lib.rs": rust}, "src/lib.rs::Row.wide")
    assert ("src/lib.rs:5", "value", "resolved") in found


def test_accessors_and_code_of_other_languages_do_not_name_a_function(uses):
    found = uses(
        {
            "state.js": "function get(name) { return name; }\nget(1);\n"
            "const all = { get Category() { return 1; } };\n",
            "Reader.java": "class Reader { Object read(Box box) { return box.other().get(1); } }\n",
        },
        "get",
    )

    assert found == {("state.js:1", "declaration", "resolved"), ("state.js:2", "call", "resolved")}


VUE = """<template>
  <b @click="pay" v-if="note('pay')" class="pay">
  <i :title="note(pay())" data-x="pay" />
</template>
<script setup>
function pay() {}
function note(text) {}
</script>
"""


def test_attributes_of_pages_that_hold_code_are_no_strings(uses):
    found = uses({"Cart.vue": VUE}, "pay")

    assert found == {
        ("Cart.vue:2", "value", "resolved"),
        ("Cart.vue:2", "string", "text"),
        ("Cart.vue:3", "call", "resolved"),
        ("Cart.vue:3", "string", "text"),
        ("Cart.vue:6", "declaration", "resolved"),
    }


VIEWS = """\
from django.core.cache import cache
from django.views.generic import View


class OrderView(View):
    def get(self, request):
        return cache.get("orders")


class Shelf:
    def get(self, key):
        return key
"""


def test_what_requests_alone_run_is_used_by_its_route_and_by_nothing_that_is_named_alike(uses):
    files = {
        "manage.py": "",
        "shop/views.py": VIEWS,
        "shop/urls.py": "from django.urls import path\nfrom shop.views import OrderView\n\n"
        "urlpatterns = [path('orders/', OrderView.as_view())]\n",
        "shop/lists.py": "def first(box):\n    return box.get('get')\n",
    }

    assert uses(files, "OrderView.get") == {
        ("shop/views.py:6", "declaration", "resolved"),
        ("shop/urls.py:4", "route", "likely"),
    }
    assert "shop/lists.py:2" in {place for place, _, _ in uses(files, "Shelf.get")}
