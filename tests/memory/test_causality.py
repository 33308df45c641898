"""Causes and effects: edges that words give reason for, and chains that follow them."""

import tomllib
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drift.memory import CausalEdge, Draft, EvidenceKind, FileLink, Relation
from drift.memory.causes.causality import ends_of
from drift.memory.causes.chains import Reach, Side, edges_as_of, edges_now, follow, weigh
from drift.memory.causes.cues import read_cues
from drift.memory.causes.inference import MOST_EDGES, infer_edges
from drift.memory.causes.narrative import tell_chain


@pytest.fixture
def note(store):
    def add(title, text="", *, memory_type="insight", file=None, **more):
        files = (FileLink(file),) if file else ()
        return store.add(Draft(type=memory_type, title=title, text=text, files=files, **more), actor="test")

    return add


def ends(edges):
    return [(edge.source, edge.relation, edge.target) for edge in edges]


def test_a_memory_named_by_its_id_beside_a_cue_is_the_cause(store, note):
    outage = note("Checkout was down for an hour")
    fix = note("Retries with backoff", f"We added retries because of {outage.id}.")

    edges = infer_edges(store, fix)

    assert ends(edges) == [(outage.id, Relation.CAUSED, fix.id)]
    assert {one.kind for one in edges[0].evidence} >= {EvidenceKind.EXPLICIT}
    assert edges[0].inferred


def test_a_quoted_title_is_a_reference_and_builds_on_it_where_no_cue_says_more(store, note):
    rule = note("All money is kept in cents")
    later = note("Rounding", 'See "All money is kept in cents" for the unit.')

    assert ends(infer_edges(store, later)) == [(later.id, Relation.DERIVED_FROM, rule.id)]


@pytest.mark.parametrize(
    ("text", "relation", "is_source"),
    [
        ("This led to {id}.", Relation.CAUSED, True),
        ("Triggered by {id}.", Relation.TRIGGERED_BY, True),
        ("It was fixed by {id}.", Relation.TRIGGERED_BY, False),
        ("This fixes {id}.", Relation.TRIGGERED_BY, True),
        ("This supersedes {id}.", Relation.SUPERSEDES, True),
        ("This contradicts {id}.", Relation.CONTRADICTS, True),
        ("Concluded from {id}.", Relation.DERIVED_FROM, True),
        ("The guard prevents {id}.", Relation.PREVENTED, True),
        ("This confirms {id}.", Relation.SUPPORTS, True),
    ],
)
def test_the_cue_chooses_the_relation_and_its_direction(store, note, *, text, relation, is_source):
    other = note("The other one")
    memory = note("The new one", text.format(id=other.id))

    (edge,) = infer_edges(store, memory)

    assert edge.relation is relation
    assert edge.source == (memory.id if is_source else other.id)


def test_a_cue_and_a_shared_file_find_what_is_spoken_of(store, note):
    cause = note("Connection pool exhausted under load", file="shop/db.py")
    note("Table names are singular", file="shop/db.py")
    effect = note(
        "Orders time out", "Orders time out because the connection pool is exhausted.", file="shop/db.py"
    )

    edges = infer_edges(store, effect)

    assert ends(edges) == [(cause.id, Relation.CAUSED, effect.id)]
    assert {one.kind for one in edges[0].evidence} >= {EvidenceKind.ENTITY, EvidenceKind.SEMANTIC}
    assert 0.5 <= edges[0].strength <= 1


def test_a_memory_on_the_other_side_of_the_cue_is_the_effect(store, note):
    effect = note("Orders time out at noon", file="shop/db.py")
    cause = note("Pool", "Orders time out at noon because the pool holds two connections.", file="shop/db.py")

    assert ends(infer_edges(store, cause)) == [(cause.id, Relation.CAUSED, effect.id)]


@pytest.mark.parametrize(
    "text",
    [
        "Lunch is at noon.",
        "The header is blue because marketing wanted it.",
        "Nothing here is slow.",
        "Is it slow because the pool is exhausted?",
        "It is not because of the exhausted connection pool.",
        "It was never caused by the exhausted connection pool.",
        "The connection pool is in shop/db.py.",
    ],
)
def test_notes_near_in_time_and_about_one_file_are_not_linked_for_that(store, note, text):
    note("Connection pool exhausted under load", file="shop/db.py")
    memory = note("Another note", text, file="shop/db.py")

    assert infer_edges(store, memory) == ()


def test_a_cue_without_anything_in_common_makes_no_edge(store, note):
    note("Pool exhausted", file="shop/db.py")
    memory = note("Mail", "Mail is late because the pool is exhausted.", file="mail/send.py")

    assert infer_edges(store, memory) == ()


def test_a_title_said_whole_needs_no_shared_file(store, note):
    backup = note("Nightly backup locks the orders table")
    memory = note("Slow nights", "Slow because the nightly backup locks the orders table.")

    assert ends(infer_edges(store, memory)) == [(backup.id, Relation.CAUSED, memory.id)]


def test_the_name_of_the_file_alone_does_not_make_a_note_spoken_of(store, note):
    note("session_store.py has no tests", file="web/session_store.py")
    memory = note("Slow", "Slow because session_store.py reads twice.", file="web/session_store.py")

    assert infer_edges(store, memory) == ()


def test_at_most_ten_edges_are_concluded_and_none_twice(store, note):
    others = [note(f"Reason number {place}") for place in range(15)]
    memory = note("All of them", "Because of " + ", ".join(one.id for one in others))

    edges = infer_edges(store, memory)
    store.edges.put(edges, actor="test")

    assert len(edges) == MOST_EDGES
    known = {frozenset((edge.source, edge.target)) for edge in edges}
    assert not known & {frozenset((edge.source, edge.target)) for edge in infer_edges(store, memory)}


