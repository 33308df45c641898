"""Validation, contradictions, consolidation, health and hygiene, asked as a client asks."""

import subprocess

import jsonschema_rs
import pytest
from memory_world import MemoryWorld

from drift.kernel.tokens import count_tokens
from drift.memory import FileLink, Memory
from drift.memory.citations import cite
from drift.memory.opened import memory_store
from drift.memory.store import clock_ms
from drift.tools import all_tools

DAY_MS = 86_400_000
TOOLS = (
    "drift_memory_validate",
    "drift_memory_conflicts",
    "drift_memory_contradictions",
    "drift_memory_consolidate",
    "drift_memory_health",
    "drift_memory_hygiene",
)


def git(root, *args):
    identity = ["-c", "user.name=a", "-c", "user.email=a@b.c"]
    subprocess.run(["git", *identity, *args], cwd=root, check=True, capture_output=True)


class World(MemoryWorld):
    """A project whose memories can be of any age."""

    def ask(self, name, **arguments):
        outcome = self.call(name, **arguments)
        assert not outcome.is_error, outcome.text
        jsonschema_rs.validator_for(all_tools().get(name).output_schema).validate(outcome.structured())
        return outcome

    def put(self, memory_id, text, *, days=0, **fields):
        at_ms = clock_ms() - days * DAY_MS
        values = {"type": "insight", "title": text[:80], "text": text, "tags": ("t",), **fields}
        memory = Memory(id=memory_id, recorded_at_ms=at_ms, updated_at_ms=at_ms, **values)
        memory_store(self.store).add_many([memory], actor="test")
        return memory_id

    def get(self, memory_id):
        return memory_store(self.store).get(memory_id)


@pytest.fixture
def world(tmp_path):
    made = World(tmp_path)
    yield made
    made.close()


@pytest.mark.parametrize("name", TOOLS)
def test_without_a_store_every_tool_says_so_and_makes_none(world, name):
    outcome = world.ask(name)

    assert "Nothing has been saved" in outcome.body["summary"]
    assert not world.store.exists()


@pytest.mark.parametrize("name", TOOLS)
def test_a_broken_store_is_told_with_a_way_out_and_the_server_lives_on(world, name):
    world.store.parent.mkdir(parents=True)
    world.store.write_bytes(b"not a database" * 1_000)

    outcome = world.call(name)

    assert outcome.code == "CORTEX_UNAVAILABLE"
    assert outcome.body["hint"]
    assert world.call(name).code == "CORTEX_UNAVAILABLE"


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("drift_memory_validate", {"ids": ["m_l"]}),
        ("drift_memory_conflicts", {"memoryId": "m_l"}),
        ("drift_memory_contradictions", {"ids": ["m_1", "m_l"], "resolution": "flag"}),
    ],
)
def test_an_unknown_id_is_refused_with_similar_ones(world, name, arguments):
    world.put("m_1", "The timeout is 30 s")

    outcome = world.call(name, **arguments)

    assert outcome.code == "RESOURCE_NOT_FOUND"
    assert "m_1" in outcome.text


def test_validation_counts_verdicts_and_shows_evidence_of_the_unsound(world):
    world.put(
        "m_good", "Orders are counted", files=(cite(world.root, "shop/orders.py", start_line=1, end_line=2),)
    )
    world.put("m_gone", "Prices are in cents", files=(FileLink("shop/prices.py"),))
    world.put("m_old", "We looked at the logs", days=60)

    data = world.ask("drift_memory_validate").body["data"]

    assert (data["examined"], data["valid"], data["compared"]) == (3, 2, 3)
    (row,) = data["rows"]
    assert (row["id"], row["verdict"], row["score"]) == ("m_gone", "flagged", 0.67)
    assert any("shop/prices.py" in text for text in row["evidence"])


def test_auto_heal_follows_a_rename_and_the_answer_says_where_to(world):
    git(world.root, "init", "-q", "-b", "main")
    git(world.root, "add", "-A")
    git(world.root, "commit", "-q", "-m", "first")
    world.put(
        "m_1", "Orders are counted", files=(cite(world.root, "shop/orders.py", start_line=1, end_line=2),)
    )
    git(world.root, "mv", "shop/orders.py", "shop/sales.py")

    told = world.ask("drift_memory_validate")
    healed = world.ask("drift_memory_validate", autoHeal=True)
    again = world.ask("drift_memory_validate")

    assert told.body["nextActions"][0]["args"] == {"scope": "all", "autoHeal": True}
    assert healed.body["data"]["healed"] == 1
    assert world.get("m_1").files[0].path == "shop/sales.py"
    assert again.body["data"]["rows"] == []


