"""The person's own memories: off at first, then read beside the project's and kept apart from them."""

import json
import sqlite3

import pytest
from memory_world import MemoryWorld

from drift.memory.opened import close_stores

ON = {"DRIFT_CORTEX_USER_STORE": "true"}
PREFERENCE = "I prefer short commit messages in the imperative mood"


@pytest.fixture
def worlds(tmp_path):
    """Makes projects of one person."""
    made = []

    def make(name="shop", **environ):
        made.append(MemoryWorld(tmp_path, name, **environ))
        return made[-1]

    yield make
    for world in made:
        world.close()


@pytest.fixture
def world(worlds):
    return worlds(**ON)


@pytest.fixture
def personal(tmp_path):
    return tmp_path / "home" / "user" / ".drift" / "memory" / "cortex.db"


def ids_in(store):
    with sqlite3.connect(store) as connection:
        return {row[0] for row in connection.execute("SELECT id FROM memories")}


def keep_own(world, text=PREFERENCE, **arguments):
    return world.add(text, type="preference", scope="user", **arguments)


def rows_of(world, tool, /, **arguments):
    return {row["id"]: row for row in world.data(tool, **arguments)["results"]}


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("drift_memory_add", {"type": "preference", "text": PREFERENCE}),
        ("save_memory", {"text": PREFERENCE}),
        ("drift_memory_export", {}),
        ("drift_memory_import", {"memories": [{"id": "n1", "type": "insight", "text": "x"}]}),
        ("drift_memory_status", {}),
        ("drift_memory_health", {}),
    ],
)
def test_while_it_is_off_every_tool_says_how_to_turn_it_on_and_makes_nothing(
    worlds, personal, tool, arguments
):
    outcome = worlds().call(tool, **arguments, scope="user")

    assert outcome.is_error
    assert "CORTEX_UNAVAILABLE" in outcome.text
    assert "DRIFT_CORTEX_USER_STORE=true" in outcome.text
    assert "cortex.user_store" in outcome.text
    assert not personal.parent.parent.parent.exists()


@pytest.mark.parametrize(("environ", "is_on"), [({}, True), ({"DRIFT_CORTEX_USER_STORE": "false"}, False)])
def test_the_settings_file_turns_it_on_and_the_variable_has_the_last_word(worlds, tmp_path, environ, is_on):
    (tmp_path / "home").mkdir(exist_ok=True)
    (tmp_path / "home" / "settings.toml").write_text("[cortex]\nuser_store = true\n")

    outcome = worlds(DRIFT_HOME=str(tmp_path / "home"), **environ).call(
        "save_memory", text=PREFERENCE, scope="user"
    )

    assert outcome.is_error is not is_on, outcome.text


def test_a_memory_of_the_person_is_kept_in_their_store_and_never_in_the_project_s(world, personal):
    own = keep_own(world)
    theirs = world.add("The importer runs before midnight")

    assert ids_in(personal) == {own}
    assert ids_in(world.store) == {theirs}
    assert personal.parents[2].stat().st_mode & 0o077 == 0


def test_search_and_recall_read_both_and_mark_only_the_person_s(world):
    own = keep_own(world)
    theirs = world.add("Commit messages of this project name the ticket")

    for tool in ("drift_memory_search", "recall"):
        rows = rows_of(world, tool, query="commit messages")
        assert rows[own]["scope"] == "user"
        assert "scope" not in rows[theirs]


def test_recall_without_words_lists_the_newest_of_both(world):
    first = world.add("The importer runs before midnight")
    own = keep_own(world)
    last = world.add("Orders are cached for a minute")

    rows = rows_of(world, "recall")

    assert list(rows) == [last, own, first]
    assert rows[own]["scope"] == "user"


def test_an_answer_without_a_memory_of_the_person_costs_what_it_costs_without_their_store(worlds):
    texts = {}
    for name, environ in (("plain", {}), ("both", ON)):
        world = worlds(name, **environ)
        if environ:
            keep_own(world)
        world.data(
            "drift_memory_import", memories=[{"id": "n1", "type": "insight", "text": "Orders are cached"}]
        )
        texts[name] = world.call("drift_memory_search", query="orders cached", detail="compact").text

    assert texts["both"] == texts["plain"]


