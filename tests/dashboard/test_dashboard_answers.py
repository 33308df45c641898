"""What the dashboard answers over HTTP, from real stores."""

from watched_project import ATTACK, LONG_AGO

from drift.project import open_project
from drift.registry import ServerName
from store_places import memory_db


def snapshot(root):
    return {path.relative_to(root): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def test_a_project_nobody_scanned_is_shown_as_such(place, serve):
    data = serve().ask("status").data

    assert data["project"]["name"] == place.root.name
    assert data["index"]["exists"] is False


def test_an_index_that_agrees_with_the_files_is_fresh(place, serve):
    place.scan()

    answer = serve().ask("status").json["answer"]

    assert answer["meta"]["freshness"] == "fresh"
    assert answer["data"]["index"]["files"] == 2
    assert answer["data"]["languages"][0]["language"] == "python"


def test_an_index_behind_the_files_is_stale_and_stays_as_it_is(place, serve):
    place.scan()
    served = serve()
    scanned_at = served.ask("status").data["index"]["scannedAt"]
    place.write("new.py", "def added():\n    pass\n")

    answer = served.ask("status").json["answer"]

    assert answer["meta"]["freshness"] == "stale"
    assert answer["warnings"] == ["1 file changed since the last scan"]
    assert answer["data"]["index"]["scannedAt"] == scanned_at


def test_asking_leaves_no_trace(place, serve):
    before = snapshot(place.root)
    served = serve()

    for name in ("status", "memory", "packs", "catalog", "catalog/query"):
        assert served.ask(name).data
    assert served.ask("memory/search", q="anything").data["results"] == []
    assert served.get("/tools.json").json["tools"]

    assert snapshot(place.root) == before


def test_every_tool_of_the_three_servers_is_listed_once(serve):
    listing = serve().get("/tools.json").json
    names = [tool["name"] for tool in listing["tools"]]

    assert len(names) == len(set(names))
    assert {tool["server"] for tool in listing["tools"]} == {"analysis", "memory", "catalog"}
    assert {"drift_status", "drift_memory_search", "instructions_dispatch"} <= set(names)
    assert listing["usageEnabled"] is False
    assert all(tool["calls"] is None for tool in listing["tools"])


def test_calls_of_other_processes_are_counted_where_people_agreed(place, serve):
    place.call(ServerName.ANALYSIS, "drift_telemetry", action="enable")
    for _ in range(5):
        place.call(ServerName.ANALYSIS, "drift_capabilities")

    listing = serve().get("/tools.json").json
    (row,) = [tool for tool in listing["tools"] if tool["name"] == "drift_capabilities"]

    assert listing["usageEnabled"] is True
    assert (row["calls"], row["errors"], row["health"]) == (5, 0, "healthy")
    assert row["averageMs"] > 0


def test_counts_that_cannot_be_read_are_a_reason_and_no_zero(place, serve):
    place.call(ServerName.ANALYSIS, "drift_telemetry", action="enable")
    open_project(place.root, place.environ).stores.usage_db.write_text("no database at all " * 100)

    listing = serve().get("/tools.json").json

    assert "usage.db" in listing["usageProblem"]
    assert all(tool["calls"] is None for tool in listing["tools"])


def test_memories_are_found_by_words_and_type(place, serve):
    place.remember("Payments retry because the gateway drops requests")
    place.remember("The importer runs before midnight")
    served = serve()

    found = served.ask("memory/search", q="payments", type="tribal").data["results"]

    assert found[0]["title"] == "Payments retry because the gateway drops requests"
    assert served.ask("memory/search", q="payments", type="decision").data["results"] == []
    assert served.ask("memory").data["current"] == 2


def test_memories_are_browsed_newest_first_page_by_page_and_by_type(place, serve):
    ids = [place.remember(f"Number {number} of the notes about the cart")["id"] for number in range(5)]
    served = serve()

    first = served.ask("memory/list", limit="2").data
    second = served.ask("memory/list", limit="2", after=first["nextAfter"]).data
    last = served.ask("memory/list", limit="2", after=second["nextAfter"]).data

    assert [row["id"] for page in (first, second, last) for row in page["memories"]] == ids[::-1]
    assert last.get("nextAfter") is None
    assert set(first["memories"][0]) == {"id", "type", "title", "confidence", "recorded"}
    assert len(served.ask("memory/list", type="tribal").data["memories"]) == 5
    assert served.ask("memory/list", type="decision").data["memories"] == []
    assert served.ask("memory/list", after="m_nothing").json["problem"]["code"] == "INVALID_ARGUMENT"


def test_browsing_memories_makes_no_store_and_says_when_they_are_off(place, serve):
    assert serve().ask("memory/list").data["memories"] == []
    assert not (place.root / ".drift/memory").exists()

    place.write("drift.toml", "[mcp]\nmemory_enabled = false\n")
    assert serve().ask("memory/list").json["problem"]["code"] == "CORTEX_UNAVAILABLE"


def test_reading_a_memory_does_not_count_as_using_it(place, serve):
    added = place.remember("Payments retry")
    served = serve()

    for _ in range(3):
        shown = served.ask("memory/get", id=added["id"]).data["memory"]

    assert shown["text"] == "Payments retry"
    assert not place.call(ServerName.MEMORY, "drift_memory_get", id=added["id"])["memory"].get("uses")


def test_a_memory_that_is_not_there_is_a_problem_with_a_way_out(serve):
    reply = serve().ask("memory/get", id="m_nothing").json

    assert reply["answer"] is None
    assert reply["problem"]["code"] == "RESOURCE_NOT_FOUND"
    assert reply["problem"]["hint"]


def test_memory_that_is_switched_off_is_said_to_be(place, serve):
    place.write("drift.toml", "[mcp]\nmemory_enabled = false\n")
    served = serve()

    assert served.ask("memory").json["problem"]["code"] == "CORTEX_UNAVAILABLE"
    assert {tool["server"] for tool in served.get("/tools.json").json["tools"]} == {"analysis", "catalog"}


def test_a_memory_store_that_is_broken_does_not_take_the_rest_along(place, serve):
    store = memory_db(place.root, place.environ)
    store.parent.mkdir(parents=True)
    store.write_text("no database at all " * 100)
    served = serve()

    assert served.ask("memory").json["problem"]["message"]
    assert served.ask("status").data
    assert served.get("/tools.json").status == 200


def test_overdue_instructions_are_told_from_the_others(place, serve):
    place.instruct("use-uv", nextReviewDue=LONG_AGO)
    place.instruct("use-ruff")
    place.instruct(
        "old-way", nextReviewDue=LONG_AGO, status="deprecated", requirement="optional", priority=90
    )
    place.instruct("older-way", nextReviewDue=LONG_AGO, requirement="deprecated", priority=90)
    place.instruct("naming", status="draft", priority=90, requirement="optional")
    served = serve()

    assert served.ask("catalog").data["catalogStats"]["overdueReviews"] == 1
    assert served.ask("catalog/query").data["total"] == 5
    for query, expected in (
        ({"overdue": 1}, ["use-uv"]),
        ({"status": "draft"}, ["naming"]),
        ({"tier": "P1", "overdue": 0}, ["use-ruff", "use-uv"]),
        ({"q": "naming"}, ["naming"]),
    ):
        assert sorted(row["id"] for row in served.ask("catalog/query", **query).data["items"]) == expected


def test_instructions_come_in_pages_that_neither_skip_nor_repeat(place, serve):
    names = [f"rule-{number:02}" for number in range(25)]
    for name in names:
        place.instruct(name, body=ATTACK)
    served = serve()

    seen, query = [], {}
    while query is not None:
        data = served.ask("catalog/query", limit=10, **query).data
        seen += [row["id"] for row in data["items"]]
        query = {"cursor": data["nextCursor"]} if data.get("nextCursor") else None

    assert seen == names


def test_a_broken_instruction_is_reported_and_hides_no_other(place, serve):
    place.instruct("use-uv")
    place.write(".drift/instructions/broken.json", "{ not json")
    served = serve()

    health = served.ask("catalog").data

    assert health["status"] != "healthy"
    assert health["catalogStats"]["brokenFiles"] == 1
    assert [row["id"] for row in served.ask("catalog/query").data["items"]] == ["use-uv"]


def test_an_instruction_edited_while_the_page_is_open_is_shown_anew(place, serve):
    place.instruct("use-uv", title="Before")
    served = serve()
    served.ask("catalog/query")
    place.instruct("use-uv", title="After")

    assert [row["title"] for row in served.ask("catalog/query").data["items"]] == ["After"]


def test_a_filter_value_the_catalog_does_not_know_is_its_error_and_not_ours(serve):
    problem = serve().ask("catalog/query", status="sideways").json["problem"]

    assert problem["code"] == "INVALID_ARGUMENT"
    assert "status" in problem["message"]


def test_packs_are_listed_with_those_of_the_project(place, serve):
    rows = serve().ask("packs").data["packs"]

    assert {"bug-fix", "refactoring"} <= {row["name"] for row in rows}
    assert set(rows[0]) >= {"name", "does", "tools", "isCustom"}
