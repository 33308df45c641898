"""How answers show a memory whole, and what keeping one brought up."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from drift.kernel.redaction import Finding
from drift.kernel.text import shorten
from drift.memory.dates import write_time
from drift.memory.decay import current_confidence
from drift.memory.links import CausalRow
from drift.memory.records import FileLink, Memory
from drift.memory.saving import Likeness


@dataclass(frozen=True, slots=True)
class LinkedTo:
    """How many things a memory points at."""

    files: int
    functions: int
    patterns: int
    constraints: int


@dataclass(frozen=True, slots=True)
class MemoryRow:
    """One memory in a list: its id, what it is and what it says in a line."""

    id: str
    type: str
    title: str
    confidence: float
    """What is left of it today."""
    recorded: str


_TITLE_CHARS = 60
_MOST_ALIKE = 5


@dataclass(frozen=True, slots=True)
class RedactedRow:
    """Something that was taken out before keeping: what it was and on which line of its text."""

    what: str
    line: int


@dataclass(frozen=True, slots=True)
class AlikeRow:
    """An earlier memory that says nearly the same; `share` of the words of both are in each."""

    id: str
    share: float
    title: str


@dataclass(frozen=True, slots=True)
class MemoryDetail:
    """A memory in full. `confidence` is what is left today (or at `asOf`) of `firstConfidence`."""

    id: str
    type: str
    title: str
    text: str
    importance: str
    confidence: float
    first_confidence: float
    recorded: str | None
    content: Mapping[str, Any] | None = None
    kind: str | None = None
    source: str | None = None
    tags: tuple[str, ...] | None = None
    files: tuple[str, ...] | None = None
    functions: tuple[str, ...] | None = None
    patterns: tuple[str, ...] | None = None
    constraints: tuple[str, ...] | None = None
    updated: str | None = None
    validated: str | None = None
    valid_from: str | None = None
    valid_until: str | None = None
    supersedes: tuple[str, ...] | None = None
    superseded_by: str | None = None
    archived: str | None = None
    purged: str | None = None
    uses: int | None = None
    stale: tuple[str, ...] | None = None


def detail_of(memory: Memory, *, now_ms: int, stale: tuple[str, ...] = ()) -> MemoryDetail:
    """Everything there is of a memory; what it has not is left out."""
    return MemoryDetail(
        id=memory.id,
        type=memory.type,
        title=memory.title,
        text=memory.text,
        importance=str(memory.importance),
        confidence=round(current_confidence(memory, now_ms=now_ms), 2),
        first_confidence=round(memory.confidence, 2),
        recorded=write_time(memory.recorded_at_ms),
        content=memory.content or None,
        kind=memory.kind,
        source=memory.source,
        tags=memory.tags or None,
        files=tuple(map(write_place, memory.files)) or None,
        functions=memory.functions or None,
        patterns=memory.patterns or None,
        constraints=memory.constraints or None,
        updated=write_time(memory.updated_at_ms) if memory.updated_at_ms > memory.recorded_at_ms else None,
        validated=write_time(memory.last_validated_ms),
        valid_from=write_time(memory.valid_from_ms),
        valid_until=write_time(memory.valid_until_ms),
        supersedes=memory.supersedes or None,
        superseded_by=memory.superseded_by,
        archived=(memory.archive_reason or "yes") if memory.archived else None,
        purged=write_time(memory.deleted_at_ms),
        uses=memory.access_count or None,
        stale=stale or None,
    )


def write_place(link: FileLink) -> str:
    """`path`, `path:12` or `path:12-20`, as linkedFiles takes it."""
    if link.start_line is None:
        return link.path
    end = f"-{link.end_line}" if link.end_line not in (None, link.start_line) else ""
    return f"{link.path}:{link.start_line}{end}"


def redacted_rows(findings: Iterable[Finding]) -> tuple[RedactedRow, ...] | None:
    return tuple(RedactedRow(one.what, one.line) for one in findings) or None


def alike_rows(alike: Iterable[Likeness]) -> tuple[AlikeRow, ...] | None:
    return (
        tuple(
            AlikeRow(one.memory.id, round(one.share, 2), shorten(one.memory.title, _TITLE_CHARS))
            for one in tuple(alike)[:_MOST_ALIKE]
        )
        or None
    )


def saving_warnings(
    redacted: tuple[RedactedRow, ...] | None, alike: tuple[AlikeRow, ...] | None
) -> tuple[str, ...]:
    """What whoever saved should hear of."""
    told = []
    if redacted:
        names = ", ".join(sorted({row.what for row in redacted}))
        told.append(f"redacted before keeping: {names}")
    if alike:
        nearest = alike[0]
        told.append(f"{nearest.id} shares {nearest.share:.0%} of the words; supersede or delete one of them")
    return tuple(told)


_ROW_TITLE_CHARS = 100


def memory_row(memory: "Memory", *, now_ms: int) -> MemoryRow:
    left = round(current_confidence(memory, now_ms=now_ms), 2)
    return MemoryRow(
        memory.id, memory.type, shorten(memory.title, _ROW_TITLE_CHARS), left, day(memory.recorded_at_ms)
    )


def day(at_ms: int) -> str:
    """The date of a time, as people write it in a list."""
    return datetime.fromtimestamp(at_ms / 1000, UTC).date().isoformat()


@dataclass(frozen=True, slots=True)
class AddedData:
    """What became of a memory. `conflicts` are earlier ones that say nearly the same."""

    id: str
    created: bool
    type: str
    title: str
    linked_to: LinkedTo
    causal_links: tuple[CausalRow, ...] | None = None
    conflicts: tuple[AlikeRow, ...] | None = None
    redacted: tuple[RedactedRow, ...] | None = None
    scope: str | None = None


@dataclass(frozen=True, slots=True)
class MemoryData:
    """A memory in full, how many changes its history holds, and its edges to others."""

    memory: MemoryDetail
    changes: int
    edges: tuple[CausalRow, ...]
    as_of: str | None = None
    scope: str | None = None


@dataclass(frozen=True, slots=True)
class DeletedData:
    """What was hidden or brought back."""

    id: str
    purged: bool
    memory: MemoryRow


@dataclass(frozen=True, slots=True)
class UpdatedData:
    """The memory as it is now, and the fields that were set."""

    id: str
    changed: tuple[str, ...]
    memory: MemoryRow
    redacted: tuple[RedactedRow, ...] | None = None