def test_a_good_memory_of_the_person_comes_before_a_weak_one_of_a_large_project(world):
    own = keep_own(world)
    records = [
        {"id": f"n{number}", "type": "insight", "text": f"Note {number}: the message queue {number} is slow"}
        for number in range(200)
    ]
    world.data("drift_memory_import", memories=records)

    assert world.found("imperative mood of commit messages")[0] == own


def test_another_project_of_the_person_finds_it_and_one_that_has_it_off_does_not(worlds):
    own = keep_own(worlds(**ON))

    assert worlds("other", **ON).found("commit messages") == [own]
    assert worlds("third").found("commit messages") == []


@pytest.mark.parametrize("tool", ["drift_memory_context", "drift_memory_for_context"])
def test_the_memories_for_a_task_are_of_both(world, tool):
    own = keep_own(world)
    theirs = world.add("Commit messages of this project name the ticket")

    told = {row["id"]: row for row in world.data(tool, focus="write a commit message")["memories"]}

    assert told[own]["scope"] == "user"
    assert "scope" not in told[theirs]


def test_what_was_told_of_the_person_is_not_told_twice_to_a_session(world):
    own = keep_own(world)
    world.add("Commit messages of this project name the ticket")
    asked = {"focus": "write a commit message", "sessionId": "s1"}
    world.data("drift_memory_context", **asked)

    again = world.data("drift_memory_context", **asked)

    assert own in again["alreadySent"]
    assert again["memories"] == []
    found = world.data("drift_memory_search", query="commit message", sessionId="s1", excludeAlreadySent=True)
    assert found["results"] == []
    assert found["deduplicated"] == 2


def test_the_brief_of_a_session_tells_of_the_person_even_before_the_project_has_memories(world):
    own = keep_own(world)

    text = world.data("drift_memory_brief")["text"]

    assert "scope: user" in text
    assert own in text
    assert own not in json.dumps(world.data("drift_memory_brief", file="shop/orders.py"))
    assert not world.store.exists()


def test_by_id_it_is_found_changed_hidden_restored_and_explained(world, personal):
    own = keep_own(world)
    cause = world.add("Reviews of long messages took an hour", type="episodic", scope="user")
    world.add("The importer runs before midnight")

    world.data("drift_memory_update", id=own, importance="high")
    shown = world.data("drift_memory_get", id=own)
    assert shown["memory"]["importance"] == "high"
    assert shown["scope"] == "user"
    world.data("drift_memory_delete", id=own)
    assert own not in world.found("commit messages")
    world.data("drift_memory_delete", id=own, restore=True)
    effect = world.add("Use a template", type="preference", scope="user", causedBy=[cause])
    explained = world.data("drift_memory_explain", memoryId=effect)
    assert [row["id"] for row in explained["origins"]] == [cause]
    assert world.data("drift_memory_graph", memoryId=cause)["nodeCount"] == 2
    assert len(ids_in(world.store)) == 1
    assert ids_in(personal) == {own, cause, effect}


def test_recall_views_purges_and_restores_ids_of_both_stores_at_once(world):
    own, theirs = keep_own(world), world.add("Commit messages of this project name the ticket")

    viewed = rows_of(world, "recall", ids=[own, theirs])
    assert list(viewed) == [own, theirs]
    assert viewed[own]["scope"] == "user"
    assert set(rows_of(world, "recall", ids=[own, theirs], action="purge")) == {own, theirs}
    assert world.found("commit messages") == []
    world.data("recall", ids=[own, theirs], action="restore")
    assert set(world.found("commit messages")) == {own, theirs}


def test_one_unknown_id_and_nothing_of_either_store_is_purged(world):
    own, theirs = keep_own(world), world.add("Commit messages of this project name the ticket")

    outcome = world.call("recall", ids=[own, theirs, "m_unknown"], action="purge")

    assert outcome.is_error
    assert set(world.found("commit messages")) == {own, theirs}


