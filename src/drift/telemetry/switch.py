"""The one place that loads what telemetry needs, where it is wanted."""

import importlib.util
import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, Protocol

from drift.telemetry.wanted import wanted_signals

if TYPE_CHECKING:
    from drift.pipeline import Next, Request, ServerRuntime
    from drift.registry import Outcome

logger = logging.getLogger(__name__)

_NEEDED: Final = ("opentelemetry.sdk", "opentelemetry.exporter.otlp.proto.http")


class Telemetry(Protocol):
    """What stands around every call and tells of it."""

    async def __call__(self, request: "Request", step: "Next") -> "Outcome": ...
    def watch(self, runtime: "ServerRuntime") -> None:
        """Tell of the cache of a server."""

    def hear_of_caller(self, event: str) -> None:
        """A caller was let in, or turned away."""

    def close(self) -> None:
        """Send what is left."""


def open_telemetry(environ: Mapping[str, str], *, shows_arguments: bool) -> Telemetry | None:
    """What tells of calls, if anything is wanted and the extra `otel` is there."""
    wanted = wanted_signals(environ)
    if not wanted:
        return None
    if not _is_installed():
        logger.warning("OTEL_* variables are set, and nothing is sent: pip install 'drift-mcp[otel]'")
        return None
    # The SDK and its exporters: only who wants telemetry waits for them.
    from drift.telemetry.exporters import open_providers
    from drift.telemetry.spans import CallTelemetry

    return CallTelemetry(open_providers(wanted), shows_arguments=shows_arguments)


def _is_installed() -> bool:
    try:
        return all(importlib.util.find_spec(name) is not None for name in _NEEDED)
    except ModuleNotFoundError:  # a package around it is missing
        return False
