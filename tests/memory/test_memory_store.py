"""The store: what is kept, changed, listed, linked and counted."""

import threading
from contextlib import closing

import pytest

from drift.kernel.errors import DriftError, ErrorCode
from drift.memory import (
    CausalEdge,
    Direction,
    Draft,
    Evidence,
    EvidenceKind,
    FileLink,
    Importance,
    LinkKind,
    Listing,
    Memory,
    MemoryStore,
    OnConflict,
    Relation,
    Session,
)
from drift.memory.stems import stem
from drift.memory.storage import counting
from drift.memory.storage.rows import read_by_number
from drift.memory.storage.words import Asked, Word, find_best

ON_BOTH_ENGINES = True
ON_SQLITE_ALONE = {
    "test_no_listing_sorts_or_scans_the_whole_store",
    "test_counting_reads_an_index_and_not_the_texts",
}


def draft(text="The gateway drops connections", **given):
    return Draft(type="tribal", text=text, **given)


def whole(memory_id, text="imported", **given):
    return Memory(
        id=memory_id, type="semantic", title=text, text=text, recorded_at_ms=5, updated_at_ms=6, **given
    )


def add(store, text="The gateway drops connections", **given):
    return store.add(draft(text, **given), actor="test")


def found_by(store, words):
    with store.reading() as connection:
        asked = Asked(tuple((Word(stem(word), word),) for word in words.split()))
        numbers = [number for number, _score in find_best(connection, asked, most=100, newest=100)]
        return {memory.id for memory in read_by_number(connection, numbers).values()}


def test_what_is_added_is_read_back_whole(store):
    memory = add(
        store,
        content={"topic": "network", "severity": "warning"},
        confidence=0.7,
        importance=Importance.HIGH,
        tags=("b", "a", "a"),
        files=(FileLink("src/b.py"), FileLink("src/a.py", 3, 9, "abc")),
        functions=("connect",),
        patterns=("p1",),
        constraints=("c1",),
        source="manual",
        kind="finding",
        session="s1",
        created_by="me",
        valid_from_ms=1,
        valid_until_ms=2,
    )

    assert store.get(memory.id) == memory
    assert memory.tags == ("a", "b")
    assert [link.path for link in memory.files] == ["src/a.py", "src/b.py"]


def test_a_draft_that_cannot_be_kept_leaves_nothing(store):
    for wrong in (draft(""), draft(confidence=7), Draft(type="no", text="x"), draft(content={"no": 1})):
        with pytest.raises(DriftError):
            store.add(wrong, actor="test")

    assert store.counts().total == store.counts().log_entries == 0


def test_an_update_sets_what_it_names_and_keeps_the_rest(store):
    memory = add(store, tags=("net",))

    changed = store.update(memory.id, {"text": "The proxy drops them", "confidence": 0.4}, actor="test")

    assert (changed.text, changed.confidence, changed.tags) == ("The proxy drops them", 0.4, ("net",))
    assert changed.recorded_at_ms == memory.recorded_at_ms < changed.updated_at_ms
    assert store.get(memory.id) == changed
    assert found_by(store, "proxy") == {memory.id}


@pytest.mark.parametrize("changes", [{"id": "x"}, {"deleted_at_ms": 5}, {"confidence": 2}, {"nonsense": 1}])
def test_an_update_that_may_not_be_leaves_the_memory_as_it_was(store, changes):
    memory = add(store)

    with pytest.raises(DriftError) as caught:
        store.update(memory.id, changes, actor="test")

    assert caught.value.code is ErrorCode.INVALID_ARGUMENT
    assert store.get(memory.id) == memory


def test_a_change_that_changes_nothing_is_not_logged(store):
    memory = add(store)

    store.update(memory.id, {"confidence": memory.confidence}, actor="test")
    store.restore([memory.id], actor="test")

    assert store.counts().log_entries == 1


def test_a_purged_memory_is_hidden_kept_and_restored(store):
    memory = add(store)

    (purged,) = store.purge([memory.id], actor="test")
    hidden = store.list().memories
    listed = store.list(Listing(include_purged=True)).memories
    (restored,) = store.restore([memory.id], actor="test")

    assert purged.is_purged
    assert hidden == ()
    assert listed == (purged,)
    assert not restored.is_purged
    assert store.list().memories == (restored,)


def test_an_unknown_id_among_several_changes_none_of_them(store):
    memory = add(store)

    with pytest.raises(DriftError) as caught:
        store.purge([memory.id, "m_none"], actor="test")

    assert caught.value.code is ErrorCode.RESOURCE_NOT_FOUND
    assert store.get(memory.id) == memory


