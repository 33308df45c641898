"""Who only reads a catalog leaves nothing behind; what is written later finds its place all the same."""

import pytest

from drift.catalog import Filters, GroomMode

ONLY_LOOKS = {
    "list": lambda catalog: catalog.list_entries(),
    "get": lambda catalog: catalog.get("alpha"),
    "expect": lambda catalog: catalog.expect("alpha"),
    "search": lambda catalog: catalog.search("word"),
    "query": lambda catalog: catalog.query(Filters()),
    "stats": lambda catalog: catalog.stats(),
    "verify": lambda catalog: catalog.verify(),
    "inspect": lambda catalog: catalog.inspect("alpha"),
    "reload": lambda catalog: catalog.reload(),
    "dry run": lambda catalog: catalog.groom(GroomMode(dry_run=True, merge_duplicates=True)),
    "audit": lambda catalog: catalog.audit.lines(),
    "uses": lambda catalog: catalog.usage.hotset(),
    "counts": lambda catalog: catalog.usage.counts(["alpha"]),
    "flush": lambda catalog: catalog.usage.flush(),
    "feedback list": lambda catalog: catalog.feedback.list_entries(),
    "feedback get": lambda catalog: catalog.feedback.get("fb_1"),
    "feedback stats": lambda catalog: catalog.feedback.stats(),
    "feedback health": lambda catalog: catalog.feedback.health(),
}


@pytest.mark.parametrize("name", ONLY_LOOKS)
def test_looking_makes_no_file_and_no_folder(tmp_path, open_catalog, name):
    catalog = open_catalog(tmp_path / "state")

    ONLY_LOOKS[name](catalog)
    catalog.close()

    assert list(tmp_path.iterdir()) == []


def test_a_store_that_is_not_there_reads_as_empty(tmp_path, open_catalog):
    catalog = open_catalog(tmp_path / "state")

    health = catalog.feedback.health()

    assert (health.total_entries, health.last_updated, health.disk_bytes) == (0, None, 0)
    assert catalog.audit.lines() == ()


def test_what_is_written_after_a_look_is_on_disk_and_in_the_index(tmp_path, open_catalog, entry):
    catalog = open_catalog(tmp_path / "state")
    assert catalog.count() == 0

    catalog.add(entry())

    assert catalog.count() == 1
    assert (tmp_path / "state/catalog-index.db").is_file()
    assert open_catalog(tmp_path / "state").hash() == catalog.hash()


def test_a_folder_others_made_is_used_from_the_next_look_on(tmp_path, open_catalog, entry):
    looking, writing = open_catalog(tmp_path / "state"), open_catalog(tmp_path / "state")
    assert looking.count() == 0

    writing.add(entry())

    assert looking.count() == 1
    assert looking.hash() == writing.hash()
    assert len(looking.audit.lines()) == 1


def test_a_dry_run_counts_uses_that_wait_and_writes_none_of_them(catalog, entry):
    catalog.add(entry())
    catalog.usage.track("ghost")
    before = sorted(catalog.directory.parent.rglob("*"))

    told = catalog.groom(GroomMode(dry_run=True))

    assert told.usage_pruned == 1
    assert catalog.usage.counts(["ghost"])["ghost"].usage_count == 1
    assert sorted(catalog.directory.parent.rglob("*")) == before
    assert catalog.groom(GroomMode()).usage_pruned == 1
