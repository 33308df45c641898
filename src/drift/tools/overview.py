"""What discovery tools and resources tell about a project and its server, as plain data."""

from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from drift import __version__
from drift.conventions.glance import ConventionCounts, read_glance
from drift.index import IndexState
from drift.kernel.tokens import tokenizer_name
from drift.languages import DetectedLanguage, detect_languages
from drift.project import git_branch, git_head
from drift.registry import (
    CATEGORIES,
    SURFACES,
    Call,
    Intent,
    MetricsSnapshot,
    Packs,
    Scope,
    View,
    short_list,
    tools_for,
    visible_tools,
)
from drift.registry.tool_health import Evidence, ToolAdvice, ToolHealth
from drift.state import (
    EffectiveRate,
    HealthGlance,
    PassRate,
    StateStore,
    claim_rates,
    effective_rates,
    find_switched_off,
    glance_at_health,
)

_MOST_NAMED: Final = 3
PROTOCOL_VERSIONS: Final = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28")


@dataclass(frozen=True, slots=True)
class ProjectInfo:
    """A project and where it stands in git; null outside a repository."""

    id: str
    name: str
    root: str
    branch: str | None
    head: str | None


@dataclass(frozen=True, slots=True)
class IndexInfo:
    """What the index holds: symbols, and calls by what became of them. `problem` says why it cannot be read.

    `cut` files were read in part, the first of them in `cut_files`; `unread` are in languages Drift does not read, by
    ending, as the last scan saw them.
    """

    exists: bool
    layers: tuple[str, ...]
    scanned_at: str | None
    files: int | None
    symbols: int | None = None
    calls: Mapping[str, int] | None = None
    cut: int | None = None
    cut_files: tuple[str, ...] | None = None
    unread: Mapping[str, int] | None = None
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class ServerInfo:
    """The answering server."""

    name: str
    version: str
    surface: str
    tools: int
    calls: int
    errors: int
    cache_hit_rate: float | None


@dataclass(frozen=True, slots=True)
class StatusData:
    """Project, index, languages, memory and server at one moment."""

    project: ProjectInfo
    index: IndexInfo
    languages: tuple[DetectedLanguage, ...]
    has_memory: bool
    stores: str
    """The folder of what cannot be derived anew."""
    server: ServerInfo
    health: HealthGlance | None = None
    conventions: ConventionCounts | None = None
    metrics: MetricsSnapshot | None = None


@dataclass(frozen=True, slots=True)
class HealthInfo:
    """Tools that are not well, what was rated of no use, what is switched off, and how often claims of clients held.

    `advice` is what the numbers call for. Use of 30 days, what callers did next and tools that nobody calls are counted
    only where people agreed to it (drift_telemetry).
    """

    tools: tuple[ToolHealth, ...]
    advice: tuple[ToolAdvice, ...]
    rates: tuple[EffectiveRate, ...]
    switched_off: tuple[str, ...]
    claims: tuple[PassRate, ...]


@dataclass(frozen=True, slots=True)
class CategoryRow:
    """A category and how many tools it has."""

    name: str
    tools: int
    purpose: str


@dataclass(frozen=True, slots=True)
class CapabilityData:
    """What this server offers and within which bounds."""

    version: str
    tools: int
    entry: tuple[str, ...]
    surfaces: tuple[str, ...]
    categories: tuple[CategoryRow, ...]
    tools_by_intent: Mapping[str, tuple[str, ...]]
    scopes: tuple[str, ...]
    protocol_versions: tuple[str, ...]
    tokenizer: str
    max_tokens: int
    calls_per_minute: int


@dataclass(frozen=True, slots=True)
class PackRow:
    """A pack and how many of its tools are there to be called."""

    name: str
    does: str
    tools: str
    is_custom: bool


def count_tools(call: Call, view: View | None = None) -> int:
    """How many tools the server has for this caller and project, in status, discovery and capabilities alike."""
    return len(visible_tools(call.runtime.toolbox, view or call.runtime.view(call.project, call.caller)))


def index_info(call: Call) -> IndexInfo:
    state = call.runtime.index_state(call.project)
    info = IndexInfo(
        exists=state.exists,
        layers=tuple(sorted(state.layers)),
        scanned_at=state.scanned_at,
        files=state.file_count,
        problem=state.problem,
    )
    return _with_counts(call, state, info) if state.is_usable else info


