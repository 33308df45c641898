"""Whatever a file holds, it is an instruction that can be kept and written again, or it is refused with a reason."""

import json
import tempfile
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drift.catalog import Catalog, Places, schema
from drift.catalog.files import UnreadableFileError
from drift.catalog.reading import dump, load

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=20)
    | st.sampled_from(
        ["mandatory", "deprecated", "2026-01-01", "0001-01-01T00:00:00+23:59", "1.0.0", "9" * 30]
    ),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
OBJECTS = st.dictionaries(
    st.sampled_from(sorted(schema()["properties"])) | st.text(max_size=8), VALUES, max_size=6
)


@given(OBJECTS)
def test_any_object_is_an_instruction_that_survives_writing_or_is_refused(fields):
    content = json.dumps({"body": "x", **fields, "id": "a"}).encode()

    try:
        loaded = load("a.json", content)
    except UnreadableFileError as error:
        assert error.reason
        return

    again = load("a.json", dump(loaded.instruction))
    assert again.instruction == loaded.instruction


@settings(max_examples=40)
@given(st.lists(OBJECTS, max_size=4), st.binary(max_size=40))
def test_no_object_and_no_bytes_hide_the_other_files(objects, content):
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "good.json").write_text('{"id": "good", "body": "fine"}')
        (root / "raw.json").write_bytes(content)
        for number, fields in enumerate(objects):
            (root / f"e{number}.json").write_text(json.dumps({"body": "x", **fields, "id": f"e{number}"}))
        places = Places(root, root / "catalog.db", root / "index.db", root / "catalog.db")
        with closing(Catalog(places)) as catalog:
            listed = [each.id for each in catalog.list_entries().items]
            stats = catalog.stats()
            found = catalog.governance(includes_items=True)

    assert "good" in listed
    assert stats.count == found.count == len(listed)
    assert stats.count + stats.problems == len(objects) + 2


@pytest.mark.parametrize("value", ["0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59"])
@pytest.mark.parametrize("field", ["createdAt", "updatedAt", "lastReviewedAt", "nextReviewDue"])
def test_a_time_at_the_edge_of_time_is_kept_or_refused(field, value):
    content = json.dumps({"id": "a", "body": "x", field: value}).encode()

    try:
        assert load("a.json", content).instruction.id == "a"
    except UnreadableFileError as error:
        assert field in error.reason


@pytest.mark.parametrize("number", [float("inf"), float("-inf"), float("nan")])
def test_a_number_json_does_not_have_is_refused_and_stops_no_other(catalog, number):
    entries = [{"id": "bad", "body": "x", "more": [{"deep": number}]}, {"id": "good", "body": "x"}]

    done = catalog.import_entries(entries, validate=False)

    assert [(each.index, each.id) for each in done.errors] == [(0, "bad")]
    assert "number" in done.errors[0].error
    assert [each.id for each in catalog.list_entries().items] == ["good"]


@settings(max_examples=40)
@given(OBJECTS, st.sampled_from(["skip", "overwrite", "merge"]), st.booleans())
def test_whatever_is_imported_makes_no_broken_file(fields, mode, validate):
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        places = Places(root / "instructions", root / "catalog.db", root / "index.db", root / "catalog.db")
        with closing(Catalog(places)) as catalog:
            catalog.add({"id": "a", "body": "before"}, lax=True)
            done = catalog.import_entries([{"body": "x", **fields, "id": "a"}], mode=mode, validate=validate)
            problems, count = catalog.problems(), catalog.count()

    assert (problems, count) == ((), 1)
    assert done.skipped + done.overwritten + len(done.errors) == 1
