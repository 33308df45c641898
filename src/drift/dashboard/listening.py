"""A port for the page: the one asked for, or the next that is free."""

import errno
from dataclasses import replace
from typing import Final

from starlette.applications import Starlette

from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.protocol.http.serve import HttpServer
from drift.protocol.http.settings import HttpSettings

_LAST_PORT: Final = 65_535


def find_port(app: Starlette, settings: HttpSettings, *, tries: int) -> HttpServer:
    """The server, listening on the port of the settings or one of the `tries` that follow it."""
    # A port that is none at all is tried, too: the refusal says what is wrong with it.
    last = max(settings.port, min(settings.port + tries, _LAST_PORT)) if settings.port else 0
    for port in range(settings.port, last + 1):
        try:
            return HttpServer(app, replace(settings, port=port))
        except DriftError as error:
            if not _is_taken(error) or port == settings.port == last:
                raise
    raise DriftError(
        ErrorCode.INVALID_ARGUMENT,
        f"port: {settings.port} to {last} on {settings.host} are all taken",
        Recovery(hint="Choose another port, or 0 for any free one.", details={"argument": "port"}),
    )


def _is_taken(error: DriftError) -> bool:
    cause = error.__cause__
    return isinstance(cause, OSError) and cause.errno == errno.EADDRINUSE
