"""The factory of every MCP server Drift runs: one SDK server with our limits, lists and clean failures."""

import base64
import time
import warnings
from collections.abc import Sequence
from typing import Any, TypeVar

import mcp_types as types
from mcp.server.caching import CacheHint
from mcp.server.lowlevel import NotificationOptions, Server
from mcp.server.models import InitializationOptions
from mcp.shared.exceptions import MCPDeprecationWarning, MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import ConfigDict

from drift.kernel.errors import DriftError
from drift.kernel.pages import page_of
from drift.protocol.client import LEVEL_KEY, client_name
from drift.protocol.faults import ABSENT, RESOURCE_NOT_FOUND, clean_faults
from drift.protocol.limits import InFlight, WireLimits
from drift.protocol.notices import Notices
from drift.protocol.request_state import LateBoundary
from drift.protocol.resources import MAX_URI_CHARS
from drift.protocol.sources import Context, Method, Part, ServerParts, ToolResult
from drift.protocol.views import shows_views, with_views

LIST_PAGE_SIZE = 100
_MAX_COMPLETIONS = 100
_LIST_TTL_MS = 60_000

T = TypeVar("T")


class DriftServer(Server[Any]):
    """An SDK server that says what it can do in every era."""

    def __init__(self, parts: ServerParts, limits: WireLimits) -> None:
        self.parts = parts
        self.notices = Notices(parts.resources.can_watch)
        self.in_flight = InFlight(limits)
        handlers = _Handlers(parts, self.notices)
        with warnings.catch_warnings():
            # Clients before 2026-07-28 may still set a log level.
            warnings.simplefilter("ignore", MCPDeprecationWarning)
            super().__init__(
                parts.name,
                version=parts.version,
                title=parts.title,
                instructions=parts.instructions,
                cache_hints={
                    "tools/list": CacheHint(ttl_ms=_LIST_TTL_MS, scope="private"),
                    "prompts/list": CacheHint(ttl_ms=_LIST_TTL_MS, scope="private"),
                    "resources/list": CacheHint(ttl_ms=_LIST_TTL_MS, scope="private"),
                    "resources/templates/list": CacheHint(ttl_ms=_LIST_TTL_MS, scope="private"),
                    "resources/read": CacheHint(ttl_ms=0, scope="private"),
                    "server/discover": CacheHint(ttl_ms=_LIST_TTL_MS, scope="private"),
                },
                # Without it the SDK runs tools/list before every tools/call on 2026-07-28 HTTP.
                get_tool_input_schema=parts.tools.input_schema,
                on_list_tools=handlers.list_tools,
                on_call_tool=handlers.call_tool,  # type: ignore[arg-type] # a dict result is allowed (HandlerResult)
                on_list_resources=handlers.list_resources,
                on_list_resource_templates=handlers.list_templates,
                on_read_resource=handlers.read_resource,
                on_subscribe_resource=handlers.subscribe,
                on_unsubscribe_resource=handlers.unsubscribe,
                on_subscriptions_listen=self.notices.listen,
                on_list_prompts=handlers.list_prompts,
                on_get_prompt=parts.prompts.get_prompt,
                on_completion=handlers.complete,
                on_set_logging_level=handlers.set_level,
            )
        for name, method in parts.methods.items():
            self.add_request_handler(name, _MethodParams, _method_handler(method))
        # Replaces the SDK's default of an OpenTelemetry span per message, which costs 25-60 µs.
        self.middleware = [
            clean_faults,
            LateBoundary(parts.state_key, parts.name),
            self.in_flight,
            self.notices.track,
        ]

    def create_initialization_options(
        self,
        notification_options: NotificationOptions | None = None,
        experimental_capabilities: dict[str, dict[str, Any]] | None = None,
        extensions: dict[str, dict[str, Any]] | None = None,
    ) -> InitializationOptions:
        # The HTTP session manager calls this without arguments, which would hide listChanged.
        options = notification_options or NotificationOptions(
            prompts_changed=True, resources_changed=True, tools_changed=True
        )
        return super().create_initialization_options(options, experimental_capabilities, extensions)


def build_server(parts: ServerParts, limits: WireLimits | None = None) -> DriftServer:
    """A server ready for stdio or HTTP."""
    return DriftServer(parts, limits or WireLimits())


def _not_there(context: Context, uri: str, way_out: dict[str, Any]) -> MCPError:
    """The protocol's error for a resource that is not there, with what is known of the way out."""
    is_modern = context.protocol_version in MODERN_PROTOCOL_VERSIONS
    number = types.INVALID_PARAMS if is_modern else RESOURCE_NOT_FOUND
    return MCPError(number, f"Resource not found: {uri[:200]}", {**way_out, "uri": uri[:MAX_URI_CHARS]})


