"""Memories out of a store and into one: whole, with their ids."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

from drift.kernel.errors import DriftError
from drift.kernel.redaction import redact
from drift.memory.checks import check_edge, checked
from drift.memory.records import CausalEdge, Memory
from drift.memory.saving import clean_draft, may_hold_secrets
from drift.memory.storage.bulk import OnConflict
from drift.memory.storage.listing import Listing
from drift.memory.storage.rows import batches, known_ids
from drift.memory.store import MemoryStore
from drift.memory.transfer.import_report import Taken, refused, stopped_early
from drift.memory.transfer.import_spool import Spool
from drift.memory.transfer.import_writing import write_parts
from drift.memory.transfer.records import ReadRecord, read_record
from drift.memory.transfer.succession import find_endless


@dataclass(frozen=True, slots=True)
class ExportData:
    """What was exported and of which store: the file it is in, or the text itself."""

    scope: str
    count: int
    edges: int
    path: str | None = None
    text: str | None = None
    """Where no path was asked for and it is short."""


Report = Callable[[int, int | None], None]
"""Hears how many steps are done, and of how many as soon as that is known."""

_PAGE: Final = 1_000
_LOOKED_AT_ONCE: Final = 40  # memories that are looked through for secrets together; most hold none


def export_memories(
    store: MemoryStore, *, types: tuple[str, ...] = (), is_whole: bool = False
) -> Iterator[Memory]:
    """Memories to be written out, newest first: the current ones, or with those archived, superseded and purged.

    Whatever took the place of one of them comes along, or the export could not be taken in by itself.
    """
    listing = Listing(
        types=types, include_archived=is_whole, include_purged=is_whole, include_superseded=is_whole
    )
    given: set[str] = set()
    successors: set[str] = set()
    # By id among those of one moment: two stores that hold the same are exported the same.
    for _moment, some in groupby(_all_pages(store, listing), key=lambda one: one.recorded_at_ms):
        for memory in sorted(some, key=lambda one: one.id, reverse=True):
            given.add(memory.id)
            successors |= {memory.superseded_by} if memory.superseded_by else set()
            yield memory
    yield from _successors(store, given, successors - given)


def edges_among(store: MemoryStore, ids: Iterable[str]) -> tuple[CausalEdge, ...]:
    """The edges whose both ends are exported, in an order of their own."""
    given = frozenset(ids)
    among = (edge for edge in store.edges.all() if edge.source in given and edge.target in given)
    return tuple(sorted(among, key=lambda edge: (edge.source, edge.target, edge.relation)))


def import_records(
    store: MemoryStore,
    records: Iterable[object],
    *,
    actor: str,
    now_ms: int,
    may_overwrite: bool = False,
    skip_invalid: bool = False,
    report: Report = lambda _done, _total: None,
    must_stop: Callable[[], bool] = lambda: False,
) -> Taken:
    """Take in records with the ids they bring; none if one of them cannot be taken, unless `skip_invalid`.

    An id that is there already is left alone unless `may_overwrite`. All is read and checked before the first
    is written, and written in parts, so that others can save meanwhile: each part is kept whole, and whoever is
    interrupted or must stop imports the same again to get the rest. Raises INVALID_ARGUMENT with the places of bad
    records, and CANCELLED if it had to stop before the first was written.
    """
    taken = Taken()
    with Spool() as spool:
        steps = _Steps(report)
        watched = _watch(records, steps, must_stop=must_stop)
        edges = _gather(watched, spool, taken, now_ms=now_ms, may_overwrite=may_overwrite)
        whole = _leave_loose_ends_out(store, spool, edges, taken, may_overwrite=may_overwrite)
        if taken.invalid and not skip_invalid:
            raise refused(taken)
        on_conflict = OnConflict.REPLACE if may_overwrite else OnConflict.SKIP
        write_parts(
            store,
            spool.memories(),
            whole,
            taken=taken,
            actor=actor,
            on_conflict=on_conflict,
            report=steps.add,
            must_stop=must_stop,
        )
    return taken


class _Steps:
    """How far an import is: each record is checked and then written, and how many there are is known in between."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._total: int | None = None
        self._done = 0

    def add(self, count: int) -> None:
        self._done += count
        self._report(self._done, self._total)

    def end_reading(self) -> None:
        self._total = 2 * self._done


def _watch(records: Iterable[object], steps: _Steps, *, must_stop: Callable[[], bool]) -> Iterator[object]:
    count = 0
    for record in records:
        if count % _PAGE == 0 and must_stop():
            raise stopped_early(count)
        yield record
        count += 1
        if count % _PAGE == 0:
            steps.add(_PAGE)
    steps.add(count % _PAGE)
    steps.end_reading()


