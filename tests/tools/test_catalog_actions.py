"""Actions of instructions_dispatch: what each brings, each refusal, and the read-only default."""

import jsonschema_rs
import pytest
from catalog_world import CatalogWorld
from hypothesis import given
from hypothesis import strategies as st

from drift.catalog import schema
from drift.registry import Caller, Scope
from drift.tools import all_tools
from drift.tools.catalogs.actions import action_names

READS = {
    "list": {"category": "testing", "limit": 5, "offset": 0, "expectId": "alpha"},
    "listScoped": {"userId": "ann", "workspaceId": "web", "teamIds": ["core"]},
    "get": {"id": "alpha"},
    "getEnhanced": {"id": "alpha"},
    "search": {"q": "body", "limit": 3, "highlight": True},
    "query": {"filters": {"status": ["draft"]}, "sort": {"field": "title", "direction": "desc"}, "limit": 1},
    "categories": {},
    "diff": {"clientHash": "old", "known": [{"id": "gone", "sourceHash": "x"}]},
    "export": {"ids": ["alpha"]},
    "capabilities": {},
    "health": {},
    "inspect": {"scope": "catalog"},
    "governanceHash": {"includeItems": True},
    "batch": {"operations": [{"action": "list"}]},
}
WRITES = {
    "add": {"entry": {"id": "new", "body": "New."}, "lax": True},
    "import": {
        "entries": [{"id": "new", "body": "New."}],
        "mode": "skip",
        "validate": False,
        "batchSize": 10,
    },
    "remove": {"ids": ["beta"], "confirm": True, "cascade": True},
    "reload": {},
    "groom": {"mode": {"mergeDuplicates": True}},
    "repair": {},
    "enrich": {},
    "governanceUpdate": {"id": "alpha", "patch": {"owner": "core"}, "bump": "minor"},
}
# Every field that clients of the catalog know, by action.
FIELDS = {
    "list": {"hash", "count", "items"},
    "listScoped": {"hash", "count", "scope", "items"},
    "get": {"hash", "item"},
    "getEnhanced": {"hash", "item"},
    "search": {"hash", "count", "items", "query", "highlights"},
    "query": {"items", "total", "returned", "nextCursor", "appliedFilters", "performanceMs"},
    "categories": {"categories", "totalDistinct", "catalogHash"},
    "diff": {"hash", "added", "updated", "removed"},
    "export": {"hash", "count", "items"},
    "capabilities": {
        "version", "protocolVersion", "supportedActions", "mutationEnabled", "features", "limits",
    },
    "health": {"status", "version", "uptime", "catalogStats", "performance", "diskUsage"},
    "inspect": {"timestamp", "scope", "data"},
    "governanceHash": {"count", "governanceHash", "algorithm", "items"},
    "batch": {"results"},
    "add": {
        "id", "hash", "created", "overwritten", "skipped", "verified", "sourceHash", "governanceHash",
    },
    "import": {"hash", "imported", "skipped", "overwritten", "total", "errors", "processingTimeMs"},
    "remove": {"removed", "removedIds", "missing", "errorCount", "errors", "cascadeRemovals"},
    "reload": {"reloaded", "hash", "count"},
    "groom": {
        "previousHash", "hash", "scanned", "repairedHashes", "normalizedCategories", "deprecatedRemoved",
        "duplicatesMerged", "usagePruned", "filesRewritten", "purgedScopes", "dryRun", "notes", "performanceMs",
    },
    "repair": {"repaired", "updated"},
    "enrich": {"enriched", "updated"},
    "governanceUpdate": {"id", "previousVersion", "newVersion"},
}  # fmt: skip


@pytest.fixture
def read_only(tmp_path):
    world = CatalogWorld(tmp_path)
    yield world
    world.close()


@pytest.fixture
def world(tmp_path):
    world = CatalogWorld(tmp_path, MCP_ENABLE_MUTATION="1")
    yield world
    world.close()


