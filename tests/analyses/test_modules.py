"""Who depends on whom, what the measures come to, and how cycles are opened."""

from itertools import permutations

import grimp
import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drift.analyses.dead_code.finding import Asked, look_through
from drift.analyses.modules.coupling import Coupling
from drift.analyses.modules.cuts import cheapest_cut
from drift.analyses.modules.cycles import find_cycles
from drift.analyses.modules.exports import export_row, unused_exports
from drift.analyses.modules.graph import module_graph
from drift.analyses.modules.layers import find_areas, find_layers
from drift.index import IndexReader
from drift.kernel.errors import DriftError
from drift.scan import ScanOptions, scan

FILES = {
    "shop/__init__.py": "from . import money\n",
    **{f"shop/{part}/__init__.py": "" for part in ("web", "service", "store")},
    "shop/web/pages.py": (
        "from typing import TYPE_CHECKING\n"
        "from shop.service.orders import place, cancel\n"
        "if TYPE_CHECKING:\n    from shop.store.rows import Row\n"
    ),
    "shop/web/admin.py": "from shop.service.orders import place\nfrom shop.web import pages\npages.show()\n",
    "shop/service/orders.py": (
        "import shop.store.rows\nfrom shop.money import Money\n"
        "def place(): shop.store.rows.save(Money())\n"
        "def cancel(): shop.store.rows.drop()\n"
    ),
    "shop/store/rows.py": (
        "from abc import ABC, abstractmethod\nfrom shop.money import Money\n"
        "class Row(ABC):\n    @abstractmethod\n    def key(self): ...\n"
        "def save(one): ...\n"
        "def drop():\n    from shop.service.orders import cancel\n    cancel()\n"
        "class _Own: ...\n"
    ),
    "shop/money.py": "class Money: ...\n",
    "tests/test_orders.py": "from shop.service.orders import place\ndef test_it(): place()\n",
}


@pytest.fixture(scope="module")
def reader(tmp_path_factory):
    root = tmp_path_factory.mktemp("modules")
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    scan(root, ScanOptions(jobs=0))
    with IndexReader(root / ".drift" / "drift.db") as opened:
        yield opened


def test_who_calls_an_interface_does_not_depend_on_the_classes_that_have_its_methods(tmp_path):
    files = {
        "shop/api/Store.java": "package shop.api;\npublic interface Store { void save(); }\n",
        "shop/disk/Disk.java": (
            "package shop.disk;\nimport shop.api.Store;\npublic class Disk implements Store { public void save() {} }\n"
        ),
        "shop/web/Page.java": (
            "package shop.web;\nimport shop.api.Store;\n"
            "public class Page {\n  private final Store store;\n  Page(Store store) { this.store = store; }\n"
            "  void show() { store.save(); }\n}\n"
        ),
    }
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    scan(tmp_path, ScanOptions(jobs=0))

    with IndexReader(tmp_path / ".drift" / "drift.db") as reader:
        assert sorted(module_graph(reader).edges) == [
            ("shop/disk/Disk.java", "shop/api/Store.java"),
            ("shop/web/Page.java", "shop/api/Store.java"),
        ]


def test_files_depend_on_what_they_import_at_run_time_by_the_names_they_use(reader):
    graph = module_graph(reader)

    assert graph.edges["shop/web/pages.py", "shop/service/orders.py"].names == ("cancel", "place")
    assert graph.edges["shop/service/orders.py", "shop/store/rows.py"].names == ("drop", "save")
    assert ("shop/web/pages.py", "shop/store/rows.py") not in graph.edges, (
        "an import for types is gone at run time"
    )
    assert ("shop/__init__.py", "shop/money.py") in graph.edges, "a package that takes in a module of its own"
    assert not any("tests/" in name for name in graph.members)


def test_the_import_graph_is_that_of_another_tool(reader):
    root = reader.path.parent.parent
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(root))
        theirs = grimp.build_graph("shop", exclude_type_checking_imports=True, cache_dir=None)

    def named(path):
        return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")

    ours = {(named(source), named(target)) for source, target in module_graph(reader).edges}
    assert ours == {
        (one, other) for one in theirs.modules for other in theirs.find_modules_directly_imported_by(one)
    }


def test_measures_are_counted_and_null_where_there_is_nothing_to_count(reader):
    measures = Coupling(reader, "file").measures

    rows = measures["shop/store/rows.py"]
    assert (rows.ca, rows.ce, rows.instability) == (1, 2, 0.667)
    assert rows.abstractness == 0.333, "one of Row, save and drop"
    assert rows.in_cycle
    assert measures["shop/__init__.py"].abstractness is None
    assert measures["shop/__init__.py"].distance is None
    assert measures["shop/money.py"].zone == "pain"


