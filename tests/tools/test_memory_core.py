import os
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta

import pytest
from memory_world import MemoryWorld

from drift.kernel.tokens import count_tokens
from drift.memory import memory_types
from drift.memory.opened import close_stores

GATEWAY = "The gateway refuses a second capture of one payment."


@pytest.fixture
def world(tmp_path):
    made = MemoryWorld(tmp_path)
    yield made
    made.close()


@pytest.mark.parametrize("memory_type", list(memory_types()))
def test_a_memory_of_every_type_is_added_and_found(world, memory_type):
    added = world.data("drift_memory_add", type=memory_type, text=GATEWAY)

    assert (added["created"], added["type"]) == (True, memory_type)
    assert world.found("gateway capture", types=[memory_type]) == [added["id"]]


def test_a_type_that_is_none_names_those_like_it(world):
    outcome = world.call("drift_memory_add", type="insihgt", text=GATEWAY)

    assert outcome.code == "INVALID_ARGUMENT"
    assert "insight" in outcome.body["similar"]


def test_content_alone_is_enough_and_its_fields_are_checked(world):
    added = world.data(
        "drift_memory_add", type="incident", content={"title": "Double charges", "severity": "high"}
    )

    assert added["title"] == "Double charges"
    assert "no such field" in world.call("drift_memory_add", type="incident", content={"colour": "red"}).text


def test_links_to_files_carry_the_hash_of_what_stands_there(world):
    added = world.add(
        GATEWAY,
        linkedFiles=["shop/orders.py:1-2", {"path": "shop/orders.py", "startLine": 5}],
        linkedFunctions=["order"],
        tags=["payments"],
    )

    kept = world.data("drift_memory_get", id=added)["memory"]
    assert kept["files"] == ["shop/orders.py:1-2", "shop/orders.py:5"]
    from drift.memory.opened import memory_store

    assert all(link.content_hash for link in memory_store(world.store).get(added).files)


def test_a_file_that_is_not_there_is_linked_with_a_warning(world):
    outcome = world.call("drift_memory_add", type="insight", text=GATEWAY, linkedFiles=["shop/gone.py"])

    assert "shop/gone.py" in outcome.body["warnings"][0]
    assert outcome.body["data"]["linkedTo"]["files"] == 1


@pytest.mark.parametrize("path", ["../secret", "/etc/passwd"])
def test_a_file_outside_the_project_is_refused_and_nothing_is_kept(world, path):
    assert world.call("drift_memory_add", type="insight", text=GATEWAY, linkedFiles=[path]).code == (
        "PATH_OUTSIDE_PROJECT"
    )
    assert not world.store.exists()


def test_lines_that_are_not_there_are_refused(world):
    outcome = world.call(
        "drift_memory_add", type="insight", text=GATEWAY, linkedFiles=["shop/orders.py:90-99"]
    )

    assert outcome.code == "INVALID_ARGUMENT"


def test_a_cause_that_is_no_memory_is_refused_before_anything_is_kept(world):
    world.add("something else")

    outcome = world.call("drift_memory_add", type="insight", text=GATEWAY, causedBy=["m_nope"])

    assert outcome.code == "RESOURCE_NOT_FOUND"
    assert world.data("drift_memory_status")["total"] == 1


def test_what_is_superseded_is_not_found_unless_asked_for(world):
    old = world.add("The timeout of the gateway is 30 s.")
    new = world.add("The gateway waits 60 s, no longer.", supersedes=old)

    assert world.found("gateway") == [new]
    assert set(world.found("gateway", includeSuperseded=True)) == {old, new}
    assert world.data("drift_memory_get", id=old)["memory"]["supersededBy"] == new
    assert world.data("drift_memory_get", id=new)["memory"]["supersedes"] == [old]


