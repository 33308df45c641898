"""Running the application: the listening socket, the signals and an orderly end."""

import asyncio
import importlib.util
import math
import signal
import socket
from collections.abc import Callable
from types import FrameType

import uvicorn
from sse_starlette.sse import AppStatus
from starlette.applications import Starlette

from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.protocol.http.connections import Door, GuardedConnection
from drift.protocol.http.drain import Drain
from drift.protocol.http.settings import HttpSettings

_BACKLOG = 2048
_LAST_PORT = 65535


class HttpServer:
    """The application on a bound socket. The address is known before it runs, also for port 0."""

    def __init__(self, app: Starlette, settings: HttpSettings) -> None:
        self._socket = _bind(settings.host, settings.port)
        self.port: int = self._socket.getsockname()[1]
        host = f"[{settings.host}]" if ":" in settings.host else settings.host
        self.url = f"http://{host}:{self.port}"
        config = uvicorn.Config(
            app,
            http=_guarded_parser(Door(settings)),
            access_log=False,
            # uvicorn's own configuration would write its access log to stdout.
            log_config=None,
            # Addresses come from the settings and the checked Host header, never from forwarded ones.
            proxy_headers=False,
            server_header=False,
            ws="none",
            lifespan="on",
            timeout_graceful_shutdown=math.ceil(settings.limits.drain_seconds),
        )
        self._server = _DrainingServer(config, app.state.drain)

    def run(self, on_ready: Callable[["HttpServer"], None] | None = None) -> None:
        """Serve until a signal or `stop`; `on_ready` is told once requests are answered."""
        self._server.on_ready = None if on_ready is None else lambda: on_ready(self)
        # It would end the event streams of calls still running; the drain ends only endless ones.
        was_automatic = AppStatus.enable_automatic_graceful_drain
        AppStatus.enable_automatic_graceful_drain = False
        try:
            self._server.run(sockets=[self._socket])
        except SystemExit as error:
            raise DriftError(
                ErrorCode.INTERNAL_ERROR, "The HTTP server did not start; its log names the cause"
            ) from error
        finally:
            AppStatus.enable_automatic_graceful_drain = was_automatic
            self._socket.close()

    def close(self) -> None:
        """Give the address back without having run."""
        self._socket.close()

    def stop(self) -> None:
        """Begin an orderly end; may be called from any thread."""
        self._server.should_exit = True


def serve_http(
    app: Starlette, settings: HttpSettings, *, on_ready: Callable[[HttpServer], None] | None = None
) -> None:
    """Serve the application until SIGINT or SIGTERM, and return when calls in flight have their answers."""
    HttpServer(app, settings).run(on_ready)


class _DrainingServer(uvicorn.Server):
    """uvicorn, with endless streams ended first at shutdown and signals not raised a second time."""

    def __init__(self, config: uvicorn.Config, drain: Drain) -> None:
        super().__init__(config)
        self._drain = drain
        self.on_ready: Callable[[], None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started and self.on_ready is not None:
            self.on_ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._drain.begin()
        await super().shutdown(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002  (the signature is the signal module's)
        # uvicorn raises the signal again after the shutdown, which would end the process
        # before the stores are closed; a second Ctrl-C still does not wait.
        if self.should_exit and sig == signal.SIGINT:
            self.force_exit = True
        self.should_exit = True


def _guarded_parser(door: Door) -> type[asyncio.Protocol]:
    """A protocol of uvicorn's whose connections come in by the door."""
    return type("DriftHttpProtocol", (GuardedConnection, _choose_parser()), {"door": door})


def _choose_parser() -> type[asyncio.Protocol]:
    """The fast parser where it is installed, else uvicorn's own, which bounds headers by itself."""
    if importlib.util.find_spec("httptools") is None:
        from uvicorn.protocols.http.h11_impl import H11Protocol  # the other one is usual

        return H11Protocol
    from drift.protocol.http.bounds import BoundedHttpProtocol  # importable only with httptools

    return BoundedHttpProtocol


def _bind(host: str, port: int) -> socket.socket:
    if not 0 <= port <= _LAST_PORT:
        raise _cannot_listen(host, port, f"ports end at {_LAST_PORT}")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=_BACKLOG)
    except OSError as error:
        raise _cannot_listen(host, port, str(error.strerror)) from error


def _cannot_listen(host: str, port: int, problem: str) -> DriftError:
    return DriftError(
        ErrorCode.INVALID_ARGUMENT,
        f"port: cannot listen on {host}:{port} ({problem})",
        Recovery(hint="Choose another port, or 0 for any free one.", details={"argument": "port"}),
    )
