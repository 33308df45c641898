"""A scan from end to end: what changed is read, what that matters to is linked, and the index is old or new."""

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Final

from drift.index import IndexReader, IndexWriter, Layer, read_index_state
from drift.index.file_queries import FileStamp
from drift.index.ids import FileId
from drift.index.path_text import text_to_path
from drift.index.rows import FileRows, SymbolRow
from drift.index.transaction import IndexTransaction
from drift.project import StateDir
from drift.scan.changes import Changes, find_changes
from drift.scan.choices import NO_CHOICES, Choices
from drift.scan.conclusion import Finished, conclude
from drift.scan.describing import Task, describe_skipped
from drift.scan.discover import discover
from drift.scan.discovery import DiscoverOptions, Discovery, FoundFile, KnownFile
from drift.scan.known import known_files
from drift.scan.numbering import Identity, is_numbered_anew
from drift.scan.pool import read_files
from drift.scan.record import note_choices
from drift.scan.relinking import Touched, link_files
from drift.scan.report import Progress, ScanReport, tell_nobody
from drift.scan.stored import StoredFacts

SYMBOL_LAYERS: Final = frozenset({Layer.FILES, Layer.SYMBOLS})
ALL_LAYERS: Final = SYMBOL_LAYERS | {Layer.IMPORTS, Layer.CALLS, Layer.REFERENCES}

_SYMBOL_MASK: Final = (1 << 16) - 1


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


def scan(root: Path, options: ScanOptions | None = None, *, progress: Progress = tell_nobody) -> ScanReport:
    """Bring the index of the project at `root` up to date, or build it anew."""
    return _Scan(root, options or ScanOptions(), progress).run()


@dataclass
class _Scan:
    root: Path
    options: ScanOptions
    progress: Progress

    def run(self) -> ScanReport:
        started = time.perf_counter()
        state = StateDir(self.root).ensure()
        database = state.index_db
        with IndexWriter(database, wait_seconds=self.options.wait_seconds) as writer:
            note_choices(state, self.options.choices)
            is_usable = writer.find_problem() is None
            if self.options.is_forced or not is_usable:
                outcome = self._build(writer, keeps_present=is_usable)
            else:
                outcome = self._update(writer, database)
            seconds = time.perf_counter() - started
            return conclude(state, outcome, choices=self.options.choices, seconds=seconds)

    def _build(self, writer: IndexWriter, *, keeps_present: bool) -> Finished:
        began_ns = time.time_ns()
        discovery = self._discover({})
        tasks = [_task(FileId(number), file) for number, file in enumerate(discovery.files, 1)]
        facts = StoredFacts({task.path: task.file_id for task in tasks})
        if keeps_present:
            # Readers keep the complete index they have until the new one is complete, too.
            with writer.rebuild(ALL_LAYERS, scanned_at_ns=began_ns) as transaction:
                self._add(transaction, tasks, facts, discovery)
                self._link(transaction, facts)
        else:
            with writer.rebuild(SYMBOL_LAYERS, scanned_at_ns=began_ns) as transaction:
                self._add(transaction, tasks, facts, discovery)
            with writer.update(ALL_LAYERS, scanned_at_ns=began_ns) as transaction:
                self._link(transaction, facts)
        return Finished("full", len(tasks), 0, discovery)

    def _update(self, writer: IndexWriter, database: Path) -> Finished:
        with IndexReader(database) as reader:
            stamps = {text_to_path(stamp.path): stamp for stamp in reader.files.stamps()}
            known = known_files(stamps.values())
            began_ns = time.time_ns()
            discovery = self._discover(known)
            state = read_index_state(database)
            changes = find_changes(known, discovery, scanned_at_ns=_nanoseconds(state.scanned_at))
            if changes.is_empty and state.layers >= ALL_LAYERS:
                return Finished("none", 0, 0, discovery)
            with writer.update(ALL_LAYERS, scanned_at_ns=began_ns) as transaction:
                facts = StoredFacts.of_index(reader, stamps)
                is_linked = state.layers >= ALL_LAYERS
                read, removed = self._apply(transaction, facts, stamps, changes, is_linked=is_linked)
        return Finished("update", read, removed, discovery)

    def _apply(
        self,
        transaction: IndexTransaction,
        facts: StoredFacts,
        stamps: Mapping[str, FileStamp],
        changes: Changes,
        *,
        is_linked: bool,
    ) -> tuple[int, int]:
        gone = [each.path for each in changes.removed] + [each.old.path for each in changes.renamed]
        for path in gone:
            transaction.remove_file(stamps[path].id)
            facts.forget(path)
        for file in changes.touched:
            transaction.restamp_file(
                stamps[file.path].id, size=file.size, mtime_ns=file.mtime_ns, role=file.role
            )
        wanted = [*changes.added, *changes.changed, *(each.new for each in changes.renamed)]
        next_id = transaction.next_file_id()
        tasks = []
        for file in wanted:
            if file.path not in facts.ids:
                facts.ids[file.path] = next_id
                next_id = FileId(next_id + 1)
            tasks.append(_task(facts.ids[file.path], file)._replace(former=facts.former(file.path)))
        former = {task.path: task.former for task in tasks}
        renumbered = set()
        for rows in self._read(tasks):
            transaction.replace_file(rows)
            facts.note(rows)
            if is_numbered_anew(former[rows.file.path], _identities(rows)):
                renumbered.add(rows.file.path)
        come = {file.path for file in changes.added} | {each.new.path for each in changes.renamed}
        touched = Touched(frozenset(former), frozenset(come), frozenset(gone), frozenset(renumbered))
        self._link(transaction, facts, touched if is_linked else None)
        return len(tasks), len(gone)

    def _discover(self, known: Mapping[str, KnownFile]) -> Discovery:
        self.progress("discover", 0, None)
        discovery = discover(self.root, self.options.wanted, known=known)
        self.progress("discover", len(discovery.files), len(discovery.files))
        return discovery

    def _add(
        self, transaction: IndexTransaction, tasks: Sequence[Task], facts: StoredFacts, discovery: Discovery
    ) -> None:
        for rows in self._read(tasks):
            transaction.add_file(rows)
            facts.note(rows)
        looked_at = [
            each for each in discovery.skipped if each.size is not None and each.mtime_ns is not None
        ]
        for number, each in enumerate(looked_at, len(tasks) + 1):
            left = Task(FileId(number), each.path, None, "source", each.size or 0, each.mtime_ns or 0)
            transaction.add_file(describe_skipped(left, each.reason))

    def _read(self, tasks: Sequence[Task]) -> Iterator[FileRows]:
        for done, rows in enumerate(read_files(self.root, tasks, jobs=self.options.jobs), 1):
            self.progress("extract", done, len(tasks))
            yield rows

    def _link(
        self, transaction: IndexTransaction, facts: StoredFacts, touched: Touched | None = None
    ) -> None:
        link_files(self.root, transaction, facts, touched=touched, progress=self.progress)


def _task(file_id: FileId, file: FoundFile) -> Task:
    return Task(file_id, file.path, file.language, file.role, file.size, file.mtime_ns)


def _identities(rows: FileRows) -> list[Identity]:
    symbols = map(SymbolRow._make, rows.symbols)
    return [(symbol.id & _SYMBOL_MASK, symbol.kind, symbol.qualname) for symbol in symbols]


def _nanoseconds(moment: str | None) -> int:
    return int(datetime.fromisoformat(moment).timestamp() * 1_000_000_000) if moment else 0
