"""Why something is as it is, asked as a client asks: memories, causes, callers and commits together."""

import asyncio
import subprocess
from datetime import UTC, datetime

import jsonschema_rs
import pytest

from drift.memory import CausalEdge, Draft, Evidence, EvidenceKind, FileLink, Relation
from drift.memory.opened import close_stores, memory_store
from drift.pipeline import Environment, ServerRuntime
from drift.project import ProjectRegistry
from drift.registry import ServerName, Surface
from drift.scan import ScanOptions, scan
from drift.tools import all_tools
from store_places import memory_db

PRICING = "def total(cents):\n    return cents\n"
CART = "from shop.pricing import total\n\n\ndef checkout():\n    return total(1)\n"


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "project"
    (folder / "shop").mkdir(parents=True)
    (folder / "shop/__init__.py").write_text("")
    (folder / "shop/pricing.py").write_text(PRICING)
    (folder / "shop/cart.py").write_text(CART)
    return folder


@pytest.fixture
def store(root):
    yield memory_store(memory_db(root))
    close_stores()


@pytest.fixture
def ask(root, tmp_path):
    registry = ProjectRegistry(tmp_path / "home/projects.json", lambda: datetime.now(UTC))
    tools = all_tools().of_server(ServerName.MEMORY)
    runtime = ServerRuntime(ServerName.MEMORY, tools, Surface("full"), at=Environment(root, registry, {}))

    def run(**arguments):
        outcome = asyncio.run(runtime.call("drift_why", arguments))
        found = outcome.structured()
        if not outcome.is_error:
            jsonschema_rs.validator_for(tools.get("drift_why").output_schema).validate(found)
        return found

    yield run
    runtime.close()
    close_stores()


@pytest.fixture
def known(store):
    """An incident with floats, the decision it led to, and a note about something else."""
    link = (FileLink("shop/pricing.py"),)
    incident, decision, other = (
        store.add(draft, actor="test")
        for draft in (
            Draft(
                type="incident", title="Invoices off by a cent", content={"rootCause": "floats"}, files=link
            ),
            Draft(
                type="decision",
                title="Prices are integers of cents",
                content={"decisionSummary": "Keep cents", "alternatives": ["Decimal"]},
                files=link,
                functions=("total",),
            ),
            Draft(type="tribal", title="The printer needs paper"),
        )
    )
    said = (Evidence(EvidenceKind.EXPLICIT, "decided after the invoices were off"),)
    store.edges.put([CausalEdge(incident.id, decision.id, Relation.CAUSED, 0.9, said)], actor="test")
    return incident, decision, other


def git(root, *args):
    identity = ["-c", "user.name=a", "-c", "user.email=a@b.c"]
    subprocess.run(["git", *identity, *args], cwd=root, check=True, capture_output=True)


def test_a_file_is_explained_by_its_memories_and_what_caused_them(ask, known):
    incident, decision, other = known

    data = ask(focus="shop/pricing.py")["data"]

    assert [row["id"] for row in data["decisions"]] == [decision.id]
    assert [row["id"] for row in data["incidents"]] == [incident.id]
    assert data["causalChain"][0]["relation"] == "caused"
    assert any("was caused by" in one and incident.id in one for one in data["narrative"])
    assert any("instead of Decimal" in one for one in data["narrative"])
    assert {incident.id, decision.id} <= set(data["sources"])
    assert other.id not in str(data)


def test_a_question_in_words_finds_the_decision(ask, known):
    data = ask(focus="why are prices integers of cents?")["data"]

    assert data["decisions"][0]["id"] == known[1].id
    assert "code" not in data


def test_callers_and_commits_are_told_where_index_and_history_are(ask, root, known):
    git(root, "init", "-q")
    git(root, "add", "-A", "shop")
    git(root, "commit", "-q", "-m", "feat: prices in cents")
    scan(root, ScanOptions(jobs=0))

    data = ask(focus="total")["data"]

    assert data["code"]["callers"] == 1
    assert data["commits"][0]["summary"] == "feat: prices in cents"
    assert data["decisions"][0]["foundBy"] == "linked to total"
    assert any("1 caller in 1 file" in one for one in data["narrative"])


def test_what_is_not_known_is_said_and_not_invented(ask, known):
    data = ask(focus="shop/cart.py")["data"]

    assert "narrative" not in data
    assert "narrativeConfidence" not in data
    assert any("no memory bears on it" in one for one in data["unknown"])
    assert any("no index" in one for one in data["unknown"])
    assert any(one.startswith("commits:") for one in data["unknown"])


def test_parts_can_be_chosen(ask, known):
    data = ask(focus="shop/pricing.py", include=["incidents"])["data"]

    assert "decisions" not in data
    assert "causalChain" not in data
    assert data["incidents"]


def test_without_memories_the_code_still_answers(ask, root):
    scan(root, ScanOptions(jobs=0))

    data = ask(focus="shop/pricing.py")["data"]

    assert data["code"]["callingFiles"] == 1
    assert any("no memory has been saved" in one for one in data["unknown"])
    assert not memory_db(root).exists()


@pytest.mark.parametrize("focus", ['" OR NEAR(', "x" * 10_000, "../../etc/passwd", "テスト 🧪", "a\u202eb"])
def test_any_focus_gets_an_answer(ask, known, focus):
    assert "data" in ask(focus=focus)


def test_an_empty_focus_is_refused(ask):
    assert ask(focus="  ")["code"] == "INVALID_ARGUMENT"


def test_a_broken_store_is_told_of(ask, root):
    path = memory_db(root)
    path.parent.mkdir(parents=True)
    path.write_bytes(b"SQLite format 3\0" + b"\xff" * 5_000)

    found = ask(focus="anything here")

    assert found["code"] == "CORTEX_UNAVAILABLE"
    assert found["hint"]


def test_a_memory_of_a_file_beside_it_is_not_about_the_file(ask, store, root):
    scan(root, ScanOptions())
    beside, about = (
        store.add(Draft(type="insight", title=text, text=text), actor="t").id
        for text in ("shop/cart.py is slow with many lines", "The pricing module of shop rounds down")
    )

    found = ask(focus="shop/pricing.py")["data"]

    assert about in found["sources"]
    assert beside not in found["sources"]


def test_a_file_whose_name_says_nothing_is_called_by_its_folder(ask, store, root):
    scan(root, ScanOptions())
    text = "The package shop has its version in __init__.py"
    memory = store.add(Draft(type="insight", title=text, text=text), actor="t").id

    assert memory in ask(focus="shop/__init__.py")["data"]["sources"]
