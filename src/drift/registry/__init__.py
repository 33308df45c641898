"""One definition per capability; every surface, the dispatchers, the command line and the docs come from it."""

from drift.kernel.arguments import (
    WHOLE_PROJECT,
    Direction,
    KnownPath,
    Length,
    MustExist,
    Page,
    ProjectFile,
    Range,
)
from drift.registry.call import Call, Runtime
from drift.registry.categories import CATEGORIES, Category, ServerName, minutes
from drift.registry.client import Caller, Client, InputRequired, Question, Reply, SilentClient
from drift.registry.consolidated import consolidated_tools
from drift.registry.declaration import definition_of, tool
from drift.registry.definition import Effect, Parameter, Tier, ToolDefinition
from drift.registry.deprecation import Deprecation, Phase
from drift.registry.intents import Intent, consolidated_for, parse_intent, tools_for
from drift.registry.known_clients import find_client, known_clients, sends_structured, surface_for
from drift.registry.manifest import read_manifest, write_manifest
from drift.registry.measures import (
    Latency,
    MetricsSnapshot,
    ToolMeasures,
    ToolSigns,
    ToolUsage,
    UsageSigns,
    UsageStatus,
)
from drift.registry.next_calls import callable_on
from drift.registry.outcome import Outcome, failed
from drift.registry.packs import Pack, Packs, load_packs
from drift.registry.paging import page_info, page_position
from drift.registry.scopes import PERSON, Scope
from drift.registry.surfaces import (
    SURFACES,
    ListedTool,
    Surface,
    SurfaceKind,
    check_surface,
    list_surface,
    parse_surface,
    route,
    short_list,
)
from drift.registry.toolbox import Toolbox, collect_tools
from drift.registry.visibility import View, hidden_because, is_visible, phase_of, visible_tools

__all__ = [
    "CATEGORIES",
    "PERSON",
    "SURFACES",
    "WHOLE_PROJECT",
    "Call",
    "Caller",
    "Category",
    "Client",
    "Deprecation",
    "Direction",
    "Effect",
    "InputRequired",
    "Intent",
    "KnownPath",
    "Latency",
    "Length",
    "ListedTool",
    "MetricsSnapshot",
    "MustExist",
    "Outcome",
    "Pack",
    "Packs",
    "Page",
    "Parameter",
    "Phase",
    "ProjectFile",
    "Question",
    "Range",
    "Reply",
    "Runtime",
    "Scope",
    "ServerName",
    "SilentClient",
    "Surface",
    "SurfaceKind",
    "Tier",
    "ToolDefinition",
    "ToolMeasures",
    "ToolSigns",
    "ToolUsage",
    "Toolbox",
    "UsageSigns",
    "UsageStatus",
    "View",
    "callable_on",
    "check_surface",
    "collect_tools",
    "consolidated_for",
    "consolidated_tools",
    "definition_of",
    "failed",
    "find_client",
    "hidden_because",
    "is_visible",
    "known_clients",
    "list_surface",
    "load_packs",
    "minutes",
    "page_info",
    "page_position",
    "parse_intent",
    "parse_surface",
    "phase_of",
    "read_manifest",
    "route",
    "sends_structured",
    "short_list",
    "surface_for",
    "tool",
    "tools_for",
    "visible_tools",
    "write_manifest",
]
