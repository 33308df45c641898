"""Every way to a change of instructions is shut without MCP_ENABLE_MUTATION, and reading leaves no trace."""

import shutil
import sys

import pytest
from catalog_world import CatalogWorld

from drift.kernel.wire import snake

CHANGES = {
    "add": {"entry": {"id": "new", "body": "New."}, "lax": True},
    "import": {"entries": [{"id": "new", "body": "New."}], "validate": False},
    "remove": {"ids": ["alpha"]},
    "reload": {},
    "groom": {"mode": {"mergeDuplicates": True}},
    "repair": {},
    "enrich": {},
    "governanceUpdate": {"id": "alpha", "patch": {"owner": "core"}},
}
DOORS = {
    "the action": lambda world, action, params: world.run(action, **params),
    "the tool as an action": lambda world, action, params: world.run(named(action), **params),
    "the tool with a slash": lambda world, action, params: world.run(f"instructions/{action}", **params),
    "the other dispatcher": lambda world, action, params: world.call(
        "feedback_dispatch", action=named(action), params=params
    ),
    "the tool": lambda world, action, params: world.call(named(action), **params),
}
READS = {
    "list": {"expectId": "alpha"},
    "listScoped": {},
    "get": {"id": "alpha"},
    "getEnhanced": {"id": "alpha"},
    "search": {"q": "word"},
    "query": {},
    "categories": {},
    "diff": {"known": []},
    "export": {},
    "capabilities": {},
    "health": {},
    "governanceHash": {"includeItems": True},
    "batch": {"operations": [{"action": "list"}]},
    "groom": {"mode": {"dryRun": True}},
    "repair": {"clientHash": "old"},
    "usage_track": {"id": "alpha"},
    "usage_hotset": {},
    "usage_flush": {},
    "metrics_snapshot": {},
    "feature_status": {},
    "integrity_verify": {},
    "gates_evaluate": {},
    "feedback_list": {},
    "feedback_get": {"id": "fb_1"},
    "feedback_stats": {},
    "feedback_health": {},
}


def named(action):
    return f"instructions_{snake(action)}"


@pytest.fixture
def world(tmp_path):
    world = CatalogWorld(tmp_path)
    yield world
    world.close()


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("action", CHANGES)
def test_no_door_leads_to_a_change(world, door, action):
    world.write("alpha.json", {"id": "alpha", "body": "The body.", "sourceHash": "0" * 64})
    before = (world.directory / "alpha.json").read_bytes()

    outcome = DOORS[door](world, action, CHANGES[action])

    assert outcome.code == "FORBIDDEN"
    assert outcome.body["error"] == "mutation disabled"
    assert [each.name for each in world.directory.iterdir()] == ["alpha.json"]
    assert (world.directory / "alpha.json").read_bytes() == before


def test_no_change_comes_through_a_batch(world):
    operations = [{"action": action, **params} for action, params in CHANGES.items()]

    done = world.do("batch", operations=operations)

    assert {each["error"]["code"] for each in done["results"]} == {"FORBIDDEN"}
    assert list(world.root.iterdir()) == []


@pytest.mark.parametrize("name", ["batch", "instructions_batch", "instructions/batch"])
def test_a_batch_holds_no_batch_under_any_name(world, name):
    done = world.do(
        "batch", operations=[{"action": name, "operations": [{"action": "list"}]}, {"action": "list"}]
    )

    assert [each["ok"] for each in done["results"]] == [False, True]
    assert "cannot hold a batch" in done["results"][0]["error"]["message"]


def test_reading_leaves_no_trace_in_a_project_without_state(world):
    for action, params in READS.items():
        assert not world.run(action, **params).is_error, action
    for scope in ("catalog", "governance", "usage", "instruction"):
        assert world.do("inspect", scope=scope, id="alpha")["scope"] == scope

    assert list(world.root.iterdir()) == []


def test_the_first_feedback_makes_the_state_with_its_ignore_file(world):
    assert world.data("feedback_health")["storageInfo"]["totalEntries"] == 0

    world.data("feedback_submit", type="issue", severity="low", title="Slow", description="It takes a while.")

    assert (world.root / ".drift/.gitignore").is_file()
    assert world.data("feedback_health")["storageInfo"]["totalEntries"] == 1


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there that tests lack")
@pytest.mark.parametrize("swapped", [".drift", ".drift/instructions"])
def test_a_link_that_takes_the_directorys_place_while_the_server_runs_is_not_followed(
    world, tmp_path, swapped
):
    elsewhere = tmp_path / "elsewhere"
    (elsewhere / "instructions").mkdir(parents=True)
    for folder in (elsewhere, elsewhere / "instructions"):
        (folder / "secret.json").write_text('{"id": "secret", "body": "A secret."}')
    world.write("alpha.json", {"id": "alpha", "body": "The body."})
    assert world.do("list")["count"] == 1

    shutil.rmtree(world.root / swapped)
    (world.root / swapped).symlink_to(elsewhere, target_is_directory=True)

    for action, params in {**READS, "inspect": {"scope": "instruction", "id": "secret"}}.items():
        outcome = world.run(action, **params)
        assert "A secret." not in outcome.text, action
    assert world.run("list").code == "PATH_OUTSIDE_PROJECT"
