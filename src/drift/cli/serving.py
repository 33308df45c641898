"""What both ways of serving share: settings from options, the log, the surface."""

import logging
import os
import sys
import threading
import time
from collections.abc import Mapping

from drift.cli.console import Console
from drift.cli.log_variables import translate_log_variables
from drift.cli.logs import LogLevels, follow_log, parse_levels
from drift.project import Project
from drift.registry import Surface, parse_surface
from drift.telemetry import Telemetry, open_telemetry

logger = logging.getLogger(__name__)

_TOOL_THREADS = ("drift-tool", "drift-long-tool", "drift-fresh")
_PATIENCE_SECONDS = 10.0
_RATE_SETTINGS = ("ANALYSIS_RATE_LIMIT", "MEMORY_RATE_LIMIT", "CATALOG_RATE_LIMIT", "EXPENSIVE_RATE_LIMIT")


def serving_environ(
    environ: Mapping[str, str],
    *,
    intent: str | None = None,
    has_rate_limit: bool = True,
    is_shared: bool = False,
) -> dict[str, str]:
    """The environment with options put over it, as they stand over drift.toml."""
    chosen = {**environ, **translate_log_variables(environ)}
    if intent is not None:
        chosen["DRIFT_MCP_INTENT"] = intent
    if not has_rate_limit:
        chosen |= {f"DRIFT_MCP_{name}": "0" for name in _RATE_SETTINGS}
    if is_shared:
        # Whoever reaches the address would read them, and what is true of one person is not for all callers.
        chosen["DRIFT_CORTEX_USER_STORE"] = "false"
    return chosen


def choose_surface(given: str | None, project: Project) -> Surface:
    """The surface an option names, else the project's own."""
    return parse_surface(project.config.mcp.surface if given is None else given)


def start_telemetry(project: Project, environ: Mapping[str, str]) -> Telemetry | None:
    """What tells of calls, where the standard variables want it; after the log has its place."""
    return open_telemetry(environ, shows_arguments=project.config.mcp.telemetry_arguments)


def leave_tools_behind(patience_seconds: float = _PATIENCE_SECONDS) -> None:
    """End the process where a tool still runs after a while: nobody is there any more who waits for it.

    What a store has acknowledged is kept, and what it was about to write is kept whole or not at all.
    """
    until = time.monotonic() + patience_seconds
    running = [thread for thread in threading.enumerate() if thread.name.startswith(_TOOL_THREADS)]
    for thread in running:
        thread.join(max(until - time.monotonic(), 0))
    if any(thread.is_alive() for thread in running):
        logger.warning("A tool was still at work when the server ended; it was left behind")
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)


def follow_server_log(project: Project, console: Console, *, levels: LogLevels | None = None) -> None:
    """Send a server's log where the project's settings want it."""
    file = project.path_of("log.file") if project.config.log.file else None
    follow_log(console, levels or parse_levels(project.config.log.level), file=file)
    for problem in project.notes:
        logger.warning("%s", problem)
