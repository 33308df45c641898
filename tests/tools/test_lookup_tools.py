"""The look-up tools, asked as an agent asks them."""

import asyncio
import os
import subprocess
from datetime import UTC, date, datetime

import pytest

from drift.pipeline import Environment, ServerRuntime
from drift.project import ProjectRegistry
from drift.registry import ServerName, Surface
from drift.scan import ScanOptions, scan
from drift.tools import all_tools

CART = '''"""Carts of the shop."""

from shop.errors import NotFound
from shop.prices import Price


class Base:
    def describe(self):
        return "base"


class Cart(Base):
    """What a customer is about to buy.

    More about carts.
    """

    price: Price

    def add(self, item: str, count: int = 1, *, urgent=False) -> "Cart":
        """Put something in.

        Args:
            item: what
        """
        if not item:
            raise NotFound(item)
        return self


def total(cart: Cart) -> Price:
    try:
        return cart.add("x").price
    except NotFound:
        pass
'''
FILES = {
    "pyproject.toml": "[project]\nname='shop'\ndependencies=['requests>=2', 'pyyaml']\n",
    "shop/__init__.py": "",
    "shop/cart.py": CART,
    "shop/prices.py": "import requests\n\n\nclass Price:\n    amount: int\n\n\ndef total(price):\n    return price\n",
    "shop/errors.py": "class ShopError(Exception):\n    pass\n\n\nclass NotFound(ShopError):\n    pass\n",
    "shop/broken.py": "def half(:\n    return 1\n\n\ndef whole():\n    return 2\n",
    "tests/test_cart.py": "from shop.cart import Cart, total\n\n\ndef test_total():\n    assert total(Cart())\n",
}


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "project"
    for path, text in FILES.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return folder


@pytest.fixture
def ask(root, tmp_path):
    at = Environment(
        root,
        ProjectRegistry(tmp_path / "home/projects.json", lambda: datetime.now(UTC)),
        {},
        today=lambda: date(2026, 6, 10),
    )
    tools = all_tools().of_server(ServerName.ANALYSIS)
    runtime = ServerRuntime(ServerName.ANALYSIS, tools, Surface("full"), at=at)

    def call(name, **arguments):
        return asyncio.run(runtime.call(name, arguments)).body

    yield call
    runtime.close()


@pytest.fixture
def scanned(root):
    scan(root, ScanOptions(jobs=0))
    return root


def test_a_signature_is_taken_apart(scanned, ask):
    (row,) = ask("drift_signature", symbol="Cart.add")["data"]["signatures"]

    assert (row["file"], row["line"]) == ("shop/cart.py", 20)
    assert row["parameters"] == [
        {"name": "item", "type": "str", "default": None, "kind": "plain"},
        {"name": "count", "type": "int", "default": "1", "kind": "plain"},
        {"name": "urgent", "type": None, "default": "False", "kind": "keyword"},
    ]
    assert row["returns"] == '"Cart"'
    assert row["doc"] == "Put something in."
    assert "body" not in row


def test_a_class_comes_with_how_it_is_made(root, scanned, ask):
    (root / "shop/box.py").write_text(
        "class Box:\n    def __init__(self, size: int = 1):\n        self.size = size\n"
    )
    scan(root, ScanOptions(jobs=0))

    answer = ask("drift_signature", symbol="Box")
    whole = ask("drift_signature", symbol="Box", includeBody=True)

    rows = answer["data"]["signatures"]
    assert [row["symbol"] for row in rows] == ["Box", "Box.__init__"]
    assert rows[1]["parameters"] == [{"name": "size", "type": "int", "default": "1", "kind": "plain"}]
    assert answer["nextActions"][0]["tool"] == "drift_explain"
    assert [row["symbol"] for row in whole["data"]["signatures"]] == ["Box"]


