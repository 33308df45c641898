"""Memories in drift_context: which come, in what order, at what price, and what happens when they cannot be read."""

import asyncio
import sqlite3
from contextlib import closing
from datetime import UTC, datetime

import pytest

from drift.kernel.tokens import count_tokens
from drift.memory import Draft, FileLink, Importance
from drift.memory.opened import close_stores, memory_store
from drift.pipeline import Environment, ServerRuntime
from drift.project import ProjectRegistry, open_project
from drift.registry import Caller, Scope, ServerName, Surface, definition_of
from drift.scan import ScanOptions, scan
from drift.tools import all_tools
from drift.tools.context import drift_context
from store_places import memory_db

MAIL = "def send_receipt(order):\n    if not order.address:\n        raise ValueError('no address')\n    return order\n"
TASK = {"depth": "standard", "intent": "fix_bug", "focus": "Receipts are sent without an address"}


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "shop"
    folder.mkdir()
    (folder / "mail.py").write_text(MAIL)
    (folder / "jobs.py").write_text(
        "from mail import send_receipt\n\n\ndef nightly(order):\n    send_receipt(order)\n"
    )
    scan(folder, ScanOptions(jobs=0))
    return folder


@pytest.fixture
def store(root):
    yield memory_store(memory_db(root))
    close_stores()


@pytest.fixture
def ask(root, tmp_path):
    runtimes = []

    def run(environ=None, caller=None, **arguments):
        registry = ProjectRegistry(tmp_path / "home/projects.json", lambda: datetime.now(UTC))
        tools = all_tools().of_server(ServerName.ANALYSIS)
        at = Environment(root, registry, environ or {})
        runtime = ServerRuntime(ServerName.ANALYSIS, tools, Surface("full"), at=at)
        runtimes.append(runtime)
        return asyncio.run(runtime.call("drift_context", TASK | arguments, caller=caller or Caller()))

    yield run
    for runtime in runtimes:
        runtime.close()
    close_stores()


def told(outcome):
    return outcome.body["data"]["sections"].get("memories", [])


def add(store, title, *, type="insight", **fields):  # noqa: A002 - the field's name
    return store.add(Draft(type=type, title=title, **fields), actor="test").id


def test_warnings_come_first_then_what_shares_words_then_what_cites_the_files(root, store, ask):
    linked = add(store, "Set the locale first", files=(FileLink("mail.py", 1, 2),))
    words = add(store, "Receipts need an address that was confirmed")
    grave = add(store, "Receipts went to a wrong address", type="incident", content={"severity": "critical"})
    mild = add(store, "Address of receipts is cached", type="tribal", importance=Importance.LOW)
    add(store, "The printer needs paper")

    outcome = ask()

    assert [row["about"] for row in told(outcome)] == [grave, mild, words, linked]
    assert told(outcome)[0]["says"] == "critical incident: Receipts went to a wrong address"
    assert told(outcome)[3] == {
        "about": linked, "says": "insight: Set the locale first", "at": "mail.py:1", "confidence": 1.0,
    }  # fmt: skip
    assert "4 memories" in outcome.body["summary"]


def test_a_memory_whose_file_is_gone_says_so(store, ask):
    add(store, "Receipts need an address", files=(FileLink("gone.py"),))

    (row,) = told(ask())

    assert row["says"].endswith("stale: gone.py is gone")
    assert "1 memory" in ask().body["summary"]


def test_without_a_store_there_is_no_section_and_none_is_made(root, ask):
    outcome = ask()

    assert "memories" not in outcome.body["data"]["sections"]
    assert not (root / ".drift/memory").exists()


def test_telling_a_memory_is_no_use_of_it(store, ask):
    memory_id = add(store, "Receipts need an address")

    ask()

    store.flush_usage()
    assert store.get(memory_id).access_count == 0


