"""Memories out of one store and into another."""

import io
import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drift.kernel.errors import DriftError, ErrorCode
from drift.memory import (
    CausalEdge,
    Draft,
    Evidence,
    EvidenceKind,
    FileLink,
    Importance,
    MemoryStore,
    Relation,
)
from drift.memory.transfer.json_records import MOST_RECORD_CHARS, read_json, write_json
from drift.memory.transfer.markdown import HEAD, read_markdown, write_markdown
from drift.memory.transfer.transfer import edges_among, export_memories, import_records

NOW = 1_750_000_000_000
FORMS = {
    "json": (write_json, read_json),
    "markdown": (write_markdown, read_markdown),
}
# Surrogates and NUL cannot be kept at all; everything else must come back as it was.
TEXT = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), max_size=80)
TRICKY = st.sampled_from(
    [
        "```text\ninside\n```",
        "<!-- memory {} -->",
        "a --> b",
        "line\r\nline\rline",
        "# heading",
        "\u2028",
        "  ",
        "````",
    ]
)
DRAFTS = st.builds(
    Draft,
    type=st.sampled_from(["tribal", "insight", "decision"]),
    title=st.one_of(st.just("a title"), TEXT.filter(lambda text: text.strip() != "")),
    text=st.one_of(TEXT, TRICKY, st.tuples(TEXT, TRICKY, TEXT).map("\n".join)),
    confidence=st.floats(0, 1),
    importance=st.sampled_from(Importance),
    tags=st.lists(TEXT.filter(str.strip), max_size=3).map(tuple),
    files=st.lists(st.builds(FileLink, st.just("src/cart.py"), st.integers(1, 9)), max_size=2).map(tuple),
    source=st.none() | TEXT,
    valid_from_ms=st.none() | st.integers(0, NOW),
)


def take(store, text, **options):
    return import_records(
        store, read_json(io.StringIO(text, newline="\n")), actor="test", now_ms=NOW, **options
    )


def whole(store):
    return {one.id: one for one in export_memories(store, is_whole=True)}


def carry(store, other, form):
    write, read = FORMS[form]
    memories = list(export_memories(store, is_whole=True))
    text = "".join(write(memories, edges_among(store, [one.id for one in memories])))
    return import_records(other, read(io.StringIO(text, newline="\n")), actor="test", now_ms=NOW)


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=15)
@given(drafts=st.lists(DRAFTS, min_size=1, max_size=4))
def test_a_round_trip_gives_every_memory_back_as_it_was(form, drafts):
    with tempfile.TemporaryDirectory() as folder:
        one, other = (MemoryStore.open(Path(folder) / f"{name}.db") for name in "ab")
        # What is exported has been redacted when it came in; chance texts may look like a secret.
        carry_in = [{"id": f"n{place}", **wire(draft)} for place, draft in enumerate(drafts)]
        import_records(one, carry_in, actor="test", now_ms=NOW)

        carry(one, other, form)

        assert whole(other) == whole(one)
        one.close()
        other.close()


def wire(draft):
    return {
        "type": draft.type, "title": draft.title, "text": draft.text, "confidence": draft.confidence,
        "importance": str(draft.importance), "tags": list(draft.tags), "source": draft.source,
        "files": [{"path": link.path, "startLine": link.start_line} for link in draft.files],
        "validFromMs": draft.valid_from_ms, "recordedAtMs": NOW,
    }  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_states_edges_and_counts_of_use_come_along(store, tmp_path, form):
    first = store.add(Draft(type="decision", text="We keep SQLite"), actor="t")
    second = store.add(Draft(type="decision", text="We keep SQLite in WAL mode"), actor="t")
    third = store.add(Draft(type="tribal", text="Never vacuum at noon"), actor="t")
    store.supersede(first.id, second.id, actor="t")
    store.archive([third.id], reason="done", actor="t")
    store.purge([third.id], actor="t")
    store.touch([second.id])
    store.flush_usage()
    seen = Evidence(EvidenceKind.EXPLICIT, "a --> b")
    store.edges.put([CausalEdge(first.id, second.id, Relation.CAUSED, 0.5, (seen,))], actor="t")
    other = MemoryStore.open(tmp_path / f"{form}.db")

    taken = carry(store, other, form)

    assert (taken.added, taken.edges) == (3, 1)
    assert whole(other) == whole(store)
    assert other.edges.all() == store.edges.all()


def test_an_export_of_one_type_brings_what_took_the_place_of_its_memories(store, tmp_path):
    old = store.add(Draft(type="decision", text="We keep SQLite"), actor="t")
    new = store.add(Draft(type="insight", text="PostgreSQL it is"), actor="t")
    store.supersede(old.id, new.id, actor="t")

    exported = [one.id for one in export_memories(store, types=("decision",), is_whole=True)]

    assert exported == [old.id, new.id]


def test_the_current_memories_are_exported_unless_all_are_asked_for(store):
    kept = store.add(Draft(type="tribal", text="Here"), actor="t")
    gone = store.add(Draft(type="tribal", text="Gone"), actor="t")
    store.purge([gone.id], actor="t")

    assert [one.id for one in export_memories(store)] == [kept.id]


