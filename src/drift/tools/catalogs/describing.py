"""Tools about the tools: how often and how fast, what is switched on, what each takes and gives."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from drift import __version__
from drift.kernel.answer import Answer
from drift.kernel.text import plural
from drift.kernel.timings import TIMINGS
from drift.kernel.wire import to_wire
from drift.registry import Call, Effect, ToolDefinition
from drift.tools.catalogs.access import catalog_of, catalog_tool

_ALWAYS_ON: Final = ("feedback", "governance", "usage")
_MOST_TOKENS: Final = 60_000
_GATED: Final = "instructions_"


@dataclass(frozen=True, slots=True)
class MethodRow:
    """The calls of one tool; times in milliseconds."""

    method: str
    count: int
    avg_ms: float | None
    max_ms: float


@dataclass(frozen=True, slots=True)
class FeatureData:
    """`features` are switched on; `env` is what INDEX_FEATURES asks for; `counters` since this process began."""

    features: tuple[str, ...]
    counters: Mapping[str, int]
    env: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SnapshotData:
    """Calls since the process began."""

    generated_at: str
    methods: tuple[MethodRow, ...]
    features: FeatureData


@dataclass(frozen=True, slots=True)
class ToolFlags:
    """A tool in short: `stable` ones only read; `disabled` ones need MCP_ENABLE_MUTATION."""

    method: str
    stable: bool
    mutation: bool
    disabled: bool | None = None


@dataclass(frozen=True, slots=True)
class StableTools:
    """The tools that only read."""

    tools: tuple[ToolFlags, ...]


@dataclass(frozen=True, slots=True)
class MethodName:
    """A tool by name."""

    method: str


@dataclass(frozen=True, slots=True)
class DynamicState:
    """What may be another at the next start."""

    generated_at: str
    mutation_enabled: bool
    disabled: tuple[MethodName, ...]


@dataclass(frozen=True, slots=True)
class ToolSchemas:
    """A tool with what it takes and gives."""

    name: str
    description: str
    stable: bool
    mutation: bool
    input_schema: Mapping[str, Any]
    output_schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class McpRegistry:
    """The tools for programs."""

    registry_version: str
    tools: tuple[ToolSchemas, ...]


@dataclass(frozen=True, slots=True)
class MetaData:
    """Every tool of this server."""

    tools: tuple[ToolFlags, ...]
    stable: StableTools
    dynamic: DynamicState
    mcp: McpRegistry


@catalog_tool(title="Speed of the catalog", tokens=(100, 1500), method="metrics/snapshot")
def metrics_snapshot(call: Call) -> Answer[SnapshotData]:
    """Calls by tool, with average and longest times."""
    rows = tuple(
        MethodRow(_method_of(call, name), each.count, each.average_ms, round(each.max_ms, 3))
        for name, each in TIMINGS.by_tool().items()
    )
    total = sum(row.count for row in rows)
    return Answer(f"{plural(total, 'call')} so far", SnapshotData(_now(), rows, _features(call)))


@catalog_tool(title="Features", tokens=(50, 200), method="feature/status")
def feature_status(call: Call) -> Answer[FeatureData]:
    """What is switched on, and counters of what had to be mended."""
    data = _features(call)
    return Answer(f"on: {', '.join(data.features)}", data)


@catalog_tool(title="All catalog tools", tokens=(500, 20000), max_tokens=_MOST_TOKENS, method="meta/tools")
def meta_tools(call: Call) -> Answer[MetaData]:
    """Every tool of this server with its schemas, and which are disabled."""
    enabled = catalog_of(call).settings.is_mutation_enabled
    tools = tuple(call.runtime.toolbox)
    flags = tuple(_flags(tool, enabled=enabled) for tool in tools)
    disabled = tuple(MethodName(each.method) for each in flags if each.disabled)
    data = MetaData(
        flags,
        StableTools(tuple(each for each in flags if each.stable)),
        DynamicState(_now(), enabled, disabled),
        McpRegistry(__version__, tuple(_schemas(tools))),
    )
    return Answer(f"{plural(len(tools), 'tool')}, {len(disabled)} disabled", data)


def needs_mutation(tool: ToolDefinition) -> bool:
    """Whether a tool changes instructions, which MCP_ENABLE_MUTATION must allow."""
    is_relaying = tool.is_relay or not tool.scopes
    return tool.effect is not Effect.READS and tool.name.startswith(_GATED) and not is_relaying


def _method_of(call: Call, name: str) -> str:
    tool = call.runtime.toolbox.find(name)
    return (tool and tool.method) or name


def _flags(tool: ToolDefinition, *, enabled: bool) -> ToolFlags:
    reads = tool.effect is Effect.READS
    is_disabled = needs_mutation(tool) and not enabled
    return ToolFlags(tool.method or tool.name, stable=reads, mutation=not reads, disabled=is_disabled or None)


def _schemas(tools: tuple[ToolDefinition, ...]) -> Iterator[ToolSchemas]:
    for tool in tools:
        reads = tool.effect is Effect.READS
        yield ToolSchemas(
            tool.name, tool.description, reads, not reads, tool.listed_input_schema, tool.output_schema
        )


def _features(call: Call) -> FeatureData:
    catalog = catalog_of(call)
    counted = to_wire(catalog.counters)
    return FeatureData(_ALWAYS_ON, counted, catalog.settings.features)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
