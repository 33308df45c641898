"""What is merged, what stays apart, and that nothing is lost by it."""

import pytest

from drift.memory import Draft, FileLink, Importance, Relation
from drift.memory.search import WordCounts
from drift.memory.truth.consolidation import consolidate, plan_consolidation

DAY_MS = 86_400_000
SAME = (
    "The nightly import failed because the supplier feed was empty. We retried it by hand.",
    "The nightly import failed because the supplier feed was empty again.",
    "The nightly import failed because the supplier feed was empty. Paging the supplier helped.",
)


@pytest.fixture
def add(store):
    def run(text, **fields):
        return store.add(
            Draft(**{"type": "episodic", "text": text, "importance": Importance.CRITICAL, **fields}),
            actor="t",
        )

    return run


def plan(store, *, days=8):
    current = store.list().memories
    return plan_consolidation(current, now_ms=current[0].recorded_at_ms + days * DAY_MS)


def test_episodes_that_tell_the_same_become_one_fact_with_every_new_sentence(store, add):
    sources = {
        add(text, files=(FileLink("shared.py"), FileLink(f"f{number}.py")), tags=("import",)).id
        for number, text in enumerate(SAME)
    }

    (cluster,) = plan(store).clusters
    done = consolidate(
        store, cluster, actor="t", now_ms=cluster.members[0].recorded_at_ms, counts=WordCounts()
    )

    kept = store.get(done.memory.id)
    assert kept.type == "semantic"
    assert "We retried it by hand." in kept.text
    assert "Paging the supplier helped." in kept.text
    assert kept.text.count("supplier feed was empty") == 1
    assert {link.path for link in kept.files} == {"f0.py", "f1.py", "f2.py", "shared.py"}
    assert kept.content["supportingEvidence"] == 3
    assert {
        edge.target for edge in store.edges.of([kept.id]) if edge.relation is Relation.DERIVED_FROM
    } == sources
    assert all(store.get(one).archived for one in sources)
    assert store.get(next(iter(sources))).archive_reason == f"consolidated into {kept.id}"
    assert done.tokens_freed == cluster.tokens_before - cluster.tokens_after > 0


def test_what_was_consolidated_can_be_brought_back(store, add):
    ids = [add(text).id for text in SAME]
    (cluster,) = plan(store).clusters
    consolidate(store, cluster, actor="t", now_ms=cluster.members[0].recorded_at_ms, counts=WordCounts())

    store.unarchive(ids, actor="t")

    assert {store.get(one).text for one in ids} == set(SAME)


def test_young_faded_dated_and_unlike_episodes_stay(store, add):
    for text in SAME[:2]:
        add(text)
    add(SAME[2], valid_until_ms=1_900_000_000_000)
    add("The landing page got a new colour and the designers liked it")

    assert plan(store, days=1).considered == 0
    assert plan(store, days=400).considered == 0
    assert [len(one.members) for one in plan(store).clusters] == [2]


def test_two_notes_about_one_file_are_not_one(store, add):
    link = (FileLink("shop/pricing.py"),)
    add("Prices are rounded half up for Swiss francs", files=link)
    add("The module was split out of the monolith by Ada", files=link)

    assert plan(store).clusters == ()


def test_memories_that_contradict_each_other_are_left_apart_and_named(store, add):
    first = add("The nightly import of the supplier feed ran late. The import retry limit is 3")
    second = add("The nightly import of the supplier feed ran late. The import retry limit is 5")

    found = plan(store)

    assert found.clusters == ()
    assert {first.id, second.id} <= {one for ids in found.contradicting for one in ids}
    assert all(store.get(one.id).is_current for one in (first, second))


def test_a_fact_that_is_there_already_is_confirmed_and_not_doubled(store, add):
    for text in SAME:
        add(text)
    (cluster,) = plan(store).clusters
    there = store.add(
        Draft(type="semantic", title=cluster.merged.title, text=cluster.merged.text, confidence=0.4),
        actor="t",
    )
    same = cluster._replace(merged=Draft(type="semantic", title=there.title, text=there.text, confidence=0.9))

    done = consolidate(store, same, actor="t", now_ms=there.recorded_at_ms, counts=WordCounts())

    assert (done.memory.id, done.is_new) == (there.id, False)
    assert store.get(there.id).confidence == 0.9
    assert done.tokens_freed == cluster.tokens_before


def test_other_types_keep_their_type_and_fields(store, add):
    for number, text in enumerate(SAME):
        add(text, type="tribal", content={"topic": "import", "warnings": [f"w{number}"]})

    (cluster,) = plan(store).clusters

    assert cluster.merged.type == "tribal"
    assert cluster.merged.content["topic"] == "import"
    assert sorted(cluster.merged.content["warnings"]) == ["w0", "w1", "w2"]


def test_memories_whose_fields_differ_are_not_one(store, add):
    add(SAME[0], type="incident", content={"severity": "high"})
    add(SAME[1], type="incident", content={"severity": "low"})

    assert plan(store).clusters == ()


def test_where_one_says_it_all_it_stays_and_the_others_are_archived(store, add):
    first, second = (add(SAME[0], type="tribal", confidence=0.5) for _ in range(2))
    (cluster,) = plan(store).clusters

    done = consolidate(store, cluster, actor="t", now_ms=first.recorded_at_ms, counts=WordCounts())

    (gone,) = done.sources
    assert {done.memory.id, gone} == {first.id, second.id}
    assert (done.is_new, store.get(done.memory.id).is_current, store.get(gone).archived) == (
        False,
        True,
        True,
    )
    assert [(edge.source, edge.target) for edge in store.edges.all()] == [(done.memory.id, gone)]