def test_an_explicit_cause_is_an_edge_that_is_walked_in_its_direction(world):
    cause = world.add("Tokens of the gateway expire after five minutes.")
    effect = world.add("The queue is drained by hand.", causedBy=[cause], inferCausal=False)
    later = world.add("A script now drains the line.", causedBy=[effect], inferCausal=False)

    def walked(start, **traverse):
        rows = world.data("drift_memory_query", **{"from": start, "traverse": traverse})["memories"]
        return [(row["id"], row["depth"]) for row in rows]

    assert walked(cause, direction="out", depth=3) == [(effect, 1), (later, 2)]
    assert walked(cause, direction="in", depth=3) == []
    assert walked(later, direction="in", depth=1, relation="caused") == [(effect, 1)]
    assert walked(effect, direction="both") == [(cause, 1), (later, 1)]
    assert walked(effect, direction="both", relation="prevented") == []


def test_a_walk_can_begin_at_words_and_is_filtered(world):
    cause = world.add("Tokens of the gateway expire.", tags=["pay"])
    effect = world.add("Drained by hand.", type="decision", causedBy=[cause])

    data = world.data("drift_memory_query", **{"from": "gateway tokens", "where": {"types": ["decision"]}})

    assert [row["id"] for row in data["memories"]] == [effect]
    assert cause in data["interpretation"]
    assert world.data("drift_memory_query", **{"from": cause, "where": {"types": ["goal"]}})["total"] == 0
    assert world.call("drift_memory_query", **{"from": "zebra"}).code == "RESOURCE_NOT_FOUND"


def test_a_circle_of_causes_ends(world):
    one = world.add("a first note")
    other = world.add("another note", causedBy=[one], relatedMemoryIds=[one])
    world.add("a third note", causedBy=[other], relatedMemoryIds=[one, other])

    assert world.data("drift_memory_query", **{"from": one, "traverse": {"depth": 5}})["total"] == 2


def test_a_change_is_kept_in_the_history_and_seen_as_of_a_date(world):
    memory = world.add(GATEWAY, importance="low")
    world.data("drift_memory_update", id=memory, importance="high", tags=["payments"])

    now = world.data("drift_memory_get", id=memory)
    tomorrow = (datetime.now(UTC) + timedelta(days=1)).date().isoformat()

    assert (now["memory"]["importance"], now["changes"]) == ("high", 2)
    assert world.data("drift_memory_get", id=memory, asOf=tomorrow)["memory"]["importance"] == "high"
    assert world.call("drift_memory_get", id=memory, asOf="2020-01-01").code == "RESOURCE_NOT_FOUND"
    assert world.call("drift_memory_get", id=memory, asOf="soon").code == "INVALID_ARGUMENT"


def test_a_secret_that_comes_with_a_change_is_taken_out(world):
    memory = world.add(GATEWAY)

    changed = world.data("drift_memory_update", id=memory, text="key AKIAIOSFODNN7EXAMPLE")

    assert changed["redacted"]
    assert "AKIA" not in world.data("drift_memory_get", id=memory)["memory"]["text"]


def test_a_change_that_changes_nothing_says_so_and_an_empty_one_is_refused(world):
    memory = world.add(GATEWAY)

    assert "so already" in world.call("drift_memory_update", id=memory, importance="normal").body["summary"]
    assert world.call("drift_memory_update", id=memory).code == "INVALID_ARGUMENT"
    assert world.call("drift_memory_update", id="m_nope", importance="low").code == "RESOURCE_NOT_FOUND"


def test_an_archived_memory_is_found_on_request_only(world):
    memory = world.add(GATEWAY)
    world.data("drift_memory_update", id=memory, archived=True, reason="old")

    assert world.found("gateway") == []
    assert world.data("drift_memory_search", query="gateway", includeArchived=True)["results"][0]["archived"]
    assert world.data("drift_memory_get", id=memory)["memory"]["archived"] == "old"
    world.data("drift_memory_update", id=memory, archived=False)
    assert world.found("gateway") == [memory]


