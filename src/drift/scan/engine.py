"""A scan from end to end: what changed is read, what that matters to is linked, and the index is old or new."""

import logging
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from drift.dimensions import read_own_dimensions
from drift.index import IndexReader, IndexWriter, read_index_state
from drift.index.layers import ALL_LAYERS, SYMBOL_LAYERS
from drift.index.path_text import text_to_path
from drift.index.places import note_root
from drift.kernel.errors import DriftError, ErrorCode
from drift.project import StateDir
from drift.project.settings import ScanSettings
from drift.scan.changes import Changes, find_changes
from drift.scan.choices import NO_CHOICES, Choices, choose_files, choose_jobs
from drift.scan.conclusion import Finished, conclude
from drift.scan.discover import discover
from drift.scan.discovery import DiscoverOptions, Discovery, KnownFile
from drift.scan.earlier import are_many, drop_used, find_nearer, set_aside
from drift.scan.garbage import garbage_left_alone
from drift.scan.known import known_files
from drift.scan.nearest import find_nearest
from drift.scan.record import note_choices
from drift.scan.report import Progress, ScanReport, tell_nobody

if TYPE_CHECKING:
    from drift.scan.intake import Intake

logger = logging.getLogger(__name__)

# Of the bytes of all files. Taking in two fifths of them was seen to cost two thirds to nine tenths of a build: of what
# has changed all is read and linked, and much of what has not is linked with it.
_MOST_CHANGED: Final = 0.5
_FEWEST_FOR_BUILD: Final = 200  # with less the difference is not worth that symbols get other numbers
# What is said of an index that is gone, damaged or another one by now: then it is built from nothing.
_UNFIT: Final = frozenset({ErrorCode.SCAN_REQUIRED, ErrorCode.STORE_UNAVAILABLE, ErrorCode.SERVER_BUSY})


@dataclass(frozen=True, slots=True)
class ScanOptions:
    """What a scan takes in and how it goes about it."""

    wanted: DiscoverOptions = field(default_factory=DiscoverOptions)
    choices: Choices = NO_CHOICES
    """Which of it was chosen over the settings; kept for automatic updates."""
    jobs: int = field(default_factory=lambda: os.cpu_count() or 1)
    is_forced: bool = False
    wait_seconds: float = 600.0
    """How long to wait for another scan of the same project, which may leave nothing to do."""
    discovery: Discovery | None = None
    """The files, where they have been found just now; by the same wishes."""
    may_reuse: bool = False
    """Without an index start from the nearest one of this user, and let others start from this one."""
    start: Path | None = None
    """An index to start from in the place of the present one, whatever that is."""
    snapshots: str = ""
    """Where published indexes are, to start from one without an index of this user; empty for nowhere."""

    @classmethod
    def chosen(
        cls, settings: ScanSettings, choices: Choices, *, jobs: int | None = None, is_forced: bool = False
    ) -> "ScanOptions":
        """What the settings say, with what was chosen over them."""
        return cls(
            choose_files(settings, choices),
            choices,
            choose_jobs(settings) if jobs is None else jobs,
            is_forced=is_forced,
            may_reuse=settings.reuse,
            snapshots=settings.snapshots,
        )


def scan(root: Path, options: ScanOptions | None = None, *, progress: Progress = tell_nobody) -> ScanReport:
    """Bring the index of the project at `root` up to date, or build it anew."""
    return _Scan(root, options or ScanOptions(), progress).run()


def update(root: Path, options: ScanOptions, *, progress: Progress = tell_nobody) -> None:
    """The same without counting what the index holds then, for an answer that waits."""
    _Scan(root, options, progress).write()


