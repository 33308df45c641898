import sqlite3
from contextlib import closing

import pytest
from memory_world import MemoryWorld

from drift.kernel.tokens import count_tokens


@pytest.fixture
def world(tmp_path):
    made = MemoryWorld(tmp_path)
    yield made
    made.close()


def told(data):
    return [row["id"] for row in (*data["warnings"], *data["memories"])]


def test_memories_come_by_words_and_by_links_to_what_is_at_hand(world):
    by_words = world.add("Payments are charged twice when the key is lost.")
    by_file = world.add("Never import the shop at module level.", linkedFiles=["shop/orders.py"])
    by_function = world.add("It must stay idempotent.", linkedFunctions=["Cart.total"])
    by_pattern = world.add("Services are called through a facade.", linkedPatterns=["facade"])
    world.add("The canteen closes at two.")

    data = world.data(
        "drift_memory_for_context",
        focus="payments charged twice in Cart.total",
        activeFile="shop/orders.py",
        relevantPatterns=["facade"],
    )

    assert set(told(data)) == {by_words, by_file, by_function, by_pattern}
    assert told(data)[0] == by_words


def test_warnings_stand_first_and_apart(world):
    plain = world.add("Deploys of the gateway take an hour.")
    incident = world.add("The gateway was down in May.", type="incident")
    severe = world.add("Gateway keys rotate.", type="tribal", content={"severity": "critical"})

    data = world.data("drift_memory_context", focus="gateway")

    assert {row["id"] for row in data["warnings"]} == {incident, severe}
    assert [row["id"] for row in data["memories"]] == [plain]


@pytest.mark.parametrize("tokens", [200, 400, 1_000, 2_000, 4_000])
def test_the_whole_answer_stays_within_the_budget(world, tokens):
    for number in range(40):
        world.add(f"Gateway rule {number}: " + f"step {number} of the gateway is slow. " * number)

    outcome = world.call("drift_memory_for_context", focus="gateway rules", maxTokens=tokens)

    assert told(outcome.body["data"])
    assert not outcome.truncated
    assert count_tokens(outcome.full_text) <= tokens


def test_levels_are_lowered_before_anything_is_dropped(world):
    for number in range(8):
        world.add(f"Gateway rule {number}: " + f"step {number} of the gateway is slow. " * 40)

    few = world.data("drift_memory_for_context", focus="gateway rules", maxTokens=700, resend=True)
    lines = world.data("drift_memory_for_context", focus="gateway rules", compressionLevel=1, resend=True)

    assert len(told(few)) == 8
    assert "dropped" not in few
    assert all(len(row["text"]) < 150 for row in lines["memories"])


def test_a_critical_memory_is_told_however_little_room_there_is(world):
    for number in range(30):
        world.add(f"Gateway gateway gateway rule {number} is of the gateway.")
    critical = world.add(
        "A note that names the gateway once and speaks of much else besides.", importance="critical"
    )

    data = world.data("drift_memory_for_context", focus="gateway", maxTokens=200)

    assert critical in told(data)
    assert data["dropped"] > 0


def test_a_session_is_told_everything_once_and_the_saving_is_counted(world):
    ids = [world.add(f"Gateway rule {number}: " + f"step {number} is slow. " * 20) for number in range(4)]
    first = world.call("drift_memory_for_context", focus="gateway rules", sessionId="s1")

    again = world.call("drift_memory_for_context", focus="gateway rules", sessionId="s1")
    other = world.data("drift_memory_for_context", focus="gateway rules", sessionId="s2")
    resent = world.data("drift_memory_for_context", focus="gateway rules", sessionId="s1", resend=True)

    data = again.body["data"]
    assert told(data) == []
    assert set(data["alreadySent"]) == set(ids)
    assert data["deduplicated"] == 4
    really_saved = count_tokens(first.full_text) - count_tokens(again.full_text)
    assert really_saved > 200
    assert abs(data["tokensSaved"] - really_saved) < 80
    assert set(told(other)) == set(told(resent)) == set(ids)


def test_room_that_sent_memories_leave_is_used_for_others(world):
    for number in range(12):
        world.add(f"Gateway rule {number}: " + f"step {number} of the gateway is slow. " * 30)

    first = world.data("drift_memory_for_context", focus="gateway rules", maxTokens=400, sessionId="s")
    second = world.data("drift_memory_for_context", focus="gateway rules", maxTokens=400, sessionId="s")

    texts = {row["id"]: row.get("text") for row in first["memories"]}
    assert all(row["text"] not in texts.values() for row in second["memories"] if "text" in row)
    assert set(told(second)) - set(told(first))
    assert second["deduplicated"]


def test_a_memory_that_changed_is_told_again(world):
    memory = world.add("Gateway timeouts are 30 s.")
    world.data("drift_memory_context", focus="gateway", sessionId="s")
    world.data("drift_memory_update", id=memory, text="Gateway timeouts are 60 s.")

    assert told(world.data("drift_memory_context", focus="gateway", sessionId="s")) == [memory]


def test_a_session_that_cannot_be_written_does_not_spoil_the_answer(world):
    memory = world.add("Gateway timeouts are 30 s.")
    with closing(sqlite3.connect(world.store, isolation_level=None)) as other:
        refuse = "BEGIN SELECT raise(ABORT, 'the disk says no'); END"
        other.execute(f"CREATE TRIGGER refuse BEFORE INSERT ON sessions {refuse}")

    outcome = world.call("drift_memory_context", focus="gateway", sessionId="s")

    assert told(outcome.body["data"]) == [memory]
    assert "may be sent again" in outcome.body["warnings"][0]


def test_hostile_focus_is_answered(world):
    world.add("Gateway timeouts are 30 s.")

    for focus in ('"', "NEAR(a,b)", "../../etc/passwd", "\0", "a" * 10_000, "gateway " * 1_000, "支払い é"):
        assert not world.call("drift_memory_for_context", focus=focus).is_error
    assert (
        world.call("drift_memory_for_context", focus="x", activeFile="../out").code == "PATH_OUTSIDE_PROJECT"
    )


def test_texts_of_many_lines_stay_within_the_budget_too(world):
    for number in range(12):
        steps = "\n".join(f"{step}. turn the gateway key {number} once" for step in range(number + 2))
        world.add(f"How to restart gateway {number}:\n{steps}", type="procedural")

    outcome = world.call("drift_memory_for_context", focus="restart the gateway", maxTokens=900)

    assert not outcome.truncated
    assert count_tokens(outcome.full_text) <= 900
    assert outcome.body["data"]["tokensUsed"] <= count_tokens(outcome.full_text)