def test_an_archived_memory_says_why_until_it_is_taken_back(store):
    memory = add(store)

    (archived,) = store.archive([memory.id], reason="faded", actor="test")
    (current,) = store.unarchive([memory.id], actor="test")

    assert (archived.archived, archived.archive_reason) == (True, "faded")
    assert (current.archived, current.archive_reason) == (False, None)


def test_a_superseded_memory_and_its_successor_know_each_other(store):
    old, new = add(store, "old"), add(store, "new")

    store.supersede(old.id, new.id, actor="test")

    assert store.get(old.id).superseded_by == new.id
    assert store.get(new.id).supersedes == (old.id,)
    assert [memory.id for memory in store.list().memories] == [new.id]


def test_no_memory_supersedes_itself_by_any_way_round(store):
    first, second = add(store, "first"), add(store, "second")
    store.supersede(first.id, second.id, actor="test")

    for old, new in ((second.id, first.id), (first.id, first.id), (first.id, "m_none")):
        with pytest.raises(DriftError):
            store.supersede(old, new, actor="test")

    assert store.get(second.id).superseded_by is None


def test_links_are_added_renewed_found_and_taken_away(store):
    memory = add(store)

    store.link(memory.id, files=[FileLink("a.py", 1, 2, "old")], functions=["run"], tags=["x"], actor="test")
    linked = store.link(memory.id, files=[FileLink("a.py", 1, 2, "new")], actor="test")
    found = store.list(Listing(file="a.py", tag="x", link=(LinkKind.FUNCTION, "run"))).memories
    bare = store.unlink(memory.id, files=["a.py"], functions=["run"], tags=["x", "never"], actor="test")

    assert linked.files == (FileLink("a.py", 1, 2, "new"),)
    assert found == (linked,)
    assert (bare.files, bare.functions, bare.tags) == ((), (), ())
    assert store.list(Listing(file="a.py")).memories == ()


def test_search_finds_texts_titles_content_and_tags_and_nothing_old(store):
    memory = add(store, "body word", title="heading", content={"warnings": ["inside"]}, tags=("label",))

    assert all(
        found_by(store, word) == {memory.id} for word in ("body", "heading", "inside", "label", "words")
    )

    store.update(memory.id, {"content": {}, "tags": (), "title": "other"}, actor="test")

    assert not any(found_by(store, word) for word in ("heading", "inside", "label"))


def test_pages_follow_each_other_without_gaps_or_repeats(store):
    ids = [add(store, f"note {number}").id for number in range(25)]
    seen, after = [], None
    while True:
        page = store.list(after=after, limit=7)
        seen.extend(memory.id for memory in page.memories)
        after = page.next_after
        if after is None:
            break

    assert seen == ids[::-1]


def test_a_listing_chooses_by_all_it_names(store):
    wanted = add(store, "a", kind="decision", importance=Importance.HIGH, session="s1")
    add(store, "b", kind="decision", session="s1")
    add(store, "c", importance=Importance.HIGH)

    chosen = Listing(
        types=("tribal",),
        kinds=("decision",),
        importance=Importance.HIGH,
        session="s1",
        recorded_from_ms=wanted.recorded_at_ms,
        recorded_before_ms=wanted.recorded_at_ms + 1,
    )

    assert store.list(chosen).memories == (wanted,)


@pytest.mark.parametrize("asked", [{"limit": 0}, {"limit": 10**9}, {"after": "m_none"}])
def test_a_page_that_cannot_be_is_refused(store, asked):
    with pytest.raises(DriftError) as caught:
        store.list(**asked)

    assert caught.value.code is ErrorCode.INVALID_ARGUMENT


