"""A row of the catalog's store that is not what was written is left out and named, and the others are told."""

import sqlite3
from contextlib import closing
from importlib.resources import files

import pytest

from drift.catalog import Catalog
from store_places import catalog_db

OLD = files("drift.catalog").joinpath("journal.sql").read_text("utf-8")
SAID = {"kind": "issue", "severity": "low", "description": "It is slow."}


@pytest.fixture
def catalog(tmp_path):
    with closing(Catalog.open(tmp_path / "shop", {})) as found:
        found.add({"id": "use-uv", "body": "Install packages with uv."}, lax=True)
        found.usage.track("use-uv")
        found.usage.track("other")
        for title in ("First", "Second", "Third"):
            found.feedback.submit(title=title, **SAID)
        yield found


def flip(catalog, old, new):
    """Change bytes of the file as a failing disk does."""
    path = catalog.places.journal_db
    catalog.close()
    raw = path.read_bytes()
    assert raw.count(old) >= 1
    path.write_bytes(raw.replace(old, new))


@pytest.mark.parametrize("broken", [b"Secont", b"Sec\xffnd"])
def test_damaged_feedback_is_left_out_of_lists_and_counts_and_named(catalog, broken):
    bad = catalog.feedback.list_entries().entries[1]

    flip(catalog, b"Second", broken)
    found = catalog.feedback.list_entries()

    assert ([each.title for each in found.entries], found.total) == (["Third", "First"], 2)
    assert catalog.feedback.get(bad.id) is None
    assert catalog.feedback.stats().total == 2
    assert catalog.feedback.damage.say() == (
        f"1 row of the catalog's store damaged and left out (feedback {bad.id})",
    )


def test_a_damaged_count_is_not_told_and_counting_begins_anew(catalog):
    with closing(sqlite3.connect(catalog.places.journal_db)) as store, store:
        store.execute("UPDATE usage SET count = 4097 WHERE instruction = 'use-uv'")

    told = catalog.usage.hotset(1)
    counted = catalog.usage.track("use-uv").used

    assert [(each.id, each.usage_count) for each in told] == [("other", 1)]
    assert counted.usage_count == 1
    assert "usage use-uv" in catalog.audit.damage.say()[0]


def test_a_damaged_line_of_the_audit_is_not_told(catalog):
    before = catalog.audit.lines()

    with closing(sqlite3.connect(catalog.places.journal_db)) as store, store:
        store.execute("UPDATE audit SET actor = 'somebody' WHERE number = 1")

    assert catalog.audit.lines() == before[:-1]
    assert catalog.audit.damage.say()


def test_feedback_that_was_moved_on_and_uses_counted_again_are_whole(catalog):
    known = catalog.feedback.list_entries().entries[0]

    changed = catalog.feedback.update(known.id, "resolved", admin_notes="Done")
    again = catalog.feedback.update(known.id, "closed")
    catalog.usage.track("use-uv")

    assert catalog.feedback.get(known.id) == again
    assert (changed.status, again.status, again.admin_notes) == ("resolved", "closed", "Done")
    assert catalog.usage.counts(["use-uv"])["use-uv"].usage_count == 2
    assert catalog.feedback.damage.say() == ()


def test_a_store_of_an_earlier_version_keeps_all_it_holds(tmp_path):
    root = tmp_path / "shop"
    path = catalog_db(root)
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as store, store:
        store.executescript(OLD)
        store.execute("INSERT INTO usage VALUES ('use-uv', 7, '2026-01-01', '2026-01-02')")
        store.execute(
            "INSERT INTO feedback (id, at, updated_at, type, severity, status, title, description, tags)"
            " VALUES ('fb_1', '2026', '2026', 'issue', 'low', 'new', 'Slow', 'It is slow.', '[]')"
        )

    with closing(Catalog.open(root, {})) as catalog:
        told = catalog.feedback.get("fb_1").title, catalog.usage.hotset()[0].usage_count
        catalog.usage.track("use-uv")
        counted = catalog.usage.hotset()[0].usage_count
    with closing(sqlite3.connect(path)) as store:
        version = store.execute("PRAGMA user_version").fetchone()[0]

    assert (told, counted, version) == (("Slow", 7), 8, 1)


def test_tables_that_only_resemble_an_earlier_version_are_left_alone(tmp_path):
    root = tmp_path / "shop"
    path = catalog_db(root)
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as store, store:
        store.executescript(OLD + "CREATE VIEW strange AS SELECT 1;")
    before = path.read_bytes()

    with (
        closing(Catalog.open(root, {})) as catalog,
        pytest.raises(Exception, match="other tables than Drift's"),
    ):
        catalog.usage.hotset()

    assert path.read_bytes() == before


def test_a_check_reads_every_row_and_asks_the_database(catalog):
    assert catalog.check() == ()

    flip(catalog, b"Second", b"Secont")

    (said,) = catalog.check()
    assert said.startswith("1 row of the catalog's store damaged and left out (feedback ")
