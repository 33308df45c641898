"""Symbols keep their numbers, and so their ids, while a file is edited."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drift.index import IndexReader
from drift.index.ids import FileId, symbol_id
from drift.languages.facts import FileFacts, Symbol
from drift.project import StateDir
from drift.scan import ScanOptions, scan
from drift.scan.describing import Task, describe, qualified_names
from drift.scan.extractors import extractor_of
from drift.scan.numbering import number_symbols
from drift.scan.packing import unpack_facts

FILE = FileId(3)
TWO = "def first():\n    pass\n\n\ndef second():\n    first()\n"


def facts_of(text):
    return extractor_of("python")(text.encode(), "shop.py")


def identities(rows):
    return tuple(sorted((row[0] & 0xFFFF, row[2], row[4]) for row in rows.symbols))


def described(text, former=()):
    task = Task(FILE, "shop.py", "python", "source", len(text), 1, former)
    return describe(task, facts_of(text), "")


def numbers(rows):
    return {row[4]: row[0] & 0xFFFF for row in rows.symbols}


def facts_named(names):
    symbols = [Symbol("module", "m", -1, 1, 0, 1, 0, 1)]
    symbols += [Symbol("function", name, 0, 1, 0, 1, 0, 1) for name in names]
    return FileFacts("python", 1, 0, 0, tuple(symbols))


def numbered(names, former):
    facts = facts_named(names)
    found = number_symbols(facts, qualified_names(facts), former)
    return list(found if found is not None else range(len(facts.symbols)))


def test_a_function_put_above_others_leaves_their_numbers_alone():
    before = described(TWO)

    after = described("def new():\n    pass\n\n\n" + TWO, identities(before))

    assert numbers(after) == {"shop": 0, "first": 1, "second": 2, "new": 3}


def test_a_renamed_function_is_a_new_one_and_the_others_keep_their_numbers():
    after = described(TWO.replace("first", "other"), identities(described(TWO)))

    assert numbers(after) == {"shop": 0, "other": 3, "second": 2}


def test_a_function_that_comes_back_gets_a_number_that_nobody_has():
    without = described("def second():\n    pass\n", identities(described(TWO)))

    again = described(TWO, identities(without))

    assert numbers(without) == {"shop": 0, "second": 2}
    assert numbers(again) == {"shop": 0, "first": 3, "second": 2}


def test_functions_of_one_name_keep_their_numbers_in_their_order():
    former = ((0, "module", "m"), (1, "function", "f"), (4, "function", "f"))

    assert numbered(["f", "f", "f"], former) == [0, 1, 4, 5]


def test_where_numbers_run_out_all_are_numbered_anew():
    former = ((0, "module", "m"), (65_535, "function", "f"))

    assert numbered(["f"], former) == [0, 65_535]
    assert numbered(["f", "g"], former) == [0, 1, 2]


NAMES = st.lists(st.sampled_from("abcdef"), max_size=12)


@given(st.lists(NAMES, min_size=1, max_size=6))
def test_numbers_are_unique_and_kept_over_any_edits(versions):
    former = ()
    for names in versions:
        found = numbered(names, former)
        facts = facts_named(names)
        now = tuple(sorted(zip(found, [s.kind for s in facts.symbols], qualified_names(facts), strict=True)))

        assert found[0] == 0
        assert len(set(found)) == len(found)
        for name in set(names):
            kept = [n for n, _, known in former if known == name]
            have = [n for n, _, known in now if known == name]
            assert have[: len(kept)] == kept[: len(have)]
        former = now


def test_every_row_goes_by_the_kept_numbers():
    text = 'import os\n\n\ndef first():\n    try:\n        return os.environ["KEY_A"]\n    except OSError:\n        raise\n'
    former = ((0, "module", "shop"), (7, "function", "first"))

    rows = described(text, former)

    first = symbol_id(FILE, 7)
    assert [row[0] for row in rows.symbols] == [symbol_id(FILE, 0), first]
    assert [row[0] for row in rows.search] == [symbol_id(FILE, 0), first]
    assert {row[0] for row in (*rows.environment_reads, *rows.handlings)} == {first}


@pytest.mark.parametrize("former", [(), ((0, "module", "shop"), (2, "function", "first"))])
def test_packed_facts_come_back_with_their_numbers(former):
    rows = described(TWO, former)

    unpacked = unpack_facts(rows.packed)

    assert [s.name for s in unpacked.facts.symbols] == ["shop", "first", "second"]
    assert unpacked.numbers == ((0, 2, 3) if former else None)


@pytest.mark.parametrize("packed", [b"", b"nothing", described(TWO).packed[:-5]])
def test_bytes_that_are_no_packed_facts_are_refused(packed):
    with pytest.raises(ValueError, match="cannot be read"):
        unpack_facts(packed)


def test_a_literal_is_told_once_for_a_symbol_with_the_times_it_stands_there():
    rows = described('def f():\n    g("apple")\n    g("apple")\n\n\ndef h():\n    g("apple")\n')

    assert [(row[0] & 0xFFFF, row[2], row[4], row[6]) for row in rows.constants] == [
        (1, 2, "apple", 2),
        (2, 7, "apple", 1),
    ]


def test_ids_and_callers_stay_over_an_edit_of_a_scanned_project(tmp_path):
    root = tmp_path / "shop"
    root.mkdir()
    (root / "store.py").write_text(TWO)
    (root / "web.py").write_text("from store import second\n\n\ndef serve():\n    second()\n")
    scan(root, ScanOptions(jobs=0))
    before = ids_and_callers(root)

    (root / "store.py").write_text("def new():\n    second()\n\n\n" + TWO)
    scan(root, ScanOptions(jobs=0))
    after = ids_and_callers(root)

    assert before["second"][1] == ["serve"]
    assert after["second"] == (before["second"][0], ["new", "serve"])
    assert after["first"] == before["first"]
    with IndexReader(StateDir(root).index_db) as reader:
        file = reader.files.at("store.py").id
        assert [each.name for each in reader.symbols.of_file(file)] == ["store", "new", "first", "second"]


def ids_and_callers(root):
    with IndexReader(StateDir(root).index_db) as reader:
        found = [symbol for name in ("first", "second") for symbol in reader.symbols.named(name)]
        return {
            each.name: (each.id, sorted(n.symbol.name for n in reader.calls.callers(each.id)))
            for each in found
        }
