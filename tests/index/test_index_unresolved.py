"""Unresolved calls are told by name, alike for a few names and for all of them."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from drift.index import IndexReader, unresolved_queries
from drift.index.unresolved_queries import UnresolvedCall
from drift.project import StateDir
from drift.scan import ScanOptions, scan

NAMES = ["save", "load", "sa", "ave", "größe", "x"]
CALL = st.tuples(st.sampled_from(["", "a.", "b.c.", "xsave."]), st.sampled_from(NAMES))


@pytest.fixture(autouse=True)
def nothing_kept(monkeypatch):
    monkeypatch.setattr(unresolved_queries, "_kept", {})
    monkeypatch.setattr(unresolved_queries, "_looked_for", {})


def scanned(root, texts):
    lines = ["def use(a, b, xsave):", *(f"    {text}()" for text in texts), "    return a"]
    (root / "use.py").write_text("\n".join(lines) + "\n", encoding="utf-8")
    scan(root, ScanOptions(jobs=0))
    return StateDir(root).index_db


def test_a_name_has_the_count_of_its_calls_and_examples_written_differently(tmp_path):
    db = scanned(tmp_path, ["a.save", "a.save", "b.save", "a.xsave"])

    with IndexReader(db) as reader:
        found = reader.unresolved.of_names({"save"})

    assert found["save"].times == 3
    assert found["save"].examples == (
        UnresolvedCall("use.py", 2, "a.save"),
        UnresolvedCall("use.py", 4, "b.save"),
    )
    assert unresolved_queries._kept == {}, "all names were counted for one"


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(calls=st.lists(CALL, max_size=12))
def test_few_names_are_told_as_all_of_them_are(tmp_path_factory, calls):
    db = scanned(tmp_path_factory.mktemp("calls"), [on + name for on, name in calls])

    with IndexReader(db) as reader:
        few = [dict(reader.unresolved.of_names({name})) for name in NAMES]
        every = reader.unresolved.by_name()

    assert few == [{name: every[name]} if name in every else {} for name in NAMES]


def test_after_a_few_names_all_are_counted_and_kept(tmp_path):
    db = scanned(tmp_path, ["a.save"])

    with IndexReader(db) as reader:
        for number in range(unresolved_queries._FEW_NAMES):
            assert reader.unresolved.of_names({f"name_{number}"}) == {}
        assert not unresolved_queries._kept
        assert "save" in reader.unresolved.of_names({"load"})

    assert unresolved_queries._kept


def test_the_way_to_unresolved_calls_is_their_own_index(tmp_path):
    db = scanned(tmp_path, ["a.save"])

    with IndexReader(db) as reader:
        plans = [
            [row[3] for row in reader._connection.execute(f"EXPLAIN QUERY PLAN {query}", values)]
            for query, values in (
                (unresolved_queries._TEXTS, ()),
                (unresolved_queries._TEXTS_ENDING, ("x",)),
            )
        ]

    assert all(any("USING INDEX calls_unresolved" in step for step in plan) for plan in plans)