def test_a_cycle_is_opened_where_the_fewest_names_are_used(reader):
    (cycle,) = find_cycles(module_graph(reader))

    assert cycle.members == ("shop/service/orders.py", "shop/store/rows.py")
    assert [(one.source, one.names) for one in cycle.cut] == [("shop/store/rows.py", ("cancel",))]
    assert cycle.is_cheapest


def test_layers_come_from_who_uses_whom_and_name_what_goes_against_them(reader):
    layering = find_layers(module_graph(reader))

    heights = {area: one.height for one in layering.layers for area in one.areas}
    assert heights["shop/web"] > heights["shop/service"] > heights["shop/store"] > heights["shop"]
    assert {one.name for one in layering.layers} >= {"presentation", "application", "data"}
    against = layering.violations + layering.tangles
    assert [(one.source, one.target) for one in against] == [("shop/store", "shop/service")]


def test_one_module_is_told_with_its_neighbours_and_who_would_notice_a_move(reader):
    coupling = Coupling(reader, "folder")

    detail = coupling.describe(coupling.require("service"))
    assert [row.module for row in detail.dependents] == ["shop/web", "shop/store"]
    assert detail.cycle == ("shop/service", "shop/store")
    impact = coupling.impact(reader, "shop/service")
    assert (impact.direct_count, impact.tests) == (2, ("tests/test_orders.py",))
    assert impact.names == {"cancel": 2, "place": 1}
    with pytest.raises(DriftError, match="shop/service"):
        coupling.require("shop/servise")


def test_exports_without_a_use_are_told_with_why_they_may_live(tmp_path):
    (tmp_path / "parts.ts").write_text("export function used() {}\nexport function spare() {}\n")
    (tmp_path / "shop.ts").write_text('import { used } from "./parts";\nused();\n')
    scan(tmp_path, ScanOptions(jobs=0))
    with IndexReader(tmp_path / ".drift" / "drift.db") as reader:
        found = look_through(reader, tmp_path, Asked(with_exports=True), check_cancelled=lambda: None)

    (only,) = [export_row(one) for one in unused_exports(found, {"parts.ts"}).rows]

    assert (only.symbol, only.line) == ("spare", 2)
    assert only.may_be_alive == ("export: exported at parts.ts:2",)
    assert unused_exports(found, {"shop.ts"}).rows == []


def test_a_layer_is_a_module_too(reader):
    coupling = Coupling(reader, "layer")

    assert coupling.measures["presentation"].ca == 0
    assert "application" in coupling.graph.targets["presentation"]


def test_areas_lie_below_what_all_files_share_and_large_ones_are_split():
    paths = [f"src/main/java/app/web/{name}.java" for name in "ab"]
    paths += [f"src/main/java/app/misc/{part}/{name}.java" for part in ("one", "two") for name in "abcd"]

    areas = set(find_areas(paths).values())

    assert areas == {f"src/main/java/app/{end}" for end in ("web", "misc/one", "misc/two")}


edges = st.dictionaries(
    st.tuples(st.sampled_from("abcde"), st.sampled_from("abcde")).filter(lambda edge: edge[0] != edge[1]),
    st.integers(1, 9),
    max_size=14,
)


@given(edges)
@settings(max_examples=40)
def test_no_cut_of_a_small_group_is_cheaper_and_none_leaves_a_cycle(weights):
    cut = cheapest_cut("abcde", weights)

    left = nx.DiGraph(list(weights.keys() - set(cut.edges)))
    assert nx.is_directed_acyclic_graph(left)
    cheapest = min(
        sum(
            weight
            for (source, target), weight in weights.items()
            if order.index(source) > order.index(target)
        )
        for order in permutations("abcde")
    )
    assert cut.weight == cheapest


@given(st.data())
@settings(max_examples=15)
def test_a_cut_of_a_large_group_leaves_no_cycle_and_drops_nothing_without_need(data):
    names = [f"m{number}" for number in range(20)]
    pairs = st.tuples(st.sampled_from(names), st.sampled_from(names)).filter(lambda edge: edge[0] != edge[1])
    weights = data.draw(st.dictionaries(pairs, st.integers(1, 9), max_size=60))

    cut = cheapest_cut(names, weights)

    left = nx.DiGraph(list(weights.keys() - set(cut.edges)))
    assert nx.is_directed_acyclic_graph(left)
    assert not cut.is_cheapest
    for edge in cut.edges:
        assert not nx.is_directed_acyclic_graph(nx.DiGraph([*left.edges, edge]))
