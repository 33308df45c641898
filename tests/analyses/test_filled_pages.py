"""Pages of Django and Jinja run with who fills them, and run the tags, filters and members that they name."""

from pathlib import Path

import pytest

from drift.analyses.impact_rows import user_rows
from drift.analyses.reachability import find_reach
from drift.analyses.testing.affected import find_neighbourhood, reach_functions
from drift.analyses.testing.suites import suites_of
from drift.analyses.weighing import find_change, weigh_change
from drift.index import IndexReader
from drift.project import StateDir
from drift.scan import ScanOptions, scan

SHOP = {
    "shop/models.py": (
        "from django.db import models\n"
        "class Order(models.Model):\n"
        "    def __str__(self):\n        return 'order'\n"
        "    def open_amount(self):\n        return 1\n"
        "    @property\n    def is_late(self):\n        return False\n"
        "    def ship(self, carrier):\n        return carrier\n"
        "class Parcel(models.Model):\n"
        "    def weigh_anew(self):\n        return 2\n"
    ),
    "shop/views.py": (
        "from django.shortcuts import render\n"
        "from django.views.generic import DetailView\n"
        "from shop.models import Order\n"
        "def order(request, number):\n"
        '    return render(request, "shop/order.html", {"order": Order.objects.get(pk=number)})\n'
        "class Parcels(DetailView):\n"
        '    template_name = "shop/parcel.html"\n'
        "    def get_context_data(self, **kwargs):\n        return {}\n"
    ),
    "shop/urls.py": (
        "from django.urls import path\nfrom shop import views\n"
        'urlpatterns = [path("orders/<int:number>/", views.order, name="order"),\n'
        '    path("parcels/<int:pk>/", views.Parcels.as_view(), name="parcel")]\n'
    ),
    "shop/templatetags/money.py": (
        "from django import template\nregister = template.Library()\n"
        '@register.filter("euro")\ndef as_euro(value):\n    return value\n'
        "@register.simple_tag\ndef shop_name():\n    return 'Shop'\n"
        '@register.inclusion_tag("shop/badge.html")\ndef badge(order):\n    return {}\n'
        "@register.filter\ndef never_used(value):\n    return value\n"
    ),
    "shop/templates/base.html": "<title>{% shop_name %}</title>{% block body %}{% endblock %}",
    "shop/templates/shop/order.html": (
        '{% extends "base.html" %}{% load money %}\n'
        '{{ order }}{{ order.open_amount|euro }}{% if order.is_late %}late{% endif %}{% include "shop/lines.html" %}'
    ),
    "shop/templates/shop/lines.html": "{# {{ order|never_used }} #}{% badge order %}",
    "shop/templates/shop/badge.html": "{% if x %}{{ things.first_of_all }}{% endif %}",
    "shop/templates/shop/parcel.html": "{% if 1 %}{{ box.weigh_anew }}{{ order.ship }}{% endif %}",
    "shop/templates/shop/alone.html": "{% if 1 %}{{ a }}{% endif %}",
    "tests/test_shop.py": (
        "from django.test import TestCase\nfrom django.urls import reverse\n"
        "class TestShop(TestCase):\n"
        "    def test_order(self):\n        self.client.get('/orders/3/')\n"
        "    def test_parcel(self):\n"
        "        self.client.get(\n            reverse(\n                'parcel', args=[3]\n            )\n        )\n"
    ),
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    root = tmp_path_factory.mktemp("shop")
    for path, text in SHOP.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    scan(root, ScanOptions(jobs=0))
    with IndexReader(StateDir(root).index_db) as reader:
        yield reader


def names_running(reader, qualname):
    suites = suites_of(reader)
    (one,) = [each for each in reader.symbols.named(qualname.rpartition(".")[2]) if each.qualname == qualname]
    found = reach_functions(find_neighbourhood(reader, suites, [one.id]), suites)[one.id]
    return {suites.cases[case].name for case, reach in found.items() if not reach.is_faint}


def test_a_filter_and_a_member_run_for_the_test_that_asks_for_their_page(shop):
    assert names_running(shop, "as_euro") == {"test_order"}
    assert names_running(shop, "Order.open_amount") == {"test_order"}
    assert names_running(shop, "Order.is_late") == {"test_order"}


def test_an_object_that_a_page_shows_runs_its_text(shop):
    assert names_running(shop, "Order.__str__") == {"test_order"}


def test_the_tags_of_pages_that_are_taken_in_or_stand_around_run_too(shop):
    assert names_running(shop, "shop_name") == {"test_order"}
    assert names_running(shop, "badge") == {"test_order"}


def test_the_page_of_a_class_runs_for_the_test_that_asks_for_its_view_by_a_name_below_the_call(shop):
    assert names_running(shop, "Parcel.weigh_anew") == {"test_parcel"}
    assert names_running(shop, "Parcels.get_context_data") == {"test_parcel"}


def test_what_stands_in_a_comment_or_needs_an_argument_does_not_run(shop):
    assert names_running(shop, "never_used") == set()
    assert names_running(shop, "Order.ship") == set()


def test_reachability_goes_through_pages(shop):
    (filtered,) = shop.symbols.named("as_euro")
    (view,) = [one for one in shop.symbols.named("order") if one.kind == "function"]

    found = find_reach(shop, [filtered], direction="inverse", max_depth=6)

    assert view.qualname in str(found)


def test_a_change_of_a_page_tells_who_shows_the_pages_that_take_it_in(shop):
    change = find_change(shop, Path(), "shop/templates/shop/lines.html", file=None, base="HEAD")

    weighed = weigh_change(shop, Path(), change, max_depth=5)

    assert [row.symbol for row in user_rows(shop, weighed.impact, weighed.impact.direct)] == ["order"]
    assert [one.entry.detail for one in weighed.impact.entries] == [
        "ANY /orders/<int:number>/ -> views.order"
    ]
    assert "taken in by shop/templates/shop/order.html" in weighed.warnings()[0]


def test_a_page_that_no_code_names_says_so(shop):
    change = find_change(shop, Path(), "shop/templates/shop/alone.html", file=None, base="HEAD")

    assert (
        "No code is seen to name this page" in weigh_change(shop, Path(), change, max_depth=5).warnings()[0]
    )