def _with_counts(call: Call, state: IndexState, info: IndexInfo) -> IndexInfo:
    # These bring what a project without an index does not need.
    from drift.index import IndexReader
    from drift.scan.conclusion import find_cut
    from drift.scan.record import read_record

    record = read_record(call.project.state)
    info = replace(info, unread=(record.unread or None) if record is not None else None)
    if record is not None and record.generation == state.generation and not record.cut:
        return replace(info, symbols=record.symbols, calls=record.calls)
    with IndexReader(state.path) as reader:
        cut = find_cut(reader)
        return replace(
            info,
            symbols=reader.symbols.count(),
            calls=reader.calls.outcome_counts(),
            cut=len(cut) or None,
            cut_files=tuple(each.path for each in cut[:_MOST_NAMED]) or None,
        )


def project_status(call: Call, *, with_metrics: bool) -> StatusData:
    project, runtime = call.project, call.runtime
    metrics = runtime.metrics()
    return StatusData(
        project=ProjectInfo(
            project.id,
            project.name,
            project.root.as_posix(),
            git_branch(project.root),
            git_head(project.root),
        ),
        index=index_info(call),
        languages=detect_languages(project.root),
        has_memory=project.has_memory,
        stores=str(project.stores.folder),
        server=ServerInfo(
            name=str(runtime.server),
            version=__version__,
            surface=str(runtime.surface),
            tools=count_tools(call),
            calls=metrics.calls,
            errors=metrics.errors,
            cache_hit_rate=metrics.cache_hit_rate,
        ),
        health=last_health(call),
        conventions=_last_conventions(call),
        metrics=metrics if with_metrics else None,
    )


def last_health(call: Call) -> HealthGlance | None:
    """The health that was measured last; None where there is no index to be healthy."""
    state = call.runtime.index_state(call.project)
    return glance_at_health(call.project.stores.state_db, state.generation) if state.is_usable else None


def _last_conventions(call: Call) -> ConventionCounts | None:
    state = call.runtime.index_state(call.project)
    return read_glance(call.project, state.generation).counts if state.is_usable else None


def health_info(call: Call, now: datetime) -> HealthInfo:
    """How tools, rules and claims fare: calls of 30 days or since the server's start, ratings of 30, claims of 90."""
    path = call.project.stores.state_db
    with closing(StateStore(path)) as store:
        rates = effective_rates(store, now)
    bad = {one.subject: one.rate for one in rates if one.about == "tool" and one.rate is not None}
    used = {row.tool: row for row in call.runtime.usage(call.project).tools}
    known = Evidence(call.runtime.metrics().by_tool, used, bad, call.runtime.usage_signs(call.project))
    found = (known.judge(name) for name in sorted({*known.measures, *used, *bad}))
    return HealthInfo(
        tuple(one for one in found if one is not None),
        known.advise(tool.name for tool in call.runtime.toolbox),
        rates,
        tuple(sorted(find_switched_off(path))),
        claim_rates(path, now),
    )


def capabilities(call: Call) -> CapabilityData:
    runtime, mcp = call.runtime, call.project.config.mcp
    shown = visible_tools(runtime.toolbox, runtime.view(call.project, call.caller))
    counts = {name: sum(tool.category.name == name for tool in shown) for name in CATEGORIES}
    return CapabilityData(
        version=__version__,
        tools=count_tools(call),
        entry=tuple(name for name in short_list("entry", runtime.server) if name in runtime.toolbox),
        surfaces=SURFACES,
        categories=tuple(
            CategoryRow(name, count, CATEGORIES[name].purpose) for name, count in counts.items() if count
        ),
        tools_by_intent=_registered_by_intent(call),
        scopes=tuple(Scope),
        protocol_versions=PROTOCOL_VERSIONS,
        tokenizer=tokenizer_name(),
        max_tokens=mcp.max_tokens,
        calls_per_minute=mcp.analysis_rate_limit,
    )


def _registered_by_intent(call: Call) -> dict[str, tuple[str, ...]]:
    found = {
        str(intent): tuple(sorted(n for n in tools_for(intent) if n in call.runtime.toolbox))
        for intent in Intent
    }
    return {intent: names for intent, names in found.items() if names}


def pack_rows(call: Call, packs: Packs) -> tuple[PackRow, ...]:
    """The packs, with how many of their tools this version has."""
    toolbox = call.runtime.toolbox
    return tuple(
        PackRow(
            pack.name,
            pack.description,
            f"{sum(name in toolbox for name in pack.tools)} of {len(pack.tools)}",
            pack.is_custom,
        )
        for pack in packs.by_name.values()
    )
