"""What stands around every answer is true of it: its length, its age, and whether it was kept."""

import asyncio
from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from drift.kernel.tokens import count_tokens
from drift.pipeline import FOREGROUND, AutoFreshener, Environment, ServerRuntime
from drift.project import ProjectRegistry
from drift.registry import Effect, ServerName, Surface
from drift.tools import tools_of
from store_places import copy_project

# Whoever reads these changes nothing that another case asks for.
EXAMPLES = [
    (server, tool.name, dict(example))
    for server in ServerName
    for tool in tools_of(server)
    if (tool.effect is Effect.READS or tool.name in {"drift_pack", "drift_batch"})
    and tool.name != "drift_fleet"  # one project alone is no fleet: it refuses
    for example in tool.examples
]


@pytest.fixture(scope="module")
def runtimes(example_shop, tmp_path_factory):
    root = tmp_path_factory.mktemp("envelope") / "shop"
    copy_project(example_shop, root)
    at = Environment(
        root=root,
        projects=ProjectRegistry(root.parent / "home" / "projects.json", lambda: datetime.now(UTC)),
        environ={"DRIFT_MCP_ANALYSIS_RATE_LIMIT": "0", "DRIFT_MCP_MEMORY_RATE_LIMIT": "0"},
    )
    with asyncio.Runner() as runner:
        made = {
            server: ServerRuntime(
                server,
                tools_of(server),
                Surface("full"),
                at=at,
                freshener=AutoFreshener(at.environ, FOREGROUND),
            )
            for server in ServerName
        }
        yield {
            server: lambda *call, runtime=runtime: runner.run(runtime.call(*call))
            for server, runtime in made.items()
        }
        for runtime in made.values():
            runtime.close()


@given(example=st.sampled_from(EXAMPLES), budget=st.integers(100, 1_500))
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_no_tool_answers_longer_than_allowed(runtimes, example, budget):
    server, name, arguments = example
    outcome = runtimes[server](name, {**arguments, "maxTokens": budget})

    assert not outcome.is_error, outcome.text
    assert count_tokens(outcome.full_text) <= budget
    assert outcome.meta.token_estimate == count_tokens(outcome.full_text)


@pytest.mark.parametrize(("server", "name", "arguments"), EXAMPLES)
def test_no_refusal_is_longer_than_allowed(runtimes, server, name, arguments):
    outcome = runtimes[server](name, {**arguments, "no such argument": 1, "maxTokens": 100})

    assert outcome.is_error
    assert count_tokens(outcome.full_text) <= 100


def test_a_pack_keeps_within_its_own_budget(runtimes):
    run = {"action": "run", "name": "bug-fix", "focus": "reindex"}
    outcome = runtimes[ServerName.ANALYSIS]("drift_pack", run)

    assert count_tokens(outcome.full_text) <= outcome.body["data"]["run"]["budgetTokens"]


def test_a_relay_keeps_the_age_of_what_it_relays(runtimes):
    ask = runtimes[ServerName.ANALYSIS]
    direct = ask("drift_callers", {"symbol": "reindex"})
    relayed = ask("drift_tool", {"name": "drift_callers", "args": {"symbol": "reindex"}})

    assert direct.meta.freshness == relayed.meta.freshness == "fresh"
    assert direct.meta.data_age == relayed.meta.data_age is not None
    assert relayed.meta.cached


def test_a_relay_passes_the_limit_on(runtimes):
    asked = {"name": "drift_capabilities", "maxTokens": 150}
    outcome = runtimes[ServerName.ANALYSIS]("drift_tool", asked)

    assert outcome.meta.truncated
    assert count_tokens(outcome.full_text) <= 150


def test_a_batch_is_as_old_as_its_oldest_answer(runtimes):
    calls = [{"tool": "drift_callers", "args": {"symbol": "reindex"}}, {"tool": "drift_capabilities"}]
    ask = runtimes[ServerName.ANALYSIS]
    ask("drift_batch", {"calls": calls})
    outcome = ask("drift_batch", {"calls": calls})

    inner = [each["answer"]["meta"] for each in outcome.body["data"]["results"]]
    assert outcome.meta.freshness == "unknown"
    assert outcome.meta.data_age == inner[0]["dataAge"] is not None
    assert outcome.meta.cached
    assert inner[1]["freshness"] == "unknown"


@pytest.mark.parametrize(
    ("server", "name", "arguments"),
    [
        (ServerName.MEMORY, "drift_memory_status", {}),
        (ServerName.MEMORY, "drift_memory_manage", {"name": "drift_memory_status"}),
        (ServerName.CATALOG, "instructions_list", {}),
        (ServerName.CATALOG, "instructions_dispatch", {"action": "list"}),
    ],
)
def test_what_no_index_is_behind_has_no_age_of_one(runtimes, server, name, arguments):
    meta = runtimes[server](name, arguments).structured()["meta"]

    assert not {"freshness", "dataAge"} & meta.keys()


