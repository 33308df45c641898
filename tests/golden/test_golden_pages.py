"""Pages of the graph and look-up tools: together they are the whole list, whatever their size."""

import pytest
from golden_answers import Shop, write_project

LISTS = {
    "hooks": ("typescript", "drift_hooks", {}, "hooks"),
    "middleware": ("php", "drift_middleware", {}, "middleware"),
    "error types": ("python", "drift_errors", {}, "types"),
    "error places": ("python", "drift_errors", {"action": "places", "type": "EmptyCart"}, "places"),
    "impact": ("python", "drift_impact_analysis", {"target": "round_up"}, "users"),
    "what is reached": ("go", "drift_reachability", {"location": "main"}, "symbols"),
    "what reaches": (
        "java",
        "drift_reachability",
        {"location": "roundUp", "direction": "inverse"},
        "symbols",
    ),
    "references": ("python", "drift_references", {"symbol": "Cart.total"}, "references"),
    "search": ("python", "drift_search", {"query": "total"}, "hits"),
    "rename": ("python", "drift_rename", {"symbol": "Cart.total", "newName": "sum_up"}, "changes"),
    "central by rank": ("rust", "drift_graph", {"action": "central"}, "central"),
    "central by callers": ("csharp", "drift_graph", {"action": "central", "by": "callers"}, "central"),
}
FORK = """\
def start():
    left()
    middle()
    right()


def left():
    end()


def middle():
    end()


def right():
    end()


def end():
    return 1
"""


@pytest.fixture(scope="module")
def shops(tmp_path_factory):
    opened = {}

    def open_shop(name):
        if name not in opened:
            home = tmp_path_factory.mktemp(name)
            opened[name] = Shop(write_project(name, home / name), home)
        return opened[name]

    yield open_shop
    for shop in opened.values():
        shop.close()


@pytest.fixture
def made(tmp_path):
    shops = []

    def make(files):
        root = tmp_path / "made"
        for path, text in files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text)
        shops.append(Shop(root, tmp_path))
        return shops[-1]

    yield make
    for shop in shops:
        shop.close()


def pages(shop, tool, arguments, *, limit):
    """All answers, one after the other."""
    found = [shop.ask(tool, **arguments, limit=limit)]
    while (cursor := found[-1]["pagination"]["nextCursor"]) is not None:
        found.append(shop.ask(tool, **arguments, limit=limit, cursor=cursor))
        assert len(found) < 100
    return found


@pytest.mark.parametrize("limit", [1, 2, 3])
@pytest.mark.parametrize("name", LISTS)
def test_pages_of_any_size_make_up_the_whole_list(shops, name, limit):
    project, tool, arguments, field = LISTS[name]
    whole = shops(project).ask(tool, **arguments, limit=100)

    found = pages(shops(project), tool, arguments, limit=limit)

    assert [row for page in found for row in page["data"][field]] == whole["data"][field]
    assert {page["pagination"]["total"] for page in found} == {len(whole["data"][field])}
    assert all(len(page["data"][field]) == limit for page in found[:-1])


CUT = {
    **{name: each for name, each in LISTS.items() if name != "central by rank"},
    "files": ("python", "drift_files_list", {}, "files"),
    "callers": ("python", "drift_callers", {"symbol": "round_up"}, "callers"),
    "dead code": ("python", "drift_dead_code", {"minLevel": "low"}, "symbols"),
}


@pytest.mark.parametrize("name", CUT)
def test_pages_cut_to_fit_make_up_the_whole_list_too(shops, name):
    # A row of dead code holds a list of its own, which would be cut before the row; impact has much beside its list.
    max_tokens = {"dead code": 400, "impact": 500}.get(name, 300)
    project, tool, arguments, field = CUT[name]
    whole = shops(project).ask(tool, **arguments, limit=100)

    found = pages(shops(project), tool, {**arguments, "maxTokens": max_tokens}, limit=100)

    assert [row for page in found for row in page["data"][field]] == whole["data"][field]


ENDS = {
    **CUT,
    "callees": ("python", "drift_callees", {"symbol": "Cart.total"}, "callees"),
    "far callers": ("python", "drift_callers", {"symbol": "round_up", "transitive": True}, "transitive"),
    "far callees": ("python", "drift_callees", {"symbol": "Cart.total", "transitive": True}, "transitive"),
}


@pytest.mark.parametrize("name", ENDS)
def test_a_page_that_ends_with_the_list_gives_no_cursor_to_an_empty_one(shops, name):
    project, tool, arguments, field = ENDS[name]
    count = len(shops(project).ask(tool, **arguments, limit=100)["data"][field])
    if not count:
        pytest.skip("the list is empty here")

    page = shops(project).ask(tool, **arguments, limit=count)

    assert len(page["data"][field]) == count
    assert page["pagination"]["nextCursor"] is None
    assert not page["pagination"]["hasMore"]


def test_shortest_paths_come_in_pages(made):
    shop = made({"fork.py": FORK})
    arguments = {"action": "paths", "source": "start", "target": "end"}

    found = pages(shop, "drift_graph", arguments, limit=2)

    through = [path[0]["callee"] for page in found for path in page["data"]["paths"]]
    assert through == ["left", "middle", "right"]
    assert [len(page["data"]["paths"]) for page in found] == [2, 1]


def test_cycles_come_in_pages_the_smallest_first(made):
    names = ("a", "b", "c", "d", "e")
    pairs = [("a", "b"), ("b", "a"), ("c", "d"), ("d", "e"), ("e", "c")]
    shop = made({f"{one}.py": f"import {two}\n\n\nX = {two}\n" for one, two in pairs if one in names})

    found = pages(shop, "drift_graph", {"action": "cycles"}, limit=1)

    assert [cycle["members"] for page in found for cycle in page["data"]["cycles"]] == [
        ["a.py", "b.py"],
        ["c.py", "d.py", "e.py"],
    ]


def test_a_page_goes_on_where_the_last_one_ended_although_rows_before_it_went(shops, tmp_path):
    shop = Shop(write_project("python", tmp_path / "shop"), tmp_path)
    first = shop.ask("drift_errors", limit=1)
    source = (shop.root / "shop/errors.py").read_text()
    (shop.root / "shop/errors.py").write_text(source + "\n\nclass AnError(ShopError):\n    pass\n")
    cart = (shop.root / "shop/cart.py").read_text()
    (shop.root / "shop/cart.py").write_text(
        cart + "\n\ndef refuse():\n    raise AnError\n    raise AnError\n"
    )

    second = shop.ask("drift_errors", limit=5, cursor=first["pagination"]["nextCursor"])
    shop.close()

    assert [row["type"] for row in first["data"]["types"]] == ["EmptyCart"]
    assert [row["type"] for row in second["data"]["types"]] == ["ShopError"]


def test_later_pages_leave_out_what_the_first_one_said(shops):
    first, second, *_ = pages(shops("python"), "drift_impact_analysis", {"target": "round_up"}, limit=2)

    assert first["data"]["tests"]
    assert second["data"].get("tests") is None
    assert second["data"]["counts"] == first["data"]["counts"]


def test_a_cursor_of_another_question_is_refused(shops):
    first = shops("python").ask("drift_graph", action="central", limit=1)

    other = shops("python").ask("drift_graph", action="cycles", cursor=first["pagination"]["nextCursor"])

    assert other["code"] == "INVALID_CURSOR"
