"""Callers, callees, impact, reachability, the graph and dead code, asked as a client asks."""

import asyncio
import json
import os
import shutil
import subprocess
from datetime import UTC, date, datetime
from pathlib import Path

import jsonschema_rs
import pytest

from drift.kernel.errors import DriftError
from drift.pipeline import Environment, ServerRuntime
from drift.project import ProjectRegistry
from drift.registry import ServerName, Surface
from drift.scan import ScanOptions, scan
from drift.servers.analysis import ANALYSIS
from drift.tools import all_tools

PRICING = """\
import json


class Price:
    def __init__(self, cents):
        self.cents = cents


class Discount(Price):
    pass


def round_up(cents):
    return json.dumps(cents)


def total(cents):
    return round_up(Price(cents).cents)


def _forgotten(cents):
    return cents


def registered(cents):
    return cents


HANDLERS = {"r": registered}
"""
API = """\
from shop.pricing import Discount, total


class Base:
    def handle(self, request):
        return 1


class Checkout(Base):
    def handle(self, request):
        return total(request.cents)


def cheap(request):
    request.cart.round_up(5)
    return Discount(total(1))


def main():
    Checkout().handle(None)
    return cheap(None)


if __name__ == "__main__":
    main()
"""
TESTS = """\
from shop.pricing import total


def test_total():
    assert total(1)
"""


def git(root, *args):
    identity = ["-c", "user.name=a", "-c", "user.email=a@b.c"]
    subprocess.run(["git", *identity, *args], cwd=root, check=True, capture_output=True)


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "project"
    (folder / "shop").mkdir(parents=True)
    (folder / "tests").mkdir()
    (folder / "pyproject.toml").write_text("[project]\nname='shop'\n")
    (folder / ".gitignore").write_text(".drift/\n")
    (folder / "shop/__init__.py").write_text("")
    (folder / "shop/pricing.py").write_text(PRICING)
    (folder / "shop/api.py").write_text(API)
    (folder / "shop/broken.py").write_text("def half(:\n    total(\n")
    (folder / "tests/test_pricing.py").write_text(TESTS)
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "first")
    return folder


@pytest.fixture
def runtime(root, tmp_path):
    at = Environment(
        root,
        ProjectRegistry(tmp_path / "home/projects.json", lambda: datetime.now(UTC)),
        {},
        today=lambda: date(2026, 6, 1),
    )
    found = ServerRuntime(
        ServerName.ANALYSIS, all_tools().of_server(ServerName.ANALYSIS), Surface("full"), at=at
    )
    yield found
    found.close()


@pytest.fixture
def ask(runtime, root):
    scan(root, ScanOptions(jobs=0))

    def run(name, **arguments):
        outcome = asyncio.run(runtime.call(name, arguments))
        if not outcome.is_error:
            schema = all_tools().get(name).output_schema
            jsonschema_rs.validator_for(schema).validate(outcome.structured())
        return outcome

    return run


def data(outcome):
    assert not outcome.is_error, outcome.body
    return outcome.body["data"]


def test_callers_come_with_place_text_reason_and_product_before_tests(ask):
    found = data(ask("drift_callers", symbol="total"))

    rows = [(row["symbol"], row["file"], row["line"], row["call"]) for row in found["callers"]]
    assert rows == [
        ("Checkout.handle", "shop/api.py", 11, "total"),
        ("cheap", "shop/api.py", 16, "total"),
        ("test_total", "tests/test_pricing.py", 5, "total"),
    ]
    assert found["counts"]["callersOutsideTests"] == 2
    assert found["callers"][0]["confidence"] == 1
    assert found["callers"][2]["isTest"] is True


def test_pages_of_callers_meet_without_a_gap(ask):
    first = ask("drift_callers", symbol="total", limit=2)
    cursor = first.body["pagination"]["nextCursor"]
    second = ask("drift_callers", symbol="total", limit=2, cursor=cursor)

    names = [row["symbol"] for page in (first, second) for row in data(page)["callers"]]
    assert names == ["Checkout.handle", "cheap", "test_total"]
    assert second.body["pagination"]["hasMore"] is False


def test_a_cursor_of_another_question_is_refused(ask):
    cursor = ask("drift_callers", symbol="total", limit=1).body["pagination"]["nextCursor"]

    assert ask("drift_callers", symbol="cheap", limit=1, cursor=cursor).code == "INVALID_CURSOR"


