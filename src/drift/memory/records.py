"""What the store holds: memories, their links, causal edges and sessions, as plain frozen data.

Times are Unix milliseconds. Two kinds of time stand apart: `recorded_at_ms` is when we learnt something,
`valid_from_ms` to `valid_until_ms` is when it is true. A field that is None is not known or not so.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

DEBUG_PATH: Final = "debug_path"
"""The kind of a memory that follows an error."""


class Importance(StrEnum):
    """How much it matters, by whoever saved it."""

    LOW = "low"
    NORMAL = "normal"
    HIGH = "high"
    CRITICAL = "critical"


class Relation(StrEnum):
    """How one memory brought about or bears on another, read from source to target."""

    CAUSED = "caused"
    ENABLED = "enabled"
    PREVENTED = "prevented"
    CONTRADICTS = "contradicts"
    SUPERSEDES = "supersedes"
    SUPPORTS = "supports"
    DERIVED_FROM = "derived_from"
    TRIGGERED_BY = "triggered_by"


class EvidenceKind(StrEnum):
    """What an edge between memories is concluded from."""

    TEMPORAL = "temporal"
    SEMANTIC = "semantic"
    ENTITY = "entity"
    EXPLICIT = "explicit"
    USER_CONFIRMED = "user_confirmed"


class LinkKind(StrEnum):
    """What a memory can point at by name, besides files."""

    FUNCTION = "function"
    PATTERN = "pattern"
    CONSTRAINT = "constraint"


@dataclass(frozen=True, slots=True, order=True)
class FileLink:
    """A citation: a file of the project, its lines where known, and the hash of what stood there."""

    path: str
    start_line: int | None = None
    end_line: int | None = None
    content_hash: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A memory to be kept: what the caller says of it. The store gives it an id and times."""

    type: str
    title: str = ""  # empty: made from the text or the content
    text: str = ""
    content: Mapping[str, Any] = field(default_factory=dict)
    confidence: float = 1.0
    importance: Importance = Importance.NORMAL
    tags: tuple[str, ...] = ()
    files: tuple[FileLink, ...] = ()
    functions: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    constraints: tuple[str, ...] = ()
    source: str | None = None
    kind: str | None = None
    session: str | None = None
    created_by: str | None = None
    valid_from_ms: int | None = None
    valid_until_ms: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory(Draft):
    """A memory as the store holds it."""

    id: str
    recorded_at_ms: int
    updated_at_ms: int
    superseded_by: str | None = None
    last_validated_ms: int | None = None
    archived: bool = False
    archive_reason: str | None = None
    deleted_at_ms: int | None = None
    # Read from elsewhere, not part of what the log keeps:
    supersedes: tuple[str, ...] = ()
    last_accessed_ms: int | None = None
    access_count: int = 0

    @property
    def is_purged(self) -> bool:
        return self.deleted_at_ms is not None

    @property
    def is_current(self) -> bool:
        """Whether it holds and is shown: neither archived, purged nor superseded."""
        return not self.archived and self.superseded_by is None and not self.is_purged


@dataclass(frozen=True, slots=True)
class Evidence:
    """Why an edge is believed."""

    kind: EvidenceKind
    description: str
    confidence: float = 1.0
    reference: str | None = None


@dataclass(frozen=True, slots=True)
class CausalEdge:
    """`source` stands in `relation` to `target`; both are ids of memories."""

    source: str
    target: str
    relation: Relation
    strength: float = 1.0
    evidence: tuple[Evidence, ...] = ()
    inferred: bool = False
    validated_at_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Session:
    """A stretch of work of one client; `state` is what its user keeps there, as JSON."""

    id: str
    started_at_ms: int
    last_active_ms: int
    ended_at_ms: int | None = None
    summary: str | None = None
    state: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One change: who made it, when, of what. `patch` holds the fields it set, null for those it emptied."""

    sequence: int
    at_ms: int
    actor: str
    action: str
    memory: str | None
    patch: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Counts:
    """How much there is. Current memories are neither archived, purged nor superseded."""

    total: int
    current: int
    archived: int
    purged: int
    superseded: int
    by_type: Mapping[str, int]  # not purged
    edges: int
    sessions: int
    log_entries: int
    size_bytes: int