def test_a_linked_function_is_looked_up_in_the_index(world):
    from drift.scan import ScanOptions, scan

    world.put("m_1", "Orders", functions=("shop.orders.order",))
    world.put("m_2", "Prices", functions=("Price.total",))
    before = world.ask("drift_memory_validate").body["data"]["rows"]
    scan(world.root, ScanOptions(jobs=0))

    (row,) = world.ask("drift_memory_validate").body["data"]["rows"]

    assert before == []
    assert row["id"] == "m_2"
    assert "the function Price.total is not there" in row["evidence"]


def test_what_does_not_hold_is_archived_when_asked_and_can_come_back(world):
    world.put("m_1", "Rates", valid_until_ms=clock_ms() - 5 * DAY_MS)
    world.put("m_2", "We looked at the logs", type="episodic", days=90)

    told = world.ask("drift_memory_validate").body["data"]
    data = world.ask("drift_memory_validate", removeInvalid=True).body["data"]

    assert told["removed"] == 0
    assert data["removed"] == 2
    assert world.get("m_1").archive_reason == "its validity ended 5 days ago"
    world.ask("drift_memory_update", id="m_1", archived=False)
    assert world.get("m_1").is_current


def test_pages_of_a_validation_meet_without_a_gap_also_when_it_archives(world):
    for number in range(7):
        world.put(f"m_{number}", f"Rate {number}", days=number, valid_until_ms=clock_ms() - DAY_MS)

    seen, cursor = [], {}
    while True:
        body = world.ask("drift_memory_validate", removeInvalid=True, limit=3, **cursor).body
        seen += [row["id"] for row in body["data"]["rows"]]
        if not body["pagination"]["hasMore"]:
            break
        cursor = {"cursor": body["pagination"]["nextCursor"]}

    assert seen == [f"m_{number}" for number in range(7)]


def test_contradictions_come_with_both_sentences_and_a_call_that_resolves_them(world):
    world.put("m_1", "The timeout is 30 s", days=2)
    world.put("m_2", "By now: measured. The timeout is 60 seconds", days=1)
    world.put("m_3", "The user table is large")

    body = world.ask("drift_memory_contradictions").body

    (row,) = body["data"]["contradictions"]
    assert (row["a"], row["b"], row["kind"]) == ("m_1", "m_2", "direct")
    assert (row["saysA"], row["saysB"]) == ("The timeout is 30 s", "The timeout is 60 seconds")
    action = body["nextActions"][0]
    done = world.ask(action["tool"], **action["args"]).body["data"]["resolved"]
    assert done["done"] == "keep_b"
    assert world.get("m_1").superseded_by == "m_2"
    assert world.ask("drift_memory_contradictions").body["data"]["total"] == 0


def test_a_and_b_are_those_of_the_arguments(world):
    world.put("m_1", "The timeout is 30 s", days=2)
    world.put("m_2", "The timeout is 60 s")

    done = world.ask("drift_memory_contradictions", resolution="keep_a", ids=["m_2", "m_1"]).body["data"][
        "resolved"
    ]

    assert done["done"] == "keep_a"
    assert world.get("m_1").superseded_by == "m_2"


def test_flagged_contradictions_can_be_left_out(world):
    world.put("m_1", "The timeout is 30 s", days=2)
    world.put("m_2", "The timeout is 60 s")

    world.ask("drift_memory_contradictions", resolution="flag", ids=["m_1", "m_2"])

    assert world.ask("drift_memory_contradictions").body["data"]["total"] == 1
    assert world.ask("drift_memory_contradictions", scope="unflagged").body["data"]["total"] == 0


def test_what_does_not_contradict_cannot_be_resolved(world):
    world.put("m_1", "src/auth.py handles login")
    world.put("m_2", "src/auth.py is covered by tests")

    pair = world.call("drift_memory_contradictions", resolution="keep_a", ids=["m_1", "m_2"])
    alone = world.call("drift_memory_contradictions", resolution="keep_a")
    unresolved = world.call("drift_memory_contradictions", ids=["m_1", "m_2"])

    assert pair.code == alone.code == unresolved.code == "INVALID_ARGUMENT"
    assert world.get("m_1").is_current
    assert world.get("m_2").is_current


def test_pages_of_contradictions_meet_without_a_gap(world):
    for number in range(5):
        world.put(f"m_{number}", f"The timeout is {number + 10} s", days=9 - number)

    first = world.ask("drift_memory_contradictions", limit=6).body
    second = world.ask("drift_memory_contradictions", limit=6, cursor=first["pagination"]["nextCursor"]).body

    rows = [(row["a"], row["b"]) for body in (first, second) for row in body["data"]["contradictions"]]
    assert len(rows) == len(set(rows)) == first["data"]["total"] == 10