def test_transitive_callers_come_with_one_way_each(ask):
    found = data(ask("drift_callers", symbol="round_up", transitive=True, maxDepth=5))

    ways = {row["symbol"]: row["path"] for row in found["transitive"]}
    assert ways["main"] == "main > Checkout.handle > total > round_up"
    assert ways["test_total"] == "test_total > total > round_up"


def test_unresolved_calls_of_the_same_name_are_a_warning(ask):
    warnings = ask("drift_callers", symbol="round_up").body["warnings"]

    assert any("request.cart.round_up at shop/api.py:15" in warning for warning in warnings)


def test_a_class_without_constructor_is_called_by_its_own_name(ask):
    heirs = data(ask("drift_callers", symbol="Discount"))
    parents = data(ask("drift_callers", symbol="Price"))

    assert [row["symbol"] for row in heirs["callers"]] == ["cheap"]
    assert "total" in [row["symbol"] for row in parents["callers"]]


def test_references_stand_apart_from_calls(ask):
    found = data(ask("drift_callers", symbol="registered"))

    assert found["callers"] == []
    assert [(row["line"], row["kind"]) for row in found["references"]] == [(29, "value")]


def test_public_api_is_flagged_with_its_evidence(ask):
    flags = {row["flag"]: row["evidence"] for row in data(ask("drift_callers", symbol="total"))["flags"]}

    assert flags == {"publicApi": "exported at shop/pricing.py:17"}


def test_callees_tell_inside_outside_and_unknown_apart(ask):
    total = {row["call"]: row for row in data(ask("drift_callees", symbol="total"))["callees"]}
    outside = data(ask("drift_callees", symbol="round_up", file="shop/pricing.py"))["callees"]
    cheap = ask("drift_callees", symbol="cheap")

    assert total["round_up"]["to"] == "round_up"
    assert total["round_up"]["at"] == "shop/pricing.py:13"
    assert outside[0]["external"] == "json.dumps"
    assert data(cheap)["outcomes"]["unknown"] == 1
    assert any("could not be resolved" in warning for warning in cheap.body["warnings"])


def test_transitive_callees_lead_from_the_symbol_on(ask):
    found = data(ask("drift_callees", symbol="cheap", transitive=True))

    assert {row["symbol"]: row["path"] for row in found["transitive"]}[
        "round_up"
    ] == "cheap > total > round_up"


def test_impact_reaches_users_entry_points_and_tests(ask):
    found = data(ask("drift_impact_analysis", target="round_up", file="shop/pricing.py"))

    assert found["users"][0]["symbol"] == "total"
    assert found["counts"]["direct"] == 1
    assert [(row["test"], row["depth"]) for row in found["tests"]] == [("test_total", 2)]
    assert found["testFiles"] == ["tests/test_pricing.py"]
    assert [(row["kind"], row["file"]) for row in found["entryPoints"]] == [("main", "shop/api.py")]
    assert found["entryPoints"][0]["path"][-1] == "round_up shop/pricing.py:13"
    assert found["risk"]["score"] == sum(reason["points"] for reason in found["risk"]["reasons"])


def test_impact_goes_through_the_method_that_is_overridden(ask):
    found = data(ask("drift_impact_analysis", target="Checkout.handle"))

    assert [row["symbol"] for row in found["overridden"]] == ["Base.handle"]


def test_who_asks_for_the_method_of_a_parent_does_not_run_what_overrides_it(ask, root):
    (root / "shop/counters.py").write_text(
        "from shop.api import Base\n\n\nclass Counter(Base):\n"
        "    def handle(self, request):\n        return super().handle(request)\n\n\n"
        "def serve(base: Base):\n    return base.handle(None)\n"
    )
    scan(root, ScanOptions(jobs=0))

    found = data(ask("drift_impact_analysis", target="Checkout.handle"))

    assert "serve" in {row["symbol"] for row in found["users"]}
    assert "Counter.handle" not in {row["symbol"] for row in found["users"]}


def test_impact_of_a_file_counts_who_imports_it(ask):
    found = data(ask("drift_impact_analysis", target="shop/pricing.py"))

    assert found["importers"] == 2
    assert {"Checkout.handle", "cheap"} <= {row["symbol"] for row in found["users"]}


