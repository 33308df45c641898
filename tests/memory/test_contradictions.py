"""Which notes contradict each other, and which only sound alike."""

import itertools
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drift.memory import Draft, Memory, Relation
from drift.memory.records import CausalEdge
from drift.memory.truth.conflicts import Resolution, resolve
from drift.memory.truth.contradictions import ContradictionKind, are_opposed, find_contradictions
from drift.memory.truth.quantities import Quantity, is_same_quantity
from drift.memory.truth.statements import Stance, read_claims

NOW_MS = 1_700_000_000_000
DAY_MS = 86_400_000


def read_pairs():
    pairs = {"opposed": [], "compatible": []}
    for line in (Path(__file__).parent / "contradictions.txt").read_text("utf-8").splitlines():
        if line.startswith("["):
            part = line.strip("[]").partition(",")[0]
        elif line and not line.startswith("#"):
            pairs[part].append(tuple(line.split(" | ")))
    return pairs


PAIRS = read_pairs()


def memories(*texts, **fields):
    return [
        Memory(
            type="insight",
            title=text[:80],
            text=text,
            id=f"m_{number}",
            recorded_at_ms=NOW_MS + number,
            updated_at_ms=NOW_MS + number,
            **fields,
        )
        for number, text in enumerate(texts)
    ]


def found(*texts):
    return find_contradictions(memories(*texts), now_ms=NOW_MS + 1_000)


def test_there_are_enough_pairs_to_mean_something():
    assert len(PAIRS["opposed"]) >= 80
    assert len(PAIRS["compatible"]) >= 100


@pytest.mark.parametrize("pair", PAIRS["opposed"], ids=" / ".join)
def test_notes_that_cannot_both_hold_are_found(pair):
    assert found(*pair)
    assert found(*pair[::-1])


@pytest.mark.parametrize("pair", PAIRS["compatible"], ids=" / ".join)
def test_notes_that_can_both_hold_are_not_flagged(pair):
    assert found(*pair) == ()


def test_no_sentence_of_a_compatible_pair_opposes_its_own():
    assert [text for pair in PAIRS["compatible"] for text in pair if found(text, text)] == []


def test_the_older_is_a_and_the_opposed_sentences_are_named():
    (one,) = found("Some words first. The timeout is 30 s.", "The timeout is 60 seconds, as agreed.")

    assert (one.a.id, one.b.id) == ("m_0", "m_1")
    assert one.claim_a.sentence == "The timeout is 30 s."
    assert one.reason == "30 s against 60 seconds"


def test_a_rule_against_what_is_done_is_only_partial():
    (mixed,) = found("Never use float for money", "We use float for money")
    (plain,) = found("Never use float for money", "Always use float for money")

    assert mixed.kind is ContradictionKind.PARTIAL
    assert plain.kind is ContradictionKind.DIRECT


def test_what_is_superseded_archived_purged_or_past_its_time_contradicts_nothing():
    text, other = "The timeout is 30 s", "The timeout is 60 s"
    (new,) = [one for one in memories("", other) if one.text]

    for state in (
        {"superseded_by": "m_1"},
        {"archived": True},
        {"deleted_at_ms": NOW_MS},
        {"valid_until_ms": NOW_MS - 1},
        {"valid_from_ms": NOW_MS + DAY_MS},
    ):
        (old,) = memories(text, **state)
        assert find_contradictions([old, new], now_ms=NOW_MS + 1_000) == ()


def test_an_exception_to_a_rule_does_not_contradict_it():
    rule, exception = memories("Never use eval in templates", "Use eval in templates")
    exception = Memory(
        **{name: getattr(exception, name) for name in Memory.__dataclass_fields__}
        | {"type": "constraint_override"}
    )

    assert find_contradictions([rule, exception], now_ms=NOW_MS) == ()


def test_content_that_states_something_counts_and_alternatives_do_not():
    stated = Memory(
        type="decision",
        title="Queue",
        content={"decisionSummary": "We use Redis for the queue.", "alternatives": ["We do not use Kafka."]},
        id="m_a",
        recorded_at_ms=NOW_MS,
        updated_at_ms=NOW_MS,
    )
    redis, kafka = memories("We do not use Redis for the queue", "We use Kafka")

    assert [one.b.id for one in find_contradictions([stated, redis, kafka], now_ms=NOW_MS)] == ["m_a"]


def test_those_who_agree_are_counted_on_each_side():
    contradictions = found(*["The pool size is 8"] * 3, "The pool size is 16")

    assert {(one.supporters_a, one.supporters_b) for one in contradictions} == {(3, 1)}
    assert contradictions[0].share_of("m_3") == 0.25


def test_code_tables_headings_and_quotes_make_no_claim():
    text = "```\ntimeout = 30\n```\n> timeout = 30\n| timeout = 30 |\ntimeout ==== 30\nThe steps:\n"

    assert read_claims(text) == ()


def test_a_sentence_wrapped_over_lines_is_read_as_one():
    wrapped = "All of the workers in the ingestion cluster must never write to the\nshared volume of the billing team"

    (claim,) = read_claims(wrapped)

    assert claim.stance is Stance.FORBIDS
    assert "bill" in claim.subject


