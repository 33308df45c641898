"""Uses in pages, settings and strings, which no link shows: one project with pages of several engines."""

import pytest

from drift.analyses.callers import find_callers
from drift.analyses.dead_code.finding import Asked, look_through
from drift.analyses.lookup import find_symbols
from drift.analyses.usages.beside_code import find_beside_code
from drift.analyses.usages.references import find_references
from drift.analyses.usages.spoken import names_in_full
from drift.analyses.usages.templates import place_in_page
from drift.analyses.weighing import find_change, weigh_change
from drift.index import IndexReader
from drift.project import StateDir
from drift.scan import ScanOptions, scan

FILES = {
    "web/view.go": (
        "package web\n\ntype ShelfView struct {\n\tTitle string\n\tBookCount int\n}\n\n"
        'func (s ShelfView) ShelfLabel() string { return s.Title + "!" }\n\n'
        "func (s ShelfView) Unread() string { return s.Title }\n\n"
        'func show() { render("shelf", ShelfView{}) }\n'
    ),
    "web/shelf.tpl.html": (
        "<h1>BookCount of people</h1>\n{{ range .Shelves }}\n<b>{{ .ShelfLabel }}</b>\n{{ if\n  .BookCount }}some{{ end }}\n<Unread>x</Unread>\n"
    ),
    "java/src/main/java/shop/Customer.java": (
        "package shop;\npublic class Customer {\n  public String getFullName() { return null; }\n"
        "  public boolean isLoyal() { return true; }\n}\n"
    ),
    "java/src/main/java/shop/Clock.java": "package shop;\npublic class Clock { public void tick() {} }\n",
    "java/src/main/resources/page.html": (
        '<p th:text="${customer.fullName}"></p>\n<p th:if="*{loyal}"></p>\n'
        "<p th:text='${kind == \"loyal\"}'></p>\n"
    ),
    "java/src/main/resources/beans.xml": '<beans>\n  <bean id="clock" class="shop.Clock"/>\n</beans>\n',
    "php/app/Shop/Basket.php": "<?php\nnamespace App\\Shop;\nclass Basket {\n  public function grandTotal() {}\n}\n",
    "php/app/Shop/Courier.php": "<?php\nnamespace App\\Shop;\nclass Courier {\n  public function send() {}\n}\n",
    "php/views/basket.blade.php": "@if($basket->grandTotal() > 1)\n  <b>much</b>\n@endif\n",
    "php/config/couriers.php": "<?php\nreturn ['first' => 'App\\Shop\\Courier'];\n",
    "net/Invoice.cs": "namespace Shop.Net;\npublic class Invoice { public decimal AmountDue { get; set; } }\n",
    "net/Invoice.cshtml": "@model Invoice\n<p>@Model.AmountDue</p>\n",
    "net/Shop.cs": (
        "namespace Shop.Net;\npublic class Till { public int Sum() => Rates.Now(); }\n"
        "public static class Rates { public static int Now() => 1; }\n"
    ),
    "front/cart.ts": "export class Cart { static grandTotal() { return 1 } }\n",
    "front/table.js": "export function draw(x) { x.inner.forgotten_charge(); x.inner.tick(); }\n",
    "src/billing/commands.py": "def charge_all():\n    pass\n\n\ndef forgotten_charge():\n    pass\n\n\ndef forgotten_refund():\n    pass\n",
    "pyproject.toml": '[project]\nname = "billing"\n\n[project.scripts]\ncharge = "billing.commands:charge_all"\n',
    "readme.md": "Call charge_all.\n",
}


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    root = tmp_path_factory.mktemp("pages")
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    scan(root, ScanOptions(jobs=0))
    return root


@pytest.fixture
def reader(root):
    with IndexReader(StateDir(root).index_db) as found:
        yield found


def places(reader, root, name):
    symbol = find_symbols(reader, name).symbols[0]
    return [(f"{one.path}:{one.line}", one.certainty) for one in find_beside_code(reader, root, [symbol])]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("ShelfView.ShelfLabel", [("web/shelf.tpl.html:3", "possible")]),
        ("ShelfView.BookCount", [("web/shelf.tpl.html:5", "possible")]),  # not the words that people read
        ("ShelfView.Unread", []),
        ("ShelfView", [("web/shelf.tpl.html:3", "possible"), ("web/shelf.tpl.html:5", "possible")]),
        ("Customer.getFullName", [("java/src/main/resources/page.html:1", "possible")]),
        ("Customer.isLoyal", [("java/src/main/resources/page.html:2", "possible")]),
        ("Clock", [("java/src/main/resources/beans.xml:2", "likely")]),
        ("Basket.grandTotal", []),  # which the graph has: it is called
        ("Cart.grandTotal", []),  # Blade runs no script
        ("Courier", [("php/config/couriers.php:2", "likely")]),
        ("Invoice.AmountDue", [("net/Invoice.cshtml:2", "possible")]),
        ("charge_all", [("pyproject.toml:5", "likely")]),
    ],
)
def test_pages_use_by_name_and_settings_in_full(reader, root, name, expected):
    assert places(reader, root, name) == expected


