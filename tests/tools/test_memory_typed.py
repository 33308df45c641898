"""The nine typed tools as a caller meets them."""

import pytest
from memory_world import MemoryWorld

from drift.kernel.tokens import count_tokens
from drift.tools import all_tools

NAMES = (
    "agent_spawn", "entity", "goal", "workflow", "incident", "meeting", "skill", "conversation", "environment",
)  # fmt: skip
NAMED_BY_TITLE = frozenset({"goal", "incident", "meeting", "conversation"})


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


def fields(name, text="Thing"):
    return {"title" if name in NAMED_BY_TITLE else "name": text}


def making(name):
    return "record" if name in ("incident", "meeting", "conversation") else "create"


@pytest.mark.parametrize("name", NAMES)
def test_each_is_made_shown_listed_found_and_updated(ask, name):
    made = ask(f"drift_memory_{name}", action=making(name), fields=fields(name, "Billing of orders"))
    memory_id = made["data"]["id"]

    assert made["data"]["created"]
    assert ask(f"drift_memory_{name}", action="get", id=memory_id)["data"]["content"] == fields(
        name, "Billing of orders"
    )
    for action in ("list", "search", "relevant"):
        words = {} if action == "list" else {"query": "billing orders"}
        assert ask(f"drift_memory_{name}", action=action, **words)["data"]["items"][0]["id"] == memory_id
    ask(f"drift_memory_{name}", action="update", id=memory_id, fields=fields(name, "Ledger"))
    assert ask(f"drift_memory_{name}", action="list")["data"]["items"][0]["name"] == "Ledger"


def test_a_list_comes_in_the_order_asked_for(ask):
    for title, severity in (("Bread burnt", "low"), ("Apples lost", "critical"), ("Cake late", "medium")):
        ask("drift_memory_incident", action="record", fields={"title": title, "severity": severity})

    def names(**wanted):
        found, cursor = [], None
        while True:
            more = {"cursor": cursor} if cursor else {}
            answer = ask("drift_memory_incident", action="list", limit=2, **wanted, **more)
            found += [row["name"].split()[0] for row in answer["data"]["items"]]
            cursor = answer["pagination"]["nextCursor"]
            if cursor is None:
                return found

    assert names() == ["Apples", "Cake", "Bread"]
    assert names(sort="name") == ["Apples", "Bread", "Cake"]
    assert names(sort="name", order="desc") == ["Cake", "Bread", "Apples"]
    assert names(sort="date") == ["Cake", "Apples", "Bread"]


def test_hits_of_a_search_come_in_the_order_asked_for(world):
    first = world.add("retry retry payments, retry again", importance="critical")
    second = world.add("a note that says payments and retry among many other words of no use at all")

    assert world.found("retry payments") == [first, second]
    assert world.found("retry payments", order="asc") == [second, first]
    assert world.found("retry payments", sort="date") == [second, first]
    assert world.found("retry payments", sort="date", order="asc") == [first, second]


@pytest.mark.parametrize("name", NAMES)
def test_before_the_first_memory_reading_is_no_error(ask, name):
    answer = ask(f"drift_memory_{name}", action="list")

    assert "No memories yet" in answer["summary"]
    assert answer["nextActions"][0]["args"]["action"] == making(name)


def test_the_nine_schemas_are_terse():
    for name in NAMES:
        tool = all_tools().find(f"drift_memory_{name}")
        assert count_tokens(f"{tool.description}{tool.input_schema}") < 330, name


def test_pages_of_a_list_follow_each_other(ask):
    for number in range(5):
        ask("drift_memory_goal", action="create", fields={"title": f"Goal number {number}"})

    first = ask("drift_memory_goal", action="list", limit=3)
    second = ask("drift_memory_goal", action="list", limit=3, cursor=first["pagination"]["nextCursor"])

    names = [row["name"] for row in first["data"]["items"] + second["data"]["items"]]
    assert sorted(names) == [f"Goal number {number}" for number in range(5)]
    assert first["pagination"]["total"] == 5


def test_a_health_that_cannot_be_known_is_null_with_a_reason(ask):
    made = ask(
        "drift_memory_environment",
        action="create",
        fields={"name": "Production", "endpoints": [{"name": "web", "url": "https://shop.example/"}]},
    )

    answer = ask("drift_memory_environment", action="check_health", id=made["data"]["id"])

    assert answer["summary"].startswith("Not known")
    assert answer["data"].get("health") is None
    assert answer["data"]["endpoints"][0]["up"] is None


def test_mistakes_are_answered_with_a_way_out(ask):
    ask("drift_memory_goal", action="create", fields={"title": "A goal"})

    assert ask("drift_memory_goal", action="get", id="m_unknown")["code"] == "RESOURCE_NOT_FOUND"
    assert ask("drift_memory_goal", action="get")["code"] == "MISSING_REQUIRED_PARAM"
    assert ask("drift_memory_goal", action="search")["code"] == "MISSING_REQUIRED_PARAM"
    wrong = ask("drift_memory_goal", action="create", fields={"title": "x", "statuss": "active"})
    assert "status" in wrong["similar"]


@pytest.mark.parametrize("query", ['" OR *', "NEAR(a b) AND NOT", "ü" * 5000, "()", "title:x"])
def test_any_text_may_be_searched_for(ask, query):
    ask("drift_memory_skill", action="create", fields={"name": "SQLite"})

    assert "items" in ask("drift_memory_skill", action="search", query=query)["data"]


@pytest.mark.parametrize("name", NAMES)
def test_a_field_the_type_has_not_is_named_as_the_caller_wrote_it(ask, name):
    answer = ask(f"drift_memory_{name}", action=making(name), fields={**fields(name), "nonsense": 1})

    assert answer["message"].startswith("fields.nonsense: ")
    assert "Fields: " in answer["hint"]
