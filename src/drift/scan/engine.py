"""A scan from end to end: what changed is read, the whole is linked, and the index is old or new, never between."""

import gc
import os
import time
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Final

from drift.index import IndexReader, IndexWriter, Layer, read_index_state
from drift.index.file_queries import FileStamp
from drift.index.ids import FileId
from drift.index.path_text import text_to_path
from drift.index.rows import FileRows
from drift.index.transaction import IndexTransaction
from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.project import StateDir
from drift.scan.changes import Changes, find_changes
from drift.scan.describing import Task, describe_skipped
from drift.scan.discover import discover
from drift.scan.discovery import DiscoverOptions, Discovery, FoundFile, KnownFile
from drift.scan.extractors import READABLE
from drift.scan.known import known_files
from drift.scan.link import link
from drift.scan.linking import link_rows
from drift.scan.pool import read_files
from drift.scan.report import Failure, Mode, Progress, ScanReport, tell_nobody
from drift.scan.stored import StoredSources

SYMBOL_LAYERS: Final = frozenset({Layer.FILES, Layer.SYMBOLS})
ALL_LAYERS: Final = SYMBOL_LAYERS | {Layer.IMPORTS, Layer.CALLS, Layer.REFERENCES}

_WITH_FACTS: Final = frozenset({"ok", "partial"})
_SCAN_ANEW: Final = Recovery(command="drift scan --force")


@dataclass(frozen=True, slots=True)
class ScanOptions:
    """What a scan takes in and how it goes about it."""

    wanted: DiscoverOptions = field(default_factory=DiscoverOptions)
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
        database = StateDir(self.root).ensure().index_db
        with IndexWriter(database, wait_seconds=self.options.wait_seconds) as writer:
            is_usable = writer.find_problem() is None
            if self.options.is_forced or not is_usable:
                outcome = self._build(writer, keeps_present=is_usable)
            else:
                outcome = self._update(writer, database)
        return _report(database, outcome, time.perf_counter() - started)

    def _build(self, writer: IndexWriter, *, keeps_present: bool) -> "_Outcome":
        began_ns = time.time_ns()
        discovery = self._discover({})
        tasks = [_task(FileId(number), file) for number, file in enumerate(discovery.files, 1)]
        facts = _Facts({task.path: task.file_id for task in tasks})
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
        return _Outcome("full", len(tasks), 0, discovery)

    def _update(self, writer: IndexWriter, database: Path) -> "_Outcome":
        with IndexReader(database) as reader:
            stamps = {text_to_path(stamp.path): stamp for stamp in reader.files.stamps()}
            known = known_files(stamps.values())
            began_ns = time.time_ns()
            discovery = self._discover(known)
            state = read_index_state(database)
            changes = find_changes(known, discovery, scanned_at_ns=_nanoseconds(state.scanned_at))
            if changes.is_empty and state.layers >= ALL_LAYERS:
                return _Outcome("none", 0, 0, discovery)
            with writer.update(ALL_LAYERS, scanned_at_ns=began_ns) as transaction:
                read, removed = self._apply(transaction, _Facts.of_index(reader, stamps), stamps, changes)
        return _Outcome("update", read, removed, discovery)

    def _apply(
        self,
        transaction: IndexTransaction,
        facts: "_Facts",
        stamps: Mapping[str, FileStamp],
        changes: Changes,
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
            tasks.append(_task(facts.ids[file.path], file))
        for rows in self._read(tasks):
            transaction.replace_file(rows)
            facts.note(rows)
        self._link(transaction, facts)
        return len(tasks), len(gone)

    def _discover(self, known: Mapping[str, KnownFile]) -> Discovery:
        self.progress("discover", 0, None)
        discovery = discover(self.root, self.options.wanted, known=known)
        self.progress("discover", len(discovery.files), len(discovery.files))
        return discovery

    def _add(
        self, transaction: IndexTransaction, tasks: Sequence[Task], facts: "_Facts", discovery: Discovery
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

    def _link(self, transaction: IndexTransaction, facts: "_Facts") -> None:
        """Link all files anew. A change can matter to any file, and this way the result is a full scan's."""
        sources = StoredSources(self.root, facts.readable(), facts.packed)
        self.progress("link", 0, None)
        with _no_garbage_collection():
            links = link(sources)
        for done, (path, found) in enumerate(links.items(), 1):
            transaction.set_links(link_rows(path, sources.facts_of(path), found, facts.ids))
            self.progress("write", done, len(links))


@contextmanager
def _no_garbage_collection() -> Iterator[None]:
    """Linking makes millions of tuples and no cycles; looking for those costs a quarter of its time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


class _Facts:
    """The packed facts of all files: those just read at hand, the others in the index."""

    def __init__(self, ids: dict[str, FileId], reader: IndexReader | None = None) -> None:
        self.ids = ids
        self._reader = reader
        self._at_hand: dict[str, bytes] = {}
        self._kept: set[str] = set()

    @classmethod
    def of_index(cls, reader: IndexReader, stamps: Mapping[str, FileStamp]) -> "_Facts":
        facts = cls({path: stamp.id for path, stamp in stamps.items()}, reader)
        facts._kept = {
            path
            for path, stamp in stamps.items()
            if stamp.status in _WITH_FACTS and stamp.language in READABLE
        }
        return facts

    def note(self, rows: FileRows) -> None:
        self._kept.discard(rows.file.path)
        self._at_hand.pop(rows.file.path, None)
        if rows.packed:
            self._at_hand[rows.file.path] = rows.packed

    def forget(self, path: str) -> None:
        self._kept.discard(path)
        self.ids.pop(path, None)

    def readable(self) -> Collection[str]:
        """The files that have facts."""
        return self._kept | self._at_hand.keys()

    def packed(self, path: str) -> bytes:
        if path in self._at_hand:
            return self._at_hand[path]
        found = self._reader.files.packed_facts(self.ids[path]) if self._reader else None
        if found is None:
            raise DriftError(
                ErrorCode.STORE_UNAVAILABLE, f"The index has lost the facts of {path}", _SCAN_ANEW
            )
        return found


@dataclass(frozen=True, slots=True)
class _Outcome:
    mode: Mode
    read: int
    removed: int
    discovery: Discovery


def _task(file_id: FileId, file: FoundFile) -> Task:
    return Task(file_id, file.path, file.language, file.role, file.size, file.mtime_ns)


def _nanoseconds(moment: str | None) -> int:
    return int(datetime.fromisoformat(moment).timestamp() * 1_000_000_000) if moment else 0


def _report(database: Path, outcome: _Outcome, seconds: float) -> ScanReport:
    with IndexReader(database) as reader:
        files = reader.files.stamps()
        failed = sorted((each.path, each.problem or "") for each in files if each.status == "failed")
        languages = Counter(each.language for each in files if each.language and each.status in _WITH_FACTS)
        skipped = {str(reason): count for reason, count in outcome.discovery.skipped_counts().items()}
        return ScanReport(
            mode=outcome.mode,
            seconds=round(seconds, 3),
            read=outcome.read,
            removed=outcome.removed,
            files=sum(each.status in _WITH_FACTS for each in files),
            languages=dict(languages.most_common()),
            skipped=skipped,
            symbols=reader.symbols.count(),
            calls=reader.calls.outcome_counts(),
            failures=tuple(Failure(path, reason) for path, reason in failed),
            generation=reader.generation(),
        )