def test_impact_of_a_diff_starts_from_the_symbols_it_changes(ask, root):
    changed = PRICING.replace("return json.dumps(cents)", "return json.dumps(cents + 1)")
    (root / "shop/pricing.py").write_text(changed)
    (root / "tests/test_pricing.py").unlink()
    scan(root, ScanOptions(jobs=0))

    found = data(ask("drift_impact_analysis", target="diff"))

    assert [row["symbol"] for row in found["changed"]] == ["round_up"]
    assert found["deleted"] == ["tests/test_pricing.py"]
    assert "total" in {row["symbol"] for row in found["users"]}


@pytest.mark.parametrize("base", ["nowhere", "--output=x", "HEAD; rm -rf ."])
def test_a_base_git_does_not_know_is_refused(ask, base):
    assert ask("drift_impact_analysis", target="diff", base=base).code == "INVALID_ARGUMENT"


def test_reachability_forward_ends_in_packages_and_says_what_is_open(ask):
    outcome = ask("drift_reachability", location="cheap")
    found = data(outcome)

    assert {row["symbol"] for row in found["symbols"]} >= {"total", "round_up"}
    assert [row["package"] for row in found["externals"]] == ["json"]
    assert found["externals"][0]["path"][-1] == "round_up shop/pricing.py:14"
    assert found["unresolvedCalls"] == 1


def test_reachability_inverse_ends_in_entry_points_and_tests(ask):
    found = data(ask("drift_reachability", location="shop/pricing.py:14", direction="inverse"))

    assert [row["kind"] for row in found["entryPoints"]] == ["main"]
    assert found["tests"] == 1


def test_paths_show_the_evidence_of_every_step(ask):
    paths = data(ask("drift_graph", action="paths", source="main", target="round_up"))["paths"]

    steps = [[(hop["caller"], hop["callee"], hop["line"]) for hop in path] for path in paths]
    assert [("main", "cheap", 21), ("cheap", "total", 16), ("total", "round_up", 18)] in steps


def test_no_path_says_whether_there_is_one_back(ask):
    outcome = ask("drift_graph", action="paths", source="round_up", target="main")

    assert data(outcome)["paths"] == []
    assert "the other way there is one of 3 calls" in outcome.body["summary"]


def test_a_missing_end_of_a_path_is_named(ask):
    assert ask("drift_graph", action="paths", source="main").code == "MISSING_REQUIRED_PARAM"


def test_a_cycle_is_shown_with_the_imports_that_close_it(ask, root):
    (root / "shop/pricing.py").write_text("import shop.api\n" + PRICING)
    scan(root, ScanOptions(jobs=0))

    (cycle,) = data(ask("drift_graph", action="cycles"))["cycles"]

    assert cycle["members"] == ["shop/api.py", "shop/pricing.py"]
    assert {step["at"] for step in cycle["way"]} == {"shop/api.py:1", "shop/pricing.py:1"}


def test_the_most_central_symbol_is_the_one_all_lean_on(ask):
    rows = data(ask("drift_graph", action="central", by="callers"))["central"]

    assert rows[0]["callers"] >= rows[-1]["callers"]
    assert "total" in {row["symbol"] for row in rows[:2]}


def test_a_drawing_has_the_symbol_and_its_neighbours(ask):
    drawing = data(ask("drift_graph", action="mermaid", source="total"))["drawing"]

    assert drawing["mermaid"].startswith("flowchart LR")
    assert '["round_up"]' in drawing["mermaid"]
    assert drawing["leftOut"] == 0


def test_dead_code_is_what_nobody_names_and_not_what_is_registered(ask):
    found = data(ask("drift_dead_code"))

    names = {row["symbol"]: row for row in found["symbols"]}
    assert names["_forgotten"]["level"] == "high"
    assert names["_forgotten"]["doubts"] == []
    assert not names.keys() & {"registered", "total", "main", "Checkout.handle", "Price"}


