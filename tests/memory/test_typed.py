"""Typed memories: made, found in order, changed by their actions."""

import http.server
import threading

import pytest

from drift.kernel.errors import DriftError, ErrorCode
from drift.memory.search import WordCounts
from drift.memory.typed.actions import change_fields
from drift.memory.typed.finding import find_triggered, goal_tree, list_typed, search_typed, success_rate
from drift.memory.typed.health import ELSEWHERE, check_endpoints, is_loopback
from drift.memory.typed.table import KINDS, check_action, make_typed, require_typed, set_fields
from drift.memory.types import memory_type

NOW = 1_700_000_900_000


def make(store, name, /, **fields):
    return make_typed(store, KINDS[name], fields, actor="t").memory


def act(store, memory, action, **given):
    changes = change_fields(store, memory, action, given, now_ms=NOW)
    return set_fields(store, KINDS[memory.type], memory, changes, actor="t")


@pytest.mark.parametrize("kind", KINDS.values(), ids=str)
def test_every_type_of_the_table_has_the_fields_the_table_names(kind):
    fields = memory_type(kind.type).fields

    assert kind.named_by in fields
    assert kind.triggers is None or kind.triggers in fields


def test_a_memory_needs_its_name_and_only_fields_of_its_type(store):
    with pytest.raises(DriftError, match=r"fields\.title"):
        make(store, "goal", description="no title")
    with pytest.raises(DriftError, match="no such field"):
        make(store, "goal", title="x", severity="high")


def test_critical_incidents_come_first(store):
    for severity in ("low", "critical", "medium", "high"):
        make(store, "incident", title=f"{severity} one", severity=severity)

    found = [one.content["severity"] for one in list_typed(store, KINDS["incident"])]

    assert found == ["critical", "high", "medium", "low"]
    assert len(list_typed(store, KINDS["incident"], {"severity": "low"})) == 1


def test_an_incident_warns_of_a_task_that_holds_its_trigger(store):
    make(store, "incident", title="Charged twice", warningTriggers=["retry of payments", "idempotency key"])
    make(store, "incident", title="Disk full", warningTriggers=["log rotation"])

    (found,) = find_triggered(store, KINDS["incident"], "I change the retry of payments today")

    assert (found.memory.title, found.phrase, found.share) == ("Charged twice", "retry of payments", 1.0)
    assert find_triggered(store, KINDS["incident"], "retrying of a paymentsystem") == ()


def test_incidents_are_resolved_and_learn(store):
    incident = make(store, "incident", title="Charged twice", severity="critical")

    solved = act(store, incident, "resolve", resolution="keep the key", rootCause="a new key for each try")
    taught = act(store, solved, "add_lesson", lesson="test retries")

    assert taught.content["resolvedAt"].startswith("2023-11-14")
    assert taught.content["lessonsLearned"] == ["test retries"]


def test_goals_are_blocked_freed_and_completed(store):
    goal = make(store, "goal", title="Drop 3.10", successCriteria=[{"criterion": "tests pass", "met": False}])

    goal = act(store, goal, "block", description="a client", severity="high")
    goal = act(store, goal, "block", description="a library")
    assert goal.content["status"] == "blocked"
    with pytest.raises(DriftError, match=r"fields\.index"):
        act(store, goal, "unblock")
    goal = act(store, goal, "unblock", index=0, resolution="moved")
    assert goal.content["status"] == "blocked"
    goal = act(store, goal, "unblock")
    assert goal.content["status"] == "active"
    goal = act(store, goal, "complete", lessonsLearned=["ask clients early"])
    assert (goal.content["status"], goal.content["progress"]) == ("achieved", 100)
    assert goal.content["successCriteria"] == [{"criterion": "tests pass", "met": True}]
    with pytest.raises(DriftError, match="nothing blocks"):
        act(store, goal, "unblock")


def test_goals_stand_in_a_tree_even_where_parents_form_a_circle(store):
    top = make(store, "goal", title="Top")
    child = make(store, "goal", title="Child", parentGoalId=top.id)
    make(store, "goal", title="Grandchild", parentGoalId=child.id)

    whole = [(one.memory.title, one.depth) for one in goal_tree(store, KINDS["goal"], None)]
    assert whole == [("Top", 0), ("Child", 1), ("Grandchild", 2)]
    set_fields(store, KINDS["goal"], top, {"parentGoalId": child.id}, actor="t")
    assert [one.memory.title for one in goal_tree(store, KINDS["goal"], top)] == [
        "Top",
        "Child",
        "Grandchild",
    ]