def test_a_deleted_memory_is_kept_and_restored(world):
    memory = world.add(GATEWAY)

    assert world.data("drift_memory_delete", id=memory)["purged"] is True
    assert world.found("gateway") == []
    assert "already" in world.call("drift_memory_delete", id=memory).body["summary"]
    assert world.data("drift_memory_delete", id=memory, restore=True)["purged"] is False
    assert world.found("gateway") == [memory]


def test_search_filters_by_tag_file_importance_date_and_confidence(world):
    tagged = world.add("gateway one", tags=["pay"], importance="high", linkedFiles=["shop/orders.py"])
    plain = world.add("gateway two words more", confidence=0.3)

    assert world.found("gateway", tags=["pay"]) == [tagged]
    assert world.found("gateway", file="shop/orders.py") == [tagged]
    assert world.found("gateway", importance="high") == [tagged]
    assert world.found("gateway", minConfidence=0.5) == [tagged]
    assert set(world.found("gateway", since="2020-01-01")) == {tagged, plain}
    assert world.found("gateway", until="2020-01-01") == []
    assert world.call("drift_memory_search", query="gateway", since="whenever").code == "INVALID_ARGUMENT"


def test_a_session_is_not_sent_the_same_hits_twice_when_it_asks_so(world):
    first = world.add("gateway alpha")
    assert world.found("gateway", sessionId="s1") == [first]
    second = world.add("gateway beta, another matter")

    again = world.data("drift_memory_search", query="gateway", sessionId="s1")["results"]
    data = world.data("drift_memory_search", query="gateway", sessionId="s1", excludeAlreadySent=True)

    assert {row["id"]: row.get("alreadySent") for row in again} == {first: True, second: None}
    assert data["results"] == []
    assert data["deduplicated"] == 2
    assert set(world.found("gateway", sessionId="s2")) == {first, second}


def test_status_counts_what_there_is_and_says_which_search_is_active(world):
    world.add(GATEWAY)
    world.add("Deploys are done on Tuesdays.", type="procedural", confidence=0.5)

    status = world.data("drift_memory_status")

    assert (status["current"], status["byType"]) == (2, {"insight": 1, "procedural": 1})
    assert status["averageConfidence"] == pytest.approx(0.75, abs=0.01)
    assert status["embeddings"] == "none"
    assert status["search"].startswith("words")
    assert len(status["recent"]) == 2


@pytest.mark.parametrize(
    ("words", "tool"),
    [
        ("was this error solved", "drift_memory_path"),
        ("I was corrected", "drift_memory_learn"),
        ("export", "drift_memory_export"),
        ("memories to clean up", "drift_memory_hygiene"),
        ("incidents", "drift_memory_incident"),
    ],
)
def test_a_tool_is_found_by_what_somebody_would_call_it(world, words, tool):
    found = [
        row["call"].partition("(")[0] for row in world.data("drift_memory_discover", tool=words)["tools"]
    ]

    assert tool in found
    assert len(found) <= 5


def test_the_doors_find_and_run_every_memory_tool(world):
    listed = {row["call"].partition("(")[0] for row in world.data("drift_memory_discover")["tools"]}
    detail = world.data("drift_memory_discover", tool="drift_memory_add")["tool"]
    managed = world.call(
        "drift_memory_manage", name="drift_memory_add", args={"type": "insight", "text": GATEWAY}
    )

    assert listed >= {"drift_memory_add", "drift_memory_query"}
    assert not listed & {"save_memory", "recall"}  # every client of this server sees them anyway
    assert "linkedFiles?" in {row["name"] for row in detail["arguments"]}
    assert managed.body["data"]["created"] is True
    assert world.call("drift_memory_manage", name="drift_memory_ad").body["similar"][0] == "drift_memory_add"


