"""Several MCP servers, and what watches over them, in one Starlette application."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from http import HTTPStatus
from typing import Any

from mcp.server.auth.provider import TokenVerifier
from mcp.server.subscriptions import ListenHandler
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Send
from starlette.types import Scope as AsgiScope

from drift import __version__
from drift.kernel.errors import invalid
from drift.protocol.http.auth import (
    TokenGate,
    describe_resource,
    metadata_path,
    refuse_caller,
    refuse_unverified,
)
from drift.protocol.http.drain import Drain
from drift.protocol.http.endpoint import McpEndpoint
from drift.protocol.http.origin import OriginGate, OriginPolicy
from drift.protocol.http.quotas import CallerQuota
from drift.protocol.http.refusals import Refusals, UnverifiableError
from drift.protocol.http.reply import JsonReply
from drift.protocol.http.sessions import SessionManager
from drift.protocol.http.settings import HttpSettings, Mount
from drift.protocol.notices import Notices
from drift.registry.scopes import Scope

Health = Callable[[], Mapping[str, Any]]
Metrics = Callable[[], str]
PageMaker = Callable[[TokenGate | None, Drain], ASGIApp]

_ENDING = "/mcp"
_METRICS = "/metrics"
_PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8"
_EXPOSED_HEADERS = ("Mcp-Session-Id", "MCP-Protocol-Version", "WWW-Authenticate")


def create_app(
    mounts: Sequence[Mount],
    *,
    settings: HttpSettings,
    verifier: TokenVerifier | None,
    health: Health,
    metrics: Metrics,
    refusals: Refusals | None = None,
    on_close: Callable[[], Awaitable[None]] | None = None,
    page: PageMaker | None = None,
) -> Starlette:
    """The application that serves every mount; it can be run once.

    `page` makes what browsers get at `/`; programs get the list of servers there.

    `health` answers at least `status`: "ok", "degraded" or "failing". With a verifier its other
    members stay inside, since anyone may ask.
    """
    _check_mounts(mounts)
    if "*" in settings.cors_origins and verifier is None:
        raise invalid(
            "cors_origins", "'*' would let any web page call", hint="Name the origins, or ask for tokens."
        )
    gate = None if verifier is None else TokenGate(verifier, settings, refusals=refusals)
    quota = CallerQuota(settings.max_requests_per_caller)
    drain = Drain(_listen_handlers(mounts))
    managers = [_create_manager(mount, settings) for mount in mounts]
    routes: list[Route] = []
    # The mounts come first: routes are tried in order, and nearly every request is for a mount.
    for mount, manager in _with_aliases(mounts, managers):
        endpoint = McpEndpoint(mount, manager, settings=settings, gate=gate, drain=drain, quota=quota)
        # An instance, not a function, so Starlette takes it as an application for every method.
        routes += [Route(mount.path, endpoint), Route(f"{mount.path}/", endpoint)]
        if gate is not None:
            routes.append(Route(metadata_path(settings, mount.path), _metadata(mount, settings)))
    shown = None if page is None else page(gate, drain)
    routes += [
        Route("/", _index(mounts) if shown is None else _Front(shown, _index(mounts))),
        Route("/health", _health(mounts, health, is_guarded=gate is not None)),
        Route(_METRICS, _metrics(metrics, gate)),
        # The page's own files and questions: whatever is nothing else.
        *([] if shown is None else [Route("/{rest:path}", _Whole(shown))]),
    ]
    app = Starlette(routes=routes, middleware=_middleware(settings), lifespan=_lifespan(managers, on_close))
    app.router.redirect_slashes = False
    app.state.drain = drain
    return app


def _with_aliases(
    mounts: Sequence[Mount], managers: Sequence[SessionManager]
) -> list[tuple[Mount, SessionManager]]:
    """Every mount at its own path and at that path with `/mcp` behind it, and the first one at `/mcp` itself.

    Some clients take no other ending. Each path is a resource of its own to those who ask for tokens.
    """
    pairs = list(zip(mounts, managers, strict=True))
    taken = {mount.path for mount in mounts}
    aliases = [(f"{mount.path}{_ENDING}", mount, manager) for mount, manager in pairs]
    aliases.append((_ENDING, *pairs[0]))
    return pairs + [
        (replace(mount, path=path), manager) for path, mount, manager in aliases if path not in taken
    ]


def _listen_handlers(mounts: Sequence[Mount]) -> list[Callable[[], None]]:
    """What ends the servers' `subscriptions/listen` streams with a farewell."""
    entries = (mount.server.get_request_handler("subscriptions/listen") for mount in mounts)
    handlers = (entry.handler for entry in entries if entry is not None)
    # Ours is a method of what knows the streams, the SDK's own knows them itself.
    owners = (getattr(handler, "__self__", handler) for handler in handlers)
    return [owner.close for owner in owners if isinstance(owner, Notices | ListenHandler)]


