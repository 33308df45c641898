"""One file of the catalog from all sides, for whoever asks why it is not as expected."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from drift.catalog.files import InstructionFiles, Stamp, UnreadableFileError
from drift.catalog.ids import ENDING
from drift.catalog.reading import load
from drift.kernel.text import shorten

HealthStatus = Literal["healthy", "degraded", "unhealthy"]


@dataclass(frozen=True, slots=True)
class Features:
    """What this server has."""

    advanced_query: bool
    bulk_operations: bool
    governance_tracking: bool
    usage_analytics: bool


@dataclass(frozen=True, slots=True)
class Limits:
    """The most of each; sizes in bytes."""

    max_batch_size: int
    max_query_results: int
    max_file_size: int


@dataclass(frozen=True, slots=True)
class CapabilitiesData:
    """What a client may expect."""

    version: str
    protocol_version: str
    supported_actions: tuple[str, ...]
    mutation_enabled: bool
    features: Features
    limits: Limits


@dataclass(frozen=True, slots=True)
class StatsRow:
    """The catalog in numbers; `lastModified` is null where no file says."""

    total_instructions: int
    total_categories: int
    last_modified: str | None
    integrity_hash: str
    overdue_reviews: int
    broken_files: int
    awaiting_acceptance: (
        int  # came with the repository; a person accepts them with `drift instructions accept`
    )


@dataclass(frozen=True, slots=True)
class PerformanceRow:
    """Times in milliseconds; null before the first call."""

    avg_response_time: float | None
    request_count: int
    error_rate: float | None


@dataclass(frozen=True, slots=True)
class DiskRow:
    """Bytes; null where the system does not tell."""

    total_size: int
    available_space: int | None


@dataclass(frozen=True, slots=True)
class HealthData:
    """How the catalog is; `uptime` in seconds. `problems` says why it is not healthy."""

    status: HealthStatus
    version: str
    uptime: float
    catalog_stats: StatsRow
    performance: PerformanceRow
    disk_usage: DiskRow
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class InspectData:
    """A close look: raw, normalized, validation, metadata, filesystem."""

    timestamp: str
    scope: str
    data: Mapping[str, Any]


_LONGEST_SHOWN = 20_000


class Inspection(NamedTuple):
    """What there is to see. `raw` is the file's text as far as it is shown; None where it cannot be read."""

    id: str
    raw: str | None
    normalized: dict[str, Any] | None
    problem: str | None
    line: int | None
    warnings: tuple[str, ...]
    is_normal: bool  # writing it again would change nothing but its layout
    stored_hash: str | None
    path: str
    stamp: Stamp | None


def inspect_file(files: InstructionFiles, instruction_id: str) -> Inspection:
    """The file of an id as it is now."""
    name = instruction_id + ENDING
    nothing = Inspection(
        instruction_id,
        raw=None,
        normalized=None,
        problem=None,
        line=None,
        warnings=(),
        is_normal=False,
        stored_hash=None,
        path=str(files.directory / name),
        stamp=files.stamp(name),
    )
    try:
        content, _ = files.read(name)
    except FileNotFoundError:
        return nothing._replace(problem="there is no such file")
    except UnreadableFileError as error:
        return nothing._replace(problem=error.reason)
    seen = nothing._replace(raw=shorten(content.decode("utf-8", "replace"), _LONGEST_SHOWN))
    try:
        loaded = load(name, content)
    except UnreadableFileError as error:
        return seen._replace(problem=error.reason, line=error.line)
    return seen._replace(
        normalized=loaded.instruction.as_wire(),
        warnings=loaded.warnings,
        is_normal=loaded.is_normal,
        stored_hash=loaded.stored_hash,
    )
