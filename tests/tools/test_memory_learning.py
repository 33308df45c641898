"""Learning, verdicts, predictions, warnings and suggestions, asked as a client asks."""

import asyncio
import subprocess
from datetime import UTC, datetime

import jsonschema_rs
import pytest

from drift.memory import CausalEdge, Draft, FileLink, Importance, Relation
from drift.memory.opened import close_stores, memory_store
from drift.pipeline import Environment, ServerRuntime
from drift.project import ProjectRegistry
from drift.registry import ServerName, Surface
from drift.tools import all_tools
from store_places import memory_db

HOSTILE = ['" OR NEAR( * ^', "a" * 10_000, "テスト 🧪 \u202e", "'; DROP TABLE memories; --"]


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "project"
    (folder / "shop").mkdir(parents=True)
    (folder / "shop/orders.py").write_text("def place():\n    return 1\n")
    (folder / "shop/quiet.py").write_text("QUIET = 1\n")
    return folder


@pytest.fixture
def store(root):
    yield memory_store(memory_db(root))
    close_stores()


@pytest.fixture
def ask(root, tmp_path):
    at = Environment(
        root,
        ProjectRegistry(tmp_path / "home/projects.json", lambda: datetime.now(UTC)),
        {},
        today=lambda: datetime.now(UTC).date(),
    )
    tools = all_tools().of_server(ServerName.MEMORY)
    runtime = ServerRuntime(ServerName.MEMORY, tools, Surface("full"), at=at)

    def run(name, **arguments):
        outcome = asyncio.run(runtime.call(name, arguments))
        found = outcome.structured()
        if not outcome.is_error:
            jsonschema_rs.validator_for(tools.get(name).output_schema).validate(found)
        return found

    yield run
    runtime.close()
    close_stores()


def add(store, memory_type="insight", title="A note", **more):
    return store.add(Draft(type=memory_type, title=title, **more), actor="test")


def git(root, *args):
    identity = ["-c", "user.name=a", "-c", "user.email=a@b.c"]
    subprocess.run(["git", *identity, *args], cwd=root, check=True, capture_output=True)


def test_a_correction_becomes_a_memory_with_rule_category_and_file(ask, store):
    found = ask(
        "drift_memory_learn",
        original="requests.get(url)",
        feedback="Use httpx instead of requests because handlers are async.",
        correctedCode="httpx.get(url)",
        context={"activeFile": "shop/orders.py", "intent": "fix_bug"},
    )

    data = found["data"]
    memory = store.get(data["id"])
    assert data["created"]
    assert data["principle"]["statement"] == "Use httpx instead of requests"
    assert data["principle"]["reason"] == "handlers are async"
    assert data["category"] == "api_misuse"
    assert memory.files[0].content_hash
    assert memory.confidence == pytest.approx(data["calibration"]["confidence"])


def test_the_same_correction_again_is_merged(ask, store):
    given = {"original": "a", "feedback": "Never log card numbers.", "correctedCode": "b"}
    first = ask("drift_memory_learn", **given)["data"]
    again = ask("drift_memory_learn", **given)["data"]

    assert again["id"] == first["id"]
    assert not again["created"]
    assert store.counts().total == 1


def test_a_correction_is_linked_with_what_it_names_as_related(ask, store):
    other = add(store, title="Money is in cents")
    found = ask(
        "drift_memory_learn",
        original="1.5",
        feedback="Always use cents.",
        context={"relatedMemoryIds": [other.id]},
    )

    assert found["data"]["causalLinks"][0]["target"] == other.id


@pytest.mark.parametrize("text", HOSTILE)
def test_any_feedback_is_learned_from_without_harm(ask, text):
    assert ask("drift_memory_learn", original=text, feedback=text, correctedCode=text + "x")["data"]["id"]


def test_empty_feedback_and_files_outside_are_refused(ask):
    empty = ask("drift_memory_learn", original="a", feedback="  ")
    outside = ask("drift_memory_learn", original="a", feedback="No.", context={"activeFile": "../x.py"})

    assert empty["code"] == "INVALID_ARGUMENT"
    assert outside["code"] == "PATH_OUTSIDE_PROJECT"


def test_nul_is_refused_with_a_way_out(ask):
    found = ask("drift_memory_learn", original="a", feedback="never \0 do")

    assert found["code"] == "INVALID_ARGUMENT"
    assert found["hint"]


def test_a_verdict_reaches_what_rests_on_the_memory(ask, store):
    rule, built = (add(store, "tribal", title, confidence=0.8) for title in ("Rule", "Built on it"))
    store.edges.put([CausalEdge(built.id, rule.id, Relation.DERIVED_FROM)], actor="test")

    data = ask("drift_memory_feedback", memoryId=rule.id, action="reject", details="It is wrong")["data"]

    assert data["newConfidence"] == pytest.approx(0.5, abs=0.01)
    assert data["effects"][0]["id"] == built.id
    assert data["effects"][0]["after"] == pytest.approx(0.65, abs=0.01)
    assert store.get(data["note"]).text == "It is wrong"
    assert store.history.of(rule.id)[-1].actor.endswith("drift_memory_feedback")


def test_a_verdict_on_an_unknown_memory_names_similar_ids(ask, store):
    memory = add(store)

    found = ask("drift_memory_feedback", memoryId=memory.id[:-1] + "_", action="confirm")

    assert found["code"] == "RESOURCE_NOT_FOUND"
    assert memory.id in found["similar"]


