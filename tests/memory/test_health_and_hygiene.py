"""How well a store is, and what in it is not worth keeping in sight."""

import pytest

from drift.memory import Draft, Importance
from drift.memory.truth.health import assess_health, health_at, read_activity
from drift.memory.truth.hygiene import Signal, Tier, find_litter, signals_of

DAY_MS = 86_400_000


@pytest.fixture
def add(store):
    def run(text, **fields):
        return store.add(Draft(**{"type": "insight", "text": text, "tags": ("t",), **fields}), actor="t")

    return run


def points(store, *, days=0, **others):
    current = store.list().memories
    health = assess_health(current, now_ms=current[0].recorded_at_ms + days * DAY_MS, **others)
    return health.score, {one.name: round(one.points, 1) for one in health.penalties}


def test_an_empty_store_has_no_score():
    assert assess_health([], now_ms=0).score is None


def test_a_sound_store_loses_nothing(add, store):
    add("Totals are kept in cents")

    assert points(store) == (100, {})


def test_each_penalty_grows_with_what_it_is_about(add, store):
    add("The pool size is 8")
    add("The pool size is 16", tags=())
    gone = add("Orders live in the old module")

    score, lost = points(store, missing=frozenset({gone.id}))

    assert lost == {"contradictions": 20.0, "orphaned": 3.3}
    assert score == 77


def test_missing_citations_are_counted_among_those_that_cite(add, store):
    from drift.memory import FileLink

    gone = add("one", files=(FileLink("gone.py"),))
    add("two", files=(FileLink("here.py"),))

    assert points(store, missing=frozenset({gone.id}))[1] == {"missing_citations": 10.0}
    assert points(store)[1] == {}


def test_fading_lowers_the_score(add, store):
    add("We looked at the logs", type="episodic")
    add("A web shop", type="core")

    _score, lost = points(store, days=60)

    assert lost == {"spent": 10.0, "never_validated": 5.0}


def test_the_trend_is_read_from_the_log(add, store):
    first = add("The pool size is 8", tags=())
    then_ms = first.recorded_at_ms
    store.update(first.id, {"tags": ("t",)}, actor="t")
    store.archive([add("Something else").id], reason="old", actor="t")
    now_ms = store.list().memories[0].updated_at_ms + 10_000

    activity = read_activity(store, from_ms=then_ms, until_ms=now_ms)

    assert activity.actions == {"add": 2, "archive": 1, "update": 1}
    assert read_activity(store, from_ms=0, until_ms=then_ms).actions == {}
    assert (health_at(store, then_ms).score, health_at(store, now_ms).score) == (90, 100)
    assert health_at(store, then_ms - 1).score is None


def signals(memory, *, is_connected=False, days=0):
    return set(signals_of(memory, is_connected=is_connected, now_ms=memory.recorded_at_ms + days * DAY_MS))


def test_each_signal_is_given_by_what_it_names(add):
    assert signals(add("Totals are kept in cents, never in floats")) == set()
    assert signals(add("ok done")) == {Signal.SHORT}
    assert signals(add("Totals are kept in cents always", tags=())) == {Signal.ORPHANED}
    assert signals(add("Rates are kept in a table somewhere", tags=()), is_connected=True) == set()
    assert signals(add("0x00 0x01 0x02 0x03 1234 5678 9012 {} [] ;; abc")) == {Signal.NOISE}
    assert signals(add("retry failed again today\n" * 6)) >= {Signal.NOISE}
    assert signals(add("Something worth a look in the logs"), days=91) == {Signal.STALE}
    assert signals(add("We once looked at every log", type="episodic"), days=60) == {
        Signal.SPENT,
        Signal.STALE,
    }
    assert signals(add("Edited the pricing module by hand", source="hook:post-tool-use")) == {
        Signal.AUTO_CAPTURED
    }


def test_one_weak_signal_alone_is_no_reason(add, store):
    add("Totals are kept in cents always", tags=())

    assert find_litter(store.list().memories, connected=frozenset(), now_ms=0) == ()


def test_tiers_follow_the_sum_of_the_signals(add, store):
    spent = add("We looked at it", type="episodic", tags=())
    noise = add("0x00 1234 5678 9012 {} [] ;;", tags=())

    found = find_litter(
        store.list().memories, connected=frozenset(), now_ms=spent.recorded_at_ms + 60 * DAY_MS
    )

    tiers = {one.memory.id: one.tier for one in found}
    assert tiers[spent.id] is Tier.HIGH
    assert tiers[noise.id] in {Tier.HIGH, Tier.MEDIUM}
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)


def test_what_matters_or_is_used_is_never_litter(add, store):
    often = add("ok", tags=())
    add("ok then", tags=(), importance=Importance.HIGH)
    add("ok core", tags=(), type="core")
    for _ in range(3):
        store.touch([often.id])
    store.flush_usage()

    assert find_litter(store.list().memories, connected=frozenset(), now_ms=2**45) == ()
