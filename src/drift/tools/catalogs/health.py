"""Actions about the catalog itself: what it can do, how it is, and a close look at one part."""

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, Literal

from mcp_types.version import LATEST_PROTOCOL_VERSION

from drift import __version__
from drift.catalog.files import MOST_FILE_BYTES
from drift.catalog.inspection import (
    CapabilitiesData,
    DiskRow,
    Features,
    HealthData,
    HealthStatus,
    InspectData,
    Limits,
    PerformanceRow,
    StatsRow,
)
from drift.catalog.mutations import MOST_IMPORTED
from drift.catalog.rows import problem_rows
from drift.kernel.answer import Answer
from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.sharing import store_exists
from drift.kernel.text import plural
from drift.kernel.timings import TIMINGS
from drift.kernel.wire import to_wire
from drift.registry import Call
from drift.tools.catalogs.access import MOST_RESULTS, catalog_of, catalog_tool
from drift.tools.catalogs.actions import action_names
from drift.tools.catalogs.reading import Id

_MOST_AUDITED: Final = 20


@catalog_tool(title="Capabilities of the catalog", tokens=(100, 400))
def instructions_capabilities(call: Call) -> Answer[CapabilitiesData]:
    """Actions, limits and whether changes are allowed."""
    enabled = catalog_of(call).settings.is_mutation_enabled
    data = CapabilitiesData(
        version=__version__,
        protocol_version=LATEST_PROTOCOL_VERSION,
        supported_actions=action_names(call.runtime.toolbox, "instructions"),
        mutation_enabled=enabled,
        features=Features(
            advanced_query=True, bulk_operations=True, governance_tracking=True, usage_analytics=True
        ),
        limits=Limits(MOST_IMPORTED, MOST_RESULTS, MOST_FILE_BYTES),
    )
    return Answer(f"{len(data.supported_actions)} actions; {_say_enabled(enabled=enabled)}", data)


@catalog_tool(title="Health of the catalog", tokens=(100, 500))
def instructions_health(call: Call) -> Answer[HealthData]:
    """Counts, speed and disk, and whether something needs mending."""
    catalog = catalog_of(call)
    stats = catalog.stats()
    metrics = call.runtime.metrics()
    problems = _find_trouble(call)
    status: HealthStatus = "unhealthy" if problems.fatal else "degraded" if problems.minor else "healthy"
    data = HealthData(
        status=status,
        version=__version__,
        uptime=round((datetime.now(UTC) - datetime.fromisoformat(metrics.started_at)).total_seconds(), 1),
        catalog_stats=StatsRow(
            stats.count,
            stats.categories,
            stats.last_modified,
            stats.hash,
            stats.overdue,
            stats.problems,
            catalog.waiting(),
        ),
        performance=PerformanceRow(
            TIMINGS.overall().average_ms,
            metrics.calls,
            round(metrics.errors / metrics.calls, 4) if metrics.calls else None,
        ),
        disk_usage=DiskRow(stats.total_bytes, _free_bytes(call)),
        problems=(*problems.fatal, *problems.minor),
    )
    return Answer(f"{status}: {plural(stats.count, 'instruction')}", data)


@catalog_tool(
    title="Inspect the catalog", tokens=(100, 8000), examples=({"scope": "instruction", "id": "use-uv"},)
)
def instructions_inspect(
    call: Call,
    scope: Literal["catalog", "instruction", "governance", "usage"],
    id: Id | None = None,  # noqa: A002 - the argument's name on the wire
) -> Answer[InspectData]:
    """One instruction's file, the catalog, its governance or its usage from all sides."""
    if scope == "instruction" and id is None:
        raise DriftError(
            ErrorCode.MISSING_REQUIRED_PARAM,
            "id: required with scope=instruction",
            Recovery(details={"argument": "id"}),
        )
    look = {
        "catalog": _look_at_catalog,
        "instruction": _look_at_instruction,
        "governance": _look_at_governance,
        "usage": _look_at_usage,
    }[scope]
    timestamp = datetime.now(UTC).isoformat(timespec="milliseconds")
    return Answer(f"{scope} {id or ''}".strip(), InspectData(timestamp, scope, look(call, id)))


