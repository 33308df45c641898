"""No memory crosses from one project to another unless the call names the other."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from memory_world import MemoryWorld

from drift.registry import Caller, Effect, Scope

SECRET_WORD = "quetzalcoatl"
PLAIN = Caller("guest", frozenset({Scope.MEMORY, Scope.READ, Scope.WRITE}))


@pytest.fixture
def home(tmp_path):
    world = MemoryWorld(tmp_path, "home-project")
    world.registry.add(world.root, "home-project")
    world.own = world.add("The importer retries payments before midnight")
    yield world
    world.close()


@pytest.fixture
def other(tmp_path):
    world = MemoryWorld(tmp_path, "other-project")
    world.registry.add(world.root, "other-project")
    world.secret = world.add(
        f"The {SECRET_WORD} importer retries payments", linkedFiles=["shop/orders.py"], importance="critical"
    )
    yield world
    world.close()


def test_no_reading_tool_tells_of_another_project_that_is_open_in_the_same_process(home, other):
    readers = [
        one for one in home.runtime.toolbox if one.effect is Effect.READS and Scope.MEMORY in one.scopes
    ]
    assert len(readers) > 10

    for tool in readers:
        for example in tool.examples:
            text = home.call(tool.name, **example).text
            assert SECRET_WORD not in text, tool.name
            assert other.secret not in text, tool.name


@given(
    words=st.lists(
        st.one_of(
            st.sampled_from([SECRET_WORD, "importer", "payments", "OR", '"', "NEAR("]), st.text(max_size=8)
        ),
        max_size=6,
    ),
    tool=st.sampled_from(["drift_memory_search", "recall"]),
)
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_whatever_is_asked_only_memories_of_the_own_project_are_found(home, other, words, tool):
    outcome = home.call(tool, query=" ".join(words), includePurged=True)

    assert not outcome.is_error, outcome.text
    assert {row["id"] for row in outcome.body["data"]["results"]} <= {home.own}


def test_words_ids_and_files_of_another_project_find_nothing(home, other):
    assert home.found(f"{SECRET_WORD} importer retries payments") == home.found("importer retries payments")
    for tool, argument in (
        ("drift_memory_get", "id"),
        ("drift_memory_delete", "id"),
        ("drift_memory_explain", "memoryId"),
        ("recall", "id"),
    ):
        outcome = home.call(tool, **{argument: other.secret})
        assert outcome.is_error
        assert "RESOURCE_NOT_FOUND" in outcome.text
        assert SECRET_WORD not in outcome.text
    assert home.data("drift_memory_search", query="payments", file="shop/orders.py")["results"] == []
    assert home.call("drift_memory_add", type="insight", text="x", causedBy=[other.secret]).is_error
    assert home.call("recall", ids=[other.secret], action="purge").is_error
    assert other.found(SECRET_WORD) == [other.secret]


@pytest.mark.parametrize("tool", ["drift_memory_search", "recall"])
def test_a_call_that_names_the_project_reads_it_and_the_answer_says_so(home, other, tool):
    outcome = home.call(tool, query=SECRET_WORD, project="other-project")

    assert [row["id"] for row in outcome.body["data"]["results"]] == [other.secret]
    assert str(other.root) in " ".join(outcome.body["warnings"])
    assert "warnings" not in home.call(tool, query="payments", project="home-project").body


def test_through_the_door_another_project_is_named_the_same_way(home, other):
    inside = {"query": SECRET_WORD, "project": "other-project"}
    outcomes = [
        home.call("drift_memory_manage", name="recall", args=inside),
        home.call("drift_memory_manage", name="recall", args={"query": SECRET_WORD}, project="other-project"),
    ]

    for outcome in outcomes:
        assert [row["id"] for row in outcome.body["data"]["results"]] == [other.secret]
        assert str(other.root) in " ".join(outcome.body["warnings"])


def test_what_is_read_elsewhere_is_not_kept_here(home, other):
    asked = {"focus": SECRET_WORD, "project": "other-project", "sessionId": "s1"}
    home.data("drift_memory_for_context", **asked)

    assert SECRET_WORD not in home.data("drift_memory_export", includeArchived=True)["text"]
    assert home.found(SECRET_WORD) == []


def test_a_project_that_is_not_registered_cannot_be_named(home, tmp_path):
    unknown = MemoryWorld(tmp_path, "unknown")
    unknown.add(f"{SECRET_WORD} is here")

    for name in ("unknown", str(unknown.root), "../unknown", "nobody\0"):
        outcome = home.call("recall", query=SECRET_WORD, project=name)
        assert outcome.is_error
        assert SECRET_WORD not in outcome.text
    unknown.close()


def test_a_caller_over_http_without_the_right_to_administer_cannot_name_another_project(home, other):
    outcome = home.call_as(PLAIN, "recall", query=SECRET_WORD, project="other-project")

    assert outcome.is_error
    assert "FORBIDDEN" in outcome.text
    inside = {"query": SECRET_WORD, "project": "other-project"}
    assert home.call_as(PLAIN, "drift_memory_manage", name="recall", args=inside).is_error


def test_a_session_of_the_same_name_is_another_one_in_each_project(home, other):
    asked = {"focus": "importer retries payments", "sessionId": "shared"}
    other.data("drift_memory_for_context", **asked)

    told = home.data("drift_memory_for_context", **asked)

    assert told.get("alreadySent") is None
    assert len(told["memories"]) == 1
    assert SECRET_WORD not in json.dumps(told)


def test_a_cursor_of_one_project_is_refused_in_another(home, other):
    for world in (home, other):
        for number in range(3):
            world.add(f"Fact {number} cites what is gone", linkedFiles=["shop/orders.py"])
        (world.root / "shop" / "orders.py").unlink()
    first = other.call("drift_memory_validate", limit=1)
    cursor = first.body["pagination"]["nextCursor"]
    assert cursor

    outcome = home.call("drift_memory_validate", limit=1, cursor=cursor)

    assert outcome.is_error
    assert "INVALID_CURSOR" in outcome.text


@pytest.mark.parametrize("tool", ["drift_memory_export", "drift_memory_import"])
def test_files_of_another_project_are_neither_written_nor_read(home, other, tool):
    theirs = other.root / "memories.json"
    written = other.data("drift_memory_export", path="memories.json")["path"]
    (other.root / written).rename(theirs)
    (home.root / "link").symlink_to(other.root)
    before = theirs.read_bytes()

    for path in ("../other-project/memories.json", str(theirs), "link/memories.json"):
        outcome = home.call(tool, path=path, overwrite=True)
        assert outcome.is_error
        assert SECRET_WORD not in outcome.text
    assert theirs.read_bytes() == before
    assert home.found(SECRET_WORD) == []


def test_a_store_that_is_a_link_to_another_project_s_is_not_opened(tmp_path, other):
    world = MemoryWorld(tmp_path, "linked")
    (world.root / ".drift").mkdir()
    (world.root / ".drift" / "memory").symlink_to(other.store.parent)

    outcome = world.call("recall", query=SECRET_WORD)

    assert outcome.body["data"]["results"] == []
    world.close()


def test_a_settings_file_cannot_name_another_project_s_store(tmp_path, other):
    (tmp_path / "thief").mkdir()
    (tmp_path / "thief" / "drift.toml").write_text(
        '[cortex]\ndb_path = "../other-project/.drift/memory/cortex.db"\n'
    )

    world = MemoryWorld(tmp_path, "thief")

    assert world.found(SECRET_WORD) == []
    world.close()


def test_a_place_the_environment_names_is_the_own_project_s_alone(tmp_path, other):
    world = MemoryWorld(tmp_path, "placed", DRIFT_CORTEX_DB_PATH=str(tmp_path / "placed.db"))
    own = world.add(f"Here {SECRET_WORD} means nothing")

    named = world.data("recall", query=SECRET_WORD, project="other-project")["results"]

    assert [row["id"] for row in named] == [other.secret]
    assert world.found(SECRET_WORD) == [own]
    world.close()