def test_uses_are_counted_and_the_rate_is_unknown_before_the_first(store):
    flow = make(store, "workflow", name="Release", triggerPhrases=["cut a release"])
    assert success_rate(flow) is None

    flow = act(store, flow, "complete", success=True, durationMs=1000)
    flow = act(store, flow, "complete", success=False)

    assert success_rate(flow) == 0.5
    assert flow.content["stats"]["totalDurationMs"] == 1000
    with pytest.raises(DriftError, match=r"fields\.success"):
        act(store, flow, "complete", success="yes")


def test_a_trigger_finds_before_words_do(store):
    make(
        store,
        "workflow",
        name="Notes about a release that is cut from paper",
        description="a release a release",
    )
    wanted = make(store, "workflow", name="Ship it", triggerPhrases=["cut a release"])

    found = search_typed(store, KINDS["workflow"], WordCounts(), "please cut a release now", now_ms=NOW)

    assert found[0].id == wanted.id
    assert len(found) == 2


def test_entities_are_linked_to_entities_alone(store):
    one, other = make(store, "entity", name="Billing"), make(store, "entity", name="Ledger")
    goal = make(store, "goal", title="Not an entity")

    linked = act(store, one, "link", targetEntityId=other.id, relationshipType="depends_on")
    again = act(store, linked, "link", targetEntityId=other.id, relationshipType="depends_on")

    assert again.content["relationships"] == [{"targetEntityId": other.id, "relationshipType": "depends_on"}]
    for wrong in (goal.id, one.id, "nowhere"):
        with pytest.raises(DriftError, match="targetEntityId"):
            act(store, one, "link", targetEntityId=wrong)


def test_action_items_change_their_state_and_no_other(store):
    meeting = make(
        store, "meeting", title="Planning", actionItems=[{"description": "a"}, {"description": "b"}]
    )

    done = act(store, meeting, "update_action", index=1, status="done")

    assert [one.get("status") for one in done.content["actionItems"]] == [None, "done"]
    with pytest.raises(DriftError, match="must be one of"):
        act(store, meeting, "update_action", index=0, status="perhaps")
    for index in (2, -1, True, "0"):
        with pytest.raises(DriftError, match=r"fields\.index"):
            act(store, meeting, "update_action", index=index, status="done")


@pytest.mark.parametrize(
    "fields",
    [
        {"credentials": [{"type": "token", "location": "ghp_" + "a1B2" * 9}]},
        {"config": {"DB_PASSWORD": "hunter2-Tr0ub4dor"}},
        {"accessInstructions": "connect to postgres://app:Tr0ub4dor@db/prod"},
    ],
    ids=["token", "named", "url"],
)
def test_an_environment_refuses_a_secret_and_says_what_to_give_instead(store, fields):
    with pytest.raises(DriftError) as raised:
        make(store, "environment", name="Production", **fields)
    kept = make(
        store, "environment", name="Production", credentials=[{"type": "db", "location": "vault: db/prod"}]
    )
    with pytest.raises(DriftError):
        set_fields(store, KINDS["environment"], kept, fields, actor="t")

    assert raised.value.code is ErrorCode.INVALID_ARGUMENT
    assert "location" in (raised.value.recovery.hint or "")
    assert store.get(kept.id).content == kept.content


def test_an_id_of_another_type_is_told_apart(store):
    goal = make(store, "goal", title="A goal")

    with pytest.raises(DriftError, match="type goal, not entity"):
        require_typed(store, KINDS["entity"], goal.id)
    with pytest.raises(DriftError) as raised:
        check_action(KINDS["goal"], "compleet")
    assert "complete" in raised.value.recovery.similar


class Answering(http.server.BaseHTTPRequestHandler):
    def do_HEAD(self):
        self.send_response(503 if self.path == "/broken" else 200)
        self.end_headers()

    def log_message(self, *_words):
        pass


@pytest.fixture
def port():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answering)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server.server_address[1]
    server.shutdown()
    thread.join()
    server.server_close()


def test_health_is_asked_of_this_machine_and_of_no_other(port):
    here = {"name": "app", "url": f"http://127.0.0.1:{port}/"}
    broken = {"name": "jobs", "url": f"http://localhost:{port}/broken"}
    elsewhere = {"name": "far", "url": "https://example.com/"}

    assert check_endpoints([here]).status == "healthy"
    assert check_endpoints([here, broken]).status == "degraded"
    assert check_endpoints([broken]).status == "down"
    health = check_endpoints([elsewhere, {"url": "file:///etc/passwd"}, {"url": "http://[bad"}, {}])
    assert health.status is None
    assert (health.endpoints[0].is_up, health.endpoints[0].reason) == (None, ELSEWHERE)
    assert all(one.is_up is None for one in health.endpoints)


@pytest.mark.parametrize(
    "host", ["127.0.0.1.example.com", "0.0.0.0", "169.254.169.254", "10.0.0.1", "", "localhost."]
)
def test_what_only_looks_like_this_machine_is_not_asked(host):
    assert not is_loopback(host)
