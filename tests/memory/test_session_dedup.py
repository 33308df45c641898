import dataclasses

import orjson
from hypothesis import given
from hypothesis import strategies as st

from drift.memory import Memory, Session
from drift.memory.checks import check_session
from drift.memory.work.disclosure import Level
from drift.memory.work.session_dedup import (
    KEY,
    LONGEST_MS,
    MOST_TOKENS,
    note_sent,
    put_ledger,
    read_ledger,
)

NOW = 1_800_000_000_000


def memory(memory_id="m_1", updated_at_ms=NOW - 10):
    return Memory(id=memory_id, type="insight", title="t", recorded_at_ms=1, updated_at_ms=updated_at_ms)


def told(*rows, at_ms=NOW, session=None):
    return put_ledger(session, "s", note_sent(read_ledger(session, now_ms=at_ms), rows, now_ms=at_ms))


def test_what_was_told_at_this_level_or_higher_counts_as_sent():
    ledger = read_ledger(told(("m_1", Level.GIST, 80)), now_ms=NOW + 1)

    assert ledger.holds(memory(), Level.LINE)
    assert ledger.holds(memory(), Level.GIST)
    assert not ledger.holds(memory(), Level.FULL)
    assert not ledger.holds(memory("m_2"), Level.LINE)


def test_a_memory_that_changed_since_is_told_again():
    ledger = read_ledger(told(("m_1", Level.FULL, 80)), now_ms=NOW + 1)

    assert not ledger.holds(memory(updated_at_ms=NOW + 1), Level.LINE)
    assert ledger.level_of(memory(updated_at_ms=NOW + 1)) is None


def test_telling_less_later_does_not_forget_that_more_was_told():
    session = told(("m_1", Level.LINE, 20), session=told(("m_1", Level.FULL, 80)))

    assert read_ledger(session, now_ms=NOW).level_of(memory()) is Level.FULL


def test_a_session_that_rests_keeps_what_it_was_told_for_a_day():
    session = told(("m_1", Level.FULL, 80))

    assert read_ledger(session, now_ms=NOW + LONGEST_MS).sent
    assert not read_ledger(session, now_ms=NOW + LONGEST_MS + 1).sent


def test_half_a_million_tokens_end_a_ledger():
    assert not read_ledger(told(("m_1", Level.FULL, MOST_TOKENS + 1)), now_ms=NOW).sent


def test_other_state_of_the_session_stays():
    session = Session("s", 1, 2, state={"stash": ["mine"]})

    kept = told(("m_1", Level.LINE, 20), session=session)

    assert kept.state["stash"] == ["mine"]
    assert (kept.started_at_ms, kept.last_active_ms) == (1, NOW)


def test_ten_thousand_memories_still_fit_into_a_session():
    session = told(*((f"m_{number}", Level.FULL, 1) for number in range(10_000)))

    check_session(dataclasses.replace(session, state=orjson.loads(orjson.dumps(session.state))))
    assert "m_9999" in read_ledger(session, now_ms=NOW).sent
    assert "m_0" not in read_ledger(session, now_ms=NOW).sent


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["sinceMs", "lastMs", "tokens", "ids", "x"]), inner, max_size=4), max_leaves=12))  # fmt: skip
def test_a_state_that_is_no_ledger_is_an_empty_one(value):
    ledger = read_ledger(Session("s", 1, 1, state={KEY: value}), now_ms=NOW)

    assert isinstance(ledger.sent, dict)
