"""One MCP server behind HTTP: every request is judged once here, then given to the SDK's transport."""

import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from cachetools import LRUCache
from mcp.server.auth.middleware.auth_context import AuthContextMiddleware
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp_types import INVALID_REQUEST
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from drift.protocol.batches import BATCH_VERSION
from drift.protocol.frames import Ignored, Refusal, as_id, parse_line, read_envelope
from drift.protocol.http.auth import (
    TokenGate,
    metadata_url,
    needed_scopes,
    refuse_caller,
    refuse_person,
    refuse_unverified,
)
from drift.protocol.http.batch import answer_batch, refuse_batch
from drift.protocol.http.drain import Drain
from drift.protocol.http.events import CappedResponse
from drift.protocol.http.message import first_values, is_plain_request, read_body, replay_body, trim_headers
from drift.protocol.http.quotas import CallerQuota, refuse_more
from drift.protocol.http.refusals import STRANGER, Refusals, UnverifiableError
from drift.protocol.http.reply import JsonReply
from drift.protocol.http.settings import HttpSettings, Mount
from drift.protocol.http.standing import receive_while
from drift.registry.scopes import PERSON

logger = logging.getLogger(__name__)

_VERSION_HEADER = b"mcp-protocol-version"
_SESSION_HEADER = b"mcp-session-id"