@pytest.mark.parametrize(
    "link",
    [
        {"linkedFiles": ["shop/orders.py"]},
        {"linkedFunctions": ["order"]},
        {"linkedPatterns": ["p1"]},
        {"linkedConstraints": ["c1"]},
    ],
)
def test_a_memory_of_the_person_cannot_point_into_a_project(world, link):
    own = keep_own(world)

    for outcome in (
        world.call("drift_memory_add", type="preference", text="I like tests", scope="user", **link),
        world.call("drift_memory_update", id=own, **link),
    ):
        assert outcome.is_error
        assert "INVALID_ARGUMENT" in outcome.text


def test_a_text_that_names_a_file_of_the_project_leaves_no_citation_with_the_person(world):
    diff = "--- a/shop/orders.py\n+++ b/shop/orders.py\n@@ -1 +1 @@\n-LIMIT = 3\n+LIMIT = 4\n"
    theirs, own = (world.save(f"I begin here:\n```diff\n{diff}```", scope=one) for one in ("project", "user"))

    assert world.data("drift_memory_get", id=theirs)["memory"]["files"] == ["shop/orders.py"]
    assert "files" not in world.data("drift_memory_get", id=own)["memory"]


def test_no_edge_leads_from_one_store_into_the_other(world):
    own, theirs = keep_own(world), world.add("The importer runs before midnight")

    for arguments in (
        {"text": "A new habit", "scope": "user", "causedBy": [theirs]},
        {"text": "A new fact", "causedBy": [own]},
        {"text": "A new fact", "supersedes": own},
    ):
        outcome = world.call("drift_memory_add", type="insight", **arguments)
        assert outcome.is_error
        assert "RESOURCE_NOT_FOUND" in outcome.text


def test_the_same_text_may_stand_in_both_under_two_ids(world):
    own, theirs = keep_own(world), world.add(PREFERENCE, type="preference")

    assert own != theirs
    assert keep_own(world) == own


def test_secrets_are_taken_out_of_what_the_person_keeps(world, personal):
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"

    saved = world.data("save_memory", text=f"My token is {secret}", scope="user")
    close_stores()

    assert saved["redacted"]
    assert saved["scope"] == "user"
    assert secret.encode() not in personal.read_bytes()


def test_an_export_of_the_project_has_nothing_of_the_person_and_one_of_the_person_nothing_else(world):
    own, theirs = keep_own(world), world.add("The importer runs before midnight")

    project = world.data("drift_memory_export", includeArchived=True)
    person = world.data("drift_memory_export", scope="user")

    assert (project["scope"], project["count"]) == ("project", 1)
    assert theirs in project["text"]
    assert own not in project["text"]
    assert (person["scope"], person["count"]) == ("user", 1)
    assert own in person["text"]
    assert theirs not in person["text"]


def test_what_the_person_exported_is_taken_in_again_by_name_of_the_store(worlds):
    world = worlds(**ON)
    own = keep_own(world)
    text = world.data("drift_memory_export", scope="user")["text"]
    records = json.loads(text)["memories"]

    assert world.data("drift_memory_import", memories=records, scope="user")["skipped"] == 1
    assert worlds("third").data("drift_memory_import", memories=records)["imported"] == 1
    assert own in text


def test_an_import_cannot_give_one_id_to_memories_of_both_stores(world, personal):
    own, theirs = keep_own(world), world.add("The importer runs before midnight")

    for memory_id, scope in ((own, "project"), (theirs, "user")):
        record = {"id": memory_id, "type": "insight", "text": "Another text"}
        outcome = world.call("drift_memory_import", memories=[record], scope=scope)
        assert outcome.is_error
        assert "INVALID_ARGUMENT" in outcome.text
    assert ids_in(personal) == {own}
    assert ids_in(world.store) == {theirs}


def test_an_import_brings_the_person_no_links_into_a_project(world, personal):
    for name in ("files", "linkedFiles", "linked_functions", "patterns"):
        record = {"id": "n1", "type": "preference", "text": "I like tests", name: ["shop/orders.py"]}
        outcome = world.call("drift_memory_import", memories=[record], scope="user")
        assert outcome.is_error
        assert "no links into a project" in outcome.text
    assert not personal.exists() or ids_in(personal) == set()