@pytest.fixture
def filled(world):
    world.add("alpha", categories=["testing"])
    world.add("beta", categories=["testing", "style"])
    return world


def test_the_table_of_actions_is_whole():
    assert set(action_names(all_tools(), "instructions")) == {*READS, *WRITES} == set(FIELDS)


@pytest.mark.parametrize("action", [*READS, *WRITES])
def test_every_action_answers_with_every_field_and_fits_the_schema_in_the_registry(filled, action):
    outcome = filled.run(action, **{**READS, **WRITES}[action])

    assert not outcome.is_error, outcome.text
    assert outcome.body["data"].keys() >= FIELDS[action]
    names = {"listScoped": "list_scoped", "getEnhanced": "get_enhanced"}
    snake = {"governanceHash": "governance_hash", "governanceUpdate": "governance_update", **names}
    tool = all_tools().get(f"instructions_{snake.get(action, action)}")
    jsonschema_rs.validate(tool.output_schema, outcome.structured())


@pytest.mark.parametrize("action", ["list", "listScoped", "search", "query", "export"])
def test_items_are_instructions_of_the_catalogs_schema(filled, action):
    filled.data("usage_track", id="alpha")

    items = filled.do(action, **({"q": "body"} if action == "search" else {}))["items"]

    assert {item["id"] for item in items} == {"alpha", "beta"}
    for item in items:
        jsonschema_rs.validate(schema(), item)
    assert {item["id"]: item.get("usageCount") for item in items} == {"alpha": 1, "beta": None}


@pytest.mark.parametrize("action", WRITES)
def test_a_server_only_reads_unless_it_is_told_otherwise(read_only, action):
    refused = read_only.run(action, **WRITES[action])

    assert refused.code == "FORBIDDEN"
    assert refused.body["fault"] == "mutation"
    assert "MCP_ENABLE_MUTATION" in refused.body["hint"]
    assert not read_only.directory.exists()


@pytest.mark.parametrize("action", [each for each in READS if each not in ("get", "getEnhanced")])
def test_reads_of_a_project_without_instructions_succeed(read_only, action):
    assert not read_only.run(action, **READS[action]).is_error


def test_what_only_tells_is_allowed_to_a_server_that_only_reads(read_only):
    assert read_only.do("groom", mode={"dryRun": True})["dryRun"] is True
    assert read_only.do("repair", clientHash="x")["added"] == []


@pytest.mark.parametrize("action", WRITES)
def test_changes_need_the_scope_for_them(filled, action):
    reader = Caller("someone", frozenset({Scope.READ}))

    refused = filled.call("instructions_dispatch", caller=reader, action=action, params=WRITES[action])

    assert refused.code == "FORBIDDEN"
    assert "drift:write" in refused.body["message"]
    assert filled.do("list")["count"] == 2


@pytest.mark.parametrize("name", ["getenhanced", "lst", "delete", "", "../list", "list\0", "x" * 5000])
def test_an_unknown_action_is_answered_with_those_there_are(filled, name):
    refused = filled.run(name)

    assert refused.code in {"TOOL_NOT_FOUND", "INVALID_ARGUMENT"}
    assert "list" in refused.body["actions"]


def test_a_misspelt_action_is_answered_with_the_one_meant(filled):
    assert filled.run("serch").body["similar"][0] == "search"
    assert filled.run("serch").body["action"] == "serch"


@pytest.mark.parametrize("door", ["instructions_dispatch", "feedback_dispatch"])
def test_a_dispatcher_does_not_run_itself(filled, door):
    assert filled.call(door, action="dispatch", params={"action": "list"}).code == "TOOL_NOT_FOUND"


def test_an_unknown_parameter_is_named_with_those_there_are(filled):
    refused = filled.run("list", categry="testing")

    assert refused.code == "INVALID_ARGUMENT"
    assert refused.body["similar"][0] == "category"