@pytest.mark.parametrize(
    "text",
    [
        '[{"id": "a", "type": "tribal", "text": "one"}, {"id": "b", "type": "tribal", "text": "two"}]',
        '{"id": "a", "type": "tribal", "text": "one"}\n\n{"id": "b", "type": "tribal", "text": "two"}\n',
        '\ufeff{"memories": [{"id": "a", "text": "one"}, {"id": "b", "text": "two"}], "more": {"x": [1]}}',
    ],
    ids=["list", "lines", "document"],
)
def test_lists_lines_and_documents_are_read_with_the_ids_they_bring(store, text):
    taken = take(store, text)

    assert taken.added == 2
    assert set(store.get_many(["a", "b"])) == {"a", "b"}


def test_names_and_times_that_others_use_are_understood_and_unknown_fields_are_told(store):
    record = {
        "id": "n1", "memory_type": "tribal", "summary": "Cart", "content": "Totals are cents",
        "created_at": "2024-01-02T03:04:05Z", "linkedFiles": ["cart.py"], "embedding": [1],
    }  # fmt: skip

    taken = take(store, json.dumps([record]))

    memory = store.get("n1")
    assert (memory.type, memory.title, memory.text) == ("tribal", "Cart", "Totals are cents")
    assert (memory.recorded_at_ms, memory.files) == (1_704_164_645_000, (FileLink("cart.py"),))
    assert taken.unread_fields == {"embedding": 1}


def test_one_bad_record_is_named_by_its_place_and_nothing_is_taken(store):
    records = [{"id": "a", "text": "good"}, {"id": "b", "type": "nonsense", "text": "bad"}, 7]

    with pytest.raises(DriftError) as raised:
        take(store, json.dumps(records))

    wire = raised.value.as_wire()
    assert wire["code"] == ErrorCode.INVALID_ARGUMENT
    assert [(one["index"], one["id"]) for one in wire["errors"]] == [(1, "b"), (2, None)]
    assert store.get_many(["a"]) == {}


def test_the_good_records_are_taken_where_that_is_asked_for(store):
    taken = take(
        store, '[{"id": "a", "text": "good"}, {"id": "b", "type": "no", "text": "x"}]', skip_invalid=True
    )

    assert (taken.added, taken.invalid) == (1, 1)


def test_ids_that_are_there_are_left_alone_unless_they_may_be_overwritten(store):
    take(store, '[{"id": "a", "text": "first"}]')

    kept = take(store, '[{"id": "a", "text": "second"}]')
    assert (kept.added, kept.skipped, store.get("a").text) == (0, 1, "first")
    replaced = take(store, '[{"id": "a", "text": "second"}]', may_overwrite=True)
    assert (replaced.replaced, store.get("a").text) == (1, "second")


def test_secrets_do_not_come_in_by_an_import(store):
    key = "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA\n"
    taken = take(store, json.dumps([{"id": "a", "text": f"see {key}", "tags": ["ghp_" + "a1B2" * 9]}]))

    assert taken.redacted == 2
    assert "MIIE" not in store.get("a").text
    assert "ghp_" not in store.get("a").tags[0]


@pytest.mark.parametrize(
    "text",
    ["[", "{", "[1 2]", '[{"id": "a"', "nonsense", '[{"a": 1}} ', "[" * 5000, '{"memories": [}', "9" * 6000],
    ids=range(9),
)
def test_what_is_no_json_is_refused_with_a_way_out(store, text):
    with pytest.raises(DriftError) as raised:
        take(store, text)

    assert raised.value.code is ErrorCode.INVALID_ARGUMENT
    assert store.counts().total == 0


def test_a_record_without_an_end_is_not_read_for_ever(store):
    with pytest.raises(DriftError, match="more than"):
        take(store, '[{"text": "' + "a" * (2 * MOST_RECORD_CHARS))


def test_records_larger_than_a_piece_of_the_file_are_read(store):
    records = [{"id": f"r{place}", "text": f"{place} " + "word " * 30_000} for place in range(5)]

    assert take(store, json.dumps(records)).added == 5


@pytest.mark.parametrize(
    "page",
    ["# Notes\n", f"{HEAD}\n<!-- memory {{\n", f"{HEAD}\n<!-- memory [] -->\n", f"{HEAD}\n<!-- memory x -->"],
)
def test_markdown_that_is_no_export_is_refused(store, page):
    with pytest.raises(DriftError) as raised:
        import_records(store, read_markdown(io.StringIO(page)), actor="test", now_ms=NOW)

    assert raised.value.code is ErrorCode.INVALID_ARGUMENT


def test_an_edge_to_a_memory_that_is_not_there_is_a_bad_record(store):
    edge = {"source": "a", "target": "nowhere", "relation": "caused"}

    with pytest.raises(DriftError) as raised:
        take(store, json.dumps([{"id": "a", "text": "x y"}, edge]))

    assert raised.value.as_wire()["errors"][0]["index"] == 1