def test_imports_of_nothing_and_likeness_to_blanks_are_refused(scanned, ask):
    assert ask("drift_imports", symbols=[], targetFile="shop/new.py")["code"] == "INVALID_ARGUMENT"
    assert ask("drift_similar", description="  ")["code"] == "MISSING_REQUIRED_PARAM"


def test_a_framework_nobody_knows_is_refused_with_those_there_are(scanned, ask):
    answer = ask("drift_middleware", framework="rails")

    assert answer["code"] == "INVALID_ARGUMENT"
    assert "Django" in answer["message"]


def test_a_body_is_given_with_its_own_indent_and_only_on_request(scanned, ask):
    (row,) = ask("drift_signature", symbol="Cart.add", includeBody=True)["data"]["signatures"]

    assert row["body"].startswith("    def add(self")
    assert row["body"].endswith("return self")


def test_a_body_that_changed_behind_the_index_is_refused_with_the_reason(scanned, ask):
    (scanned / "shop/cart.py").write_text("# all new\n" + CART)

    (row,) = ask("drift_signature", symbol="Cart.add", includeBody=True)["data"]["signatures"]

    assert "body" not in row
    assert row["bodyProblem"] == "the file has changed since it was read"


def test_every_symbol_of_a_name_is_listed_page_by_page(scanned, ask):
    first = ask("drift_signature", symbol="total", limit=1)
    second = ask("drift_signature", symbol="total", limit=1, cursor=first["pagination"]["nextCursor"])

    files = [page["data"]["signatures"][0]["file"] for page in (first, second)]
    assert files == ["shop/cart.py", "shop/prices.py"]
    assert first["pagination"]["total"] == 2
    assert not second["pagination"]["hasMore"]


def test_an_unknown_symbol_comes_with_similar_names(scanned, ask):
    answer = ask("drift_signature", symbol="totl")

    assert answer["code"] == "SYMBOL_NOT_FOUND"
    assert "total" in answer["similar"]


def test_a_symbol_of_a_file_with_an_error_is_still_found(scanned, ask):
    assert ask("drift_signature", symbol="whole")["data"]["signatures"][0]["file"] == "shop/broken.py"


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("drift_signature", {"symbol": "x"}),
        ("drift_type", {"type": "x"}),
        ("drift_explain", {"target": "x"}),
        ("drift_files_list", {}),
        ("drift_imports", {"symbols": ["x"], "targetFile": "a.py"}),
        ("drift_dependencies", {}),
        ("drift_similar", {"description": "x"}),
        ("drift_errors", {}),
        ("drift_analyze_function", {"function": "x"}),
    ],
)
def test_a_project_that_was_never_scanned_says_so(ask, tool, arguments):
    assert ask(tool, **arguments)["code"] == "SCAN_REQUIRED"


def test_an_empty_project_has_no_files_and_no_dependencies(tmp_path, root, ask):
    for path in FILES:
        (root / path).unlink()
    scan(root, ScanOptions(jobs=0))

    assert ask("drift_files_list")["summary"] == "0 files"
    assert ask("drift_dependencies")["data"]["dependencies"] == []
    assert ask("drift_errors")["data"]["types"] == []
    assert ask("drift_signature", symbol="x")["code"] == "SYMBOL_NOT_FOUND"


def test_a_type_has_fields_methods_parents_and_related_types(scanned, ask):
    data = ask("drift_type", type="Cart")["data"]

    assert [(row["name"], row["declaration"]) for row in data["fields"]] == [("price", "price: Price")]
    methods = {row["name"]: row.get("inheritedFrom") for row in data["methods"]}
    assert methods == {"add": None, "describe": "Base"}
    assert [(row["name"], row["file"]) for row in data["parents"]] == [("Base", "shop/cart.py")]
    assert ("Price", "contains", "price") in {
        (row["type"], row["relation"], row["via"]) for row in data["related"]
    }
    base = ask("drift_type", type="Base")["data"]
    assert [row["type"] for row in base["subtypes"]] == ["Cart"]


