"""How the catalog behaves, as the environment asks for it."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from drift.kernel.errors import DriftError, ErrorCode, Recovery

_TRUE: Final = frozenset({"1", "true", "yes", "on"})
_FALSE: Final = frozenset({"", "0", "false", "no", "off"})
_MOST: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class CatalogSettings:
    """What may be set. The name of each variable stands beside its field."""

    is_mutation_enabled: bool = False  # MCP_ENABLE_MUTATION
    is_create_strict: bool = False  # MCP_INSTRUCTIONS_STRICT_CREATE
    is_remove_strict: bool = False  # MCP_INSTRUCTIONS_STRICT_REMOVE
    keeps_line_ends: bool = False  # MCP_CANONICAL_DISABLE
    has_trailing_newline: bool = False  # GOV_HASH_TRAILING_NEWLINE
    is_usage_unlimited: bool = False  # MCP_DISABLE_USAGE_RATE_LIMIT
    read_retries: int = 3  # MCP_READ_RETRIES
    read_backoff_ms: int = 8  # MCP_READ_BACKOFF_MS
    write_retries: int = 3  # MCP_ATOMIC_WRITE_RETRIES
    write_backoff_ms: int = 8  # MCP_ATOMIC_WRITE_BACKOFF_MS
    feedback_max_entries: int = 1000  # FEEDBACK_MAX_ENTRIES
    features: tuple[str, ...] = ()  # INDEX_FEATURES
    instructions_dir: Path | None = None  # INSTRUCTIONS_DIR
    feedback_dir: Path | None = None  # FEEDBACK_DIR
    agent_id: str | None = None  # MCP_AGENT_ID
    workspace_id: str | None = None  # WORKSPACE_ID, else INSTRUCTIONS_WORKSPACE


_SWITCHES: Final = {
    "MCP_ENABLE_MUTATION": "is_mutation_enabled",
    "MCP_INSTRUCTIONS_STRICT_CREATE": "is_create_strict",
    "MCP_INSTRUCTIONS_STRICT_REMOVE": "is_remove_strict",
    "MCP_CANONICAL_DISABLE": "keeps_line_ends",
    "GOV_HASH_TRAILING_NEWLINE": "has_trailing_newline",
    "MCP_DISABLE_USAGE_RATE_LIMIT": "is_usage_unlimited",
}
_NUMBERS: Final = {
    "MCP_READ_RETRIES": ("read_retries", 0, 100),
    "MCP_READ_BACKOFF_MS": ("read_backoff_ms", 0, 10_000),
    "MCP_ATOMIC_WRITE_RETRIES": ("write_retries", 0, 100),
    "MCP_ATOMIC_WRITE_BACKOFF_MS": ("write_backoff_ms", 0, 10_000),
    "FEEDBACK_MAX_ENTRIES": ("feedback_max_entries", 1, _MOST),
}
VARIABLES: Final = (
    *_SWITCHES,
    *_NUMBERS,
    "INDEX_FEATURES",
    "INSTRUCTIONS_DIR",
    "FEEDBACK_DIR",
    "MCP_AGENT_ID",
    "WORKSPACE_ID",
    "INSTRUCTIONS_WORKSPACE",
)
"""Every variable that is read."""


def read_settings(environ: Mapping[str, str]) -> CatalogSettings:
    """The settings an environment asks for. Raises CONFIG_INVALID naming the variable."""
    switches = {name: _switch(environ, variable) for variable, name in _SWITCHES.items()}
    numbers = {
        name: number
        for variable, (name, least, most) in _NUMBERS.items()
        if (number := _number(environ, variable, least=least, most=most)) is not None
    }
    features = (word.strip() for word in environ.get("INDEX_FEATURES", "").split(","))
    given: dict[str, Any] = {**switches, **numbers}
    return CatalogSettings(
        **given,
        features=tuple(sorted({word for word in features if word})),
        instructions_dir=_directory(environ, "INSTRUCTIONS_DIR"),
        feedback_dir=_directory(environ, "FEEDBACK_DIR"),
        agent_id=environ.get("MCP_AGENT_ID") or None,
        workspace_id=environ.get("WORKSPACE_ID") or environ.get("INSTRUCTIONS_WORKSPACE") or None,
    )


def _switch(environ: Mapping[str, str], variable: str) -> bool:
    given = environ.get(variable, "").strip().lower()
    if given not in _TRUE | _FALSE:
        raise _wrong(variable, "is neither 1 nor 0")
    return given in _TRUE


def _number(environ: Mapping[str, str], variable: str, *, least: int, most: int) -> int | None:
    given = environ.get(variable, "").strip()
    if not given:
        return None
    # Long digits would be converted in quadratic time.
    if not given.isascii() or not given.isdigit() or len(given) > len(str(_MOST * 10)):
        raise _wrong(variable, "is no whole number")
    if not least <= int(given) <= most:
        raise _wrong(variable, f"is not between {least} and {most}")
    return int(given)


def _directory(environ: Mapping[str, str], variable: str) -> Path | None:
    given = environ.get(variable)
    return Path(given).expanduser() if given else None


def _wrong(variable: str, problem: str) -> DriftError:
    return DriftError(
        ErrorCode.CONFIG_INVALID,
        f"{variable} {problem}",
        Recovery(hint=f"Correct or unset {variable}; docs/catalog.md lists the variables."),
    )