def test_a_new_memory_leaves_answers_about_code_in_the_cache(runtimes):
    ask = runtimes[ServerName.ANALYSIS]
    about_code = ("drift_callees", {"symbol": "reindex"})
    context = ("drift_context", {"intent": "fix_bug", "focus": "reindex is wrong"})
    ask(*about_code)
    ask(*context)
    runtimes[ServerName.MEMORY]("save_memory", {"text": "reindex is wrong for negative prices"})

    assert ask(*about_code).meta.cached
    assert not ask(*context).meta.cached


SEEDS_FORMS = [
    ("drift_pack", {"pack": "bug-fix", "focus": "reindex"}),
    ("drift_callers", {"function": "reindex", "depth": 1}),
    ("drift_callers", {"function": "reindex", "depth": 3}),
    ("drift_callees", {"function": "reindex"}),
    ("drift_signature", {"function": "reindex", "includeBody": True}),
    ("drift_impact_analysis", {"function": "reindex"}),
    ("drift_reachability", {"source": "reindex"}),
    ("drift_analyze_function", {"function": "reindex", "depth": 2}),
    ("drift_test_template", {"function": "reindex"}),
    ("drift_discover", {"section": "tools"}),
    ("drift_discover", {"action": "health"}),
    ("drift_discover", {"action": "capabilities"}),
    (
        "drift_context",
        {"intent": "fix_bug", "focus": "reindex", "activeFile": "shop/jobs.py", "depth": "deep"},
    ),
]


@pytest.mark.parametrize(("name", "arguments"), SEEDS_FORMS)
def test_the_arguments_that_were_promised_are_understood(runtimes, name, arguments):
    outcome = runtimes[ServerName.ANALYSIS](name, arguments)

    assert not outcome.is_error, outcome.text
    assert not [each for each in outcome.body.get("warnings", ()) if "had no effect" in each]


def test_a_depth_by_itself_follows_callers_of_callers(runtimes):
    ask = runtimes[ServerName.ANALYSIS]
    far = ask("drift_callers", {"symbol": "reindex", "depth": 3}).body["data"]
    near = ask("drift_callers", {"symbol": "reindex", "depth": 1}).body["data"]

    assert "transitive" in far
    assert "transitive" not in near


def test_what_was_meant_by_a_pack_follows_from_what_was_given(runtimes):
    ask = runtimes[ServerName.ANALYSIS]

    assert "run" in ask("drift_pack", {"name": "bug-fix", "focus": "reindex"}).body["data"]
    assert "suggestions" in ask("drift_pack", {"focus": "fix a bug"}).body["data"]
    assert "packs" in ask("drift_pack", {}).body["data"]
    assert ask("drift_pack", {"definition": {"name": "mine"}}).code == "MISSING_REQUIRED_PARAM"


@pytest.mark.parametrize("action", ["add", "ADD", " Add "])
def test_a_right_of_an_action_is_asked_for_however_it_is_written(runtimes, action):
    asked = {"action": action, "path": "/tmp"}
    outcome = runtimes[ServerName.ANALYSIS]("drift_projects", asked)

    assert outcome.code == "FORBIDDEN"


@pytest.mark.parametrize(
    "same",
    [
        {"symbol": " reindex ", "file": "./shop/jobs.py"},
        {"symbol": "reindex", "file": "shop/jobs.py", "transitive": False, "limit": 20},
        {"symbol": "reindex", "file": "shop/jobs.py", "maxTokens": 4000},
        {"function": "reindex", "path": "shop/jobs.py"},
    ],
)
def test_questions_of_one_meaning_share_a_kept_answer(runtimes, same):
    ask = runtimes[ServerName.ANALYSIS]
    ask("drift_callers", {"symbol": "reindex", "file": "shop/jobs.py"})

    assert ask("drift_callers", same).meta.cached


def test_words_of_a_list_are_understood_in_any_case(runtimes):
    ask = runtimes[ServerName.ANALYSIS]

    assert not ask("drift_graph", {"action": "Cycles", "level": "PACKAGE"}).is_error
    assert not ask("drift_context", {"intent": "Fix-Bug", "focus": "reindex"}).is_error


WRONG = [
    (server, tool.name, dict(example), argument, schema)
    for server in ServerName
    for tool in tools_of(server)
    for example in (tool.examples or ({},))[:1]
    for argument, schema in tool.input_schema["properties"].items()
    if argument not in {"project", "maxTokens"}
    and tool.name not in {"drift_scan", "drift_setup", "drift_memory_embed"}
]


def _wrong_value(schema):
    kind = schema.get("type")
    if kind == "array":
        return ["widget"]
    if kind == "object":
        return {"importance": "widget", "type": "widget", "status": "widget", "widget": {"widget": "widget"}}
    return 17 if kind in {"integer", "number"} else "widget"


@pytest.mark.parametrize(("server", "name", "example", "argument", "schema"), WRONG)
def test_no_wrong_value_brings_out_an_error_of_ours(runtimes, server, name, example, argument, schema):
    outcome = runtimes[server](name, {**example, argument: _wrong_value(schema)})

    assert outcome.code != "INTERNAL_ERROR"
    assert "is not a valid" not in outcome.text
    assert "Error(" not in outcome.text