def test_a_type_names_all_its_parents_and_says_whose_members_it_leaves_out(root, ask):
    (root / "deep.py").write_text(
        "class A(Outside):\n    def a(self): ...\nclass B(A):\n    def b(self): ...\nclass C(B): ...\n",
        "utf-8",
    )
    scan(root, ScanOptions(jobs=0))

    answer = ask("drift_type", type="C")
    whole = ask("drift_type", type="C", depth=2)

    assert [(row["name"], row["depth"]) for row in answer["data"]["parents"]] == [
        ("B", 1),
        ("A", 2),
        ("Outside", 3),
    ]
    assert [row["name"] for row in answer["data"]["methods"]] == ["b"]
    assert "members of A are not shown: more than 1 up, see depth" in answer["warnings"]
    assert [row["name"] for row in whole["data"]["methods"]] == ["b", "a"]


def test_a_function_is_no_type(scanned, ask):
    refused = ask("drift_type", type="total")

    assert refused["code"] == "INVALID_ARGUMENT"
    assert "is the function total" in refused["message"]
    assert "is the method Cart.add" in ask("drift_type", type="shop/cart.py:21")["message"]


def test_a_symbol_is_explained_by_who_uses_it_and_what_it_uses(scanned, ask):
    answer = ask("drift_explain", target="Cart.add")

    data = answer["data"]["symbol"]
    assert data["standsIn"] == "Cart"
    assert [row["symbol"] for row in data["usedBy"]] == ["total"]
    assert "NotFound" in {row["symbol"] for row in data["uses"]}
    assert data["complexity"]["cyclomatic"] == 2
    assert answer["nextActions"][0]["args"] == {"target": "shop/cart.py:20"}


def test_a_file_is_explained_by_its_parts_and_its_neighbours(scanned, ask):
    data = ask("drift_explain", target="cart.py")["data"]["file"]

    assert data["doc"] == "Carts of the shop."
    assert [row["name"] for row in data["parts"]] == ["Base", "Cart", "total"]
    assert [row["file"] for row in data["usedBy"]] == ["tests/test_cart.py"]
    assert {row["file"] for row in data["uses"]} == {"shop/errors.py", "shop/prices.py"}


def test_all_that_have_a_name_are_asked_about_together(scanned, ask):
    references = ask("drift_references", symbol="total")
    function = ask("drift_analyze_function", function="total")["data"]
    reached = ask("drift_reachability", location="total", direction="inverse")["data"]

    assert references["summary"].endswith("name 2 symbols named total")
    assert {one["file"] for one in references["data"]["references"] if one["kind"] == "declaration"} == {
        "shop/cart.py",
        "shop/prices.py",
    }
    assert [one["symbol"] for one in function["others"]] == ["total"]
    assert [one["symbol"] for one in reached["others"]] == ["total"]


def test_all_that_have_a_name_are_explained_and_a_file_chooses_one(scanned, ask):
    answer = ask("drift_explain", target="total")

    found = [answer["data"]["symbol"], *answer["data"]["others"]]
    assert sorted(one["file"] for one in found) == ["shop/cart.py", "shop/prices.py"]
    assert all(f"{one['file']}:{one['line']}" in answer["summary"] for one in found)
    assert answer["warnings"][0].startswith("'total' means 2 symbols, and all are answered for: ")
    assert (
        ask("drift_explain", target="total", file="prices.py")["data"]["symbol"]["file"] == "shop/prices.py"
    )


def test_files_are_listed_by_pattern_role_and_state_in_pages(scanned, ask):
    first = ask("drift_files_list", glob="shop/*.py", limit=2)
    second = ask("drift_files_list", glob="shop/*.py", limit=9, cursor=first["pagination"]["nextCursor"])

    names = [row["file"] for page in (first, second) for row in page["data"]["files"]]
    assert names == sorted(path for path in FILES if path.startswith("shop/"))
    assert [row["file"] for row in ask("drift_files_list", role="test")["data"]["files"]] == [
        "tests/test_cart.py"
    ]
    (broken,) = ask("drift_files_list", status="partial")["data"]["files"]
    assert broken["file"] == "shop/broken.py"
    assert broken["problem"]