def test_secrets_come_in_neither_with_the_links_of_a_known_memory_nor_with_a_reason(world):
    secret = "AKIAIOSFODNN7EXAMPLF"
    known = world.add("The importer runs at midnight")

    again = world.data(
        "drift_memory_add",
        type="insight",
        text="The importer runs at midnight",
        tags=[secret],
        linkedFunctions=[secret],
        linkedPatterns=[secret],
    )
    world.data("drift_memory_update", id=known, archived=True, reason=f"it held {secret}")
    world.data("drift_memory_learn", original="x", feedback=f"{'Use the vault. ' * 18}Not {secret}, please.")

    assert (again["id"], again["created"]) == (known, False)
    assert again["redacted"]
    world.close()
    folder = world.store.parent
    assert all(secret[:12].encode() not in path.read_bytes() for path in folder.iterdir())


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir], ids=["a pipe", "a folder"])
def test_what_is_no_store_is_not_called_an_empty_one(world, make):
    world.store.parent.mkdir(parents=True)
    make(world.store)

    for tool, given in (
        ("drift_memory_search", {"query": "x"}),
        ("drift_memory_status", {}),
        ("recall", {}),
        ("drift_memory_for_context", {"focus": "x"}),
        ("save_memory", {"text": "hello there"}),
    ):
        outcome = world.call(tool, **given)

        assert "is not a regular file" in outcome.text
        assert "Move the file away" in outcome.text


def test_a_title_made_from_the_text_follows_it_and_a_given_one_stays(world):
    made = world.add("The timeout of orders is 30 s")
    given = world.add("The limit of orders is 30", title="Limit")
    judged = world.add("The window of orders is 30 s")

    world.data("drift_memory_update", id=made, text="The timeout of orders is 60 s")
    world.data("drift_memory_update", id=given, text="The limit of orders is 60")
    world.data(
        "drift_memory_feedback", memoryId=judged, action="modify", newContent="The window of orders is 90 s"
    )

    titles = {one: world.data("drift_memory_get", id=one)["memory"]["title"] for one in (made, given, judged)}
    assert titles == {
        made: "The timeout of orders is 60 s",
        given: "Limit",
        judged: "The window of orders is 90 s",
    }


def test_ten_hits_of_a_search_stay_under_350_tokens_unless_snippets_are_asked_for(world):
    for number in range(12):
        world.save(
            f"Payment {number} of the queue is retried by worker {number * 7919}. "
            + "The gateway is slow. " * 9
        )

    outcome = world.call("drift_memory_search", query="why is a payment of the queue retried", limit=10)
    more = world.data("drift_memory_search", query="payment queue", limit=10, detail="snippets")

    results = outcome.body["data"]["results"]
    assert len(results) == 10
    assert count_tokens(outcome.full_text) <= 350
    assert {*results[0]} == {"id", "type", "title"}
    assert all(len(row["title"]) > 25 for row in results)
    relevances = [row["relevance"] for row in more["results"]]
    assert relevances == sorted(relevances, reverse=True)
    assert all(row["confidence"] and row["snippet"] for row in more["results"])


def test_one_damaged_row_is_named_in_every_answer_and_fails_none(world):
    kept, spoilt = world.add("The zebra sleeps in the barn."), world.add("The zebra drinks at the river.")
    with closing(sqlite3.connect(world.store)) as connection, connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        connection.execute("UPDATE memories SET importance = 'widget' WHERE id = ?", (spoilt,))
    close_stores()

    status = world.call("drift_memory_status")
    found = world.call("drift_memory_search", query="zebra")
    asked = world.call("drift_memory_get", id=spoilt)

    assert not status.is_error, status.text
    assert [row["id"] for row in status.body["data"]["recent"]] == [kept]
    assert [row["id"] for row in found.body["data"]["results"]] == [kept]
    for outcome in (status, found):
        assert any("1 memory is damaged" in each and spoilt in each for each in outcome.body["warnings"])
    assert "damaged" in asked.text