class McpEndpoint:
    """The ASGI application of one mount: identity, limits, envelope, scopes and batches, then the SDK."""

    def __init__(
        self,
        mount: Mount,
        manager: StreamableHTTPSessionManager,
        *,
        settings: HttpSettings,
        gate: TokenGate | None,
        drain: Drain,
        quota: CallerQuota,
    ) -> None:
        # What stands behind the manager's own body limit, which would read the body a second time.
        transport = manager.asgi_app.app
        self._transport: ASGIApp = transport if gate is None else AuthContextMiddleware(transport)
        self._mount = mount
        self._settings = settings
        self._gate = gate
        self._drain = drain
        self._quota = quota
        # The pipeline's audit never hears of a call that is refused here.
        self._refusals = Refusals() if gate is None else gate.refusals
        # Sessions whose client may send batches; a forgotten one is told to name its version.
        self._batching_sessions: LRUCache[bytes, bool] = LRUCache(maxsize=settings.max_sessions)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one HTTP request."""
        scope["headers"] = trim_headers(scope["headers"])
        access = await self._admit(scope)
        if isinstance(access, JsonReply):
            await access.send_to(send)
        elif scope["method"] == "POST":
            await self._serve_post(scope, receive, send, access=access)
        elif scope["method"] == "GET":
            await self._within_quota(
                access, 1, send, serve=lambda: self._serve_stream(scope, receive, self._capped(send, None))
            )
        else:
            await self._transport(scope, receive, send)

    async def _admit(self, scope: Scope) -> AccessToken | JsonReply | None:
        """Who calls, None where everybody may, or what they are told instead of an answer."""
        if self._gate is None:
            return None
        try:
            access = await self._gate.find_caller(scope, self._mount.path)
        except UnverifiableError as error:
            logger.warning("tokens cannot be checked: %s", error.message)
            return refuse_unverified()
        refusal = self._refuse_caller(scope, access, self._mount.base_scopes)
        if refusal is not None:
            return refusal
        assert access is not None  # an unknown caller has been refused
        scope["user"] = AuthenticatedUser(access)
        return access

    async def _within_quota(
        self, access: AccessToken | None, count: int, send: Send, *, serve: Callable[[], Awaitable[None]]
    ) -> None:
        with self._quota.hold(access, count) as has_room:
            if has_room:
                await serve()
                return
        self._refusals.over_quota(_name_of(access), self._mount.path)
        await refuse_more().send_to(send)

    async def _serve_stream(self, scope: Scope, receive: Receive, send: Send) -> None:
        """A stream without an end of its own: it ends with the server, or with the token."""
        if self._gate is not None:
            receive = receive_while(receive, lambda: self._is_still_admitted(scope))
        await self._drain.serve_stream(self._transport, scope, receive, send)

    async def _is_still_admitted(self, scope: Scope) -> bool:
        assert self._gate is not None  # without one nobody is looked at
        try:
            return await self._gate.find_caller(scope, self._mount.path) is not None
        except UnverifiableError:
            return True  # nobody says that the token is no longer good

    async def _serve_post(
        self, scope: Scope, receive: Receive, send: Send, *, access: AccessToken | None
    ) -> None:
        headers = first_values(scope["headers"])
        body = await read_body(headers, receive, self._settings)
        if isinstance(body, JsonReply):
            await body.send_to(send)
            return
        message = parse_line(body, self._settings.limits.max_depth)
        refusal = self._refuse_message(headers, message) or self._refuse_calls(scope, message, access)
        if refusal is not None:
            await refusal.send_to(send)
            return
        count = len(message) if isinstance(message, list) else 1
        replayed = replay_body(body, receive)
        await self._within_quota(
            access, count, send, serve=lambda: self._serve_parsed(scope, replayed, send, message=message)
        )

    async def _serve_parsed(self, scope: Scope, receive: Receive, send: Send, *, message: object) -> None:
        if isinstance(message, list):
            max_bytes = self._settings.limits.max_response_bytes
            reply = await answer_batch(self._transport, scope, receive, messages=message, max_bytes=max_bytes)
            await reply.send_to(send)
        else:
            assert isinstance(message, dict)  # the envelope has been read
            await self._serve_message(scope, receive, send, message=message)

    async def _serve_message(
        self, scope: Scope, receive: Receive, send: Send, *, message: dict[str, Any]
    ) -> None:
        method = message.get("method")
        capped = self._capped(send, message.get("id"))
        if method == "subscriptions/listen":
            await self._serve_stream(scope, receive, capped)
        elif method == "initialize" and _asks_for_batches(message):
            await self._transport(scope, receive, self._noting_session(capped))
        else:
            await self._transport(scope, receive, capped)

    def _refuse_message(self, headers: Mapping[bytes, bytes], message: object) -> JsonReply | None:
        if is_plain_request(message):
            return None
        if isinstance(message, list):
            return refuse_batch(message, self._batch_version(headers), has_session=_SESSION_HEADER in headers)
        envelope = message if isinstance(message, Refusal) else read_envelope(message)
        if isinstance(envelope, Ignored):
            # Over HTTP every POST has an answer, also one that JSON-RPC would pass over in silence.
            envelope = Refusal(INVALID_REQUEST, f"Invalid Request: {envelope.reason}")
        return JsonReply(400, envelope.encode()) if isinstance(envelope, Refusal) else None

    def _batch_version(self, headers: Mapping[bytes, bytes]) -> str | None:
        version, session = headers.get(_VERSION_HEADER), headers.get(_SESSION_HEADER)
        if version is not None:
            return version.decode("latin-1")
        return BATCH_VERSION if session in self._batching_sessions else None

    def _refuse_calls(self, scope: Scope, message: object, access: AccessToken | None) -> JsonReply | None:
        calls = message if isinstance(message, list) else [message]
        each = [needed_scopes(self._mount, call) for call in calls if isinstance(call, dict)]
        needed: frozenset[str] = frozenset().union(*each)
        if PERSON in needed:
            self._refusals.forbidden(_name_of(access), self._mount.path, PERSON)
            return refuse_person()
        return None if self._gate is None else self._refuse_caller(scope, access, needed)

    def _refuse_caller(
        self, scope: Scope, access: AccessToken | None, needed: frozenset[str]
    ) -> JsonReply | None:
        url = metadata_url(scope, self._settings, self._mount.path)
        refusal = refuse_caller(scope, access, needed, metadata_url=url)
        if refusal is not None and access is not None:  # of a caller nobody knows the gate has told
            self._refusals.forbidden(_name_of(access), self._mount.path, " ".join(sorted(needed)))
        return refusal

    def _capped(self, send: Send, request_id: object) -> Send:
        return CappedResponse(
            send, self._settings.limits.max_response_bytes, request_id=as_id(request_id)
        ).send

    def _noting_session(self, send: Send) -> Send:
        async def note_session(message: Message) -> None:
            if message["type"] == "http.response.start":
                session = dict(message["headers"]).get(_SESSION_HEADER)
                if session is not None:
                    self._batching_sessions[session] = True
            await send(message)

        return note_session


def _name_of(access: AccessToken | None) -> str:
    return STRANGER if access is None else access.subject or access.client_id


def _asks_for_batches(initialize: Mapping[str, Any]) -> bool:
    params = initialize.get("params")
    # The server agrees to any version it knows, so what was asked for is what the session speaks.
    return isinstance(params, dict) and params.get("protocolVersion") == BATCH_VERSION