def _check_mounts(mounts: Sequence[Mount]) -> None:
    paths = [mount.path for mount in mounts]
    if not paths or len(set(paths)) < len(paths):
        raise invalid("mounts", "there must be at least one, each with its own path")


def _create_manager(mount: Mount, settings: HttpSettings) -> SessionManager:
    manager = SessionManager(
        app=mount.server,
        json_response=settings.json_response,
        # The origin gate stands before every route, so the transport need not look again. Said in full,
        # because without settings the SDK makes this same object anew for each request.
        security_settings=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        session_idle_timeout=settings.session_idle_seconds,
        max_request_body_size=settings.limits.max_request_bytes,
        max_sessions=settings.max_sessions,
    )
    manager.max_sessions_per_caller = settings.max_sessions_per_caller
    return manager


def _lifespan(
    managers: Sequence[SessionManager], on_close: Callable[[], Awaitable[None]] | None
) -> Callable[[Starlette], Any]:
    @asynccontextmanager
    async def run_managers(_app: Starlette) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            if on_close is not None:
                stack.push_async_callback(on_close)
            for manager in managers:
                await stack.enter_async_context(manager.run())
            yield

    return run_managers


def _middleware(settings: HttpSettings) -> list[Middleware]:
    gate = Middleware(OriginGate, policy=OriginPolicy(settings))
    if not settings.cors_origins:
        return [gate]
    cors = Middleware(
        CORSMiddleware,
        allow_origins=settings.cors_origins,
        allow_methods=("GET", "POST", "DELETE"),
        # The names of Mcp-Param-* headers come from tools' schemas, so no list could be complete.
        allow_headers=("*",),
        expose_headers=_EXPOSED_HEADERS,
    )
    return [gate, cors]


class _Whole:
    """An application for every method, which a route takes as it is."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: AsgiScope, receive: Receive, send: Send) -> None:
        await self._app(scope, receive, send)


class _Front:
    """The page for browsers, the list of servers for programs."""

    def __init__(self, page: ASGIApp, index: Callable[[Request], Awaitable[Response]]) -> None:
        self._page = page
        self._index = index

    async def __call__(self, scope: AsgiScope, receive: Receive, send: Send) -> None:
        if any(name == b"accept" and b"text/html" in value for name, value in scope["headers"]):
            await self._page(scope, receive, send)
            return
        reply = await self._index(Request(scope, receive))
        await reply(scope, receive, send)


def _index(mounts: Sequence[Mount]) -> Callable[[Request], Any]:
    body = {
        "name": "drift",
        "version": __version__,
        "servers": {mount.server.name: mount.path for mount in mounts},
        "health": "/health",
        "metrics": "/metrics",
    }

    async def show_index(_request: Request) -> Response:
        return JSONResponse(body)

    return show_index


def _health(mounts: Sequence[Mount], health: Health, *, is_guarded: bool) -> Callable[[Request], Any]:
    own = {"version": __version__, "servers": [mount.path for mount in mounts]}

    async def show_health(_request: Request) -> Response:
        found = health()
        body = {"status": found["status"], **own} if is_guarded else {**own, **found}
        is_failing = found["status"] == "failing"
        return JSONResponse(body, HTTPStatus.SERVICE_UNAVAILABLE if is_failing else HTTPStatus.OK)

    return show_health


def _metrics(metrics: Metrics, gate: TokenGate | None) -> Callable[[Request], Any]:
    needed = frozenset({str(Scope.ADMIN)})

    async def show_metrics(request: Request) -> Response:
        refusal = None if gate is None else await _refuse_reader(gate, request, needed)
        if refusal is not None:
            headers = {name.decode(): value.decode() for name, value in refusal.headers}
            return Response(refusal.body, refusal.status, headers, "application/json")
        return Response(metrics(), headers={"content-type": _PROMETHEUS})

    return show_metrics


async def _refuse_reader(gate: TokenGate, request: Request, needed: frozenset[str]) -> JsonReply | None:
    try:
        access = await gate.find_caller(request.scope, _METRICS)
    except UnverifiableError:
        return refuse_unverified()
    refusal = refuse_caller(request.scope, access, needed, metadata_url=None)
    if refusal is not None and access is not None:
        gate.refusals.forbidden(access.subject or access.client_id, _METRICS, " ".join(needed))
    return refusal


def _metadata(mount: Mount, settings: HttpSettings) -> Callable[[Request], Any]:
    async def show_metadata(request: Request) -> Response:
        return JSONResponse(
            describe_resource(request.scope, settings, mount, scopes=[str(scope) for scope in Scope])
        )

    return show_metadata