def _look_at_catalog(call: Call, _id: str | None) -> Mapping[str, Any]:
    catalog = catalog_of(call)
    stats = catalog.stats()
    return {
        "raw": {"files": stats.count + stats.problems},
        "normalized": {"instructions": stats.count, "categories": stats.categories, "hash": stats.hash},
        "validation": {
            "problems": to_wire(problem_rows(catalog.problems(), None)),
            "warnings": to_wire(problem_rows(catalog.warnings(), None)),
        },
        "metadata": {"counters": to_wire(catalog.counters), "overdueReviews": stats.overdue},
        "filesystem": {
            "directory": str(catalog.directory),
            "exists": catalog.directory.is_dir(),
            "totalBytes": stats.total_bytes,
        },
    }


def _look_at_instruction(call: Call, instruction_id: str | None) -> Mapping[str, Any]:
    catalog = catalog_of(call)
    seen = catalog.inspect(str(instruction_id))
    lines = catalog.audit.lines(instruction=seen.id, limit=_MOST_AUDITED) if _has_journal(call) else ()
    return {
        "raw": seen.raw,
        "normalized": seen.normalized,
        "validation": {
            "valid": seen.problem is None,
            "problem": seen.problem,
            "line": seen.line,
            "warnings": list(seen.warnings),
        },
        "metadata": {
            "isNormal": seen.is_normal,
            "storedHash": seen.stored_hash,
            "changes": [to_wire(line) for line in lines],
        },
        "filesystem": {"path": seen.path, "stamp": to_wire(seen.stamp)},
    }


def _look_at_governance(call: Call, instruction_id: str | None) -> Mapping[str, Any]:
    catalog = catalog_of(call)
    found = catalog.governance(includes_items=True)
    items = [each for each in found.items or () if instruction_id in (None, each.id)]
    now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    entries = [each for each in catalog.export() if instruction_id in (None, each.id)]
    return {
        "raw": [to_wire(each.governance) for each in items],
        "normalized": {"governanceHash": found.governance_hash, "algorithm": found.algorithm},
        "validation": {
            "overdue": [each.id for each in entries if each.is_overdue(now)],
            "unowned": [each.id for each in entries if not each.owner or each.owner == "unowned"],
            "awaitingAcceptance": [each.id for each in entries if not catalog.provenance.is_local(each)],
        },
        "metadata": {"count": found.count},
        "filesystem": {"directory": str(catalog.directory)},
    }


def _look_at_usage(call: Call, instruction_id: str | None) -> Mapping[str, Any]:
    catalog = catalog_of(call)
    used = catalog.usage.hotset(MOST_RESULTS) if _has_journal(call) else ()
    rows = [to_wire(each) for each in used if instruction_id in (None, each.id)]
    return {
        "raw": rows,
        "normalized": {"uses": sum(row["usageCount"] for row in rows)},
        "validation": {},
        "metadata": {"isUnlimited": catalog.settings.is_usage_unlimited},
        "filesystem": {"path": str(catalog.places.journal_db), "exists": _has_journal(call)},
    }


@dataclass(frozen=True, slots=True)
class _Trouble:
    fatal: tuple[str, ...]
    minor: tuple[str, ...]


def _find_trouble(call: Call) -> _Trouble:
    catalog = catalog_of(call)
    fatal: list[str] = []
    if catalog.directory.exists() and not catalog.directory.is_dir():
        fatal.append(f"{catalog.directory} is no directory")
    minor = [f"{each.name}: {each.reason}" for each in catalog.problems()]
    try:
        minor += [f"{each.id}: stored hash does not fit the body" for each in catalog.verify().issues]
        if _has_journal(call):
            catalog.audit.lines(limit=1)
    except DriftError as error:
        fatal.append(error.message)
    return _Trouble(tuple(fatal), tuple(minor))


def _has_journal(call: Call) -> bool:
    return store_exists(catalog_of(call).places.journal_db)


def _free_bytes(call: Call) -> int | None:
    try:
        return shutil.disk_usage(call.project.root).free
    except OSError:
        return None


def _say_enabled(*, enabled: bool) -> str:
    return "changes are allowed" if enabled else "read-only (MCP_ENABLE_MUTATION is off)"
