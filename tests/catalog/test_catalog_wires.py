"""Reads of rows as they are stored answer as those through instructions do."""

import pytest

from drift.catalog import Filters, Sort


@pytest.fixture
def filled(catalog, entry, write):
    done = catalog.import_entries(
        [
            entry(
                f"w{number}",
                title=f"Rule {number}",
                body=f"Always test number {number}.",
                priority=number + 1,
                categories=[] if number == 2 else ["all"],
                examples=["first", "second"] if number == 3 else [],
                changeLog=[{"version": "1.0.1", "changedAt": "2026-01-01", "summary": "Made"}]
                if number
                else [],
            )
            for number in range(5)
        ]
    )
    assert not done.errors
    # A file may have more than a call may give.
    write("w5.json", entry("w5", title="Rule 5", priority=6, custom={"kept": 1}))
    return catalog


def members(entries):
    """With the order of the names, which an answer's text shows."""
    return [list(each.items()) for each in entries]


def test_a_list_has_the_same_members_in_the_same_order(filled):
    wanted, found = (
        filled.list_entries(limit=4, offset=1),
        filled.wires.list_entries(category=None, limit=4, offset=1),
    )

    assert members(found.items) == members(each.as_wire() for each in wanted.items)
    assert (found.hash, found.count, len(found.items)) == (wanted.hash, 6, 4)
    assert filled.wires.list_entries(category="none", limit=4, offset=0).items == ()


def test_a_search_finds_and_marks_the_same(filled):
    wanted, found = filled.search("rule"), filled.wires.search("rule", limit=50, offset=0)

    assert members(found.items) == members(hit.instruction.as_wire() for hit in wanted.hits)
    assert [each[1:] for each in found.ranks] == [hit[1:] for hit in wanted.hits]
    assert filled.wires.search("!", limit=5, offset=0).items == ()


def test_a_query_gives_the_same_pages(filled):
    after = None
    for _ in range(3):
        asked = {"sort": Sort("title", "desc"), "limit": 2, "after": after}
        wanted, found = filled.query(Filters(), **asked), filled.wires.query(Filters(), **asked)

        assert members(found.items) == members(each.as_wire() for each in wanted.items)
        assert (found.total, found.next) == (wanted.total, wanted.next)
        after = found.next
    assert after is None


def test_a_remembered_page_is_found_anew_after_a_change(filled):
    before = filled.wires.query(Filters(), limit=2)
    filled.remove(["w0"])

    assert [each["id"] for each in before.items] == ["w0", "w1"]
    assert [each["id"] for each in filled.wires.query(Filters(), limit=2).items] == ["w1", "w2"]


def test_one_instruction_comes_with_the_hash_of_its_catalog(filled):
    assert filled.wires.get("w3") == (filled.get("w3").as_wire(), filled.hash())
    assert filled.wires.get("w9") == (None, filled.hash())