def test_a_language_that_no_file_has_is_refused_with_those_there_are(scanned, ask):
    answer = ask("drift_files_list", language="pyhton")

    assert answer["code"] == "INVALID_ARGUMENT"
    assert answer["similar"] == ["python"]


def test_imports_are_written_said_to_be_there_or_said_to_be_unknown(scanned, ask):
    data = ask("drift_imports", symbols=["Cart", "Price", "Nothing"], targetFile="shop/new.py")["data"]

    assert data["statements"] == ["from shop.cart import Cart", "from shop.prices import Price"]
    assert [row["symbol"] for row in data["unresolved"]] == ["Nothing"]
    there = ask("drift_imports", symbols=["Price", "total"], targetFile="shop/cart.py")["data"]
    assert there["statements"] == []
    assert there["advice"][0]["reason"] == "imported already on line 4"


def test_imports_into_a_file_of_no_language_are_refused(scanned, ask):
    assert ask("drift_imports", symbols=["Cart"], targetFile="notes.txt")["code"] == "INVALID_ARGUMENT"
    assert ask("drift_imports", symbols=["Cart"], targetFile="../x.py")["code"] == "PATH_OUTSIDE_PROJECT"


def test_dependencies_say_what_is_unused_and_what_is_undeclared(scanned, ask):
    (scanned / "shop/prices.py").write_text("import requests\nimport numpy\nimport os\n")
    scan(scanned, ScanOptions(jobs=0))

    data = ask("drift_dependencies")["data"]

    assert {row["name"]: row["imports"] for row in data["dependencies"]} == {"requests": 1, "pyyaml": 0}
    assert [row["name"] for row in data["unused"]] == ["pyyaml"]
    assert [(row["package"], row["file"], row["line"]) for row in data["undeclared"]] == [
        ("numpy", "shop/prices.py", 2)
    ]


def test_a_manifest_that_cannot_be_read_is_named(scanned, ask):
    (scanned / "pyproject.toml").write_text("[project\n")

    assert ask("drift_dependencies")["warnings"][0].startswith("not read: pyproject.toml")


def test_errors_are_listed_placed_and_found_ignored(scanned, ask):
    types = {row["type"]: row for row in ask("drift_errors")["data"]["types"]}
    assert (types["NotFound"]["raised"], types["NotFound"]["caught"]) == (1, 1)
    assert types["ShopError"]["extends"] == ["Exception"]

    places = ask("drift_errors", action="places", type="NotFound")["data"]["places"]
    # As PHP writes the root of its namespaces.
    assert ask("drift_errors", action="places", type="\\NotFound")["data"]["places"] == places
    assert [(row["function"], row["does"]) for row in places] == [
        ("Cart.add", "raises"),
        ("total", "ignores"),
    ]

    (ignored,) = ask("drift_errors", action="ignored")["data"]["places"]
    assert ignored["function"] == "total"


def test_places_of_an_error_need_a_known_type(scanned, ask):
    assert ask("drift_errors", action="places")["code"] == "MISSING_REQUIRED_PARAM"
    assert ask("drift_errors", action="places", type="NotFoud")["similar"] == ["NotFound"]
    declared = ask("drift_errors", action="places", type="ShopError")
    assert declared["data"]["places"] == []
    assert "no code raises" in declared["warnings"][0]


def test_a_function_is_analyzed_with_its_body_callers_and_tests(scanned, ask):
    data = ask("drift_analyze_function", function="total", file="cart.py")["data"]

    assert data["signature"]["body"].startswith("def total(cart: Cart)")
    assert [row["test"] for row in data["tests"]] == ["test_total"]
    assert [row["symbol"] for row in data["surroundings"]["usedBy"]] == ["test_total"]


