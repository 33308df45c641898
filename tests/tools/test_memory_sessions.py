"""The brief, debug paths, threads and documents as a caller meets them."""

import sqlite3

import pytest
from memory_world import MemoryWorld

from store_places import memory_db


@pytest.fixture
def world(tmp_path):
    made = MemoryWorld(tmp_path)
    yield made
    made.close()


@pytest.fixture
def root(world):
    return world.root


@pytest.fixture
def ask(world):
    """The body of an answer, or of an error."""
    return lambda tool, /, **arguments: world.call(tool, **arguments).body


def test_an_error_is_followed_solved_and_recalled(ask):
    started = ask("drift_memory_path", action="start", text="KeyError: 'discount' missing in cart 12")
    path_id = started["data"]["path"]["id"]
    ask("drift_memory_path", action="note", id=path_id, waypoint="failure", text="raised the timeout")
    ask("drift_memory_path", action="resolve", id=path_id, text="give it a default")

    (found,) = ask("drift_memory_path", action="recall", text="KeyError: 'discount' missing in cart 99")[
        "data"
    ]["paths"]
    assert (found["id"], found["solution"], found["likeness"]) == (path_id, "give it a default", 1.0)
    assert found["failed"] == ["raised the timeout"]
    shown = ask("drift_memory_path", action="show", id=path_id)["data"]["path"]
    assert shown["steps"] == ["failure: raised the timeout"]
    again = ask("drift_memory_path", action="start", text="KeyError: 'discount' missing in cart 7")
    assert [row["id"] for row in again["data"]["paths"]] == [path_id]


def test_a_thread_is_laid_aside_and_taken_up(ask):
    ask("drift_memory_stash", action="stash", topic="Retries", summary="half done", next=["tests"])

    assert [row["topic"] for row in ask("drift_memory_stash")["data"]["threads"]] == ["Retries"]
    (thread,) = ask("drift_memory_stash", action="resume", topic="retries")["data"]["threads"]
    assert (thread["summary"], thread["nextSteps"]) == ("half done", ["tests"])
    assert ask("drift_memory_stash", action="resume", topic="Retrie")["similar"] == ["Retries"]


def test_documents_are_ingested_once_and_join_the_brief_of_their_file(ask, root):
    (root / "README.md").write_text("# Shop\n\nIt sells things to many people.\n")

    assert ask("drift_memory_ingest")["data"]["added"] == 1
    again = ask("drift_memory_ingest")["data"]
    assert (again["added"], again["unchanged"]) == (0, 1)
    assert [row["title"] for row in ask("drift_memory_brief", file="README.md")["data"]["memories"]] == [
        "README.md: Shop"
    ]


def test_the_brief_tells_of_goals_and_open_errors(ask):
    ask("drift_memory_goal", action="create", fields={"title": "Drop 3.10", "status": "active"})
    ask("drift_memory_path", action="start", text="KeyError: 'discount' missing in cart")

    text = ask("drift_memory_brief")["data"]["text"]

    assert "Drop 3.10" in text
    assert "discount" in text


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("drift_memory_brief", {}),
        ("drift_memory_brief", {"file": "a.py"}),
        ("drift_memory_path", {"action": "recall", "text": "KeyError: x y"}),
        ("drift_memory_stash", {"action": "resume"}),
        ("drift_memory_export", {}),
    ],
)
def test_without_a_store_reading_says_so_kindly(ask, root, tool, arguments):
    assert "No memories yet" in ask(tool, **arguments)["summary"]
    assert not memory_db(root).exists()


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("drift_memory_brief", {}),
        ("drift_memory_goal", {"action": "list"}),
        ("drift_memory_path", {"action": "start", "text": "KeyError: a b"}),
        ("drift_memory_import", {"memories": [{"id": "a", "text": "x y"}]}),
    ],
)
def test_a_broken_store_is_an_error_with_what_to_do_and_the_next_call_is_answered(ask, root, tool, arguments):
    store = memory_db(root)
    store.parent.mkdir(parents=True)
    store.write_bytes(b"this is no database at all, whatever it is called" * 100)

    answer = ask(tool, **arguments)

    assert answer["code"] == "CORTEX_UNAVAILABLE"
    assert answer["hint"]
    store.unlink()
    sqlite3.connect(store).close()
    store.unlink()
    assert "code" not in ask("drift_memory_brief")


@pytest.mark.parametrize(
    "missing", [{"action": "start"}, {"action": "note", "text": "x"}, {"action": "resolve", "id": "m"}]
)
def test_what_an_action_needs_is_named(ask, missing):
    ask("drift_memory_path", action="start", text="KeyError: a b")

    assert ask("drift_memory_path", **missing)["code"] == "MISSING_REQUIRED_PARAM"