def test_calls_through_a_parent_outside_are_told_where_they_may_run_a_method(ask, root):
    (root / "shop/jobs.py").write_text(
        "from queueing import Job\n\n\nclass Mail(Job):\n    def run(self):\n        return 1\n\n\n"
        "def work(job: Job):\n    return job.run()\n"
    )
    scan(root, ScanOptions(jobs=0))

    told = [
        ask(tool, **arguments).body["warnings"]
        for tool, arguments in (
            ("drift_callers", {"symbol": "Mail.run"}),
            ("drift_impact_analysis", {"target": "Mail.run"}),
            ("drift_reachability", {"location": "Mail.run", "direction": "inverse"}),
        )
    ]

    said = "1 call of queueing.Job.run, which it implements, may run Mail.run: job.run at shop/jobs.py:10"
    assert [said in each for each in told] == [True, True, True]


def test_code_that_a_page_names_is_hardly_dead(ask, root):
    (root / "List.razor.cs").write_text(
        "public partial class List {\n  private void Open() {}\n  private void Shut() {}\n}\n"
        "class App {\n  static void Main() { new List(); }\n}\n"
    )
    (root / "List.razor").write_text('<button @onclick="Open">open</button>\n')
    (root / "node_modules").mkdir()
    (root / "node_modules/Page.vue").write_text("Shut()\n")
    scan(root, ScanOptions(jobs=0))

    rows = {row["symbol"]: row for row in data(ask("drift_dead_code", minLevel="low"))["symbols"]}

    assert rows["List.Open"]["doubts"] == ["template: the name stands at List.razor:1"]
    assert (rows["List.Open"]["level"], rows["List.Shut"]["level"]) == ("low", "high")


def test_pages_that_lead_out_of_the_project_or_never_end_say_nothing(ask, root, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside")
    (outside / "page.html").write_text("_forgotten()\n")
    os.mkfifo(root / "pipe.html")
    for name, target in {"out": outside / "page.html", "zero": "/dev/zero", "to_pipe": "pipe.html"}.items():
        (root / f"{name}.html").symlink_to(target)

    rows = {row["symbol"]: row for row in data(ask("drift_dead_code", minLevel="low"))["symbols"]}

    assert rows["_forgotten"]["doubts"] == []


def test_dead_code_of_a_place_that_is_not_there_is_said_to_be_of_none(ask):
    assert ask("drift_dead_code", path="nowhere/").body["warnings"] == [
        "no indexed file begins with 'nowhere/'"
    ]


def test_what_only_tests_use_is_told_when_asked_for(ask, root):
    (root / "tests/test_more.py").write_text(
        "from shop.pricing import _forgotten\n\n\ndef test_it():\n    _forgotten(1)\n"
    )
    scan(root, ScanOptions(jobs=0))

    plain = {row["symbol"] for row in data(ask("drift_dead_code", minLevel="low"))["symbols"]}
    asked = {
        row["symbol"]: row
        for row in data(ask("drift_dead_code", minLevel="low", withTestOnly=True))["symbols"]
    }

    assert "_forgotten" not in plain
    assert "test-only: only tests use it" in asked["_forgotten"]["doubts"]


@pytest.mark.parametrize(
    ("tool", "argument"),
    [
        ("drift_callers", "symbol"),
        ("drift_callees", "symbol"),
        ("drift_impact_analysis", "target"),
        ("drift_reachability", "location"),
    ],
)
def test_an_unknown_symbol_is_met_with_similar_names(ask, tool, argument):
    outcome = ask(tool, **{argument: "totl"})

    assert outcome.code == "SYMBOL_NOT_FOUND"
    assert "total" in outcome.body["similar"]


def test_callers_of_a_name_that_several_have_say_which_one_each_calls(ask):
    body = ask("drift_callers", symbol="handle").body

    assert body["summary"] == "1 symbol (1 outside tests) calls 2 symbols named handle in 1 place"
    assert body["warnings"][0].startswith("'handle' means 2 symbols, and all are answered for: ")
    assert all(row["of"] in body["warnings"][0] for row in body["data"]["callers"])


def test_callees_of_a_name_that_several_have_say_which_one_makes_each(ask):
    body = ask("drift_callees", symbol="handle").body

    assert body["summary"].startswith("2 symbols named handle make ")
    assert body["warnings"][0].startswith("'handle' means 2 symbols, and all are answered for: ")
    assert {row["of"] for row in body["data"]["callees"]} == {"Checkout.handle shop/api.py:10"}


def test_a_symbol_deleted_since_is_no_longer_there(ask, root):
    (root / "shop/pricing.py").unlink()
    scan(root, ScanOptions(jobs=0))

    assert ask("drift_callers", symbol="round_up").code == "SYMBOL_NOT_FOUND"


def test_a_project_that_was_never_scanned_says_so(runtime):
    outcome = asyncio.run(runtime.call("drift_callers", {"symbol": "total"}))

    assert outcome.code in {"SCAN_REQUIRED", "CALLGRAPH_NOT_BUILT"}


def test_an_empty_project_has_no_cycles_no_centre_and_no_dead_code(ask, root):
    for path in (*root.glob("shop/*.py"), *root.glob("tests/*.py")):
        path.unlink()
    scan(root, ScanOptions(jobs=0))

    assert data(ask("drift_graph", action="cycles"))["cycles"] == []
    assert data(ask("drift_graph", action="central"))["central"] == []
    assert data(ask("drift_dead_code"))["symbols"] == []


def test_the_call_graph_of_a_function_is_a_resource_with_completion(ask, runtime):
    extras = ANALYSIS.extras(runtime)
    (template,) = (one for one in extras.templates if one.uri_template == "drift://callgraph/{function}")

    content = json.loads(asyncio.run(template.read("total")))

    assert content["callers"]["data"]["counts"]["callersOutsideTests"] == 2
    assert content["callees"]["data"]["target"]["symbol"] == "total"
    assert {"total", "Checkout"} <= set(extras.suggest["drift://callgraph/{function}", "function"]())


def test_the_resource_of_an_unknown_function_says_what_is_like_it(ask, runtime):
    extras = ANALYSIS.extras(runtime)
    (template,) = (one for one in extras.templates if "callgraph" in one.uri_template)

    with pytest.raises(DriftError) as caught:
        asyncio.run(template.read("totl"))

    assert "total" in caught.value.recovery.similar


def test_nothing_is_completed_before_the_first_scan(runtime):
    suggest = ANALYSIS.extras(runtime).suggest["drift://callgraph/{function}", "function"]

    assert list(suggest()) == []


GRAPH_TOOLS = (
    "drift_callers",
    "drift_callees",
    "drift_impact_analysis",
    "drift_reachability",
    "drift_graph",
    "drift_dead_code",
)


@pytest.fixture
def ask_sample(tmp_path):
    folder = tmp_path / "sample"
    shutil.copytree(Path(__file__).parents[1] / "projects/python", folder)
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "first")
    scan(folder, ScanOptions(jobs=0))
    at = Environment(folder, ProjectRegistry(tmp_path / "home/projects.json", lambda: datetime.now(UTC)), {})
    found = ServerRuntime(
        ServerName.ANALYSIS, all_tools().of_server(ServerName.ANALYSIS), Surface("full"), at=at
    )
    yield lambda name, arguments: asyncio.run(found.call(name, arguments))
    found.close()