@pytest.mark.parametrize(
    "listing", [Listing(), Listing(types=("tribal",)), Listing(file="a"), Listing(session="s")]
)
def test_no_listing_sorts_or_scans_the_whole_store(store, listing):
    statements = []
    with store.reading() as connection:
        connection.set_trace_callback(statements.append)
        store.list(listing)
        connection.set_trace_callback(None)
        query = next(one for one in statements if "ORDER BY recorded_at_ms" in one)
        plan = " ".join(row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {query}"))

    assert "USING" in plan
    assert "TEMP B-TREE" not in plan or listing.file or listing.session


def test_an_import_keeps_ids_times_states_and_counts(store):
    memories = [
        whole("a", deleted_at_ms=7, archived=True, archive_reason="r", superseded_by="b"),
        whole("b", last_accessed_ms=9, access_count=4, last_validated_ms=8),
    ]

    report = store.add_many(iter(memories), actor="import")

    assert (report.added, report.replaced, report.skipped) == (2, 0, 0)
    assert store.get("a") == memories[0]
    assert store.get("b").access_count == 4
    assert store.get("b").supersedes == ("a",)


def test_an_id_that_is_there_is_refused_skipped_or_replaced(store):
    store.add_many([whole("a")], actor="import")
    changed = [whole("a", "changed"), whole("b"), whole("b", "again")]

    with pytest.raises(DriftError):
        store.add_many(changed, actor="import")
    assert store.counts().total == 1
    skipped = store.add_many(changed, actor="import", on_conflict=OnConflict.SKIP)
    assert store.get("a").text == "imported"
    replaced = store.add_many(changed, actor="import", on_conflict=OnConflict.REPLACE)

    assert (skipped.added, skipped.skipped) == (1, 2)
    assert (replaced.added, replaced.replaced) == (0, 2)
    assert (store.get("a").text, store.get("b").text) == ("changed", "again")


def test_an_import_that_breaks_off_leaves_nothing(store):
    def records():
        yield from (whole(f"r{number}") for number in range(1200))
        raise OSError("the file ended")

    with pytest.raises(OSError, match="the file ended"):
        store.add_many(records(), actor="import")
    with pytest.raises(DriftError) as caught:
        store.add_many([whole("a", superseded_by="nowhere")], actor="import")

    assert caught.value.code is ErrorCode.INVALID_ARGUMENT
    assert store.counts().total == store.counts().log_entries == 0


def test_uses_are_counted_without_a_write_and_written_with_the_next_change(store):
    memory = add(store)
    other = MemoryStore(store.path)

    store.touch([memory.id, memory.id, "m_none"])
    before = other.get(memory.id).access_count
    add(store, "another")
    after = other.get(memory.id)

    assert (before, after.access_count) == (0, 2)
    assert after.last_accessed_ms is not None
    assert after.updated_at_ms == memory.updated_at_ms
    other.close()


def test_uses_that_wait_are_written_when_the_store_closes(store):
    memory = add(store)
    store.touch([memory.id])

    store.close()

    assert store.get(memory.id).access_count == 1


def test_many_uses_do_not_wait_for_a_change(store):
    ids = [add(store, f"note {number}").id for number in range(300)]

    store.touch(ids)

    with closing(MemoryStore(store.path)) as other:
        assert sum(memory.access_count for memory in other.get_many(ids).values()) == 300


def test_edges_are_put_replaced_read_from_both_ends_and_removed(store):
    first, second, third = (add(store, text).id for text in ("one", "two", "three"))
    evidence = (Evidence(EvidenceKind.EXPLICIT, "because"),)
    weak = CausalEdge(first, second, Relation.CAUSED, 0.4)
    strong = CausalEdge(first, second, Relation.CAUSED, 0.9, evidence, inferred=True, validated_at_ms=5)
    other = CausalEdge(second, third, Relation.SUPPORTS, 0.5)

    assert store.edges.put([weak, other], actor="test") == 2
    assert store.edges.put([strong, other], actor="test") == 1

    assert store.edges.of([second]) == (strong, other)
    assert store.edges.of([second], Direction.OUT) == (other,)
    assert store.edges.of([second], Direction.IN) == (strong,)
    assert store.edges.all() == (strong, other)
    assert store.edges.remove(first, second, Relation.CAUSED, actor="test")
    assert not store.edges.remove(first, second, Relation.CAUSED, actor="test")
    assert store.edges.all() == (other,)


def test_an_edge_that_cannot_be_takes_the_others_with_it(store):
    first, second = add(store, "one").id, add(store, "two").id
    good = CausalEdge(first, second, Relation.CAUSED)

    for wrong in (
        CausalEdge(first, first, Relation.CAUSED),
        CausalEdge(first, "m_none", Relation.CAUSED),
        CausalEdge(first, second, Relation.CAUSED, strength=3),
    ):
        with pytest.raises(DriftError):
            store.edges.put([good, wrong], actor="test")

    assert store.edges.all() == ()


def test_sessions_are_kept_read_and_forgotten(store):
    old = Session("s1", 1, 5, state={"sent": {"m_1": 2}})
    new = Session("s2", 6, 9, ended_at_ms=9, summary="done")
    store.sessions.put(old)
    store.sessions.put(new)

    assert store.sessions.get("s1") == old
    assert store.sessions.get("s3") is None
    assert store.sessions.recent() == (new, old)
    assert store.sessions.forget_before(6) == 1
    assert store.sessions.recent() == (new,)


def test_a_session_that_begins_drops_what_others_were_told_a_week_ago_but_not_their_summaries(store):
    week_ms = 7 * 24 * 3_600_000
    store.sessions.put(Session("silent", 0, 999, state={"sent": {"tokens": 3}}))
    store.sessions.put(Session("summed", 0, 999, summary="mended the cart", state={"told": ["m_1"]}))
    store.sessions.put(Session("recent", 0, 1_000, state={"sent": {}}))

    store.sessions.put(Session("new", week_ms, week_ms + 1_000))

    assert store.sessions.get("silent") is None
    assert store.sessions.get("summed") == Session("summed", 0, 999, summary="mended the cart")
    assert store.sessions.get("recent") == Session("recent", 0, 1_000, state={"sent": {}})


def test_a_session_that_goes_on_drops_nothing(store):
    store.sessions.put(Session("old", 0, 0, state={"sent": {}}))
    store.sessions.put(Session("long", 0, 0))

    store.sessions.put(Session("long", 0, 30 * 24 * 3_600_000))

    assert store.sessions.get("old") is not None


def test_changes_in_one_transaction_are_kept_together_or_not_at_all(store):
    kept = add(store)

    def lose(name):
        with store.transaction():
            add(store, name)
            store.purge([kept.id], actor="test")
            store.get("m_none")

    with pytest.raises(DriftError):
        lose("all of it")
    with store.transaction():
        add(store, "one")
        with pytest.raises(DriftError):
            lose("the inner one")
        add(store, "two")

    assert {memory.text for memory in store.list().memories} == {kept.text, "one", "two"}


def test_a_change_inside_a_reading_is_refused_not_deadlocked(store):
    with store.reading(), pytest.raises(DriftError) as caught:
        add(store)

    assert caught.value.code is ErrorCode.INTERNAL_ERROR


def test_counts_tell_the_states_apart(store):
    current, old, archived, purged = (add(store, text).id for text in ("a", "b", "c", "d"))
    store.supersede(old, current, actor="test")
    store.archive([archived], reason="r", actor="test")
    store.purge([purged], actor="test")

    counts = store.counts()

    assert (counts.total, counts.current, counts.superseded, counts.archived, counts.purged) == (
        4,
        1,
        1,
        1,
        1,
    )
    assert counts.by_type == {"tribal": 3}
    assert counts.log_entries == 7
    assert counts.size_bytes > 0


def test_counting_reads_an_index_and_not_the_texts(store):
    with store.reading() as connection:
        plans = [
            connection.execute(f"EXPLAIN QUERY PLAN {statement}").fetchone()[3]
            for statement in (counting._STATES, counting._TYPES)
        ]

    assert all("COVERING INDEX memories_by_type" in plan for plan in plans)


def test_the_log_and_the_memories_cannot_be_deleted_by_sql(store):
    add(store)

    for statement in ("DELETE FROM log", "UPDATE log SET actor = 'x'", "DELETE FROM memories"):
        with pytest.raises(DriftError), store.transaction() as connection:
            connection.execute(statement)

    assert store.counts().log_entries == 1


def test_threads_of_one_process_lose_nothing(store):
    kept, errors = [], []

    def save(name):
        try:
            kept.extend(add(store, f"{name} {number}").id for number in range(20))
            store.list()
        except DriftError as error:
            errors.append(error)

    threads = [threading.Thread(target=save, args=(f"thread {number}",)) for number in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert errors == []
    assert len(store.get_many(kept)) == 100


@pytest.mark.parametrize(
    "ask",
    [
        lambda store: store.get("\ud800"),
        lambda store: store.list(Listing(tag="\ud800")),
        lambda store: store.list(Listing(recorded_from_ms=2**70)),
        lambda store: store.history.memory_at("m", 2**70),
        lambda store: store.purge(["\ud800"], actor="test"),
        lambda store: add(store, tags=("\ud800",)),
        lambda store: store.add(draft(), actor="\ud800"),
        lambda store: store.sessions.put(Session("s", 1, 2**70)),
    ],
)
def test_a_value_sqlite_cannot_take_is_an_argument_refused(store, ask):
    with pytest.raises(DriftError) as caught:
        ask(store)

    assert caught.value.code is ErrorCode.INVALID_ARGUMENT
    assert store.counts().total == 0


def test_a_use_that_cannot_be_written_does_not_break_the_reading(store):
    ids = [add(store, f"note {number}").id for number in range(300)]

    with store.reading():
        store.touch(ids)
    add(store, "the next change")

    assert store.get(ids[0]).access_count == 1


def test_what_is_imported_and_replaced_at_once_is_found_by_its_last_words(store):
    twice = [whole("m_1", "first words"), whole("m_2", "others"), whole("m_1", "later words")]

    store.add_many(twice, actor="test", on_conflict=OnConflict.REPLACE)

    assert found_by(store, "later") == {"m_1"}
    assert found_by(store, "first") == set()
    assert store.find_short() == ()