def _gather(
    records: Iterable[object], spool: Spool, taken: Taken, *, now_ms: int, may_overwrite: bool
) -> list[tuple[int, CausalEdge]]:
    """Let the memories wait; the edges come back, each with its place."""
    edges: list[tuple[int, CausalEdge]] = []
    for index, one in _read_clean(records, taken, now_ms=now_ms):
        if isinstance(one, CausalEdge):
            edges.append((index, one))
            continue
        is_second = one.id in spool.ids
        taken.skipped += is_second and not may_overwrite
        if not is_second or may_overwrite:
            spool.put(one, index)
    return edges


def _read_clean(
    records: Iterable[object], taken: Taken, *, now_ms: int
) -> Iterator[tuple[int, Memory | CausalEdge]]:
    """What the records are, without secrets, each with its place; those that cannot be taken are noted."""
    for some in batches(enumerate(records), _LOOKED_AT_ONCE):
        read = [(index, _read_or_note(index, record, taken, now_ms=now_ms)) for index, record in some]
        is_clean = not may_hold_secrets([one for _index, one in read if isinstance(one, Memory)])
        for index, one in read:
            if isinstance(one, CausalEdge):
                yield index, _clean_edge(one, taken)
            elif one is not None:
                clean = one if is_clean else _clean_or_note(index, one, taken)
                yield from [(index, clean)] if clean is not None else []


def _leave_loose_ends_out(
    store: MemoryStore,
    spool: Spool,
    edges: Iterable[tuple[int, CausalEdge]],
    taken: Taken,
    *,
    may_overwrite: bool,
) -> list[CausalEdge]:
    """Note and leave out what would point nowhere; the edges that stay."""
    with store.reading() if store.is_present else nullcontext() as connection:
        for memory_id, problem in find_endless(spool, connection, may_overwrite=may_overwrite).items():
            taken.note(spool.drop(memory_id), memory_id, problem)
        ends = {end for _index, edge in edges for end in (edge.source, edge.target)} - spool.ids
        absent = ends - known_ids(connection, ends) if connection is not None else ends
    whole: list[CausalEdge] = []
    for index, edge in edges:
        missing = next((one for one in (edge.source, edge.target) if one in absent), None)
        if missing is None:
            whole.append(edge)
        else:
            name = f"{edge.source} {edge.relation} {edge.target}"
            taken.note(index, name, f"There is no memory {missing[:100]}")
    return whole


def _all_pages(store: MemoryStore, listing: Listing) -> Iterator[Memory]:
    after: str | None = None
    while True:
        page = store.list(listing, after=after, limit=_PAGE)
        yield from page.memories
        after = page.next_after
        if after is None:
            return


def _successors(store: MemoryStore, given: set[str], wanted: set[str]) -> Iterator[Memory]:
    while wanted:
        found = store.get_many(sorted(wanted))
        given |= wanted
        wanted = {one.superseded_by for one in found.values() if one.superseded_by} - given
        yield from found.values()


def _read_or_note(index: int, record: object, taken: Taken, *, now_ms: int) -> Memory | CausalEdge | None:
    try:
        read: ReadRecord = read_record(record, now_ms=now_ms)
        if isinstance(read.value, CausalEdge):
            check_edge(read.value)
    except DriftError as error:
        taken.note(index, record.get("id") if isinstance(record, dict) else None, error.message)
        return None
    for name in read.unread:
        taken.unread_fields[name] = taken.unread_fields.get(name, 0) + 1
    return read.value


def _clean_or_note(index: int, memory: Memory, taken: Taken) -> Memory | None:
    clean, findings = clean_draft(memory)
    taken.redacted += len(findings)
    try:
        # A mark in the place of a secret can make a text longer than may be kept.
        return checked(clean) if findings else clean
    except DriftError as error:
        taken.note(index, memory.id, error.message)
        return None


def _clean_edge(edge: CausalEdge, taken: Taken) -> CausalEdge:
    said = [(redact(one.description), redact(one.reference or "")) for one in edge.evidence]
    found = sum(len(part.findings) for parts in said for part in parts)
    if not found:
        return edge
    taken.redacted += found
    evidence = tuple(
        replace(one, description=description.text, reference=reference.text or None)
        for one, (description, reference) in zip(edge.evidence, said, strict=True)
    )
    return replace(edge, evidence=evidence)