@pytest.mark.parametrize("name", GRAPH_TOOLS)
def test_the_examples_of_graph_tools_are_answered_on_the_sample_project(ask_sample, name):
    for arguments in all_tools().get(name).examples:
        outcome = ask_sample(name, dict(arguments))

        assert not outcome.is_error, (arguments, outcome.body)


def test_the_sample_project_is_told_as_it_is(ask_sample):
    callers = data(ask_sample("drift_callers", {"symbol": "opened"}))
    path = data(ask_sample("drift_graph", {"action": "paths", "source": "setup", "target": "opened"}))[
        "paths"
    ]

    assert [(row["symbol"], row["file"]) for row in callers["callers"]] == [("setup", "shop/pricing.py")]
    assert [[(hop["caller"], hop["callee"]) for hop in way] for way in path] == [[("setup", "opened")]]


def test_callees_of_a_method_that_calls_nothing_name_what_runs_in_its_place(ask):
    asked = ask("drift_callees", symbol="Base.handle")
    own = ask("drift_callees", symbol="Checkout.handle")

    assert "what may run in its place makes calls of its own: Checkout.handle shop/api.py:10" in " ".join(
        asked.body["warnings"]
    )
    assert "in its place" not in " ".join(own.body.get("warnings", ()))


def test_impact_says_that_users_may_be_farther_away_than_was_looked(ask):
    near = " ".join(ask("drift_impact_analysis", target="round_up", maxDepth=1).body["warnings"])
    whole = " ".join(ask("drift_impact_analysis", target="round_up").body["warnings"])

    assert "Users more than 1 step away are not looked for" in near
    assert "not looked for" not in whole