def test_use_is_no_part_of_user():
    assert found("The user must log in", "We do not use log in") == ()


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        (Quantity("3.11", "", 3.11), Quantity("3.11.4", "", None), True),
        (Quantity("3.1", "", 3.1), Quantity("3.11", "", 3.11), False),
        (Quantity("1", "", 1.0), Quantity("1.0", "", 1.0), True),
        (Quantity("1 m", "seconds", 60.0), Quantity("60 s", "seconds", 60.0), True),
        (Quantity("02:00", "moment", None), Quantity("04:00", "moment", None), False),
    ],
)
def test_values_are_the_same_when_both_may_hold(one, other, is_same):
    assert is_same_quantity(one, other) is is_same
    assert is_same_quantity(other, one) is is_same


WORDS = st.sampled_from(
    [
        "we",
        "never",
        "always",
        "use",
        "the",
        "redis",
        "cache",
        "not",
        "is",
        "enabled",
        "disabled",
        "must",
        "may",
        "30",
        "s",
        "60",
        "=",
        ":",
        ".",
        "?",
        ",",
        "in",
        "production",
        "if",
        '"quoted',
        'words"',
        "(",
        ")",
        "`code`",
        "-",
        ">",
        "\n",
        "\u2028",
        "😀",
        "é",
    ]
)


@given(st.one_of(st.text(max_size=400), st.lists(WORDS, max_size=40).map(" ".join)))
def test_any_text_can_be_read_and_contradicts_itself_only_by_two_sentences(text):
    claims = read_claims(text)

    for one in claims:
        assert one.subject
        assert not are_opposed(one, one)
    for one, other in itertools.combinations(claims, 2):
        assert are_opposed(one, other) == are_opposed(other, one)


@pytest.mark.parametrize(
    "hostile", [" " * 20_000, "a " * 10_000, "(" * 20_000, '"' * 20_000, "not " * 5_000, "\n \n" * 7_000]
)
def test_hostile_texts_are_read_in_no_time_and_claim_nothing(hostile):
    assert read_claims(hostile) == ()


@pytest.fixture
def settled(store):
    """Two memories that contradict each other, one that rests on the older, and the contradiction."""

    def make(*texts):
        kept = [store.add(Draft(type="insight", text=text), actor="test") for text in texts]
        current = store.list().memories
        return kept, find_contradictions(current, now_ms=current[0].recorded_at_ms)

    return make


def test_keeping_one_supersedes_the_other_and_passes_the_doubt_on(store, settled):
    (old, new), (one,) = settled("The timeout is 30 s", "The timeout is 60 s")
    rests = store.add(Draft(type="insight", text="Clients wait for half a minute"), actor="test")
    further = store.add(Draft(type="insight", text="The proxy gives up later"), actor="test")
    store.edges.put(
        [
            CausalEdge(rests.id, old.id, Relation.DERIVED_FROM),
            CausalEdge(rests.id, further.id, Relation.SUPPORTS),
        ],
        actor="test",
    )

    done = resolve(store, one, Resolution.KEEP_B, actor="test", now_ms=further.recorded_at_ms)

    assert store.get(old.id).superseded_by == new.id
    after = {change.memory: round(change.after, 2) for change in done.changes}
    assert after == {new.id: 1.0, old.id: 0.5, rests.id: 0.75, further.id: pytest.approx(0.88, abs=0.01)}
    assert [entry.action for entry in store.history.of(old.id)] == ["add", "supersede", "update"]
    assert find_contradictions(store.list().memories, now_ms=further.recorded_at_ms) == ()


def test_one_new_note_does_not_overturn_three_that_agree(store, settled):
    kept, contradictions = settled(
        "The pool size is 8",
        "For workers: eight. The pool size is 8",
        "As measured. The pool size is 8",
        "The pool size is 16",
    )

    done = resolve(store, contradictions[0], Resolution.KEEP_B, actor="test", now_ms=NOW_MS)

    assert done.done is Resolution.FLAG
    assert "3 memories agree" in done.reason
    assert all(store.get(one.id).is_current and store.get(one.id).confidence == 1 for one in kept)
    assert [edge.relation for edge in store.edges.all()] == [Relation.CONTRADICTS]


def test_three_that_agree_do_overturn_one(store, settled):
    kept, contradictions = settled(
        "The pool size is 8",
        "For workers: eight. The pool size is 8",
        "As measured. The pool size is 8",
        "The pool size is 16",
    )

    done = resolve(store, contradictions[0], Resolution.KEEP_A, actor="test", now_ms=NOW_MS)

    assert done.done is Resolution.KEEP_A
    assert not store.get(kept[3].id).is_current


def test_a_merge_says_both_with_their_dates_and_points_to_its_sources(store, settled):
    (old, new), (one,) = settled("The timeout is 30 s", "The timeout is 60 s")

    merged = resolve(store, one, Resolution.MERGE, actor="test", now_ms=NOW_MS).merged

    assert merged.text == "As of 2023-11-14: The timeout is 30 s\nAs of 2023-11-14: The timeout is 60 s"
    assert {edge.target for edge in store.edges.of([merged.id])} == {old.id, new.id}
    assert [store.get(each.id).archived for each in (old, new)] == [True, True]
    assert store.get(old.id).archive_reason == f"merged into {merged.id}"


def test_flagging_changes_no_confidence_and_archiving_both_deletes_nothing(store, settled):
    (old, new), (one,) = settled("The timeout is 30 s", "The timeout is 60 s")

    flagged = resolve(store, one, Resolution.FLAG, actor="test", now_ms=NOW_MS)
    archived = resolve(store, one, Resolution.ARCHIVE_BOTH, actor="test", now_ms=NOW_MS)

    assert flagged.changes == archived.changes == ()
    assert [store.get(each.id).confidence for each in (old, new)] == [1.0, 1.0]
    assert [store.get(each.id).archived for each in (old, new)] == [True, True]
