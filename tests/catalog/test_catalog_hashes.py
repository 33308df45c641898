"""The hashes other programs compute too: their bytes are pinned."""

import hashlib
import json

from hypothesis import given
from hypothesis import strategies as st

from drift.catalog import Change
from drift.catalog.hashes import Projection, hash_catalog, hash_governance, hash_text

FIRST = Projection("alpha", "First", "1.0.0", "team-a", "P1", "2026-03-02T09:30:00.000Z", "sum", ())
SECOND = Projection(
    "beta", 'A "quoted" é\u2028\t\x01', "2.1.0", "", "P4", None, None, (Change("2.1.0", "2026-01-01", "x"),)
)


def test_a_projection_is_written_as_json_stringify_writes_it():
    empty = hashlib.sha256(b"").hexdigest()

    assert SECOND.as_line() == (
        '{"id":"beta","title":"A \\"quoted\\" é\u2028\\t\\u0001","version":"2.1.0","owner":"unowned",'
        f'"priorityTier":"P4","nextReviewDue":"","semanticSummarySha256":"{empty}","changeLogLength":1}}'
    )


def test_the_governance_hash_is_the_one_it_always_was():
    lines = [FIRST.as_line(), SECOND.as_line()]

    assert hash_governance(lines) == "8322b38097edf7809d3b21635510adfa3968a005492a991d71e9875a6c636760"
    assert (
        hash_governance(lines, has_trailing_newline=True)
        == "327a26d8f7ec9aacf51f34a6a89bc8b79aaf656bc8646231db444eb460dd8660"
    )
    assert hash_governance([]) == hashlib.sha256(b"").hexdigest()


def test_a_trailing_newline_is_what_sets_the_two_governance_hashes_apart():
    lines = [FIRST.as_line(), SECOND.as_line()]

    expected = hashlib.sha256(("\n".join(lines) + "\n").encode()).hexdigest()
    assert hash_governance(lines, has_trailing_newline=True) == expected


def test_the_catalog_hash_is_the_one_it_always_was():
    assert (
        hash_catalog([("a", hash_text("one")), ("b", hash_text("two"))])
        == "8e6d850798e6832360877ea9ec6495b8439f795c9cec5dfa7d41f088df5e8c63"
    )


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_title_comes_back_from_its_line(title):
    line = Projection("a", title, "1.0.0", "o", "P1", None, None, ()).as_line()

    assert json.loads(line)["title"] == title
    assert " " not in line.replace(json.dumps(title, ensure_ascii=False), "")


def test_a_change_of_the_body_alone_leaves_the_governance_hash(catalog, entry):
    catalog.add(entry(owner="ann"))
    before, body_before = catalog.governance().governance_hash, catalog.hash()

    catalog.add({**catalog.get("alpha").as_wire(), "body": "Another body."}, overwrite=True)

    assert catalog.governance().governance_hash == before
    assert catalog.hash() != body_before


def test_every_governed_field_changes_the_governance_hash(catalog, entry):
    catalog.add(entry(owner="ann"))
    seen = {catalog.governance().governance_hash}

    for patch in (
        {"owner": "bob"},
        {"title": "Other"},
        {"priority": 10},
        {"nextReviewDue": "2030-01-01"},
        {"semanticSummary": "short"},
    ):
        catalog.governance_update("alpha", patch, bump="none")
        seen.add(catalog.governance().governance_hash)

    assert len(seen) == 6


def test_the_hash_joined_by_the_index_is_that_of_the_ids_and_bodies(catalog, entry):
    for name in ("b", "a", "Z", "a-1", "a.b"):
        catalog.add(entry(name))

    pairs = sorted((each.id, each.source_hash) for each in catalog.export())
    assert catalog.hash() == hash_catalog(pairs)


def test_governance_items_are_what_the_hash_is_made_of(catalog, entry):
    catalog.add(entry("one"))
    catalog.add(entry("two"))

    found = catalog.governance(includes_items=True)

    assert [item.id for item in found.items] == ["one", "two"]
    assert found.items[0].hash == catalog.get("one").governance_hash
    lines = [json.dumps(item.governance, separators=(",", ":"), ensure_ascii=False) for item in found.items]
    assert found.governance_hash == hash_governance(lines)
