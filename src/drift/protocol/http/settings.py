"""What serving over HTTP is made of: the servers, where they stand, and what they may take."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from drift.kernel.errors import invalid
from drift.protocol.limits import WireLimits

if TYPE_CHECKING:
    # Only for the annotation: the SDK takes a second to import, and the command line reads settings first.
    from mcp.server.lowlevel import Server

RequiredScopes = Callable[[str, Mapping[str, Any]], frozenset[str]]

RESERVED_PATHS = frozenset({"/health", "/metrics"})


@dataclass(frozen=True, slots=True)
class Mount:
    """One MCP server and its place in the URL space.

    `required_scopes` is asked for each tool call (tool name, arguments) and for each JSON-RPC method
    outside the MCP specification (method name, params). For a name that is no tool it answers with
    an empty set: the server itself then says that there is no such tool. `resource_scopes` is the same for
    the address of a resource.
    """

    path: str
    server: "Server[Any]"
    required_scopes: RequiredScopes
    base_scopes: frozenset[str]
    resource_scopes: Callable[[str], frozenset[str]] = lambda _uri: frozenset()

    def __post_init__(self) -> None:
        segments = self.path.split("/")
        if segments[0] or len(segments) == 1 or not all(segments[1:]):
            raise invalid(
                "path", f"{self.path!r} must begin with '/', not end with it, and have no empty part"
            )
        if self.path in RESERVED_PATHS or segments[1] == ".well-known" or set(self.path) & set("{}?#% "):
            raise invalid(
                "path", f"{self.path!r} is reserved or has a character that paths here may not have"
            )


@dataclass(frozen=True, slots=True)
class HttpSettings:
    """How the HTTP server listens and whom it answers."""

    host: str = "127.0.0.1"
    port: int = 3000
    # Origins of web pages that may call from a browser, as `https://host[:port]`.
    cors_origins: tuple[str, ...] = ()
    # Names besides loopback and `host` that requests may use in their Host header.
    allowed_hosts: tuple[str, ...] = ()
    # A legacy session holds about 60 KB; the SDK's 10,000 would be 600 MB.
    max_sessions: int = 1000
    # One caller with a token cannot take them all.
    max_sessions_per_caller: int = 100
    # Nor all places of running requests.
    max_requests_per_caller: int = 64
    session_idle_seconds: float = 1800.0
    # True halves the cost of a call, and drops progress and log messages within it.
    json_response: bool = False
    # Connections at a time, fewer where the system allows fewer; behind a proxy all have its address.
    max_connections: int = 512
    max_connections_per_address: int = 256
    # A connection that has not sent the whole head of a request by then is closed.
    head_timeout_seconds: float = 10.0
    # A request that has not sent its whole body by then is given up.
    body_timeout_seconds: float = 30.0
    limits: WireLimits = field(default_factory=WireLimits)
    # The public address, where it differs from the Host header that arrives (behind a proxy).
    resource_url: str | None = None
    # The OAuth authorization server that issues tokens; None for static tokens.
    issuer_url: str | None = None
    # What tokens may be for besides this server's own addresses.
    audiences: tuple[str, ...] = ()