@dataclass
class _Scan:
    root: Path
    options: ScanOptions
    progress: Progress

    def run(self) -> ScanReport:
        started = time.perf_counter()
        state = StateDir(self.root).ensure()
        with self._writer(state) as writer:
            outcome = self._bring_up_to_date(state, writer, takes_other_engines=False)
            if self.options.may_reuse:
                note_root(self.root)
            seconds = time.perf_counter() - started
            return conclude(state, outcome, choices=self.options.choices, seconds=seconds)

    def write(self) -> None:
        state = StateDir(self.root).ensure()
        with self._writer(state) as writer:
            # An answer waits: what another engine built is built anew beside, by a scan.
            self._bring_up_to_date(state, writer, takes_other_engines=True)

    def _writer(self, state: StateDir) -> IndexWriter:
        return IndexWriter(
            state.index_db,
            rules=_rules_of(state),
            wait_seconds=self.options.wait_seconds,
            while_waiting=lambda: self.progress("wait", 0, None),
        )

    def _bring_up_to_date(
        self, state: StateDir, writer: IndexWriter, *, takes_other_engines: bool
    ) -> Finished:
        note_choices(state, self.options.choices)
        is_usable = writer.find_problem() is None
        is_fit = takes_other_engines or _is_of_us(state)
        if not self.options.is_forced and is_usable and is_fit and self.options.start is None:
            return self._update(writer, state.index_db)
        began_ns = time.time_ns()
        discovery = self._discover({})
        if self.options.start is not None:
            return self._start_from(writer, self.options.start, discovery, began_ns=began_ns)
        return (
            self._start_near(writer, state, discovery, began_ns=began_ns)
            or self._start_from_published(writer, discovery, began_ns=began_ns)
            or self._build(writer, discovery, began_ns=began_ns, keeps_present=is_usable)
        )

    def _start_near(
        self, writer: IndexWriter, state: StateDir, discovery: Discovery, *, began_ns: int
    ) -> Finished | None:
        """Bring a copy of the nearest index up to date; None where there is none, or none that can be used."""
        if self.options.is_forced or not self.options.may_reuse:
            return None
        nearest = find_nearest(discovery, layers=ALL_LAYERS, rules=_rules_of(state))
        return None if nearest is None else self._try_from(writer, nearest, discovery, began_ns=began_ns)

    def _start_earlier(
        self, writer: IndexWriter, present: IndexReader, discovery: Discovery, *, began_ns: int
    ) -> Finished | None:
        """Set the present index aside, and bring a copy of a nearer one of before up to date; None where there is none."""
        state = StateDir(self.root)
        nearer = find_nearer(state, discovery, layers=ALL_LAYERS, rules=_rules_of(state))
        set_aside(state, present)
        finished = self._try_from(writer, nearer, discovery, began_ns=began_ns) if nearer else None
        drop_used(state, nearer)  # the present one is nearer by now, or this one cannot be used
        return finished

    def _try_from(
        self, writer: IndexWriter, start: Path, discovery: Discovery, *, began_ns: int
    ) -> Finished | None:
        """Start from another index; None where it cannot be used."""
        logger.info("starting from the index %s", start)
        try:
            return self._start_from(writer, start, discovery, began_ns=began_ns)
        except DriftError as error:
            if error.code not in _UNFIT:
                raise
            logger.warning("the index %s cannot be used: %s", start, error)
            return None

    def _start_from_published(
        self, writer: IndexWriter, discovery: Discovery, *, began_ns: int
    ) -> Finished | None:
        """Bring a published index up to date; None where there is none, or none that is to be believed."""
        if self.options.is_forced or not self.options.snapshots:
            return None
        from drift.scan.exchange import taken_snapshot  # here: most scans have an index
        from drift.scan.snapshot_stores import open_store

        try:
            place = self.options.snapshots.replace("{name}", self.root.name)
            with taken_snapshot(self.root, open_store(place, self.root)) as (snapshot, index):
                logger.info("starting from the published index %s", snapshot.path)
                return self._start_from(writer, index, discovery, began_ns=began_ns)
        except DriftError as error:
            if error.code not in {*_UNFIT, ErrorCode.FILE_NOT_FOUND, ErrorCode.CONFIG_INVALID}:
                raise
            level = logging.INFO if error.code is ErrorCode.FILE_NOT_FOUND else logging.WARNING
            logger.log(level, "no published index is started from: %s", error)
            return None

    def _start_from(
        self, writer: IndexWriter, start: Path, discovery: Discovery, *, began_ns: int
    ) -> Finished:
        """Bring a copy of another index up to date and put it in the place of the present one."""
        with IndexReader(start) as source, writer.copy(source) as copy:
            return self._update(copy, copy.path, found=(discovery, began_ns))

    def _build(
        self, writer: IndexWriter, discovery: Discovery, *, began_ns: int, keeps_present: bool
    ) -> Finished:
        with garbage_left_alone():
            self._fill(writer, discovery, began_ns=began_ns, keeps_present=keeps_present)
        return Finished("full", len(discovery.files), 0, discovery)

    def _fill(self, writer: IndexWriter, discovery: Discovery, *, began_ns: int, keeps_present: bool) -> None:
        intake = self._intake()
        if keeps_present:
            # Readers keep the complete index they have until the new one is complete, too.
            with writer.rebuild(ALL_LAYERS, scanned_at_ns=began_ns) as transaction:
                intake.link(transaction, intake.add_all(transaction, discovery))
        else:
            with writer.rebuild(SYMBOL_LAYERS, scanned_at_ns=began_ns) as transaction:
                facts = intake.add_all(transaction, discovery)
            with writer.update(ALL_LAYERS, scanned_at_ns=began_ns) as transaction:
                intake.link(transaction, facts)

    def _update(
        self, writer: IndexWriter, database: Path, *, found: tuple[Discovery, int] | None = None
    ) -> Finished:
        """Bring the index up to date with what was `found`, and since when; without it, with what is found now."""
        with IndexReader(database) as reader:
            stamps = {text_to_path(stamp.path): stamp for stamp in reader.files.stamps()}
            known = known_files(stamps.values())
            began_ns = time.time_ns()
            discovery, began_ns = found or (self._discover(known), began_ns)
            state = read_index_state(database)
            changes = find_changes(known, discovery, scanned_at_ns=_nanoseconds(state.scanned_at))
            is_linked = state.layers >= ALL_LAYERS and (found is None or self._has_surroundings(reader))
            if changes.is_empty and is_linked:
                return Finished("none", 0, 0, discovery)
            if found is None and self.options.may_reuse and is_linked and are_many(changes):
                earlier = self._start_earlier(writer, reader, discovery, began_ns=began_ns)
                if earlier is not None:
                    return earlier
            if _is_dearer_than_all(changes, discovery):
                return self._build(writer, discovery, began_ns=began_ns, keeps_present=True)
            with garbage_left_alone(), writer.update(ALL_LAYERS, scanned_at_ns=began_ns) as transaction:
                read, removed = self._intake().apply(
                    transaction, changes, before=(reader, stamps), is_linked=is_linked
                )
        return Finished("update", read, removed, discovery)

    def _has_surroundings(self, reader: IndexReader) -> bool:
        """Whether what the links of a copied index rest on beside its files is the same here."""
        from drift.scan.stored import has_same_surroundings  # here: it loads the linker

        known = reader.surroundings()
        return known is not None and has_same_surroundings(self.root, known)

    def _intake(self) -> "Intake":
        # Here: most scans find nothing to do, and the linker and the pool take longer to load than they to look.
        from drift.scan.pool import prepare_worker

        prepare_worker(self.root)  # it starts while the linker is loaded
        from drift.scan.intake import Intake

        return Intake(self.root, jobs=self.options.jobs, progress=self.progress)

    def _discover(self, known: Mapping[str, KnownFile]) -> Discovery:
        self.progress("discover", 0, None)
        discovery = self.options.discovery or discover(self.root, self.options.wanted, known=known)
        self.progress("discover", len(discovery.files), len(discovery.files))
        return discovery


def _is_of_us(state: StateDir) -> bool:
    """Whether this engine built the index, and looked for what the project itself has looked for."""
    known = read_index_state(state.index_db)
    return known.is_of_this_engine and known.rules == _rules_of(state)


def _is_dearer_than_all(changes: Changes, discovery: Discovery) -> bool:
    """Whether so much has changed that taking the old out and the new in would cost more than a build."""
    read = [*changes.added, *changes.changed, *(each.new for each in changes.renamed)]
    if len(read) <= _FEWEST_FOR_BUILD:
        return False
    return sum(each.size for each in read) > _MOST_CHANGED * sum(each.size for each in discovery.files)


def _rules_of(state: StateDir) -> str:
    return read_own_dimensions(state).digest


def _nanoseconds(moment: str | None) -> int:
    return int(datetime.fromisoformat(moment).timestamp() * 1_000_000_000) if moment else 0
