"""A hash that is kept while lines change is the hash of the lines as they are."""

import hashlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drift.catalog import Change, incremental_hash
from drift.catalog.hashes import Projection, hash_catalog, hash_governance
from drift.catalog.incremental_hash import RunningHash

KEYS = st.text("abc-", min_size=1, max_size=3)
STEPS = st.lists(st.tuples(st.sampled_from(["put", "drop", "ask"]), KEYS, st.sampled_from(["", "x", "é"])))


def whole(lines, *, ends):
    texts = [lines[key] for key in sorted(lines)]
    return hashlib.sha256("\n".join([*texts, *([""] if ends and texts else [])]).encode()).hexdigest()


@pytest.fixture(scope="module", autouse=True)
def short_blocks():
    """Blocks so short that few lines fill many of them."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(incremental_hash, "_BLOCK_LINES", 2)
        patched.setattr(incremental_hash, "_MOST_BLOCK_LINES", 4)
        yield


@settings(max_examples=300)
@given(st.dictionaries(KEYS, st.just("first")), STEPS, st.booleans())
def test_after_any_changes_it_is_the_hash_of_all_lines(first, steps, ends):
    lines = dict(first)
    kept = RunningHash("\n", sorted(first.items()))
    for step, key, line in steps:
        if step == "put":
            kept.put(key, line)
            lines[key] = line
        elif step == "drop":
            kept.drop(key)
            lines.pop(key, None)
        else:
            assert kept.hexdigest(has_trailing_separator=ends) == whole(lines, ends=ends)

    assert kept.hexdigest(has_trailing_separator=ends) == whole(lines, ends=ends)
    assert kept.count == len(lines)


def test_the_hashes_of_a_catalog_are_those_of_its_parts(catalog, entry):
    for number in range(40):
        catalog.add(entry(f"e{number * 7 % 40}", owner=f"o{number}"))
        if number % 3 == 0:
            catalog.remove([f"e{number // 2}"])
        catalog.hash()
        catalog.governance()

    entries = catalog.export()
    pairs = [(each.id, each.source_hash) for each in entries]
    lines = [
        Projection(
            each.id,
            each.title,
            each.version,
            each.owner,
            each.priority_tier,
            each.next_review_due,
            each.semantic_summary,
            tuple(Change(*line) for line in each.change_log),
        ).as_line()
        for each in entries
    ]
    assert catalog.hash() == hash_catalog(pairs)
    assert catalog.governance().governance_hash == hash_governance(lines)
    assert catalog.governance().count == len(entries)


def test_hashes_follow_what_another_process_writes_breaks_and_removes(open_catalog, entry, write):
    first, second = open_catalog(), open_catalog()
    for name in ("a", "b", "c"):
        first.add(entry(name))
    seen = {(second.hash(), second.governance().governance_hash)}

    for change in (
        lambda: first.add(entry("d")),
        lambda: first.remove(["a"]),
        lambda: first.add(entry("b", body="Other.", title="Other"), overwrite=True),
        lambda: (write("c.json", "{"), first.count()),
    ):
        change()
        now = (second.hash(), second.governance().governance_hash)
        assert now == (first.hash(), first.governance().governance_hash)
        seen.add(now)

    assert len(seen) == 5
