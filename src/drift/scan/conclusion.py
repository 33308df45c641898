"""The end of a scan: its counts, its record for the next one, and the day's snapshot."""

from collections.abc import Mapping
from datetime import datetime
from typing import Final, NamedTuple

from drift.index import IndexReader
from drift.index.file_queries import FileFilter
from drift.languages.overruns import LEFT_OUT
from drift.languages.unread import count_unread
from drift.project import StateDir
from drift.scan.choices import Choices
from drift.scan.discovery import Discovery
from drift.scan.record import ScanRecord, read_record, write_record
from drift.scan.report import Failure, Mode, ScanReport

_FAILED: Final = FileFilter(status="failed")
_PARTIAL: Final = FileFilter(status="partial")


class Finished(NamedTuple):
    """What a scan did."""

    mode: Mode
    read: int
    removed: int
    discovery: Discovery


def conclude(state: StateDir, finished: Finished, *, choices: Choices, seconds: float) -> ScanReport:
    """The report of a scan whose changes are committed, while the index's lock is still held."""
    with IndexReader(state.index_db) as reader:
        generation = reader.generation()
        failed = reader.files.page(_FAILED, limit=-1)
        cut = find_cut(reader)
    unread = count_unread(finished.discovery.unknown_by_extension)
    record = read_record(state)
    if record is None or record.generation != generation:
        kept, record = record, _count(state, finished.discovery, choices)
    else:
        kept, record = record, record._replace(choices=choices, source=finished.discovery.source)
    record = record._replace(cut=len(cut), unread=unread)
    if record != kept:
        write_record(state, record)
    skipped = {str(reason): count for reason, count in finished.discovery.skipped_counts().items()}
    return ScanReport(
        mode=finished.mode,
        seconds=round(seconds, 3),
        read=finished.read,
        removed=finished.removed,
        files=record.files,
        languages=_most_first(record.languages),
        skipped=skipped,
        symbols=record.symbols,
        calls=record.calls,
        failures=tuple(Failure(each.path, each.problem or "") for each in failed),
        cut=cut,
        unread=unread,
        generation=generation,
    )


def _count(state: StateDir, discovery: Discovery, choices: Choices) -> ScanRecord:
    """The record of an index that was just written; the day gets its snapshot by the way."""
    # Here: an index that has not changed is not counted again.
    from drift.index.census import take_census
    from drift.scan.snapshots import keep_snapshot, snapshot_of

    census = take_census(state.index_db)
    snapshot = snapshot_of(census, datetime.now().astimezone().date())
    keep_snapshot(state, snapshot)
    return ScanRecord(
        generation=census.generation,
        choices=choices,
        source=discovery.source,
        files=snapshot.files,
        languages={name: each.files for name, each in snapshot.lines_by_language.items()},
        symbols=sum(census.symbols_by_kind.values()),
        calls=census.calls_by_outcome,
        cut=0,
        unread={},
    )


def find_cut(reader: IndexReader) -> tuple[Failure, ...]:
    """The files of which only a part was read."""
    partial = reader.files.page(_PARTIAL, limit=-1)
    return tuple(
        Failure(each.path, each.problem) for each in partial if each.problem and LEFT_OUT in each.problem
    )


def _most_first(counts: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda entry: (-entry[1], entry[0])))
