"""What is asked of one package reads only what belongs to its files."""

import pytest

from drift.index import IndexReader
from drift.project import StateDir
from drift.scan import ScanOptions, scan

QUESTIONS = {
    "uses_into": lambda reader, files: reader.packages.uses_into(files, min_confidence=0.5),
    "tests_into": lambda reader, files: reader.packages.tests_into(files, min_confidence=0.5),
    "entry_points_in": lambda reader, files: reader.packages.entry_points_in(files),
    "external_packages_of": lambda reader, files: reader.packages.external_packages_of(files),
    "imports_by_name": lambda reader, _: reader.packages.imports_by_name(["json"]),
}
# Tables that grow with the code; the list of files is short, and what is chosen is the package itself.
LONG = ("symbols", "imports", "edges", "refs", "calls", "entry_points")


@pytest.fixture(scope="module")
def db(tmp_path_factory):
    root = tmp_path_factory.mktemp("packages")
    (root / "tests").mkdir()
    (root / "a.py").write_text(
        "import json\n\nfrom b import two\n\n\ndef one(x):\n    return json.dumps(two(x))\n"
    )
    (root / "b.py").write_text("def two(x):\n    return x\n")
    (root / "tests/test_b.py").write_text("from b import two\n\n\ndef test_two():\n    assert two(1) == 1\n")
    scan(root, ScanOptions(jobs=0))
    return StateDir(root).index_db


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_about_a_package_uses_keys(db, question):
    statements: list[str] = []
    with IndexReader(db) as reader:
        file = reader.files.at("b.py").id
        reader._connection.set_trace_callback(statements.append)
        QUESTIONS[question](reader, [file])
        reader._connection.set_trace_callback(None)
        plans = [
            row[3] for text in statements for row in reader._connection.execute(f"EXPLAIN QUERY PLAN {text}")
        ]

    assert plans
    assert [step for step in plans if step.startswith(tuple(f"SCAN {table}" for table in LONG))] == []


def test_uses_of_the_product_and_of_tests_are_told_apart(db):
    with IndexReader(db) as reader:
        a, b = reader.files.at("a.py").id, reader.files.at("b.py").id
        test = reader.files.at("tests/test_b.py").id
        uses = reader.packages.uses_into([b], min_confidence=0.5)

        assert {each.source for each in uses} == {a}
        assert reader.packages.tests_into([b], min_confidence=0.5) == [test]
        assert reader.packages.tests_into([b, test], min_confidence=0.5) == []
        assert reader.packages.external_packages_of([a]) == [("json", 1)]


def test_files_and_imports_between_them_are_counted(db):
    with IndexReader(db) as reader:
        paths = {each.id: each.path for each in reader.packages.files()}
        links = {(paths[each.source], paths[each.target]) for each in reader.packages.imports_between_files()}
        counts = {paths[file]: count for file, count in reader.packages.symbol_counts().items()}

    assert links == {("a.py", "b.py"), ("tests/test_b.py", "b.py")}
    assert counts["b.py"] == 1
