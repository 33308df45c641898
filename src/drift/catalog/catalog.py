"""The catalog of instructions: what callers ask of it and what they may change in it."""

import json
import logging
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Final

from drift.catalog import groom, mutations
from drift.catalog.audit import Audit
from drift.catalog.drafts import Bump
from drift.catalog.entry import Instruction
from drift.catalog.feedback import Feedback
from drift.catalog.freshness import Counters
from drift.catalog.hashes import ALGORITHM, hash_text
from drift.catalog.ids import ENDING, UNNAMEABLE, check_id
from drift.catalog.index import CatalogIndex, FileProblem
from drift.catalog.inspection import Inspection, inspect_file
from drift.catalog.journal import Journal
from drift.catalog.listings import (
    CatalogStats,
    Diff,
    Found,
    Governance,
    GovernanceItem,
    HashIssue,
    Listing,
    QueryPage,
    Reloaded,
    Scope,
    ScopedListing,
    Verification,
    Visibility,
)
from drift.catalog.mutations import Added, GovernanceUpdated, Imported, ImportMode, Removed
from drift.catalog.queries import (
    BY_PRIORITY,
    CategoryCount,
    Filters,
    Position,
    Sort,
    Wanted,
    count_categories,
    count_entries,
    select_among,
    select_digests,
    select_entries,
    select_entry,
    select_false_hashes,
    select_page,
    select_problems,
    select_projections,
    select_scoped,
    select_stats,
    select_unscoped,
    select_versions,
    select_warnings,
)
from drift.catalog.search import search_words
from drift.catalog.settings import CatalogSettings, read_settings
from drift.catalog.store import Places, Store
from drift.catalog.times import format_time
from drift.catalog.trust import Provenance
from drift.catalog.usage import Usage
from drift.catalog.wire_reads import WireReads
from drift.kernel.grooming import GroomMode
from drift.kernel.paths import is_inside
from drift.project.acceptance import Acceptance
from drift.project.state import StateDir
from drift.project.stores import find_stores

logger = logging.getLogger(__name__)

ANONYMOUS: Final = "unknown"
_SCOPES: Final[tuple[Scope, ...]] = ("user", "workspace", "team")
_now: Final = partial(datetime.now, UTC)