def test_a_broken_store_leaves_the_rest_of_the_context(root, ask):
    path = memory_db(root)
    path.parent.mkdir(parents=True)
    path.write_bytes(b"no database at all, " * 500)

    outcome = ask()

    assert outcome.body["data"]["files"][0]["file"] == "mail.py"
    assert told(outcome)[0]["says"].startswith("not read: ")


def test_who_may_not_see_memories_is_told_none(store, ask):
    add(store, "Receipts need an address")

    assert told(ask(caller=Caller("guest", frozenset({Scope.READ})))) == []
    assert told(ask(environ={"DRIFT_MCP_MEMORY_ENABLED": "false"})) == []
    assert len(told(ask(caller=Caller("guest", frozenset({Scope.READ, Scope.MEMORY}))))) == 1


@pytest.mark.parametrize(
    ("depth", "most", "rows"), [("overview", 2_000, 2), ("standard", 6_000, 6), ("deep", 12_000, 12)]
)
def test_many_memories_stay_within_the_room_of_the_depth(store, ask, depth, most, rows):
    for number in range(60):
        add(store, f"Receipts and their address, note {number} " + "with very much to say " * 8)

    outcome = ask(depth=depth)

    assert count_tokens(outcome.text) <= most
    assert len(told(outcome)) == rows
    assert all("\n" not in row["says"] for row in told(outcome))


@pytest.mark.parametrize(
    "focus", ['" OR NEAR(', "NULL\x00byte", "é" * 9_000, "*", "AND OR NOT receipts address"]
)
def test_hostile_focuses_are_only_words(store, ask, focus):
    add(store, "Receipts need an address")

    outcome = ask(focus=focus)

    assert not outcome.is_error or outcome.code == "INVALID_ARGUMENT"


def test_memories_are_looked_for_where_the_settings_say_and_not_where_they_are_off(root, ask):
    elsewhere = memory_store(root / "notes/kept.db")
    add(elsewhere, "Receipts need an address")
    there = {"DRIFT_CORTEX_DB_PATH": "notes/kept.db"}

    assert "Receipts need an address" in told(ask(environ=there))[0]["says"]
    assert told(ask(environ={**there, "DRIFT_CORTEX_ENABLED": "false"})) == []


def test_memories_of_the_person_join_those_of_the_project_where_they_are_on(store, ask, tmp_path):
    for number in range(20):
        add(store, f"Receipts need an address, rule {number}")
    person = memory_store(tmp_path / "home/user/.drift/memory/cortex.db")
    add(person, "I like a receipt with an address on top")

    on = told(ask(environ={"DRIFT_CORTEX_USER_STORE": "true"}))

    assert any("I like a receipt" in row["says"] for row in on)
    assert any("rule" in row["says"] for row in on)
    assert not any("I like a receipt" in row["says"] for row in told(ask()))


def test_an_answer_that_is_kept_gets_old_with_the_person_s_memories(root, tmp_path):
    environ = {"DRIFT_CORTEX_USER_STORE": "true", "DRIFT_HOME": str(tmp_path / "home")}
    project = open_project(root, environ)
    stamp = definition_of(drift_context).code.stamp
    before = stamp(project, environ)
    same = stamp(project, environ)

    person = memory_store(tmp_path / "home/user/.drift/memory/cortex.db")
    add(person, "I like a receipt with an address on top")

    assert before == same != stamp(project, environ)
    close_stores()


def test_a_damaged_memory_is_left_out_and_the_section_says_so(root, store, ask):
    good = add(store, "Receipts need an address that was confirmed")
    bad = add(store, "Receipts without an address are sent twice")
    with closing(sqlite3.connect(memory_db(root))) as other, other:
        other.execute("UPDATE memories SET text = 'never said' WHERE id = ?", [bad])

    rows = told(ask())

    assert {row["about"] for row in rows} == {good, "memories"}
    assert any(f"1 memory is damaged and left out ({bad})" in row["says"] for row in rows)
