"""What answers about errors are made of."""

from dataclasses import dataclass
from typing import Literal

GapKind = Literal[
    "no-try-catch", "swallowed-error", "unhandled-async", "bare-catch", "logged-only", "default-returned",
    "ignored-error", "missing-wrap", "unwrap", "suppressed", "throw-ex", "async-void",
]  # fmt: skip
Severity = Literal["critical", "high", "medium", "low"]
SEVERITIES: tuple[Severity, ...] = ("critical", "high", "medium", "low")


@dataclass(frozen=True, slots=True)
class GapRow:
    """A place where errors are lost or not expected. `risk` is the sum of `inputs`."""

    kind: GapKind
    severity: Severity
    risk: int
    inputs: dict[str, int]
    function: str
    file: str
    line: int
    types: tuple[str, ...]
    why: str
    advice: str
    times: int | None = None


@dataclass(frozen=True, slots=True)
class BoundaryRow:
    """Code that ends errors of others. `coverage` is the share of what comes up to it that it catches; null for none."""

    function: str
    file: str
    line: int
    boundary_type: str
    is_framework_boundary: bool
    catches: tuple[str, ...]
    catches_from: tuple[str, ...]
    catches_from_count: int
    coverage: float | None


@dataclass(frozen=True, slots=True)
class UnhandledRow:
    """A throw that comes up to entry points. `path` goes from the one where it is felt most, and of those the nearest."""

    type: str
    function: str
    file: str
    line: int
    severity: Severity
    entry: str
    entry_kind: str
    entries_count: int
    path: tuple[str, ...]
    confidence: float


@dataclass(frozen=True, slots=True)
class HandlerRow:
    """A handler or a check, what it is for and what it does."""

    line: int
    types: tuple[str, ...]
    does: str


@dataclass(frozen=True, slots=True)
class ProfileRow:
    """How a function deals with errors; `quality` is the sum of `inputs`."""

    function: str
    file: str
    line: int
    quality: int
    level: str
    inputs: dict[str, int]
    throws: tuple[str, ...]
    lets_pass: tuple[str, ...]
    handlers: tuple[HandlerRow, ...]


@dataclass(frozen=True, slots=True)
class StatusRow:
    """The errors of a project in figures; tests are left out."""

    functions: int
    quality: float | None
    levels: dict[str, int]
    throws: int
    handlers: int
    grades: dict[str, int]
    gaps: dict[str, int]
    severities: dict[str, int]
    boundaries: dict[str, int]
    unhandled: int
    answered_by_frameworks: dict[str, int]
    unresolved_calls: int
    outside_calls: int
    calls: int


@dataclass(frozen=True, slots=True)
class ErrorHandlingData:
    """What the action found; the other fields are absent."""

    status: StatusRow | None = None
    gaps: tuple[GapRow, ...] | None = None
    boundaries: tuple[BoundaryRow, ...] | None = None
    unhandled: tuple[UnhandledRow, ...] | None = None
    profiles: tuple[ProfileRow, ...] | None = None