class Catalog:
    """A directory of instructions. Every read sees the files as they are; every write is audited.

    Any number of threads and processes may use one directory. Refusals are DriftError; their details say in
    `error` what is wrong, in `fault` which kind it is, and for entries show the schema and what to report.
    """

    def __init__(
        self,
        places: Places,
        settings: CatalogSettings | None = None,
        *,
        acceptance: Acceptance | None = None,
        now: Callable[[], datetime] = _now,
    ) -> None:
        self.places = places
        self.settings = settings or CatalogSettings()
        self.now = now
        self._journals = {path: Journal(path) for path in (places.journal_db, places.feedback_db)}
        journal, heard = self._journals[places.journal_db], self._journals[places.feedback_db]
        self.audit = Audit(journal, now)
        self.usage = Usage(journal, now, is_unlimited=self.settings.is_usage_unlimited)
        self.feedback = Feedback(heard, now, max_entries=self.settings.feedback_max_entries)
        self.provenance = Provenance(acceptance)
        self._store = Store(places, self.settings, audit=self.audit, provenance=self.provenance, now=now)
        self.wires = WireReads(self._store)

    @classmethod
    def open(cls, root: Path, environ: Mapping[str, str], *, now: Callable[[], datetime] = _now) -> "Catalog":
        """The catalog of the project at `root`, where its settings put it. Nothing is made yet.

        Raises CONFIG_INVALID, and PATH_OUTSIDE_PROJECT when a link leads out of the project.
        """
        settings = read_settings(environ)
        state, stores = StateDir(root), find_stores(root, environ)
        # Whoever sets a variable may choose any place; a repository may not.
        instructions = settings.instructions_dir or state.check(state.instructions)
        feedback = settings.feedback_dir
        places = Places(
            instructions=Path(os.path.abspath(instructions)),  # noqa: PTH100 - links stay; only `.` is resolved
            journal_db=stores.catalog_db,
            index_db=stores.catalog_index_db,
            feedback_db=stores.catalog_db if feedback is None else feedback / "feedback.db",
        )
        # What lies elsewhere came with no repository: a user's variable names the place.
        acceptance = Acceptance.of(root, environ) if is_inside(root, places.instructions) else None
        return cls(places, settings, acceptance=acceptance, now=now)

    @property
    def counters(self) -> Counters:
        """What had to be mended since this process began."""
        return self._store.counters

    @property
    def directory(self) -> Path:
        """Where the instructions lie."""
        return self.places.instructions

    def close(self) -> None:
        """Give the stores up."""
        for each in self._journals.values():
            each.close()
        self._store.close()

    def list_entries(
        self, *, category: str | None = None, limit: int | None = None, offset: int = 0
    ) -> Listing:
        """Instructions in the order of their ids."""
        (items, total), digest = self._store.read_hashed(
            lambda index: select_entries(index, category=category, limit=limit, offset=max(offset, 0))
        )
        return Listing(digest, total, items)

    def list_scoped(
        self, *, user_id: str | None = None, workspace_id: str | None = None, team_ids: Sequence[str] = ()
    ) -> ScopedListing:
        """The instructions of the narrowest scope that has any: the user's, the workspace's, the teams', all."""
        wanted = (
            Filters(user_id=user_id) if user_id else None,
            Filters(workspace_id=workspace_id) if workspace_id else None,
            Filters(team_ids=team_ids) if team_ids else None,
        )

        def select(index: CatalogIndex) -> tuple[Scope, tuple[Instruction, ...]]:
            for scope, filters in zip(_SCOPES, wanted, strict=True):
                if filters is not None and (items := select_scoped(index, filters)):
                    return scope, items
            return "all", select_unscoped(index)

        (scope, items), digest = self._store.read_hashed(select)
        return ScopedListing(digest, len(items), scope, items)

    def get(self, instruction_id: str) -> Instruction | None:
        """The instruction of an id, as its file is now, or None."""
        known_id = check_id(instruction_id)
        return self._store.read(lambda found: select_entry(found, known_id), file=known_id + ENDING)

    def expect(self, instruction_id: str) -> Visibility:
        """Whether an id that should be there is; what its file hides is brought to light if it can be."""
        known_id = check_id(instruction_id)
        name = known_id + ENDING

        def is_there() -> bool:
            return self._store.read(lambda found: select_entry(found, known_id), looks=False) is not None

        was_there = is_there()
        is_on_disk = self._store.files.stamp(name) is not None
        attempted_reload = attempted_late = False
        if not was_there and is_on_disk:
            attempted_reload = True
            self._store.look_again()
            if not is_there():
                attempted_late = True
                self._store.read_file(name)
        is_now = is_there()
        problem = next((each for each in self.problems() if each.name == name), None)
        self._count_visibility(was_there=was_there, is_now=is_now, is_late=attempted_late)
        return Visibility(
            known_id,
            is_on_disk=is_on_disk,
            is_in_catalog=is_now,
            repaired_visibility=is_now and not was_there,
            late_materialized=is_now and attempted_late,
            attempted_reload=attempted_reload,
            attempted_late=attempted_late,
            problem=problem,
        )

    def search(self, text: str, *, limit: int = 50, offset: int = 0, takes_any: bool = False) -> Found:
        """Instructions with the words of a text in title, body, categories or tags, the best first.

        With all of the words where there are such, unless any of them will do (`takes_any`).
        """
        (hits, total), digest = self._store.read_hashed(
            lambda index: search_words(index, text, limit=limit, offset=offset, takes_any=takes_any)
        )
        return Found(digest, total, hits)

    def query(
        self, filters: Filters, *, sort: Sort = BY_PRIORITY, limit: int = 50, after: Position | None = None
    ) -> QueryPage:
        """A page of the instructions that fit all filters, sorted, from after a position on."""
        return QueryPage(
            *self._store.read(lambda found: select_page(found, filters, sort=sort, limit=limit, after=after))
        )

    def find_local(self, wanted: Wanted) -> tuple[Instruction, ...]:
        """What is wanted of those written or accepted here, whatever else there is."""
        return self._store.read(lambda index: select_among(index, self.provenance.local_rows(index), wanted))

    def count(self) -> int:
        """How many instructions there are."""
        return self._store.read(count_entries)

    def categories(self) -> tuple[CategoryCount, ...]:
        """Each category with its instructions counted."""
        return self._store.read(count_categories)

    def diff(self, *, client_hash: str | None = None, known: Mapping[str, str] | None = None) -> Diff:
        """What a client lacks that knows these ids and hashes of bodies, or had this hash of the catalog."""
        return self._store.read(lambda index: _diff(index, client_hash, known))

    def export(self, ids: Sequence[str] | None = None) -> tuple[Instruction, ...]:
        """All instructions, or those of these ids that there are."""
        if ids is None:
            return self._store.read(select_entries)[0]
        return self._store.read(partial(_select_named, ids=ids))

    def check(self) -> tuple[str, ...]:
        """What is damaged of the changes, uses and feedback that were kept. Raises STORE_UNAVAILABLE."""
        return tuple(said for each in self._journals.values() for said in each.check())

    def hash(self) -> str:
        """The hash of the whole catalog: it changes with every body, and when instructions come or go."""
        return self._store.hash()

    def stamp(self) -> str:
        """Another text for every change of any file, broken ones too."""
        return self._store.read(CatalogIndex.stamp)

    def file_digests(self) -> Mapping[str, str]:
        """A hash of the file of each instruction, by id."""
        return self._store.read(select_digests)

    def governance(self, *, includes_items: bool = False) -> Governance:
        """The hash of who answers for what, which changes of bodies leave alone; on request what it is made of."""
        has_trailing_newline = self.settings.has_trailing_newline

        def select(index: CatalogIndex) -> tuple[str, int, list[str] | None]:
            digest, count = index.hash_governed(has_trailing_newline=has_trailing_newline)
            return digest, count, select_projections(index) if includes_items else None

        digest, count, lines = self._store.read(select)
        items = None if lines is None else tuple(map(_governed, lines))
        return Governance(count, digest, ALGORITHM, items)

    def verify(self) -> Verification:
        """Every file whose stored hash does not fit its body."""
        (count, false), digest = self._store.read_hashed(
            lambda index: (count_entries(index), select_false_hashes(index))
        )
        return Verification(digest, count, tuple(HashIssue(*row) for row in false))

    def problems(self, *, looks: bool = True) -> tuple[FileProblem, ...]:
        """The files that are no instructions, and why; without `looks` as they were when this was last used."""
        found = self._store.read(select_problems, looks=looks)
        return found + tuple(FileProblem(name, None, UNNAMEABLE) for name in self._store.files.unnameable)

    def warnings(self) -> tuple[FileProblem, ...]:
        """What is not as it should be of files that are instructions all the same."""
        return self._store.read(select_warnings)

    def inspect(self, instruction_id: str) -> Inspection:
        """One file from all sides: its text, its normal form, what is wrong with it, how it lies on disk."""
        return inspect_file(self._store.files, check_id(instruction_id))

    def stats(self) -> CatalogStats:
        """The catalog in numbers."""
        now = format_time(self.now())
        found, digest = self._store.read_hashed(lambda index: select_stats(index, now))
        stats = CatalogStats(*found, hash=digest)
        return replace(stats, problems=stats.problems + len(self._store.files.unnameable))

    def waiting(self) -> int:
        """How many instructions came with the repository and were not accepted here."""
        return self._store.read(self.provenance.count_waiting)

    def add(
        self, entry: object, *, overwrite: bool = False, lax: bool = False, actor: str | None = None
    ) -> Added:
        """Add an instruction. One that is there is left alone, or replaced with `overwrite`; `lax` fills in."""
        return mutations.add_entry(self._store, entry, overwrite=overwrite, lax=lax, actor=self._actor(actor))

    def import_entries(
        self,
        entries: Sequence[object],
        *,
        mode: ImportMode = "skip",
        validate: bool = True,
        batch_size: int = 100,
        actor: str | None = None,
    ) -> Imported:
        """Add many; those that are there are skipped, replaced or merged. One refused does not stop the rest."""
        by = self._actor(actor)
        return mutations.import_entries(
            self._store, entries, mode=mode, validate=validate, batch_size=batch_size, actor=by
        )

    def remove(
        self, ids: Sequence[object], *, confirm: bool = False, cascade: bool = False, actor: str | None = None
    ) -> Removed:
        """Delete instructions for good; more than ten only when confirmed; with `cascade` what depends on them."""
        return mutations.remove_entries(
            self._store, ids, confirm=confirm, cascade=cascade, actor=self._actor(actor)
        )

    def governance_update(
        self, instruction_id: str, patch: Mapping[str, Any], *, bump: Bump = "patch", actor: str | None = None
    ) -> GovernanceUpdated:
        """Change governed fields; the version rises and the change log gets a line."""
        return mutations.update_governance(
            self._store, instruction_id, patch, bump=bump, actor=self._actor(actor)
        )

    def groom(self, mode: GroomMode, *, actor: str | None = None) -> groom.Groomed:
        """Tidy the catalog up, or tell what that would change."""
        return groom.groom_catalog(self._store, mode, usage=self.usage, actor=self._actor(actor))

    def repair(self, *, actor: str | None = None) -> tuple[str, ...]:
        """Put stored hashes right that do not fit their bodies; the ids."""
        return groom.repair_hashes(self._store, actor=self._actor(actor))

    def enrich(self, *, actor: str | None = None) -> tuple[str, ...]:
        """Write down governed fields that files leave out; the ids."""
        return groom.enrich_entries(self._store, actor=self._actor(actor))

    def reload(self) -> Reloaded:
        """Read every file again."""
        self._store.reload()
        count, digest = self._store.read_hashed(count_entries)
        return Reloaded(digest, count)

    def _actor(self, given: str | None) -> str:
        return (given or self.settings.agent_id or ANONYMOUS)[:200]

    def _count_visibility(self, *, was_there: bool, is_now: bool, is_late: bool) -> None:
        logger.debug("expected: before %s, now %s, from the file alone %s", was_there, is_now, is_late)
        counters = self._store.counters
        counters.repaired_visibility += is_now and not was_there
        counters.late_materialized += is_now and is_late
        counters.late_materialize_rejected += is_late and not is_now


def _select_named(index: CatalogIndex, ids: Sequence[str]) -> tuple[Instruction, ...]:
    found = (select_entry(index, each) for each in ids)
    return tuple(each for each in found if each is not None)


def _diff(index: CatalogIndex, client_hash: str | None, known: Mapping[str, str] | None) -> Diff:
    now = index.hash_bodies()
    if client_hash is not None and client_hash == now:
        return Diff(now, is_up_to_date=True)
    have = known or {}
    versions = select_versions(index)
    changed = [row for name, (source_hash, row) in versions.items() if have.get(name) != source_hash]
    entries = index.entries(changed)
    return Diff(
        now,
        is_up_to_date=known is not None and not changed and not have.keys() - versions.keys(),
        added=tuple(each for each in entries if each.id not in have),
        updated=tuple(each for each in entries if each.id in have),
        removed=tuple(sorted(have.keys() - versions.keys())),
    )


def _governed(line: str) -> GovernanceItem:
    governance = json.loads(line)
    return GovernanceItem(governance["id"], governance, hash_text(line))