class _MethodParams(types.RequestParams):
    """Parameters of a method of ours: checked by the tool behind it, so anything passes here."""

    model_config = ConfigDict(extra="allow")


def _method_handler(method: Method) -> Any:
    async def handle(context: Context, params: _MethodParams) -> dict[str, Any]:
        return await method(context, dict(params.model_extra or {}))

    return handle


class _Handlers:
    """The SDK's request handlers, each a few lines over the sources."""

    def __init__(self, parts: ServerParts, notices: Notices) -> None:
        self._parts = parts
        self._notices = notices

    async def list_tools(
        self, context: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        tools = self._parts.tools.list_tools(client_name(context))
        items, cursor = self._page("tools", with_views(tools) if shows_views(context) else tools, params)
        return types.ListToolsResult(tools=items, next_cursor=cursor)

    async def call_tool(self, context: Context, params: types.CallToolRequestParams) -> ToolResult:
        return await self._parts.tools.call_tool(context, params)

    async def list_resources(
        self,
        _context: Context,
        params: types.PaginatedRequestParams | None,
    ) -> types.ListResourcesResult:
        items, cursor = self._page("resources", self._parts.resources.list_resources(), params)
        return types.ListResourcesResult(resources=items, next_cursor=cursor)

    async def list_templates(
        self,
        _context: Context,
        params: types.PaginatedRequestParams | None,
    ) -> types.ListResourceTemplatesResult:
        items, cursor = self._page("templates", self._parts.resources.list_templates(), params)
        return types.ListResourceTemplatesResult(resource_templates=items, next_cursor=cursor)

    async def list_prompts(
        self,
        _context: Context,
        params: types.PaginatedRequestParams | None,
    ) -> types.ListPromptsResult:
        items, cursor = self._page("prompts", self._parts.prompts.list_prompts(), params)
        return types.ListPromptsResult(prompts=items, next_cursor=cursor)

    async def read_resource(
        self,
        context: Context,
        params: types.ReadResourceRequestParams,
    ) -> types.ReadResourceResult:
        uri = str(params.uri)
        try:
            found = await self._parts.resources.read(uri)
        except DriftError as error:
            if error.code not in ABSENT:
                raise
            raise _not_there(context, uri, error.as_wire()) from error
        if found is None:
            raise _not_there(context, uri, {})
        content, mime_type = found
        if isinstance(content, bytes):
            blob = base64.b64encode(content).decode()
            return types.ReadResourceResult(
                contents=[types.BlobResourceContents(uri=uri, mime_type=mime_type, blob=blob)]
            )
        parts = (Part(content, mime_type),) if isinstance(content, str) else content
        return types.ReadResourceResult(
            contents=[
                types.TextResourceContents(
                    uri=f"{uri}{part.fragment}", mime_type=part.mime_type, text=part.text
                )
                for part in parts
            ]
        )

    async def subscribe(self, context: Context, params: types.SubscribeRequestParams) -> types.EmptyResult:
        uri = str(params.uri)
        if len(uri) > MAX_URI_CHARS:
            raise MCPError(types.INVALID_PARAMS, f"The URI is longer than {MAX_URI_CHARS} characters")
        if not await self._parts.resources.can_watch(uri):
            raise _not_there(context, uri, {})
        await self._notices.prepare_watching()
        if not self._notices.watch(context, uri):
            raise MCPError(
                types.INVALID_PARAMS, "This session watches too many resources; unsubscribe from some"
            )
        return types.EmptyResult()

    async def unsubscribe(
        self, context: Context, params: types.UnsubscribeRequestParams
    ) -> types.EmptyResult:
        self._notices.unwatch(context, str(params.uri))
        return types.EmptyResult()

    async def complete(self, _context: Context, params: types.CompleteRequestParams) -> types.CompleteResult:
        values = list(self._parts.complete(params))
        shown = types.Completion(
            values=values[:_MAX_COMPLETIONS], total=len(values), has_more=len(values) > _MAX_COMPLETIONS
        )
        return types.CompleteResult(completion=shown)

    async def set_level(self, context: Context, params: types.SetLevelRequestParams) -> types.EmptyResult:
        context.session._connection.state[LEVEL_KEY] = params.level  # noqa: SLF001 - pinned SDK, no public name
        return types.EmptyResult()

    def _page(
        self, name: str, items: Sequence[T], params: types.PaginatedRequestParams | None
    ) -> tuple[list[T], str | None]:
        try:
            return page_of(
                items,
                params.cursor if params else None,
                key=self._parts.state_key,
                query=name,
                size=LIST_PAGE_SIZE,
                now=time.time(),
            )
        except DriftError as error:
            raise MCPError(types.INVALID_PARAMS, error.message, error.as_wire()) from error
