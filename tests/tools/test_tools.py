import asyncio
import json
import re
import subprocess
from datetime import UTC, date, datetime

import jsonschema_rs
import pytest

from drift.kernel.tokens import count_tokens
from drift.pipeline import Environment, ServerRuntime
from drift.project import ProjectRegistry
from drift.registry import Caller, Reply, Scope, ServerName, Surface
from drift.tools import all_tools

PERSON = Caller(is_person=True)


class AskedClient:
    """A client whose person answers with fixed replies."""

    can_answer = True

    def __init__(self, reply):
        self.reply, self.questions = reply, []

    async def ask(self, question):
        self.questions.append(question)
        return self.reply

    def report(self, done, total, message):
        pass


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "shop"
    folder.mkdir()
    (folder / "pyproject.toml").write_text("[project]\nname='shop'\n")
    subprocess.run(["git", "init", "-q", "-b", "main", str(folder)], check=True)
    return folder


@pytest.fixture
def call(root, tmp_path):
    runtimes = {}

    def run(name, arguments=None, *, server=ServerName.ANALYSIS, client=None, caller=None):
        if server not in runtimes:
            at = Environment(
                root, ProjectRegistry(tmp_path / "home/projects.json", lambda: datetime.now(UTC)), {},
                today=lambda: date(2026, 6, 1),
            )  # fmt: skip
            runtimes[server] = ServerRuntime(server, all_tools().of_server(server), Surface("full"), at=at)
        return asyncio.run(runtimes[server].call(name, arguments or {}, client=client, caller=caller))

    yield run
    for runtime in runtimes.values():
        runtime.close()


def test_discover_shows_the_project_the_languages_the_packs_and_the_tools(call):
    data = call("drift_discover").body["data"]

    assert data["index"]["exists"] is False
    assert data["languages"][0]["language"] == "python"
    listed = {row["call"].partition("(")[0] for row in data["tools"]}
    assert listed >= {"drift_status", "drift_batch", "drift_projects"}
    assert "drift_tool" not in listed
    assert len(data["packs"]) == 6


def test_the_whole_capability_listing_stays_under_two_thousand_tokens(call):
    assert count_tokens(call("drift_discover").full_text) < 2_000
    assert count_tokens(call("drift_capabilities").full_text) < 2_000


def test_the_list_of_all_tools_names_what_must_be_given(call):
    rows = {
        row["call"]: row["does"] for row in call("drift_discover", {"section": "tools"}).body["data"]["tools"]
    }

    assert (
        rows["drift_references(symbol, …)"]
        == "Every use of a symbol: calls, types, imports, overrides, reads"
    )
    assert "drift_graph(action=paths|cycles|central|mermaid, …)" in rows
    assert "drift_status(metrics?)" in rows


def test_discover_gives_one_section_one_category_or_one_tools_schema(call):
    assert list(call("drift_discover", {"section": "packs"}).body["data"]) == ["packs"]
    rows = call("drift_discover", {"category": "setup"}).body["data"]["tools"]
    assert {row["category"] for row in rows} == {"setup"}
    detail = call("drift_discover", {"tool": "drift_projects"}).body["data"]["tool"]
    assert detail["arguments"][0]["name"] == "action?"
    assert "rename" in detail["arguments"][0]["type"].split("|")
    assert call("drift_discover", {"tool": "drift_projecst"}).body["similar"][0] == "drift_projects"
    assert call("drift_discover", {"category": "setpu"}).body["similar"] == ["setup"]


def test_discover_tells_how_each_tool_is_called_in_about_forty_tokens(call):
    outcome = call("drift_discover", {"category": "surgical"})

    rows = outcome.body["data"]["tools"]
    assert "drift_callers(symbol, file?, transitive?, maxDepth?)" in {row["call"] for row in rows}
    assert "drift_callers(symbol, file?, transitive?, maxDepth?)" in outcome.text
    assert count_tokens(outcome.text) < 45 * len(rows)


def test_one_tool_is_learned_without_its_schemas_unless_they_are_asked_for(call):
    brief = call("drift_discover", {"tool": "drift_callers"})
    whole = call("drift_discover", {"tool": "drift_callers", "schema": True})

    assert "outputSchema" not in brief.body["data"]["tool"]
    assert count_tokens(brief.text) < 250
    assert whole.body["data"]["tool"]["inputSchema"]["required"] == ["symbol"]
    assert "callers" in whole.body["data"]["tool"]["outputSchema"]["properties"]["data"]["properties"]


