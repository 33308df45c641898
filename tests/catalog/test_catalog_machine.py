"""Whatever was done to a directory, by callers, by hand or by a crash, a fresh look at it sees the same."""

import json
import os
import shutil
import tempfile
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from drift.catalog import Catalog, CatalogSettings, GroomMode, Places
from drift.kernel.errors import DriftError

NOW = datetime(2026, 1, 31, tzinfo=UTC)
LONG_AGO_NS = 1_600_000_000_000_000_000
IDS = st.sampled_from(["a", "b", "c", "d-1", "E"])
BODIES = st.sampled_from(["one", "two", "three\r\nlines", "é"])
CATEGORIES = st.lists(st.sampled_from(["X", "x", "y", "scope:user:ann"]), max_size=3)
DAMAGE = st.sampled_from([b"", b"{", b"[]", b'{"id": "other", "body": "x"}', b"\xff\xfe"])


def open_in(root, index="catalog-index.db"):
    places = Places(root / "instructions", root / "catalog.db", root / index, root / "catalog.db")
    return Catalog(places, CatalogSettings(read_retries=0), now=lambda: NOW)


class AnyHistory(RuleBasedStateMachine):
    def __init__(self):
        super().__init__()
        self.root = Path(tempfile.mkdtemp())
        (self.root / "instructions").mkdir()
        self.catalog = open_in(self.root)
        self.other = open_in(self.root)

    def teardown(self):
        self.catalog.close()
        self.other.close()
        shutil.rmtree(self.root)

    @rule(name=IDS, body=BODIES, categories=CATEGORIES, by_other=st.booleans(), overwrite=st.booleans())
    def add(self, name, body, categories, by_other, overwrite):
        catalog = self.other if by_other else self.catalog
        with suppress(DriftError):
            catalog.add({"id": name, "body": body, "categories": categories}, lax=True, overwrite=overwrite)

    @rule(names=st.lists(IDS, min_size=1, max_size=3), cascade=st.booleans())
    def remove(self, names, cascade):
        self.catalog.remove(names, cascade=cascade)

    @rule(
        entries=st.lists(st.tuples(IDS, BODIES), max_size=4),
        mode=st.sampled_from(["skip", "overwrite", "merge"]),
    )
    def import_some(self, entries, mode):
        self.catalog.import_entries(
            [{"id": name, "body": body} for name, body in entries], mode=mode, validate=False, batch_size=2
        )

    @rule(merges=st.booleans(), removes=st.booleans())
    def groom(self, merges, removes):
        self.catalog.groom(
            GroomMode(merge_duplicates=merges, remove_deprecated=removes, purge_legacy_scopes=True)
        )

    @rule()
    def enrich_and_repair(self):
        self.catalog.enrich()
        self.catalog.repair()

    @rule(name=IDS, body=BODIES, categories=CATEGORIES)
    def edit_by_hand(self, name, body, categories):
        text = json.dumps({"id": name, "body": body, "categories": categories, "sourceHash": "0"})
        (self.root / "instructions" / f"{name}.json").write_text(text)

    @rule(name=IDS, body=BODIES)
    def edit_by_hand_and_set_an_old_time(self, name, body):
        path = self.root / "instructions" / f"{name}.json"
        path.write_text(json.dumps({"id": name, "body": body}))
        os.utime(path, ns=(LONG_AGO_NS, LONG_AGO_NS))

    @rule()
    def replace_the_directory(self):
        shutil.move(self.root / "instructions", self.root / "moved")
        shutil.copytree(self.root / "moved", self.root / "instructions")
        shutil.rmtree(self.root / "moved")

    @rule(name=IDS, damage=DAMAGE)
    def break_by_hand(self, name, damage):
        (self.root / "instructions" / f"{name}.json").write_bytes(damage)

    @rule(name=IDS)
    def delete_by_hand(self, name):
        (self.root / "instructions" / f"{name}.json").unlink(missing_ok=True)

    @rule()
    def leave_a_temporary_file(self):
        (self.root / "instructions" / ".drift-0011223344556677.tmp").write_bytes(b'{"id": "a", "bo')

    @rule()
    def crash(self):
        # What a killed process leaves: its files and an index that was never closed.
        self.catalog._store._index = self.catalog._store._freshness = None
        self.catalog = open_in(self.root)

    @rule()
    def lose_the_index(self):
        self.catalog.close()
        self.other.close()
        for path in self.root.glob("catalog-index.db*"):
            path.unlink()

    @invariant()
    def a_fresh_look_sees_the_same(self):
        fresh = open_in(self.root, index="fresh.db")
        expected = (fresh.hash(), fresh.governance(), fresh.export(), fresh.problems(), fresh.categories())
        words = [hit.instruction.id for hit in fresh.search("one two", limit=10).hits]
        fresh.close()
        (self.root / "fresh.db").unlink()
        for catalog in (self.catalog, self.other):
            found = (
                catalog.hash(),
                catalog.governance(),
                catalog.export(),
                catalog.problems(),
                catalog.categories(),
            )
            assert found == expected
            assert sorted(hit.instruction.id for hit in catalog.search("one two", limit=10).hits) == sorted(
                words
            )
        self.catalog.reload()
        assert self.catalog.hash() == expected[0]


AnyHistory.TestCase.settings = settings(max_examples=12, stateful_step_count=15)
TestAnyHistory = AnyHistory.TestCase