def test_purged_memories_and_the_memory_itself_are_not_linked(store, note):
    gone = note("Gone for good reasons")
    store.purge([gone.id], actor="test")
    memory = note("It names itself", f"because of {gone.id}")
    memory = store.update(memory.id, {"text": f"because of {memory.id} and {gone.id}"}, actor="test")

    assert infer_edges(store, memory) == ()


@given(
    text=st.text(max_size=400) | st.sampled_from(['"' * 50, "because " * 900, "NEAR( AND OR *:", "`x`\x00"])
)
def test_any_text_is_read_without_harm(text):
    for one in read_cues(text):
        assert one.words in one.sentence.lower()


def test_hostile_quotes_reach_the_word_index_as_words(store, note):
    note("Harmless title here")
    memory = note("Odd", 'because "title : * NEAR(a b) OR" and "Harmless title here"')

    assert len(infer_edges(store, memory)) == 1


def test_a_true_chain_is_followed_to_its_origin_and_its_end(store, note):
    flag, outage, fix, rule = (
        note(title) for title in ("Flag flipped", "Outage", "Guard added", "Always guard")
    )
    note("Lunch moved")
    edges = [
        CausalEdge(flag.id, outage.id, Relation.CAUSED, 0.9),
        CausalEdge(fix.id, outage.id, Relation.TRIGGERED_BY, 0.8),
        CausalEdge(rule.id, fix.id, Relation.DERIVED_FROM, 0.5),
    ]
    store.edges.put(edges, actor="test")

    chain = follow(fix.id, edges_now(store))

    assert [(step.memory, step.side, step.depth) for step in chain.steps] == [
        (outage.id, Side.ORIGINS, 1),
        (flag.id, Side.ORIGINS, 2),
        (rule.id, Side.EFFECTS, 1),
    ]
    assert chain.confidence == pytest.approx(0.6 * 0.5 + 0.4 * (0.9 + 0.8 + 0.5) / 3, abs=1e-4)
    assert chain.steps[1].confidence == pytest.approx(0.6 * 0.8 + 0.4 * 0.85)


def test_a_circle_is_walked_once(store, note):
    one, two, three = (note(title) for title in ("First", "Second", "Third"))
    ring = [(one, two), (two, three), (three, one)]
    store.edges.put([CausalEdge(a.id, b.id, Relation.CAUSED) for a, b in ring], actor="test")

    chain = follow(one.id, edges_now(store), Reach(sides=(Side.EFFECTS,)))

    assert [step.memory for step in chain.steps] == [two.id, three.id]
    assert not chain.is_cut


def test_weak_edges_are_not_followed_and_long_chains_are_cut(store, note):
    notes = [note(f"Note {place}") for place in range(9)]
    edges = [CausalEdge(a.id, b.id, Relation.CAUSED, 0.9) for a, b in pairwise(notes)]
    edges.append(CausalEdge(notes[0].id, notes[8].id, Relation.CAUSED, 0.2))
    store.edges.put(edges, actor="test")

    chain = follow(notes[0].id, edges_now(store))
    narrow = follow(notes[0].id, edges_now(store), Reach(most_nodes=3))

    assert [step.memory for step in chain.steps] == [one.id for one in notes[1:6]]
    assert chain.is_cut
    assert len(narrow.steps) == 2
    assert narrow.is_cut


def test_the_chain_is_seen_as_it_was_known(store, note, clock):
    cause, effect = note("Cause"), note("Effect")
    before_ms = clock()
    store.edges.put([CausalEdge(cause.id, effect.id, Relation.CAUSED)], actor="test")

    assert follow(effect.id, edges_as_of(store, before_ms)).steps == ()
    assert len(follow(effect.id, edges_as_of(store, clock())).steps) == 1


def test_contradictions_stand_beside_the_chain(store, note):
    one, other = note("Use tabs"), note("Use spaces")
    store.edges.put([CausalEdge(one.id, other.id, Relation.CONTRADICTS)], actor="test")

    chain = follow(other.id, edges_now(store))

    assert chain.steps == ()
    assert chain.confidence is None
    assert len(chain.conflicts) == 1


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_a_chain_is_never_believed_more_than_its_mean_nor_less_than_its_weakest(strengths):
    found = weigh(strengths)

    assert min(strengths) - 1e-4 <= found <= sum(strengths) / len(strengths) + 1e-4


def test_the_story_names_every_memory_with_its_reason(store, note):
    outage = note("Checkout was down")
    fix = note("Retries", f"We added retries because of {outage.id}.")
    store.edges.put(infer_edges(store, fix), actor="test")
    chain = follow(fix.id, edges_now(store))

    told = tell_chain(chain, store.get_many(chain.ids))

    assert len(told) == 1
    assert outage.id in told[0]
    assert "was caused by" in told[0]
    assert "because of" in told[0]


CASES = tomllib.loads(Path(__file__).with_name("causality_cases.toml").read_text("utf-8"))


@pytest.mark.parametrize("case", CASES["case"], ids=lambda case: case["title"])
def test_edges_are_concluded_where_words_give_reason_and_nowhere_else(note, store, case):
    names = {
        one["name"]: note(one["title"], one.get("text", ""), file=one.get("file")).id
        for one in CASES["known"]
    }
    memory = note(case["title"], case["text"], file=case.get("file"))
    names["new"] = memory.id

    found = [tuple(ends_of(edge)) for edge in infer_edges(store, memory)]

    assert found == ([(names[case["from"]], names[case["to"]])] if "from" in case else [])