def test_status_capabilities_and_discovery_count_the_tools_alike(call):
    counted = {
        call("drift_status").body["data"]["server"]["tools"],
        call("drift_capabilities").body["data"]["tools"],
        sum(row["tools"] for row in call("drift_capabilities").body["data"]["categories"]),
        int(re.search(r"(\d+) tools", call("drift_discover").body["summary"])[1]),
    }

    assert len(counted) == 1


def test_discover_reports_a_broken_pack(call, root):
    (root / ".drift/packs").mkdir(parents=True)
    (root / ".drift/packs/bad.json").write_text("{")

    assert call("drift_discover").body["warnings"][0].startswith("pack bad.json")


def test_status_says_that_nothing_was_scanned_and_where_git_stands(call):
    outcome = call("drift_status")

    data = outcome.body["data"]
    assert "not scanned yet" in outcome.body["summary"]
    assert data["project"]["branch"] == "main"
    assert data["project"]["head"] is None
    assert data["server"]["name"] == "analysis"
    assert "metrics" not in data


def test_status_gives_counts_by_tool_on_request(call):
    call("drift_capabilities")

    metrics = call("drift_status", {"metrics": True}).body["data"]["metrics"]

    assert metrics["byTool"]["drift_capabilities"]["calls"] == 1


def test_tool_runs_any_other_and_passes_its_errors_on(call):
    assert call("drift_tool", {"name": "drift_status"}).body["data"]["project"]["name"] == "shop"
    assert call("drift_tool", {"name": "drift_stauts"}).code == "TOOL_NOT_FOUND"
    assert call("drift_tool", {"name": "drift_status", "args": {"bogus": 1}}).code == "INVALID_ARGUMENT"
    assert call("drift_tool").code == "MISSING_REQUIRED_PARAM"


def test_projects_are_added_listed_renamed_switched_and_removed(call, tmp_path):
    other = tmp_path / "other"
    other.mkdir()

    added = call("drift_projects", {"action": "add", "path": str(other), "name": "two"}, caller=PERSON)
    call("drift_projects", {"action": "rename", "name": "two", "newName": "three"})
    switched = call("drift_projects", {"action": "switch", "name": "three"})
    other.rmdir()
    listed = call("drift_projects")
    removed = call("drift_projects", {"action": "remove", "name": "three"})

    assert added.body["data"]["projects"][0]["path"] == str(other)
    assert switched.body["data"]["active"] == added.body["data"]["projects"][0]["id"]
    assert listed.body["data"]["projects"][0]["name"] == "three"
    assert "is gone" in listed.body["warnings"][0]
    assert not removed.is_error
    assert call("drift_projects").body["data"]["projects"] == []


