"""What is archived, purged or superseded shows in no answer that does not ask for it."""

import json

import pytest
from memory_world import MemoryWorld

MARK = "zanzibar"
FILE = "shop/orders.py"
RULE = f"Never retry orders without a key, says {MARK}."


@pytest.fixture
def world(tmp_path):
    made = MemoryWorld(tmp_path)
    yield made
    made.close()


def fill(world):
    """One memory of each kind that some tool looks for, all of one file and one subject."""
    contents = {
        "tribal": {"severity": "critical", "topic": "orders", "knowledge": RULE},
        "incident": {"title": RULE, "severity": "critical", "warningTriggers": ["orders"]},
        "code_smell": {"name": RULE, "pattern": "orders"},
        "decision": {"title": RULE, "decisionSummary": RULE},
        "pattern_rationale": {"rationale": RULE},
        "procedural": {"name": RULE, "triggerPhrases": ["orders"]},
        "workflow": {"name": RULE, "triggerPhrases": ["orders"]},
        "goal": {"title": RULE, "status": "active"},
        "entity": {"name": RULE},
        "agent_spawn": {"name": RULE, "triggerPatterns": ["orders"]},
        "skill": {"name": RULE},
        "environment": {"name": RULE},
        "meeting": {"title": RULE},
        "conversation": {"title": RULE},
        "episodic": {},
        "feedback": {"correction": RULE},
    }
    ids = [
        world.add(f"{kind}: {RULE}", type=kind, content=content, linkedFiles=[FILE], importance="critical")
        for kind, content in contents.items()
    ]
    error = f"RuntimeError: orders queue refused the {MARK} job"
    ids.append(world.data("drift_memory_path", action="start", text=error, files=[FILE])["path"]["id"])
    ids.append(
        world.data("drift_memory_stash", action="stash", topic="orders", summary=RULE)["threads"][0]["id"]
    )
    return ids


READINGS = [
    ("drift_memory_search", {"query": "retry orders key"}),
    ("recall", {}),
    ("recall", {"query": "retry orders key"}),
    ("recall", {"query": "retry orders key", "detail": "timeline"}),
    ("drift_memory_for_context", {"focus": "retry orders", "activeFile": FILE}),
    ("drift_memory_context", {"focus": "retry orders", "activeFile": FILE}),
    ("drift_why", {"focus": "orders"}),
    ("drift_why", {"focus": FILE}),
    ("drift_memory_predict", {"activeFile": FILE, "focus": "retry orders"}),
    ("drift_memory_warnings", {"focus": "orders", "files": [FILE]}),
    ("drift_memory_graph", {}),
    ("drift_memory_graph", {"format": "mermaid"}),
    ("drift_memory_brief", {}),
    ("drift_memory_brief", {"file": FILE}),
    ("drift_memory_suggest", {"focus": "orders"}),
    ("drift_memory_conflicts", {}),
    ("drift_memory_contradictions", {}),
    ("drift_memory_validate", {}),
    ("drift_memory_health", {"detailed": True}),
    ("drift_memory_hygiene", {}),
    ("drift_memory_consolidate", {}),
    ("drift_memory_status", {}),
    ("drift_memory_export", {}),
    ("drift_memory_path", {"action": "list"}),
    ("drift_memory_path", {"action": "recall", "text": f"RuntimeError: orders queue refused the {MARK} job"}),
    ("drift_memory_stash", {"action": "list"}),
    ("drift_memory_incident", {"action": "warnings", "query": "orders"}),
    ("drift_memory_agent_spawn", {"action": "suggest", "query": "orders"}),
    ("drift_memory_workflow", {"action": "relevant", "query": "orders"}),
    *(
        (f"drift_memory_{kind}", {"action": action, **({"query": "orders"} if action != "list" else {})})
        for kind in ("goal", "entity", "skill", "environment", "meeting", "conversation", "incident")
        for action in ("list", "search", "relevant")
    ),
]


def hide(world, ids, how):
    if how == "purged":
        for one in ids:
            world.data("drift_memory_delete", id=one)
    elif how == "archived":
        for one in ids:
            world.data("drift_memory_update", id=one, archived=True)
    else:
        new = world.add("Something else altogether holds now", type="core")
        written = world.data("drift_memory_export", path="all.json")["path"]
        records = json.loads((world.root / written).read_text())["memories"]
        hidden = [{**one, "supersededBy": new} for one in records if one["id"] in ids]
        world.data("drift_memory_import", memories=hidden, overwrite=True)


@pytest.mark.parametrize("how", ["purged", "archived", "superseded"])
def test_nothing_hidden_shows_through(world, how):
    ids = fill(world)
    before = {index for index, (tool, given) in enumerate(READINGS) if _shows(world, tool, given, ids)}
    hide(world, ids, how)

    shown = [READINGS[index] for index in range(len(READINGS)) if _shows(world, *READINGS[index], ids)]

    assert len(before) > len(READINGS) / 2, "most of them must show something before, or this proves nothing"
    assert shown == []


def _shows(world, tool, given, ids):
    outcome = world.call(tool, **given)

    assert not outcome.is_error, outcome.text
    answer = json.dumps(outcome.body, default=str)
    return any(one in answer for one in ids) or f"says {MARK}" in answer


def test_every_next_action_can_be_called_as_it_stands(world):
    fill(world)
    found = {}
    for tool, given in [*READINGS, ("drift_memory_export", {"path": "out.json"})]:
        for action in world.call(tool, **given).body.get("nextActions", ()):
            found[json.dumps([action["tool"], action.get("args")])] = (tool, action)

    failed = [
        (tool, action, outcome.text[:200])
        for tool, action in found.values()
        if (outcome := world.call(action["tool"], **(action.get("args") or {}))).is_error
    ]

    assert len(found) > 8
    assert failed == []