def test_impact_lists_what_stands_outside_code_and_counts_it(reader, root):
    change = find_change(reader, root, "ShelfView", file=None, base="HEAD")

    weighed = weigh_change(reader, root, change, max_depth=3)
    data = weighed.data((), beside=10)

    assert data.counts.outside_code == 2
    assert data.outside_code is not None
    assert [(row.symbol, row.line, row.certainty) for row in data.outside_code] == [
        ("ShelfView.ShelfLabel", 3, "possible"),
        ("ShelfView.BookCount", 5, "possible"),
    ]
    assert weighed.summary.endswith("2 by name outside code")


def test_no_callers_are_told_with_the_pages_that_may_have_some(reader, root):
    asked = {"file": None, "max_depth": 1, "root": root}

    (warning,) = find_callers(reader, "ShelfView.ShelfLabel", **asked).warnings()

    assert warning == (
        "ShelfView.ShelfLabel: perhaps named in templates, which say the name alone, in 1 place outside the graph: "
        "web/shelf.tpl.html:3"
    )
    # A script that calls something of the name calls no Python.
    assert find_callers(reader, "forgotten_charge", **asked).warnings() == ()


def test_a_class_that_nobody_makes_is_told_with_the_calls_of_its_members(reader, root):
    (warning,) = find_callers(reader, "Rates", file=None, max_depth=1).warnings()

    assert warning == "nothing makes or calls Rates itself; its members are called in 1 place: net/Shop.cs:2"


def test_references_have_accessors_as_pages_say_them_and_settings_that_name_in_full(reader, root):
    found = {
        name: [
            (use.path, use.line, use.kind, use.certainty)
            for use in find_references(reader, root, find_symbols(reader, name).symbols[0]).uses
            if use.kind != "declaration"
        ]
        for name in ("Customer.getFullName", "Clock", "charge_all")
    }

    assert found == {
        "Customer.getFullName": [("java/src/main/resources/page.html", 1, "template", "possible")],
        "Clock": [("java/src/main/resources/beans.xml", 2, "config", "likely")],
        "charge_all": [("pyproject.toml", 5, "config", "likely"), ("readme.md", 1, "doc", "text")],
    }


def test_nothing_that_a_page_or_a_setting_names_is_surely_dead(reader, root):
    dead = look_through(reader, root, Asked(), check_cancelled=lambda: None)

    sure = {one.symbol.qualname for one in dead.found if one.level == "high"}
    named = {
        one.symbol.qualname: one.level
        for one in dead.found
        if one.doubts[:1] and one.doubts[0].kind == "named"
    }

    assert "forgotten_refund" in sure
    assert named == {"Courier": "low", "charge_all": "low"}
    assert not sure & {
        "ShelfView.ShelfLabel", "Customer.getFullName", "Basket.grandTotal", "Clock", "Courier", "charge_all"
    }  # fmt: skip


@pytest.mark.parametrize(
    ("path", "before", "expected"),
    [
        ("a.cshtml", "<p>@Model.Order.", "expression"),
        ("a.cshtml", "@foreach (var one in Model.", "expression"),
        ("a.cshtml", "@{\n  var x = Model.", "expression"),
        ("a.cshtml", "write to me@example.", None),
        ("a.jsp", "<%\n  cart.", "expression"),
        ("a.html", "<p>{{ cart }} and ", None),
        ("a.html", "<script>\n  let x = { y: cart.", "script"),
        ("a.html", "<script>\n  let x = '{{ cart.", "expression"),
        ("a.haml", "%b= cart.", "expression"),
        ("a.ftl", "<#if cart.", "expression"),
        ("a.vm", "<b>$!cart.", "expression"),
        ("a.html", '<p class="total ', None),
        ("a.html", "<", "tag"),
        ("a.html", "</", "tag"),
        ("a.html", '<p option:list:handle-selector=".', None),
        ("a.html", '<p on:list="cart ', "expression"),
    ],
)
def test_an_expression_is_told_from_what_people_read(path, before, expected):
    assert place_in_page(path, before.encode(), len(before)) == expected


def test_a_name_of_two_parts_is_one_in_full_only_where_it_can_be_nothing_else(reader):
    symbol = find_symbols(reader, "charge_all").symbols[0]
    names = [("src", "billing", "commands", "charge_all")]

    said = {
        text: names_in_full(text.encode(), len(text), symbol, names)
        for text in (
            "x = charge_all",
            "commands.charge_all",
            "commands:charge_all",
            "billing.commands.charge_all",
        )
    }

    assert list(said.values()) == [False, False, True, True]


def test_of_a_whole_file_pages_say_nothing_of_names_that_many_have(tmp_path):
    classes = "".join(
        f"class C{number}:\n    @property\n    def title(self):\n        return 1\n    @property\n"
        f"    def own_{number}(self):\n        return 1\n"
        for number in range(5)
    )
    (tmp_path / "models.py").write_text(classes)
    (tmp_path / "page.html").write_text("<p>{{ one.title }} {{ one.own_3 }}</p>\n")
    scan(tmp_path, ScanOptions(jobs=0))

    with IndexReader(StateDir(tmp_path).index_db) as reader:
        every = [
            one for one in reader.symbols.of_file(reader.files.at("models.py").id) if one.kind == "property"
        ]
        (of_one, *_) = [one for one in every if one.name == "title"]

        assert {use.symbol.name for use in find_beside_code(reader, tmp_path, every)} == {"own_3"}
        assert {use.symbol.name for use in find_beside_code(reader, tmp_path, [of_one])} == {"title"}
