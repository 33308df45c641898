"""What lists show first: the product, then its tests, then what only shows it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drift.analyses.callables import call_target
from drift.analyses.callers import (
    describe_far,
    find_direct_callers,
    find_far_callers,
    find_references,
    place_key,
)
from drift.analyses.explain import explain_file, explain_symbol
from drift.analyses.impact import find_impact
from drift.analyses.prominence import is_showing, order_reached, rank_place
from drift.analyses.reachability import walk_inverse
from drift.analyses.workspaces.relations import survey_packages
from drift.analyses.workspaces.usage import survey_usage
from drift.index import IndexReader
from drift.project import StateDir
from drift.scan import ScanOptions, scan

FILES = {
    "app/core.py": "class Cart:\n    def __init__(self):\n        self.n = 1\n\n\ndef total():\n    return 1\n",
    "app/use.py": "from app.core import Cart, total\n\n\ndef late():\n    return total()\n\n\n"
    "def far():\n    return late()\n\n\nCALLS = [total]\nMADE = Cart()\n",
    "examples/demo.py": "from app.core import total\n\nSHOWN = [total]\n\n\ndef demo():\n    return total()\n\n\n"
    "def around():\n    return demo()\n",
    "bench/bench_core.py": "from app.core import total\n\n\ndef measure():\n    return total()\n",
    "tests/test_core.py": "from app.core import Cart, total\n\n\ndef test_total():\n    assert total()\n    assert Cart()\n",
}


@pytest.fixture(scope="module")
def reader(tmp_path_factory):
    root = tmp_path_factory.mktemp("project")
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    scan(root, ScanOptions(jobs=0))
    with IndexReader(StateDir(root).index_db) as found:
        yield found


def named(reader, name):
    return reader.symbols.named(name)[0]


def test_callers_in_the_product_come_before_tests_and_those_before_examples(reader):
    found = find_direct_callers(reader, call_target(reader, named(reader, "total")))

    assert [place.path for place in found.places] == [
        "app/use.py", "tests/test_core.py", "bench/bench_core.py", "examples/demo.py",
    ]  # fmt: skip
    assert found.counts.places == 4
    assert [*map(place_key, found.places)] == sorted(map(place_key, found.places))


def test_a_few_places_are_read_in_the_order_they_are_given_in(reader):
    places = find_direct_callers(reader, call_target(reader, named(reader, "total"))).places

    sites = reader.callers.sites(places[::-1][:2])

    assert [(site.caller.name, site.text, site.candidates) for site in sites] == [
        ("demo", "total", 1),
        ("measure", "total", 1),
    ]
    assert reader.callers.sites(()) == []


def test_far_callers_come_in_the_same_order(reader):
    target = call_target(reader, named(reader, "total"))

    walk = find_far_callers(reader, target, max_depth=5)

    assert [one.symbol.name for one in describe_far(reader, walk, walk.keys)] == ["far", "around"]
    assert [one.symbol.name for one in describe_far(reader, walk, walk.keys[1:])] == ["around"]


def test_references_in_the_product_come_first(reader):
    assert [one.path for one in find_references(reader, [named(reader, "total")])] == [
        "app/use.py",
        "examples/demo.py",
    ]


def test_what_is_reached_is_nearest_first_and_of_one_depth_the_product_first(reader):
    reached = reader.calls.closure([named(reader, "total").id], "callers", max_depth=3).reached

    ordered = sorted(reached, key=order_reached(reader, reached))

    names = [reader.symbols.get(one.symbol_id).name for one in ordered]
    assert names == ["late", "test_total", "measure", "demo", "far", "around"]


def test_a_class_is_used_by_those_who_make_it_as_callers_tells(reader):
    told = explain_symbol(reader, named(reader, "Cart"), rows=5)

    assert (told.caller_count, told.calling_files, told.test_users) == (2, 2, 1)
    assert [row.file for row in told.used_by if row.how == "call"] == ["app/use.py", "tests/test_core.py"]


def test_the_files_that_use_a_file_are_in_the_same_order(reader):
    told = explain_file(reader, reader.files.at("app/core.py"), rows=5)

    assert [row.file for row in told.used_by] == [
        "app/use.py", "tests/test_core.py", "examples/demo.py", "bench/bench_core.py",
    ]  # fmt: skip


def scanned(root, files):
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    scan(root, ScanOptions(jobs=0))
    return IndexReader(StateDir(root).index_db)


MAIN = "from app.core import total\n\n\ndef main():\n    return total()\n\n\nif __name__ == '__main__':\n    main()\n"


def test_the_ways_into_the_product_come_before_those_into_examples(tmp_path):
    files = {"app/core.py": FILES["app/core.py"], "examples/a.py": MAIN, "shop/run.py": MAIN}
    with scanned(tmp_path, files) as reader:
        target = named(reader, "total")
        impact = find_impact(reader, [target], max_depth=5)
        reach = walk_inverse(reader, call_target(reader, target), max_depth=5)
        of_impact = [reader.symbols.get(one.entry.symbol_id).path for one in impact.entries]
        of_reach = [reader.symbols.get(one.symbol_id).path for one in reach.destinations]

    assert of_impact == ["shop/run.py", "examples/a.py"]
    assert of_reach == of_impact


def test_who_makes_the_parent_does_not_use_the_child(tmp_path):
    files = {
        "app/core.py": "class Link:\n    def __init__(self, at):\n        self.at = at\n\n\n"
        "class Request(Link):\n    def __init__(self, at):\n        super().__init__(at)\n",
        "app/use.py": "from app.core import Link, Request\n\n\ndef link():\n    return Link(1)\n\n\n"
        "def ask():\n    return Request(1)\n",
    }
    with scanned(tmp_path, files) as reader:
        impact = find_impact(reader, [named(reader, "Request")], max_depth=5)
        users = {reader.symbols.get(one.symbol_id).name for one in impact.product}

    assert "ask" in users
    assert "link" not in users


def test_what_a_package_offers_is_not_in_its_examples(tmp_path):
    shown = "def show():\n    return 1\n"
    files = {
        "pyproject.toml": '[project]\nname = "app"\n',
        "app/core.py": FILES["app/core.py"],
        "app/use.py": FILES["app/use.py"],
        "examples/shown.py": shown,
        "examples/demo.py": "from examples.shown import show\n\n\ndef demo():\n    return show()\n",
    }
    with scanned(tmp_path, files) as reader:
        landscape = survey_packages(reader, tmp_path)
        usage = survey_usage(reader, landscape, 0)

    assert {one.symbol.path for one in usage.symbols} == {"app/core.py"}
    assert [one.path for one in usage.files] == ["app/core.py"]


@pytest.mark.parametrize(
    ("path", "role", "rank"),
    [
        ("src/a.py", "source", 0),
        ("tests/a.py", "test", 1),
        ("examples/a.py", "source", 2),
        ("vendor/a.py", "vendored", 2),
        ("src/samples/AppTest.java", "test", 3),
        ("src/example.py", "source", 0),
        ("_examples/rest/main.go", "source", 2),
    ],
)
def test_a_file_ranks_by_its_role_and_folders(path, role, rank):
    assert rank_place(path, role) == rank


@given(st.text(max_size=60), st.sampled_from(["source", "test", "config", "generated", "vendored", "doc"]))
def test_a_test_never_ranks_before_what_it_stands_beside(path, role):
    assert rank_place(path, role, is_test=True) >= rank_place(path, role)
    assert rank_place(path, "source") == (2 if is_showing(path) else 0)
