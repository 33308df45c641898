"""Memories out of a store and into one: whole, with their ids, in one transaction."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, cast

from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.redaction import redact
from drift.memory.bulk import OnConflict
from drift.memory.checks import checked
from drift.memory.content import texts_in
from drift.memory.keeping import clean_draft
from drift.memory.listing import Listing
from drift.memory.records import CausalEdge, Memory
from drift.memory.store import MemoryStore
from drift.memory.transfer_records import ReadRecord, read_record

_PAGE: Final = 1_000
_MOST_TOLD: Final = 20


@dataclass(frozen=True, slots=True)
class RecordProblem:
    """A record that cannot be taken: its place among the records, from 0, its id if it has one, and why."""

    index: int
    id: str | None
    problem: str


@dataclass(slots=True)
class Taken:
    """What an import did."""

    added: int = 0
    replaced: int = 0
    skipped: int = 0
    edges: int = 0
    redacted: int = 0
    invalid: int = 0
    problems: list[RecordProblem] = field(default_factory=list)
    unread_fields: dict[str, int] = field(default_factory=dict)


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
    after: str | None = None
    while True:
        page = store.list(listing, after=after, limit=_PAGE)
        for memory in page.memories:
            given.add(memory.id)
            successors |= {memory.superseded_by} if memory.superseded_by else set()
            yield memory
        after = page.next_after
        if after is None:
            break
    yield from _successors(store, given, successors - given)


def edges_among(store: MemoryStore, ids: Iterable[str]) -> tuple[CausalEdge, ...]:
    """The edges whose both ends are exported."""
    given = frozenset(ids)
    return tuple(edge for edge in store.edges.all() if edge.source in given and edge.target in given)


def import_records(
    store: MemoryStore,
    records: Iterable[object],
    *,
    actor: str,
    now_ms: int,
    may_overwrite: bool = False,
    skip_invalid: bool = False,
    report: Callable[[int], None] = lambda _count: None,
) -> Taken:
    """Take in records as they come, with the ids they bring; all or none.

    An id that is there already is left alone unless `may_overwrite`. Records that cannot be taken are named by
    their place, and nothing is kept unless `skip_invalid`. Raises INVALID_ARGUMENT with those places.
    """
    taken = Taken()
    edges: list[tuple[int, CausalEdge]] = []

    def memories() -> Iterator[Memory]:
        for index, record in enumerate(records):
            if index % _PAGE == 0:
                report(index)
            read = _read_or_note(index, record, taken, now_ms=now_ms)
            if read is None:
                continue
            if isinstance(read, CausalEdge):
                edges.append((index, read))
                continue
            clean = _clean_or_note(index, read, taken)
            if clean is not None:
                yield clean

    on_conflict = OnConflict.REPLACE if may_overwrite else OnConflict.SKIP
    with store.transaction():
        done = store.add_many(memories(), actor=actor, on_conflict=on_conflict)
        taken.added, taken.replaced, taken.skipped = done.added, done.replaced, done.skipped
        for index, edge in edges:
            _put_edge(store, index, edge, taken, actor=actor)
        if taken.invalid and not skip_invalid:
            raise _refused(taken)
    return taken


def _successors(store: MemoryStore, given: set[str], wanted: set[str]) -> Iterator[Memory]:
    while wanted:
        found = store.get_many(sorted(wanted))
        given |= wanted
        wanted = {one.superseded_by for one in found.values() if one.superseded_by} - given
        yield from found.values()


def _read_or_note(index: int, record: object, taken: Taken, *, now_ms: int) -> Memory | CausalEdge | None:
    try:
        read: ReadRecord = read_record(record, now_ms=now_ms)
    except DriftError as error:
        _note(taken, index, record, error.message)
        return None
    for name in read.unread:
        taken.unread_fields[name] = taken.unread_fields.get(name, 0) + 1
    return read.value


def _clean_or_note(index: int, memory: Memory, taken: Taken) -> Memory | None:
    if not _may_hold_secrets(memory):
        return memory
    clean, findings = clean_draft(memory)
    taken.redacted += len(findings)
    try:
        # A mark in the place of a secret can make a text longer than may be kept.
        return cast("Memory", checked(clean) if findings else clean)
    except DriftError as error:
        _note(taken, index, {"id": memory.id}, error.message)
        return None


def _may_hold_secrets(memory: Memory) -> bool:
    """Whether the parts must be looked at one by one: most memories are known to be clean at one look."""
    parts = (memory.title, memory.text, *memory.tags, memory.source or "", *texts_in(dict(memory.content)))
    joined = "\n".join(parts)
    # A key without an end is one to the end of its text, which joining moves away.
    return "-----BEGIN" in joined or bool(redact(joined).findings)


def _put_edge(store: MemoryStore, index: int, edge: CausalEdge, taken: Taken, *, actor: str) -> None:
    try:
        taken.edges += store.edges.put([edge], actor=actor)
    except DriftError as error:
        if error.code not in (ErrorCode.INVALID_ARGUMENT, ErrorCode.RESOURCE_NOT_FOUND):
            raise
        _note(taken, index, {"id": f"{edge.source} {edge.relation} {edge.target}"}, error.message)


def _note(taken: Taken, index: int, record: object, problem: str) -> None:
    taken.invalid += 1
    if len(taken.problems) < _MOST_TOLD:
        given = record.get("id") if isinstance(record, dict) else None
        taken.problems.append(RecordProblem(index, given[:100] if isinstance(given, str) else None, problem))


def _refused(taken: Taken) -> DriftError:
    first = taken.problems[0]
    return DriftError(
        ErrorCode.INVALID_ARGUMENT,
        f"{taken.invalid:,} of the records cannot be taken, the first is number {first.index}: {first.problem}."
        " Nothing was imported",
        Recovery(
            hint="Correct the records named in `errors`, or set skipInvalid to take the others.",
            details={
                "errorCount": taken.invalid,
                "errors": [
                    {"index": one.index, "id": one.id, "message": one.problem} for one in taken.problems
                ],
            },
        ),
    )
