"""Questions of look-ups that run often read no whole table."""

import pytest

from drift.index import IndexReader
from drift.project import StateDir
from drift.scan import ScanOptions, scan

QUESTIONS = {
    "symbol_count": lambda reader, file, _: reader.listings.symbol_count(file),
    "caller_counts": lambda reader, _, symbol: reader.listings.caller_counts(symbol),
    "calling_files": lambda reader, file, _: reader.listings.calling_files(file),
    "called_files": lambda reader, file, _: reader.listings.called_files(file),
    "complexity": lambda reader, _, symbol: reader.listings.complexity(symbol),
    "hooks": lambda reader, *_: reader.listings.hooks(),
    "profiles.kinds": lambda reader, file, _: reader.profiles.kinds([file]),
    "profiles.of_kind": lambda reader, file, _: reader.profiles.of_kind([file], ["class"]),
    "profiles.with_modifier": lambda reader, file, _: reader.profiles.with_modifier([file], "async"),
    "profiles.marks": lambda reader, file, _: reader.profiles.marks([file]),
    "profiles.handlings": lambda reader, file, _: reader.profiles.handlings([file]),
    "profiles.constructs": lambda reader, file, _: reader.profiles.constructs([file], ["loop"]),
    "profiles.outside_calls": lambda reader, *_: reader.profiles.outside_calls(["time.sleep", "requests."]),
    "profiles.packages_of": lambda reader, file, _: reader.profiles.packages_of([file]),
    "profiles.named_at": lambda reader, file, _: reader.profiles.named_at([file]),
    "profiles.parents": lambda reader, file, _: reader.profiles.parents([file]),
    "profiles.users": lambda reader, _, symbol: reader.profiles.users([symbol]),
    "profiles.overridden": lambda reader, _, symbol: reader.profiles.overridden([symbol]),
    "profiles.named_in": lambda reader, file, _: reader.profiles.named_in(file),
    "profiles.classes_ending": lambda reader, *_: reader.profiles.classes_ending("Model"),
    "profiles.awaiting": lambda reader, _, symbol: reader.profiles.awaiting([symbol]),
    "profiles.leads": lambda reader, _, symbol: reader.profiles.leads([symbol]),
    "profiles.inner_calls": lambda reader, _, symbol: reader.profiles.inner_calls([symbol]),
    "profiles.routes": lambda reader, *_: reader.profiles.routes(),
    "holders_of_method": lambda reader, *_: reader.listings.holders_of_method("python", "add", "x"),
}


@pytest.fixture(scope="module")
def db(tmp_path_factory):
    root = tmp_path_factory.mktemp("listings")
    (root / "a.py").write_text(
        "from b import two\n\n\nclass A:\n    def add(self, x):\n        return two(x)\n"
    )
    (root / "b.py").write_text("def two(x):\n    return x\n")
    scan(root, ScanOptions(jobs=0))
    return StateDir(root).index_db


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_of_a_look_up_uses_keys(db, question):
    statements: list[str] = []
    with IndexReader(db) as reader:
        (symbol,) = reader.symbols.named("two")
        file = reader.files.at("b.py").id
        reader._connection.set_trace_callback(statements.append)
        QUESTIONS[question](reader, file, symbol.id)
        reader._connection.set_trace_callback(None)
        plans = [
            row[3] for text in statements for row in reader._connection.execute(f"EXPLAIN QUERY PLAN {text}")
        ]

    assert plans
    # What is asked for comes in as a list, and answers are grouped by what was found.
    own = ("SCAN wanted", "SCAN json_each", "SCAN (subquery")
    assert [step for step in plans if step.startswith("SCAN") and not step.startswith(own)] == []


def test_calls_between_files_are_counted_both_ways(db):
    with IndexReader(db) as reader:
        a, b = reader.files.at("a.py").id, reader.files.at("b.py").id
        assert [(row.path, row.calls) for row in reader.listings.calling_files(b)] == [("a.py", 1)]
        assert [(row.path, row.calls) for row in reader.listings.called_files(a)] == [("b.py", 1)]
        (two,) = reader.symbols.named("two")
        assert reader.listings.caller_counts(two.id) == (1, 1, 1)