def test_conflicts_name_contradictions_first_and_then_repetitions(world):
    world.put("m_1", "The timeout is 30 s", days=3)
    world.put("m_2", "The timeout is 60 s", days=2)
    world.put("m_3", "Orders are exported to the warehouse every night by the batch job", days=1)
    world.put("m_4", "Orders are exported to the warehouse every night by the batch job!")

    data = world.ask("drift_memory_conflicts").body["data"]
    one = world.ask("drift_memory_conflicts", memoryId="m_4").body["data"]

    assert [(row["a"], row["b"], row["type"]) for row in data["conflicts"]] == [
        ("m_1", "m_2", "direct contradiction"),
        ("m_3", "m_4", "duplicate"),
    ]
    assert [(row["a"], row["similarity"]) for row in one["conflicts"]] == [("m_3", 1)]


def test_consolidation_is_a_dry_run_unless_told_otherwise(world):
    for number, more in enumerate(("We retried it.", "Paging helped.", "")):
        text = f"The nightly import failed because the supplier feed was empty. {more}"
        world.put(f"m_{number}", text, type="episodic", days=8, importance="critical")

    dry = world.ask("drift_memory_consolidate").body
    untouched = world.get("m_0").is_current
    action = dry["nextActions"][0]
    done = world.ask(action["tool"], **action["args"]).body["data"]

    assert untouched
    assert (dry["data"]["dryRun"], dry["data"]["pruned"]) == (True, 3)
    assert dry["data"]["tokensFreed"] == done["tokensFreed"] > 0
    (row,) = done["clusters"]
    assert set(row["sources"]) == {"m_0", "m_1", "m_2"}
    assert "Paging helped." in world.get(row["into"]).text
    assert world.get("m_0").archived


def test_an_unknown_type_is_refused_with_similar_ones(world):
    outcome = world.call("drift_memory_consolidate", type="episodc")

    assert outcome.code == "INVALID_ARGUMENT"
    assert "episodic" in outcome.text


def test_health_names_every_penalty_and_how_to_mend_it(world):
    world.put("m_1", "The timeout is 30 s", days=2)
    world.put("m_2", "The timeout is 60 s", tags=())
    world.put("m_3", "Prices", files=(FileLink("gone.py"),))

    body = world.ask("drift_memory_health").body

    issues = {issue["name"]: issue for issue in body["data"]["issues"]}
    assert set(issues) == {"contradictions", "missing_citations", "orphaned"}
    assert body["data"]["score"] == round(100 - sum(issue["points"] for issue in issues.values()))
    assert issues["missing_citations"]["ids"] == ["m_3"]
    assert body["nextActions"][0]["tool"] in {"drift_memory_contradictions", "drift_memory_validate"}


def test_the_trend_of_health_comes_from_the_log(world):
    world.put("m_1", "The timeout is 30 s")
    world.ask("drift_memory_update", id="m_1", title="Timeout")

    trend = world.ask("drift_memory_health", detailed=True).body["data"]["trend"]

    assert trend["changes"] == {"import": 1, "update": 1}
    assert trend["changesBefore"] == {}
    assert (trend["score"], trend.get("scoreBefore")) == (100, None)
    assert trend["reason"] == "a week ago there were no memories"


def test_hygiene_tells_first_and_archives_when_asked(world):
    world.put("m_1", "ok", type="episodic", tags=(), days=90)
    world.put("m_2", "Orders are counted in the warehouse by hand")

    dry = world.ask("drift_memory_hygiene").body
    untouched = world.get("m_1").is_current
    done = world.ask("drift_memory_hygiene", **dry["nextActions"][0]["args"]).body["data"]

    assert untouched
    assert [row["id"] for row in dry["data"]["rows"]] == ["m_1"]
    assert set(dry["data"]["rows"][0]["signals"]) == {"spent", "short", "stale", "orphaned"}
    assert (done["archived"], done["examined"]) == (1, 2)
    assert world.get("m_1").archive_reason.startswith("hygiene: spent")
    assert world.get("m_2").is_current


def test_hostile_texts_go_through_every_tool(world):
    texts = (
        '" OR NEAR(a b) *',
        "((((" * 2_000,
        "\u202e\U0001f600 \u0000".replace("\0", ""),
        "never " * 1_500,
        "= : ?",
    )
    for number, text in enumerate(texts):
        world.put(f"m_{number}", text, title="x", days=30 + number)

    for name in TOOLS:
        world.ask(name)


def test_ten_rows_of_a_list_stay_terse(world):
    for number in range(11):
        world.put(f"m_{number:020}", f"The timeout of the gateway is {number + 10} s", days=20 - number)

    text = world.ask("drift_memory_contradictions", limit=10).text

    assert count_tokens(text) <= 600
