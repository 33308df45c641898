"""The statements of the stores as PostgreSQL takes them, and what of an address is never told."""

import re

import pytest

from drift.catalog.journal import LAYOUT as CATALOG
from drift.kernel.postgres.address import scrub, show_address
from drift.kernel.postgres.dialect import translate, translate_tables
from drift.state import LAYOUT as STATE


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("SELECT 1 WHERE a = ? AND b = ?", "SELECT 1 WHERE a = %s AND b = %s"),
        ("SELECT ?2, ?1, ?2", "SELECT %(2)s, %(1)s, %(2)s"),
        ("SELECT '?' || ? || 'it''s 100%?'", "SELECT '?' || %s || 'it''s 100%%?'"),
        ("SELECT a % 2 -- is it? ", "SELECT a %% 2 -- is it? "),
        (
            "SELECT max(a), max(a, b), min(coalesce(a, b))",
            "SELECT max(a), greatest(a, b), min(coalesce(a, b))",
        ),
        ("SELECT min(a, max(b))", "SELECT least(a, max(b))"),
        ("SELECT submax(a, b)", "SELECT submax(a, b)"),
    ],
)
def test_a_statement_means_the_same(written, meant):
    assert translate(written).text == meant


@pytest.mark.parametrize("layout", [CATALOG, STATE])
def test_no_word_of_sqlite_is_left_in_a_definition(layout):
    script = "".join((layout.schema(), *(each.script for each in layout.migrations())))

    told = re.sub(r"--[^\n]*", "", translate_tables(script))

    assert not re.search(r"AUTOINCREMENT|ROWID|STRICT|BLOB|REAL|INTEGER|TEXT\b", told)


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://ann:s3cr%40t@db.example.org:5432/drift",
        "postgresql://ann:s3cr@t@db.example.org/drift",
        "postgresql://db.example.org/drift?user=ann&password=s3cr%40t",
        "postgresql://ann:s3cr%40t@[db/drift",
    ],
)
def test_nothing_secret_is_shown_of_an_address(address):
    said = scrub(f"cannot connect to {address}: no s3cr@t or s3cr%40t", address)

    assert "s3cr" not in show_address(address)
    assert "s3cr" not in said
