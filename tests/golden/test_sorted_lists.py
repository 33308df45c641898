"""Lists in the order a caller asks for: page by page the same rows as in the usual one, and backwards as forwards."""

import pytest
from golden_answers import Shop, write_project

from drift.tools import all_tools

LISTS = {
    "callers": ("drift_callers", {"symbol": "Cart.total"}, "callers"),
    "callers through others": ("drift_callers", {"symbol": "round_up", "transitive": True}, "transitive"),
    "callees": ("drift_callees", {"symbol": "Cart.total"}, "callees"),
    "dead code": ("drift_dead_code", {"minLevel": "low", "withExports": True}, "symbols"),
    "files": ("drift_files_list", {}, "files"),
    "dependencies": ("drift_dependencies", {}, "dependencies"),
    "packages": ("drift_package_context", {"list": True}, "packages"),
    "error types": ("drift_errors", {}, "types"),
    "impact": ("drift_impact_analysis", {"target": "round_up"}, "users"),
    "what is reached": ("drift_reachability", {"location": "pay"}, "symbols"),
    "central": ("drift_graph", {"action": "central"}, "central"),
    "covered files": ("drift_test_topology", {"action": "coverage"}, "files"),
    "uncovered": ("drift_test_topology", {"action": "uncovered"}, "uncovered"),
    "quality": ("drift_test_topology", {"action": "quality"}, "quality"),
}
ALONE = {"packages"}
ONLY_DIRECT = {("callers through others", "confidence")}
VALUES = {
    "confidence": lambda row: -row["confidence"],
    "file": lambda row: row["file"],
    "lines": lambda row: -(row["lines"] or 0),
    "depth": lambda row: row["depth"],
    "callers": lambda row: -row["callers"],
    "imports": lambda row: -(row["imports"] or 0),
    "name": lambda row: row.get("name", row.get("call")).lower(),
    "outcome": lambda row: row["outcome"],
    "path": lambda row: row["path"],
    "files": lambda row: -row["files"],
    "symbols": lambda row: -row["symbols"],
    "line": lambda row: row["line"],
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    home = tmp_path_factory.mktemp("sorted")
    found = Shop(
        write_project("python", home / "python"), home, environ={"DRIFT_MCP_ANALYSIS_RATE_LIMIT": "0"}
    )
    yield found
    found.close()


def choices(tool):
    return all_tools().get(tool).input_schema["properties"]["sort"]["enum"]


def rows_of(shop, name, **wanted):
    """The whole list, read three rows at a time."""
    tool, arguments, field = LISTS[name]
    rows, cursor = [], None
    while True:
        more = {"cursor": cursor} if cursor else {}
        body = shop.ask(tool, **arguments, limit=3, **wanted, **more)
        rows += body["data"][field]
        cursor = body["pagination"]["nextCursor"]
        if cursor is None:
            assert len(rows) == body["pagination"]["total"]
            return rows


CASES = [(name, sort) for name, (tool, *_) in LISTS.items() for sort in choices(tool)]


@pytest.mark.parametrize(("name", "sort"), CASES, ids=[f"{name} by {sort}" for name, sort in CASES])
def test_every_order_has_the_same_rows_each_once_and_the_other_way_is_the_reverse(shop, name, sort):
    if (name, sort) in ONLY_DIRECT:
        pytest.skip("is refused, see below")
    tool = LISTS[name][0]

    usual, ordered = rows_of(shop, name), rows_of(shop, name, sort=sort)
    up, down = rows_of(shop, name, sort=sort, order="asc"), rows_of(shop, name, sort=sort, order="desc")

    assert len(usual) > (1 if name not in ALONE else 0)
    assert sorted(map(repr, ordered)) == sorted(map(repr, usual))
    assert down == up[::-1]
    assert ordered in (up, down)
    if sort == choices(tool)[0]:
        assert ordered == usual
    elif sort in VALUES:
        assert [*map(VALUES[sort], ordered)] == sorted(map(VALUES[sort], ordered))


def test_the_most_of_an_amount_comes_first_and_names_begin_with_a(shop):
    amounts = [row["lines"] or 0 for row in rows_of(shop, "files", sort="lines")]
    names = [row["name"].lower() for row in rows_of(shop, "dependencies", sort="name")]

    assert amounts == sorted(amounts, reverse=True)
    assert amounts[0] > amounts[-1]
    assert names == sorted(names)


def test_what_a_list_cannot_be_sorted_by_is_refused_with_what_it_can(shop):
    unknown = shop.ask("drift_files_list", sort="colour")
    other = shop.ask("drift_callers", symbol="round_up", transitive=True, sort="confidence")

    assert unknown["code"] == "INVALID_ARGUMENT"
    assert "file, lines" in unknown["message"]
    assert other["code"] == "INVALID_ARGUMENT"
    assert "sort: confidence is of direct calls" in other["message"]


def test_a_cursor_of_one_order_is_refused_in_another(shop):
    cursor = shop.ask("drift_files_list", limit=1)["pagination"]["nextCursor"]

    turned = shop.ask("drift_files_list", limit=1, order="desc", cursor=cursor)

    assert turned["code"] == "INVALID_CURSOR"


def test_other_names_of_the_arguments_are_understood(shop):
    own = shop.ask("drift_graph", action="central", sort="callers", order="asc")
    other = shop.ask("drift_graph", action="central", by="callers", sortOrder="asc")

    assert own["data"] == other["data"]


def test_an_order_of_another_list_of_the_same_tool_is_refused(shop):
    refused = shop.ask("drift_graph", action="cycles", sort="callers")

    assert refused["code"] == "INVALID_ARGUMENT"
    assert "this one goes by size" in refused["message"]
