"""Facts as the probes in `tests/projects` state them: for each fact a file in each language that can say it."""

from pathlib import Path

import pytest
from extraction_checks import compare_with_expected, expectations

from drift.languages.facts import FileFacts
from drift.languages.frameworks import load_frameworks
from drift.languages.guards.words import guard_words
from drift.languages.queries import kept_query
from drift.languages.syntax import GRAMMARS
from drift.languages.table import language_of
from drift.scan.extractors import extractor_of

PROJECTS = Path(__file__).parents[1] / "projects"
PROBES = ("configuration", "guards", "markup", "member_reads", "members")


def extract(source: bytes, path: str) -> FileFacts:
    language = language_of(path)
    assert language is not None
    return extractor_of(language)(source, path)


@pytest.mark.parametrize(
    ("project", "path", "kind", "lines"),
    [(project, *expected) for project in PROBES for expected in expectations(PROJECTS / project)],
)
def test_a_probe_gives_the_facts_stated_for_it(project, path, kind, lines):
    compare_with_expected(extract, PROJECTS / project, path=path, kind=kind, lines=lines)


@pytest.mark.parametrize("grammar", sorted(GRAMMARS))
def test_every_language_with_routes_has_words_for_guards(grammar):
    words = guard_words(grammar)
    assert (words is None) == (grammar in {"c", "cpp"})


@pytest.mark.parametrize("file", ["csharp", "go", "java", "php", "python", "ruby", "rust", "typescript"])
def test_names_that_are_told_twice_are_told_alike(file):
    guards = load_frameworks(file).words["guards"]
    assert set(guards.get("unordered", ())) <= set(guards.get("uses", ()))


QUERY = "SELECT id, total FROM orders WHERE " + " OR ".join(f"state = {number}" for number in range(60))


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("a.py", f'def f(db):\n    db.execute("""{QUERY}""")\n'),
        ("a.ts", f"function f() {{ db.query(`{QUERY}`); }}"),
        ("a.js", f"function f() {{ db.query('{QUERY}'); }}"),
        ("a.go", f"package a\nfunc f() {{ db.Query(`{QUERY}`) }}"),
        ("A.java", f'class A {{ void f() {{ db.query("{QUERY}"); }} }}'),
        ("A.cs", f'class A {{ void F() {{ Db.Query("{QUERY}"); }} }}'),
        ("a.php", f"<?php function f() {{ $db->query('{QUERY}'); }}"),
        ("a.rb", f'def f\n  db.query("{QUERY}")\nend\n'),
        ("a.rs", f'fn f() {{ db.query("{QUERY}"); }}'),
        ("a.cpp", f'void f() {{ db.query("{QUERY}"); }}'),
    ],
)
def test_a_query_is_kept_longer_than_other_texts(name, source):
    facts = extract(source.encode(), name)

    assert [detail.literal for detail in facts.call_details if detail.literal] == [QUERY]
    assert [each.value for each in facts.constants if len(each.value) > 500] == [QUERY]


@pytest.mark.parametrize(
    "text",
    [
        "select id\nfrom orders",
        "-- all of them\nWITH recent AS (SELECT 1) SELECT * FROM recent",
        "INSERT OR IGNORE INTO orders VALUES (1)",
        "update orders set total = 1",
        "CREATE UNIQUE INDEX orders_by_total ON orders (total)",
        "query Orders($id: ID!) { order(id: $id) { total } }",
        "mutation { close }",
    ],
)
def test_what_asks_for_data_is_a_query(text):
    assert kept_query(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "Select one of the following",
        "With this you update all",
        "Update the list of orders",
        "query the database",
        "",
    ],
)
def test_prose_is_no_query(text):
    assert kept_query(text) is None


def test_a_query_is_kept_without_its_secrets_and_not_without_end():
    secret = "ghp_" + "a1B2" * 9
    kept = kept_query(f"SELECT * FROM keys WHERE token = '{secret}'" + " OR true" * 2_000)

    assert kept is not None
    assert secret not in kept
    assert 3_900 < len(kept) <= 4_000