def test_only_a_person_adds_a_project(call, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    given = {"action": "add", "path": str(other), "name": "two"}
    admin = Caller("ada", frozenset(Scope))

    refused = [
        call("drift_projects", given),
        call("drift_projects", given, caller=admin),
        call("drift_tool", {"name": "drift_projects", "args": given}),
        call("drift_batch", {"calls": [{"tool": "drift_projects", "args": given}]}),
    ]

    assert [each.code for each in refused[:3]] == ["FORBIDDEN"] * 3
    assert refused[0].body["command"] == "drift projects add PATH"
    assert call("drift_projects").body["data"]["projects"] == []
    assert not call("drift_projects", given, caller=PERSON).is_error
    assert not call("drift_projects", {"action": "switch", "name": "two"}).is_error


def test_projects_name_what_an_action_needs(call):
    assert (
        call("drift_projects", {"action": "add"}, caller=PERSON).body["message"]
        == "path: required when action=add"
    )
    assert call("drift_projects", {"action": "remove", "name": "nope"}).code == "PROJECT_NOT_FOUND"


def test_setup_takes_defaults_when_nobody_can_be_asked_and_says_so(call, root):
    outcome = call("drift_setup", {"action": "init"})

    data = outcome.body["data"]
    assert data["assumed"] == ['name="shop"', "register=true"]
    assert data["state"]["hasConfig"]
    assert (root / "drift.toml").read_text().count('name = "shop"') == 1
    assert call("drift_setup", {"action": "init"}).body["data"]["done"] == []


def test_setup_asks_only_for_what_is_missing(call, root):
    client = AskedClient(Reply(accepted=True, content={"register": False}))

    data = call("drift_setup", {"action": "init", "name": 'my "shop"\n'}, client=client).body["data"]

    assert list(client.questions[0].schema["properties"]) == ["register"]
    assert data["state"]["isRegistered"] is False
    assert data["assumed"] == []


def test_a_declined_setup_changes_nothing(call, root):
    before = sorted(path.name for path in root.iterdir())

    outcome = call("drift_setup", {"action": "init"}, client=AskedClient(Reply(accepted=False, content={})))

    assert outcome.is_error
    assert sorted(path.name for path in root.iterdir()) == before


def test_telemetry_is_local_and_off_until_switched_on(call):
    off = call("drift_telemetry")
    on = call("drift_telemetry", {"action": "enable"})
    call("drift_status")
    counted = call("drift_telemetry")

    assert off.body["data"]["usage"]["enabled"] is False
    assert "Nothing ever leaves this machine" in off.body["summary"]
    assert on.body["data"]["usage"]["enabled"] is True
    assert "drift_status" in {row["tool"] for row in counted.body["data"]["usage"]["tools"]}


def test_health_names_tools_that_fail_and_what_to_do_about_them(call):
    assert call("drift_discover", {"section": "health"}).body["data"]["health"]["advice"] == []
    call("drift_telemetry", {"action": "enable"})
    for _ in range(5):
        assert call("drift_discover", {"tool": "drift_projecst"}).is_error

    health = call("drift_discover", {"section": "health", "maxTokens": 2000}).body["data"]["health"]

    (row,) = health["tools"]
    assert (row["tool"], row["status"], row["calls"], row["errorRate"]) == (
        "drift_discover",
        "unhealthy",
        5,
        1.0,
    )
    (advice,) = health["advice"]
    assert (advice["tools"], advice["advice"]) == (["drift_discover"], "investigate")


def test_the_cache_is_cleared_on_request(call):
    call("drift_capabilities")
    assert call("drift_capabilities").meta.cached

    assert call("drift_cache_clear", {"category": "discovery"}).body["data"]["forgotten"] == 1
    assert not call("drift_capabilities").meta.cached
    assert call("drift_cache_clear", {"category": "bogus"}).code == "INVALID_ARGUMENT"


def test_a_batch_isolates_failures_and_keeps_each_calls_meta(call):
    outcome = call(
        "drift_batch",
        {"calls": [{"tool": "drift_status"}, {"tool": "nope"}, {"tool": "drift_status", "args": {"x": 1}}]},
    )

    data = outcome.body["data"]
    assert (data["succeeded"], data["failed"]) == (1, 2)
    assert [row["ok"] for row in data["results"]] == [True, False, False]
    assert data["results"][0]["answer"]["meta"]["requestId"]
    assert data["results"][1]["answer"]["code"] == "TOOL_NOT_FOUND"


def test_a_batch_waits_where_told_to_and_skips_after_a_failure(call):
    calls = [
        {"id": "b", "tool": "drift_status", "after": ["a"]},
        {"id": "a", "tool": "nope"},
        {"id": "c", "tool": "drift_capabilities"},
    ]

    results = call("drift_batch", {"calls": calls}).body["data"]["results"]

    assert [(row["id"], row["ok"]) for row in results] == [("b", False), ("a", False), ("c", True)]
    assert "a failed" in results[0]["answer"]["message"]


@pytest.mark.parametrize(
    "calls",
    [
        [],
        [{"id": "a", "tool": "x"}, {"id": "a", "tool": "y"}],
        [{"tool": "x", "after": ["ghost"]}],
        [{"id": "a", "tool": "x", "after": ["b"]}, {"id": "b", "tool": "x", "after": ["a"]}],
        [{"tool": "x"}] * 21,
    ],
)
def test_a_senseless_batch_is_refused(call, calls):
    assert call("drift_batch", {"calls": calls}).code == "INVALID_ARGUMENT"


def test_batches_and_relays_cannot_be_nested_without_end(call):
    inner = {"calls": [{"tool": "drift_status"}]}
    for _ in range(3):
        inner = {"calls": [{"tool": "drift_batch", "args": inner}]}

    outcome = call("drift_batch", inner)

    assert "nested too deeply" in json.dumps(dict(outcome.body))


def test_the_doors_of_memory_answer_before_anything_is_saved(call):
    discovered = call("drift_memory_discover", server=ServerName.MEMORY)
    looked = call("drift_memory_context", {"focus": "auth"}, server=ServerName.MEMORY)
    managed = call("drift_memory_manage", {"name": "drift_memory_ad"}, server=ServerName.MEMORY)

    assert discovered.body["data"]["memories"] == 0
    assert looked.body["summary"] == "Nothing has been saved in this project yet"
    assert managed.code == "TOOL_NOT_FOUND"


def test_every_tool_keeps_its_promises():
    for tool in all_tools():
        assert tool.purpose, tool.name
        assert len(tool.title) <= 40, tool.name
        assert tool.tokens[0] <= tool.tokens[1], tool.name
        jsonschema_rs.Draft202012Validator(tool.input_schema)
        jsonschema_rs.Draft202012Validator(tool.output_schema)
        for example in tool.examples:
            assert jsonschema_rs.is_valid(tool.input_schema, example), (tool.name, example)


@pytest.mark.parametrize("name", ["a\tb", "a\u2028b", "\u202e", " ", ""])
def test_setup_refuses_a_name_that_settings_cannot_hold_before_anything_is_written(call, root, name):
    before = sorted(root.iterdir())

    refused = call("drift_setup", {"action": "init", "name": name, "register": False})

    assert refused.code == "INVALID_ARGUMENT"
    assert sorted(root.iterdir()) == before


def test_setup_does_not_call_a_project_set_up_whose_state_leads_elsewhere(call, root, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (root / ".drift").symlink_to(tmp_path / "elsewhere")

    refused = call("drift_setup", {"action": "init", "name": "shop", "register": True})

    assert refused.code == "PATH_OUTSIDE_PROJECT"
    assert not (root / "drift.toml").exists()


def test_status_and_discover_answer_where_the_state_leads_out_of_the_project(call, root, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (root / ".drift").symlink_to(tmp_path / "elsewhere")

    assert call("drift_status").body["data"]["hasMemory"] is False
    assert "leads outside the project" in call("drift_discover").body["warnings"][0]


def test_calls_within_a_call_are_about_its_project(call, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    call("drift_projects", {"action": "add", "path": str(other), "name": "other"}, caller=PERSON)

    relayed = call("drift_tool", {"name": "drift_status", "project": "other"})
    batch = call("drift_batch", {"calls": [{"tool": "drift_status"}], "project": "other"})

    assert relayed.body["data"]["project"]["name"] == "other"
    assert batch.body["data"]["results"][0]["answer"]["data"]["project"]["name"] == "other"


def test_status_does_not_call_a_project_indexed_whose_index_cannot_be_used(call, root):
    (root / ".drift").mkdir()
    (root / ".drift/drift.db").write_bytes(b"no database" * 100)

    answer = call("drift_status").body

    assert "index unusable" in answer["summary"]
    assert "not a SQLite database" in answer["warnings"][0]


def test_the_servers_own_name_means_its_own_project_even_when_another_has_it(call, root, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    call("drift_projects", {"action": "add", "path": str(other), "name": "shop"}, caller=PERSON)

    assert call("drift_status", {"project": "shop"}).body["data"]["project"]["root"] == str(root)
    assert call("drift_status", {"project": str(root)}).body["data"]["project"]["root"] == str(root)


def test_the_policy_of_the_gates_is_asked_for_once_where_the_client_can(call, root):
    (root / "shop.py").write_text("def price():\n    return 1\n")
    client = AskedClient(Reply(accepted=True, content={"policy": "relaxed"}))

    call("drift_scan")
    first = call("drift_quality_gate", {"against": "all"}, client=client)
    second = call("drift_quality_gate", {"against": "all"}, client=client)

    assert [each.body["data"]["policy"] for each in (first, second)] == ["relaxed", "relaxed"]
    assert len(client.questions) == 1
    assert "strict" in client.questions[0].schema["properties"]["policy"]["enum"]


def test_without_anybody_to_ask_the_default_policy_judges(call, root):
    (root / "shop.py").write_text("def price():\n    return 1\n")

    call("drift_scan")
    assert call("drift_quality_gate", {"against": "all"}).body["data"]["policy"] == "default"
