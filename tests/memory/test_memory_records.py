"""Types, content, ids, titles and the JSON form of memories."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drift.kernel.errors import DriftError, ErrorCode
from drift.memory import (
    CausalEdge,
    Evidence,
    EvidenceKind,
    FileLink,
    Importance,
    Memory,
    Relation,
    edge_from_wire,
    edge_to_wire,
    memory_from_wire,
    memory_to_wire,
    memory_type,
    memory_types,
)
from drift.memory.content import check_content
from drift.memory.ids import check_id, make_id
from drift.memory.storage.log import apply_patch, diff_states, pack, unpack
from drift.memory.titles import make_title

WORDS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=40)
NAMES = WORDS.filter(str.strip)
TIMES = st.integers(0, 2**42)
MEMORIES = st.builds(
    Memory,
    id=st.text(string.ascii_letters + string.digits, min_size=1, max_size=20),
    type=st.just("tribal"),
    title=st.text(string.ascii_letters, min_size=1, max_size=30),
    text=WORDS,
    content=st.dictionaries(st.sampled_from(["topic", "knowledge", "source"]), WORDS),
    confidence=st.floats(0, 1),
    importance=st.sampled_from(Importance),
    tags=st.sets(NAMES, max_size=4).map(lambda names: tuple(sorted(names))),
    files=st.sets(st.builds(FileLink, NAMES, content_hash=st.none() | NAMES), max_size=2).map(
        lambda links: tuple(sorted({link.path: link for link in links}.values(), key=lambda link: link.path))
    ),
    kind=st.none() | WORDS,
    recorded_at_ms=TIMES,
    updated_at_ms=TIMES,
    deleted_at_ms=st.none() | TIMES,
    last_accessed_ms=st.none() | TIMES,
    access_count=st.integers(0, 1000),
    archived=st.booleans(),
)


def refusal(call, *arguments):
    with pytest.raises(DriftError) as caught:
        call(*arguments)
    assert caught.value.code is ErrorCode.INVALID_ARGUMENT
    return caught.value


def test_there_are_twenty_three_types_and_only_core_never_fades():
    assert len(memory_types()) == 23
    assert [each.name for each in memory_types().values() if each.half_life_days is None] == ["core"]
    assert all(0 <= each.least_confidence < 1 and each.fields for each in memory_types().values())


def test_a_misspelt_type_is_refused_with_the_right_one():
    assert "tribal" in refusal(memory_type, "tribel").recovery.similar


def test_an_unknown_field_is_refused_with_the_right_one():
    error = refusal(check_content, memory_type("tribal"), {"knowlege": "x"})

    assert "knowledge" in error.recovery.similar
    assert "knowlege" in error.message


@pytest.mark.parametrize(
    ("type_name", "content"),
    [
        ("tribal", {"severity": "terrible"}),
        ("tribal", {"warnings": "one"}),
        ("tribal", {"warnings": [1]}),
        ("tribal", {"topic": None}),
        ("tribal", {"topic": "half \ud800"}),
        ("tribal", {"topic": "nul \0"}),
        ("semantic", {"supportingEvidence": True}),
        ("semantic", {"supportingEvidence": 2**60}),
        ("preference", {"strength": float("nan")}),
        ("goal", {"targetDate": "soon"}),
        ("procedural", {"steps": [{"order": 1, "what": "x"}]}),
        ("procedural", {"steps": {"order": 1}}),
        ("episodic", {"context": [1]}),
        ("episodic", {"context": {1: 2}}),
        ("episodic", {"context": {"deep": object()}}),
        ("core", ["project"]),
    ],
)
def test_content_that_does_not_fit_its_type_is_refused(type_name, content):
    refusal(check_content, memory_type(type_name), content)


def test_content_nested_without_end_is_refused():
    nested = {}
    nested["again"] = nested

    refusal(check_content, memory_type("episodic"), {"context": nested})


def test_content_of_every_kind_of_field_is_taken():
    check_content(memory_type("goal"), {"progress": 0.5, "targetDate": "2026-05-01", "status": "blocked"})
    check_content(memory_type("goal"), {"successCriteria": [{"criterion": "fast", "met": True}]})
    check_content(memory_type("episodic"), {"interaction": {"userQuery": "?"}, "context": {"a": [1, None]}})
    check_content(memory_type("core"), {"stack": ["python"]})


def test_ids_sort_by_time_and_do_not_repeat():
    ids = [make_id(1_700_000_000_000 + step) for step in range(0, 100_000, 50)]

    assert ids == sorted(ids)
    assert len(ids) == len(set(ids))
    assert all(check_id(one) == one and len(one) == 17 for one in ids)


@pytest.mark.parametrize("given_id", ["", "a b", "a\n", "é", "-x", "x" * 101, "a/b"])
def test_an_id_that_could_be_mistaken_is_refused(given_id):
    refusal(check_id, given_id)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Use the retry client. It is safer.", "Use the retry client"),
        ("# Heading\n\nMore", "Heading"),
        ("```\n\n// does it\n", "does it"),
        ("Version 1.2 is out", "Version 1.2 is out"),
        ("...", ""),
        ("", ""),
    ],
)
def test_a_title_is_the_first_sentence_that_says_something(text, title):
    assert make_title(text, {}) == title


def test_a_title_is_short_however_long_the_text():
    assert len(make_title("word " * 5000, {})) <= 100


def test_a_memory_without_text_is_titled_by_its_content():
    assert make_title("", {"warnings": ["Beware of the cache"]}) == "Beware of the cache"


@given(MEMORIES)
def test_a_memory_comes_back_from_json_as_it_was(memory):
    assert memory_from_wire(memory_to_wire(memory)) == memory


@pytest.mark.parametrize(
    "change",
    [
        {"id": 5},
        {"id": "a b"},
        {"type": None},
        {"type": "nothing"},
        {"text": 5},
        {"title": None},
        {"recordedAtMs": "yesterday"},
        {"recordedAtMs": -1},
        {"updatedAtMs": True},
        {"confidence": 1.5},
        {"confidence": "high"},
        {"importance": "urgent"},
        {"tags": "one"},
        {"tags": [""]},
        {"files": [{"path": "a", "lines": 3}]},
        {"files": [{"path": "a", "startLine": 5, "endLine": 2}]},
        {"files": [{"path": "a", "startLine": "5"}]},
        {"archived": 1},
        {"supersededBy": "m1"},
        {"accessCount": -1},
        {"validFromMs": 5, "validUntilMs": 4},
        {"supersedes": ["x"]},
        {"text": "", "content": {}},
    ],
)
def test_a_record_with_a_wrong_value_is_refused(change):
    wire = {"id": "m1", "type": "tribal", "text": "x", "recordedAtMs": 1, **change}

    refusal(memory_from_wire, wire)


@pytest.mark.parametrize("missing", ["id", "type", "recordedAtMs"])
def test_a_record_without_what_it_needs_is_refused(missing):
    wire = {"id": "m1", "type": "tribal", "text": "x", "recordedAtMs": 1}
    del wire[missing]

    assert missing in refusal(memory_from_wire, wire).message


def test_an_edge_comes_back_from_json_as_it_was():
    edge = CausalEdge(
        "a", "b", Relation.CAUSED, 0.5, (Evidence(EvidenceKind.EXPLICIT, "says so"),), inferred=True
    )

    assert edge_from_wire(edge_to_wire(edge)) == edge


@pytest.mark.parametrize(
    "wire", [{}, {"source": "a", "target": "b", "relation": "likes"}, [], {"evidence": [1]}]
)
def test_an_edge_that_is_none_is_refused(wire):
    refusal(edge_from_wire, wire)


JSON = st.dictionaries(WORDS, WORDS | st.integers(-9, 9) | st.lists(WORDS, max_size=3), max_size=6)


@given(JSON, JSON)
def test_a_patch_makes_one_state_the_other(before, after):
    assert apply_patch(before, diff_states(before, after)) == after


@given(JSON)
def test_a_patch_is_read_as_it_was_written(patch):
    assert unpack(pack(patch)) == patch


def test_a_long_patch_is_kept_small():
    patch = {"text": "The gateway drops one connection in a thousand. " * 20}

    assert len(pack(patch)) < 200
    assert unpack(pack(patch)) == patch


@given(st.binary(max_size=60) | st.text(max_size=20))
def test_an_entry_that_is_none_is_an_error_not_a_crash(packed):
    try:
        assert isinstance(unpack(packed), dict)
    except DriftError as error:
        assert error.code is ErrorCode.CORTEX_UNAVAILABLE