@pytest.mark.parametrize(
    "bad", ["../evil", "a/b", "con", ".hidden", "", "x" * 200, "nul\0", "gates", "ümlaut", "a b"]
)
@pytest.mark.parametrize("action", ["get", "getEnhanced", "add", "remove", "governanceUpdate"])
def test_hostile_ids_are_refused_and_touch_nothing(filled, action, bad):
    params = {
        "add": {"entry": {"id": bad, "body": "x"}, "lax": True},
        "remove": {"ids": [bad]},
        "governanceUpdate": {"id": bad, "patch": {"owner": "x"}},
    }.get(action, {"id": bad})

    refused = filled.run(action, **params)

    assert refused.code == "INVALID_ARGUMENT"
    assert sorted(each.name for each in filled.directory.glob("*.json")) == ["alpha.json", "beta.json"]


def test_an_instruction_that_is_not_wrapped_is_told_how_to_be(world):
    refused = world.run("add", id="x", body="y")

    assert refused.body["error"] == "missing entry"
    assert refused.body["created"] is False
    assert refused.body["feedbackHint"]
    assert "entry" in refused.body["hint"]


def test_a_refused_entry_comes_with_the_schema_and_what_a_report_needs(world):
    refused = world.run("add", entry={"id": "x", "body": "Something long.", "priority": 900}, lax=False)

    assert refused.body["created"] is False
    assert refused.body["reproEntry"] == {"id": "x", "bodyPreview": "Something long."}
    assert refused.body["validation"]
    assert refused.body["schema"]


def test_a_mandatory_instruction_needs_an_owner(world):
    entry = {"id": "x", "body": "Do it.", "requirement": "mandatory"}

    assert world.run("add", entry=entry, lax=True).body["error"] == "mandatory/critical require owner"
    assert world.do("add", entry={**entry, "owner": "core"}, lax=True)["created"]


@pytest.mark.parametrize("size", [100_001, 1_000_000, 1_100_000])
def test_a_body_that_is_too_long_is_refused_with_the_limit(world, size):
    refused = world.run("add", entry={"id": "x", "body": "y" * size}, lax=True)

    assert refused.code == "TOO_LARGE"
    assert not world.directory.exists() or not list(world.directory.glob("*.json"))


def test_the_longest_body_comes_back_whole(world):
    body = "word " * 20_000
    world.add("long", body=body)

    assert world.do("get", id="long")["item"]["body"] == body


def test_a_second_add_is_skipped_and_with_overwrite_replaces(filled):
    entry = {"id": "alpha", "body": "Other."}

    assert filled.do("add", entry=entry, lax=True)["skipped"]
    assert filled.do("add", entry=entry, lax=True, overwrite=True)["overwritten"]
    assert filled.do("get", id="alpha")["item"]["body"] == "Other."


def test_strict_create_refuses_an_id_that_is_there(filled):
    filled.environ["MCP_INSTRUCTIONS_STRICT_CREATE"] = "1"

    refused = filled.run("add", entry={"id": "alpha", "body": "Other."}, lax=True)

    assert refused.body["error"] == "duplicate id"


def test_strict_remove_refuses_an_id_that_is_not_there_and_removes_nothing(filled):
    filled.environ["MCP_INSTRUCTIONS_STRICT_REMOVE"] = "1"

    assert filled.run("remove", ids=["alpha", "nope"]).is_error
    assert filled.do("list")["count"] == 2


def test_more_than_ten_are_removed_only_when_confirmed(world):
    ids = [f"rule-{number}" for number in range(11)]
    world.do("import", entries=[{"id": each, "body": each} for each in ids], validate=False)

    refused = world.run("remove", ids=ids)
    done = world.do("remove", ids=[*ids, "nope"], confirm=True)

    assert refused.body["argument"] == "confirm"
    assert (done["removed"], done["missing"]) == (11, ["nope"])


