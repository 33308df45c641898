"""The log: who changed what, and the store as it was at a time."""

import pytest

from drift.kernel.errors import DriftError
from drift.memory import CausalEdge, Draft, FileLink, Memory, Relation

ON_BOTH_ENGINES = True
ON_SQLITE_ALONE = {"test_a_store_of_many_memories_is_replayed_in_full"}


def add(store, text):
    return store.add(Draft(type="tribal", text=text), actor="ann")


def test_each_change_has_its_actor_its_time_and_its_patch(store):
    memory = add(store, "first words")
    store.update(memory.id, {"confidence": 0.5}, actor="bob")
    store.purge([memory.id], actor="cy")

    added, updated, purged = store.history.of(memory.id)

    assert [(entry.actor, entry.action) for entry in (added, updated, purged)] == [
        ("ann", "add"),
        ("bob", "update"),
        ("cy", "purge"),
    ]
    assert added.patch["text"] == "first words"
    assert set(updated.patch) == {"confidence", "updatedAtMs"}
    assert added.at_ms < updated.at_ms < purged.at_ms


def test_a_memory_is_seen_as_it_was_at_a_time(store):
    first = add(store, "first")
    second = store.update(first.id, {"text": "second", "kind": "finding"}, actor="a")
    linked = store.link(first.id, files=[FileLink("a.py", 1, 2, "h")], actor="a")
    third = store.update(first.id, {"kind": None}, actor="a")

    history = store.history

    assert history.memory_at(first.id, first.recorded_at_ms - 1) is None
    assert history.memory_at(first.id, first.updated_at_ms) == first
    assert history.memory_at(first.id, second.updated_at_ms) == second
    assert history.memory_at(first.id, linked.updated_at_ms) == linked
    assert history.memory_at(first.id, third.updated_at_ms + 10**9) == third == store.get(first.id)
    assert history.memory_at("m_none", 10**15) is None


def test_the_whole_store_is_seen_as_it_was_at_a_time(store):
    old = add(store, "old")
    new = add(store, "new")
    store.purge([old.id], actor="a")
    later = add(store, "later")

    assert list(store.history.memories_at(new.recorded_at_ms)) == [old, new]
    assert [memory.id for memory in store.history.memories_at()] == [old.id, new.id, later.id]


def test_a_store_of_many_memories_is_replayed_in_full(store):
    memories = [
        Memory(id=f"r{number}", type="core", title="t", recorded_at_ms=number, updated_at_ms=number)
        for number in range(1201)
    ]
    store.add_many(memories, actor="import")

    assert list(store.history.memories_at()) == memories


def test_edges_are_seen_as_they_were_at_a_time(store):
    first, second = add(store, "one"), add(store, "two")
    edge = CausalEdge(first.id, second.id, Relation.CAUSED, 0.5)
    store.edges.put([edge], actor="a")
    (entry,) = [one for one in store.history.of(first.id) if one.action == "edge"]
    store.edges.remove(first.id, second.id, Relation.CAUSED, actor="a")

    assert store.history.edges_at(entry.at_ms - 1) == ()
    assert store.history.edges_at(entry.at_ms) == (edge,)
    assert store.history.edges_at() == store.edges.all() == ()
    assert store.history.memory_at(first.id, entry.at_ms) == first


def test_the_latest_changes_come_in_pages(store):
    ids = [add(store, f"note {number}").id for number in range(5)]

    newest = store.history.latest(2)
    rest = store.history.latest(9, before_sequence=newest[-1].sequence)

    assert [entry.memory for entry in (*newest, *rest)] == ids[::-1]


def test_a_failed_change_leaves_no_entry(store):
    memory = add(store, "note")

    with pytest.raises(DriftError):
        store.update(memory.id, {"confidence": 9}, actor="a")

    assert len(store.history.of(memory.id)) == 1