def test_status_and_health_name_the_store_they_tell_of(world, personal):
    keep_own(world)

    status = world.data("drift_memory_status", scope="user")
    assert (status["scope"], status["store"], status["total"]) == ("user", str(personal), 1)
    assert world.data("drift_memory_status")["scope"] == "project"
    health = world.data("drift_memory_health", scope="user")
    assert (health["scope"], health["memories"]) == ("user", 1)
    assert all("drift_memory_hygiene" not in row["fix"] for row in health["issues"])
    assert world.data("drift_memory_health")["scope"] == "project"


def test_every_tool_answers_while_it_is_on_and_nothing_was_kept_in_it(world, personal):
    theirs = world.add("Commit messages of this project name the ticket")

    for tool in world.runtime.toolbox:
        for example in tool.examples:
            text = world.call(tool.name, **example).text
            assert "your own memories were not read" not in text, tool.name
            assert "STORE_UNAVAILABLE" not in text, tool.name
    assert world.found("commit messages", name="recall")[0] == theirs
    assert not personal.parents[2].exists()


def test_a_walk_begins_in_the_store_that_holds_its_start(world):
    cause = keep_own(world)
    effect = keep_own(world, "A template reminds me of the mood", causedBy=[cause])

    for start in (cause, "short commit messages"):
        walked = world.data("drift_memory_query", **{"from": start})
        assert [row["id"] for row in walked["memories"]] == [effect]


def test_a_tool_for_the_project_alone_says_so_of_a_memory_of_the_person(world):
    own = keep_own(world)
    world.add("The importer runs before midnight")

    outcome = world.call("drift_memory_validate", ids=[own])

    assert outcome.is_error
    assert "your own (scope user)" in outcome.text


def test_a_broken_store_of_the_person_is_told_of_and_the_project_is_still_read(world, personal):
    keep_own(world)
    theirs = world.add("Commit messages of this project name the ticket")
    close_stores()
    personal.write_bytes(b"no database at all " * 100)

    for tool, arguments in (
        ("drift_memory_search", {"query": "commit messages"}),
        ("recall", {"query": "commit messages"}),
        ("recall", {}),
        ("drift_memory_context", {"focus": "commit messages"}),
        ("drift_memory_get", {"id": theirs}),
        ("drift_memory_delete", {"id": theirs}),
        ("drift_memory_delete", {"id": theirs, "restore": True}),
    ):
        outcome = world.call(tool, **arguments)
        assert not outcome.is_error, outcome.text
        assert theirs in outcome.text
    assert "your own memories were not read" in world.call("recall", query="commit").text
    broken = world.call("save_memory", text="I like tabs", scope="user")
    assert broken.is_error
    assert "CORTEX_UNAVAILABLE" in broken.text


def test_a_home_that_cannot_be_written_is_an_error_with_a_way_out(worlds, tmp_path):
    (tmp_path / "home").write_text("a file where the folder should be")

    outcome = worlds(**ON).call("save_memory", text=PREFERENCE, scope="user")

    assert outcome.is_error
    assert "CORTEX_UNAVAILABLE" in outcome.text
    assert "DRIFT_HOME" in outcome.text


def test_a_place_that_was_set_for_the_project_is_not_that_of_the_person(worlds, tmp_path, personal):
    world = worlds(DRIFT_CORTEX_DB_PATH=str(tmp_path / "set.db"), **ON)

    own, theirs = keep_own(world), world.add("The importer runs before midnight")

    assert ids_in(personal) == {own}
    assert ids_in(tmp_path / "set.db") == {theirs}


def test_registering_the_person_s_folder_as_a_project_does_not_open_what_is_off(worlds, personal):
    keep_own(worlds(**ON))
    shared = worlds("shared", DRIFT_CORTEX_USER_STORE="false")
    shared.registry.add(personal.parents[2], "mine")

    outcome = shared.call("drift_memory_search", query="commit messages", project="mine")

    assert outcome.is_error
    assert "CORTEX_UNAVAILABLE" in outcome.text