def test_similar_code_needs_something_to_compare_with(scanned, ask):
    assert ask("drift_similar")["code"] == "MISSING_REQUIRED_PARAM"
    found = ask("drift_similar", description="put an item into the cart")
    assert "Cart.add" in {row["symbol"] for row in found["data"]["matches"]}


def commit(root, message, day):
    when = f"{day}T12:00:00Z"
    environment = {**os.environ, "GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when}
    identity = ["-c", "user.name=Ann", "-c", "user.email=ann@example.com"]
    subprocess.run(["git", "add", "-A"], cwd=root, check=True)
    subprocess.run(["git", *identity, "commit", "-qm", message], cwd=root, env=environment, check=True)


def test_recent_commits_come_in_the_order_asked_for(root, ask):
    subprocess.run(["git", "init", "-q", "-b", "main"], cwd=root, check=True)
    commit(root, "many", "2026-06-05")
    (root / "shop/prices.py").write_text(FILES["shop/prices.py"] + "\n")
    commit(root, "one", "2026-06-06")
    (root / "shop/prices.py").unlink()
    (root / "shop/new.py").write_text("NEW = 1\n")
    commit(root, "two", "2026-06-08")

    def summaries(**wanted):
        return [row["summary"] for row in ask("drift_recent", **wanted)["data"]["commits"]]

    assert summaries() == ["two", "one", "many"]
    assert summaries(order="asc") == ["many", "one", "two"]
    assert summaries(sort="files") == ["many", "two", "one"]
    assert summaries(sort="files", order="asc") == ["one", "two", "many"]


def test_recent_changes_follow_renames_and_count_types(root, ask):
    subprocess.run(["git", "init", "-q", "-b", "main"], cwd=root, check=True)
    commit(root, "feat: begin", "2026-01-01")
    (root / "shop/prices.py").write_text(FILES["shop/prices.py"] + "\n")
    commit(root, "fix(shop): round prices", "2026-06-06")
    (root / "shop/prices.py").rename(root / "shop/costs.py")
    commit(root, "refactor: rename", "2026-06-08")

    data = ask("drift_recent")["data"]

    assert [row["summary"] for row in data["commits"]] == ["refactor: rename", "fix(shop): round prices"]
    assert data["types"] == {"refactor": 1, "fix": 1}
    (file,) = data["files"]
    assert (file["file"], file["commits"], file["renamedFrom"]) == ("shop/costs.py", 2, "shop/prices.py")
    assert len(ask("drift_recent", type="fix")["data"]["commits"]) == 1
    assert len(ask("drift_recent", days=300, area="shop/cart.py")["data"]["commits"]) == 1


def test_the_days_of_recent_changes_end_with_the_last_commit(root, ask):
    subprocess.run(["git", "init", "-q", "-b", "main"], cwd=root, check=True)
    commit(root, "begin", "2020-01-01")
    (root / "shop/prices.py").write_text(FILES["shop/prices.py"] + "\n")
    commit(root, "last", "2020-03-01")

    found = ask("drift_recent")

    assert [row["summary"] for row in found["data"]["commits"]] == ["last"]
    assert found["summary"] == "1 commit to 1 file in 7 days up to 2020-03-01"


def test_recent_changes_need_a_repository_and_a_place_that_exists(root, ask):
    assert ask("drift_recent")["code"] == "STORE_UNAVAILABLE"
    subprocess.run(["git", "init", "-q", "-b", "main"], cwd=root, check=True)
    assert ask("drift_recent")["summary"] == "0 commits to 0 files in 7 days"
    commit(root, "Begin", "2026-06-09")
    assert ask("drift_recent", area="nowhere")["code"] == "FILE_NOT_FOUND"
    assert "no conventional types" in ask("drift_recent", type="fix")["warnings"][0]