def test_an_import_takes_the_good_and_names_the_bad(world):
    done = world.do("import", entries=[{"id": "a", "body": "A"}, 7, {"id": "../b"}, None], validate=False)

    assert (done["imported"], done["total"]) == (1, 4)
    assert [each["index"] for each in done["errors"]] == [1, 2, 3]
    assert all(each["error"] and each["code"] for each in done["errors"])


def test_a_failing_operation_of_a_batch_does_not_stop_the_others(filled):
    done = filled.do(
        "batch",
        operations=[
            {"action": "get", "id": "alpha"},
            {"action": "nonsense"},
            {"id": "alpha"},
            {"action": "get", "id": "../x"},
            {"action": "add", "entry": {"id": "temp", "body": "x"}, "lax": True},
            {"action": "dispatch", "params": {}},
        ],
    )

    assert [each["ok"] for each in done["results"]] == [True, False, False, False, True, False]
    assert done["results"][0]["result"]["item"]["id"] == "alpha"
    assert done["results"][1]["error"]["code"] == "TOOL_NOT_FOUND"
    assert (done["succeeded"], done["failed"]) == (2, 4)


def test_a_broken_file_is_named_with_its_line_and_hides_no_other(filled):
    filled.write("broken.json", '{\n "id": "broken",\n "body": oops\n}')

    listed = filled.do("list")
    got = filled.do("getEnhanced", id="broken")

    assert listed["count"] == 2
    assert listed["problems"][0]["file"] == "broken.json"
    assert listed["problems"][0]["line"] == 3
    assert got["notFound"] is True
    assert got["problem"]["reason"]
    assert got["expected"]["expectOnDisk"] is True
    assert got["expected"]["expectInCatalog"] is False
    assert filled.do("health")["status"] == "degraded"


def test_a_file_put_there_by_hand_is_in_the_next_answer(filled):
    filled.write("gamma.json", {**filled.do("get", id="alpha")["item"], "id": "gamma"})

    assert filled.do("list", expectId="gamma")["expected"]["expectInCatalog"] is True
    assert filled.do("get", id="gamma")["item"]["id"] == "gamma"


def test_pages_of_a_query_bring_everything_once_even_when_answers_are_cut(world):
    entries = [{"id": f"rule-{number:02}", "body": f"Rule {number}. " * 40} for number in range(12)]
    world.do("import", entries=entries, validate=False)
    found, cursor = [], None
    for _ in range(40):
        page = world.do("query", limit=5, maxTokens=900, **({"cursor": cursor} if cursor else {}))
        found += [item["id"] for item in page["items"]]
        cursor = page.get("nextCursor")
        if cursor is None:
            break

    assert found == [entry["id"] for entry in entries]


@pytest.mark.parametrize("cursor", ["x", "a.b", "ä" * 10, "x" * 20_000])
def test_a_foreign_cursor_is_refused(filled, cursor):
    assert filled.run("query", cursor=cursor).code == "INVALID_CURSOR"


def test_a_time_that_is_none_is_refused_by_name(filled):
    refused = filled.run("query", filters={"createdAfter": "yesterday"})

    assert refused.code == "INVALID_ARGUMENT"
    assert "created" in refused.body["message"]


def test_a_client_that_has_everything_is_up_to_date(filled):
    now = filled.do("list")["hash"]

    assert filled.do("diff", clientHash=now) == {"hash": now, "upToDate": True}


def test_body_edits_leave_the_governance_hash_alone_and_governed_ones_do_not(filled):
    before = filled.do("governanceHash")["governanceHash"]
    filled.do(
        "add",
        entry={"id": "alpha", "body": "Other.", "title": "The body of alpha."},
        lax=True,
        overwrite=True,
    )
    after_body = filled.do("governanceHash")["governanceHash"]
    filled.do("governanceUpdate", id="alpha", patch={"owner": "core"})

    assert after_body == before
    assert filled.do("governanceHash")["governanceHash"] != before


