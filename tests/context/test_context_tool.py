"""drift_context as a caller meets it: through the whole pipeline."""

import asyncio
import sqlite3
from datetime import UTC, date, datetime

import pytest

from drift.context.localize import Question, locate
from drift.index import IndexReader
from drift.kernel.tokens import count_tokens
from drift.pipeline import Environment, ServerRuntime
from drift.project import ProjectRegistry, StateDir
from drift.registry import ServerName, Surface
from drift.scan import ScanOptions, scan
from drift.tools import all_tools

MAIL = '''def send_receipt(order):
    """Send the receipt of an order."""
    if not order.address:
        raise ValueError("no address for the receipt")
    return deliver(order)


def deliver(order):
    return order
'''


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "shop"
    (folder / "tests").mkdir(parents=True)
    (folder / "mail.py").write_text(MAIL)
    (folder / "jobs.py").write_text(
        "from mail import send_receipt\n\n\ndef nightly(order):\n    send_receipt(order)\n"
    )
    (folder / "tests/test_mail.py").write_text(
        "from mail import send_receipt\n\n\ndef test_receipt():\n    send_receipt(None)\n"
    )
    return folder


@pytest.fixture
def call(root, tmp_path):
    at = Environment(
        root, ProjectRegistry(tmp_path / "home/projects.json", lambda: datetime.now(UTC)), {},
        today=lambda: date(2026, 6, 1),
    )  # fmt: skip
    runtime = ServerRuntime(
        ServerName.ANALYSIS, all_tools().of_server(ServerName.ANALYSIS), Surface("full"), at=at
    )
    yield lambda **arguments: asyncio.run(runtime.call("drift_context", arguments))
    runtime.close()


@pytest.fixture
def scanned(root, call):
    scan(root, ScanOptions(jobs=0))
    return call


def test_one_call_gives_places_reasons_callers_tests_and_next_steps(scanned):
    body = scanned(intent="fix_bug", focus="Receipts are sent without an address").body

    data = body["data"]
    assert data["files"][0]["file"] == "mail.py"
    assert "receipts" in data["files"][0]["why"]
    assert data["files"][0]["symbols"][0] == {
        "name": "send_receipt", "line": 1, "signature": "def send_receipt(order)",
    }  # fmt: skip
    assert data["symbols"][0]["at"] == "mail.py:1"
    assert data["sections"]["callers"][0]["at"] == "jobs.py:5"
    assert data["sections"]["tests"][0]["at"] == "tests/test_mail.py:5"
    assert {"tool": "drift_signature", "symbol": "mail.py:1"} in [
        {"tool": each["tool"], "symbol": each["args"].get("symbol")} for each in body["nextActions"]
    ]
    assert body["summary"].startswith("2 files, best mail.py (send_receipt); ")


@pytest.mark.parametrize(
    "intent", ["add_feature", "refactor", "security_audit", "understand_code", "add_test", "review_pr"]
)
def test_every_intent_is_answered_with_a_next_step(scanned, intent):
    body = scanned(intent=intent, focus="receipt", question="Who sends it?", activeFile="jobs.py").body

    assert body["data"]["files"][0]["file"] == "mail.py"
    suggested = [each["tool"] for each in body["nextActions"]]
    assert suggested[0] == "drift_signature"
    assert all(name in all_tools() for name in suggested)


def test_an_answer_is_never_above_max_tokens(scanned):
    for depth in ("overview", "standard", "deep"):
        outcome = scanned(intent="fix_bug", focus="receipt", depth=depth, maxTokens=300)

        assert count_tokens(outcome.text) <= 300
        assert outcome.body["data"]["files"][0]["file"] == "mail.py"


def test_a_project_that_was_never_scanned_is_not_guessed_at(call):
    outcome = call(intent="fix_bug", focus="receipt")

    assert outcome.is_error
    assert outcome.body["code"] == "SCAN_REQUIRED"


def test_a_focus_about_nothing_here_says_so(scanned):
    body = scanned(intent="fix_bug", focus="xyzzy plugh").body

    assert body["summary"] == "No file fits the focus"
    assert "xyzzy" in body["warnings"][0]


@pytest.mark.parametrize(
    "arguments",
    [
        {"intent": "dance", "focus": "receipt"},
        {"intent": "fix_bug"},
        {"intent": "fix_bug", "focus": "x" * 20_000},
        {"intent": "fix_bug", "focus": "receipt", "activeFile": "../../etc/passwd"},
        {"intent": "fix_bug", "focus": "receipt", "depth": "bottomless"},
    ],
)
def test_wrong_arguments_are_refused_with_a_code(scanned, arguments):
    outcome = scanned(**arguments)

    assert outcome.is_error
    assert outcome.body["code"]


def test_words_in_names_and_importers_are_found_without_reading_whole_tables(root):
    scan(root, ScanOptions(jobs=0))
    with IndexReader(StateDir(root).index_db) as reader:
        mail = reader.files.at("mail.py").id
        assert reader.places.files_naming("receipt")[mail] == 1
        assert reader.places.files_naming('re"cei*pt') == reader.places.files_naming("receipt")
        assert reader.places.files_naming("***") == {}
        assert reader.places.files_defining("deliver") == {mail: 1}
        assert reader.places.importer_counts() == {mail: 2}
    with sqlite3.connect(StateDir(root).index_db) as store:
        plan = store.execute(
            "EXPLAIN QUERY PLAN SELECT id >> 16, count(*) FROM symbols"
            " WHERE name = ?1 COLLATE NOCASE AND name = ?1 GROUP BY id >> 16",
            ("deliver",),
        ).fetchall()
    assert any("symbols_by_name" in row[3] for row in plan)


def test_the_same_question_has_the_same_answer(root):
    scan(root, ScanOptions(jobs=0))
    with IndexReader(StateDir(root).index_db) as reader:
        first, again = (locate(reader, StateDir(root), Question("receipt address")) for _ in range(2))

    assert first.files == again.files