def test_new_content_goes_with_modify_alone(ask, store):
    memory = add(store, text="old")
    refused = ask("drift_memory_feedback", memoryId=memory.id, action="confirm", newContent="new")
    ask("drift_memory_feedback", memoryId=memory.id, action="modify", newContent="new")

    assert refused["code"] == "INVALID_ARGUMENT"
    assert store.get(memory.id).text == "new"


def test_predictions_carry_what_speaks_for_them(ask, store):
    here = add(store, "tribal", "Orders are placed twice on retry", files=(FileLink("shop/orders.py"),))
    add(store, "tribal", "Unrelated", files=(FileLink("shop/quiet.py"),))

    rows = ask("drift_memory_predict", activeFile="shop/orders.py", focus="orders retry")["data"][
        "predictions"
    ]

    assert [row["id"] for row in rows] == [here.id]
    assert any("active file" in one for one in rows[0]["because"])
    assert any(one.startswith("shares") for one in rows[0]["because"])


def test_a_prediction_needs_something_to_go_by(ask):
    assert ask("drift_memory_predict")["code"] == "INVALID_ARGUMENT"


def test_critical_warnings_come_first(ask, store):
    link = (FileLink("shop/orders.py"),)
    for severity in ("info", "critical", "warning"):
        add(store, "tribal", f"{severity} thing", content={"severity": severity}, files=link)
    add(store, "incident", "Outage", content={"severity": "high"}, files=link)
    add(store, "insight", "No warning", files=link)

    found = ask("drift_memory_warnings", files=["shop/orders.py"])["data"]

    assert [row["severity"] for row in found["warnings"]] == ["critical", "high", "warning", "info"]
    assert found["total"] == 4


def test_a_trigger_in_the_focus_raises_its_incident(ask, store):
    incident = add(
        store, "incident", "Double charges", content={"warningTriggers": ["retry payments"], "lessonsLearned": ["Use keys"]}
    )  # fmt: skip
    add(store, "incident", "Disk full", content={"severity": "critical"})

    rows = ask("drift_memory_warnings", focus="retry payments on timeout")["data"]["warnings"]

    assert [row["id"] for row in rows] == [incident.id]
    assert rows[0]["says"] == "Use keys"
    assert "trigger" in rows[0]["because"][0]


def test_less_grave_warnings_are_left_out_on_request(ask, store):
    add(store, "code_smell", "Deep nesting", importance=Importance.LOW)
    add(store, "tribal", "Danger", content={"severity": "critical"})

    rows = ask("drift_memory_warnings", severity="high")["data"]["warnings"]

    assert [row["title"] for row in rows] == ["Danger"]


def test_files_that_change_often_and_have_no_memory_are_suggested(ask, root, store):
    git(root, "init", "-q")
    for turn in range(3):
        for name in ("orders", "quiet"):
            (root / f"shop/{name}.py").write_text(f"TURN = {turn}\n")
        git(root, "add", "-A", "shop")
        git(root, "commit", "-q", "-m", f"turn {turn}")
    add(store, title="Known", files=(FileLink("shop/quiet.py"),))

    rows = ask("drift_memory_suggest")["data"]["suggestions"]

    assert [row["file"] for row in rows] == ["shop/orders.py"]
    assert "3 commits" in rows[0]["because"]


def test_gaps_in_what_is_kept_are_suggested_and_nothing_general(ask, store):
    incident = add(store, "incident", "Outage", content={"rootCause": "a flag"})
    add(store, "decision", "Whole", content={"alternatives": ["b"], "decisionSummary": "a"})

    rows = ask("drift_memory_suggest")["data"]["suggestions"]

    assert [row.get("memoryId") for row in rows] == [incident.id]
    assert "2 of 3" in rows[0]["because"]


@pytest.mark.parametrize(
    ("name", "arguments", "rows"),
    [
        ("drift_memory_predict", {"focus": "anything"}, "predictions"),
        ("drift_memory_warnings", {"focus": "anything"}, "warnings"),
        ("drift_memory_suggest", {}, "suggestions"),
    ],
)
def test_without_a_store_reading_tells_kindly_that_nothing_is_there(ask, root, *, name, arguments, rows):
    found = ask(name, **arguments)

    assert found["data"][rows] == []
    assert any("nothing has been saved" in one for one in found["warnings"])
    assert not memory_db(root).exists()


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("name", ["drift_memory_predict", "drift_memory_warnings"])
def test_hostile_words_find_nothing_and_break_nothing(ask, store, text, name):
    add(store, "tribal", "Something else")

    assert "data" in ask(name, focus=text)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("drift_memory_predict", {"focus": "x"}),
        ("drift_memory_warnings", {}),
        ("drift_memory_suggest", {}),
        ("drift_memory_learn", {"original": "a", "feedback": "never"}),
    ],
)
def test_a_broken_store_is_told_of_with_a_way_out_and_the_server_lives_on(ask, root, *, name, arguments):
    path = memory_db(root)
    path.parent.mkdir(parents=True)
    path.write_bytes(b"SQLite format 3\0" + b"\xff" * 5_000)

    first, again = ask(name, **arguments), ask(name, **arguments)

    assert first["code"] == again["code"] == "CORTEX_UNAVAILABLE"
    assert first["hint"]
    assert path.exists()