@pytest.mark.parametrize("scope", ["catalog", "instruction", "governance", "usage"])
def test_a_close_look_has_five_sides(filled, scope):
    data = filled.do("inspect", scope=scope, id="alpha")["data"]

    assert set(data) == {"raw", "normalized", "validation", "metadata", "filesystem"}


def test_a_close_look_at_one_instruction_tells_who_changed_it(filled):
    filled.environ["MCP_AGENT_ID"] = "agent-7"
    filled.do("governanceUpdate", id="alpha", patch={"owner": "core"})

    (latest, *_) = filled.do("inspect", scope="instruction", id="alpha")["data"]["metadata"]["changes"]

    assert latest["actor"].startswith("agent-7")
    assert latest["action"] == "governanceUpdate"
    assert latest["beforeHash"] != latest["afterHash"]
    assert filled.run("inspect", scope="instruction").code == "MISSING_REQUIRED_PARAM"


def test_a_wrong_variable_is_named(filled):
    filled.environ["MCP_READ_RETRIES"] = "many"

    refused = filled.run("list")

    assert refused.code == "CONFIG_INVALID"
    assert "MCP_READ_RETRIES" in refused.body["message"]


def test_instructions_lie_where_the_variable_says(filled, tmp_path):
    filled.environ["INSTRUCTIONS_DIR"] = str(tmp_path / "elsewhere")

    filled.add("there")

    assert (tmp_path / "elsewhere" / "there.json").exists()
    assert filled.do("list")["count"] == 1


@given(
    action=st.sampled_from([*READS, *WRITES]),
    params=st.dictionaries(
        st.sampled_from(
            ["id", "ids", "entry", "entries", "q", "filters", "mode", "limit", "known", "patch", "scope"]
        ),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.text(max_size=30),
            lambda inner: (
                st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
            ),
            max_leaves=6,
        ),
        max_size=4,
    ),
)
def test_no_parameters_make_the_server_fail(shared_world, action, params):
    outcome = shared_world.run(action, **params)

    assert outcome.code not in {"INTERNAL_ERROR", "ANALYSIS_FAILED"}


@pytest.fixture(scope="module")
def shared_world(tmp_path_factory):
    world = CatalogWorld(tmp_path_factory.mktemp("any"), MCP_ENABLE_MUTATION="1")
    yield world
    world.close()


def fill(world, count):
    for number in range(count):
        world.do("add", entry={"id": f"rule-{number:02}", "body": "Measure twice, cut once. " * 8}, lax=True)


def test_what_is_cut_from_an_answer_is_there_in_the_next_one(tmp_path):
    with_writes = CatalogWorld(tmp_path, MCP_ENABLE_MUTATION="1")
    fill(with_writes, 4)
    cut = with_writes.call("instructions_dispatch", action="list", params={"maxTokens": 100})

    whole = with_writes.do("list")["items"]
    assert cut.truncated
    assert [item["body"] for item in whole] == ["Measure twice, cut once. " * 8] * 4
    assert all(len(item) > 10 for item in whole)


def test_a_list_of_more_than_fits_says_how_many_there_are(tmp_path):
    world = CatalogWorld(tmp_path, MCP_ENABLE_MUTATION="1")
    fill(world, 40)
    outcome = world.call("instructions_dispatch", action="list", params={"offset": 10, "maxTokens": 500})

    shown = outcome.body["data"]["items"]
    assert [item["id"] for item in shown] == [f"rule-{10 + place}" for place in range(len(shown))]
    assert outcome.truncated
    assert outcome.total_available == 30


def test_an_answer_given_again_tells_of_uses_since_then(tmp_path):
    world = CatalogWorld(tmp_path, MCP_ENABLE_MUTATION="1", INDEX_FEATURES="usage")
    fill(world, 2)
    before = world.do("list")["items"]
    again = world.do("list")["items"]
    world.data("usage_track", id="rule-01")

    assert before == again
    assert [item.get("usageCount") for item in world.do("list")["items"]] == [None, 1]
