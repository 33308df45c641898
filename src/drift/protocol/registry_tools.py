"""Drift's tools on the wire: what a surface lists, and calls into the pipeline."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import mcp_types as types
from cachetools import LRUCache
from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.auth.provider import AccessToken
from mcp.shared.exceptions import MCPError

from drift.kernel.errors import DriftError, ErrorCode
from drift.pipeline import MAX_NESTED_CALLS, ServerRuntime, understood
from drift.protocol.carried_trace import carrying
from drift.protocol.client import McpClient, client_name
from drift.protocol.dispatchers import (
    action_call,
    catalog_error,
    fold_arguments,
    is_of_catalog,
    method_result,
    program_arguments,
)
from drift.protocol.faults import protocol_error
from drift.protocol.open_folder import OpenFolder
from drift.protocol.sources import Context, Method, ToolResult
from drift.protocol.views import VIEWED_TOOLS, shows_views
from drift.registry import (
    Caller,
    InputRequired,
    ListedTool,
    Outcome,
    Question,
    Scope,
    Toolbox,
    ToolDefinition,
    list_surface,
    route,
    sends_structured,
)

_KEPT_LISTS: Final = 8  # callers with different rights come in turn


class RegistryTools:
    """The tool source of Drift's own servers."""

    def __init__(self, runtime: ServerRuntime) -> None:
        self._runtime = runtime
        self._open_folder = OpenFolder(runtime)
        self._listed: LRUCache[object, list[types.Tool]] = LRUCache(_KEPT_LISTS)
        """What is shown to callers with the same rights, in the same situation."""

    def list_tools(self, client: str | None) -> Sequence[types.Tool]:
        runtime = self._runtime
        view = runtime.view(runtime.project, current_caller())
        packs = runtime.packs(runtime.project)
        has_schemas = self._sends_structured(client)
        # Building the SDK's models costs more than everything else in tools/list.
        shown_for = (view, tuple(packs.by_name), has_schemas)
        if shown_for not in self._listed:
            shown = list_surface(runtime.surface, runtime.toolbox, packs, server=runtime.server, view=view)
            self._listed[shown_for] = [_wire_tool(tool, has_schema=has_schemas) for tool in shown]
        return self._listed[shown_for]

    def _sends_structured(self, client: str | None) -> bool:
        return sends_structured(self._runtime.project.config.mcp.structured, client)

    def input_schema(self, name: str) -> Mapping[str, Any] | None:
        tool = self._runtime.toolbox.find(name)
        return tool.listed_input_schema if tool else None

    async def call_tool(self, context: Context, params: types.CallToolRequestParams) -> ToolResult:
        client = McpClient(context, params.input_responses)
        try:
            outcome = await self._call(context, params, client)
        except InputRequired as required:
            return _input_required(required.question)
        except DriftError as error:
            raise protocol_error(error) from error
        finally:
            await client.finish()
        if outcome.code == ErrorCode.INTERNAL_ERROR:
            await client.log("error", outcome.text)
        is_drawn = params.name in VIEWED_TOOLS and shows_views(context)
        return wire_result(outcome, is_structured=is_drawn or self._sends_structured(client_name(context)))

    async def _call(
        self, context: Context, params: types.CallToolRequestParams, client: McpClient
    ) -> Outcome:
        try:
            await self._open_folder.settle(context)
        except DriftError as error:
            return self._runtime.refused(error)
        arguments = fold_arguments(self._runtime.toolbox.find(params.name), params.arguments or {})
        with carrying(context):
            return await self._runtime.call(params.name, arguments, caller=current_caller(), client=client)

    def required_scopes(self, name: str, arguments: Mapping[str, Any]) -> frozenset[str]:
        """The scopes a call needs, looking through the tools that only pass calls on; PERSON where none is enough."""
        return frozenset(str(scope) for scope in self._scopes(name, arguments, depth=0))

    def _scopes(self, name: str, arguments: Mapping[str, Any], *, depth: int) -> frozenset[str]:
        try:
            target, routed = route(self._runtime.surface, name, arguments, self._runtime.toolbox)
        except DriftError:
            return frozenset()  # the call fails on its own, with a better message
        tool = self._runtime.toolbox.find(target)
        if tool is None:
            return frozenset()
        # As the tool is going to see them, for it is that which the scopes are for.
        meant = understood(tool, routed)
        passed_on = self._passed_on(tool, meant) if depth < MAX_NESTED_CALLS else ()
        rights = tool.rights_for(meant) | self._rights_to_project(meant)
        return rights.union(*(self._scopes(each, args, depth=depth + 1) for each, args in passed_on))

    def _rights_to_project(self, arguments: Mapping[str, Any]) -> frozenset[str]:
        named = arguments.get("project")
        is_other = isinstance(named, str) and not self._runtime.project.goes_by(named)
        return frozenset({Scope.ADMIN}) if is_other else frozenset()

    def _passed_on(
        self, tool: ToolDefinition, arguments: Mapping[str, Any]
    ) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """The calls a relay or a batch would make. Nothing was checked yet: what is no call is left out."""
        if meant := action_call(self._runtime.toolbox, tool, arguments):
            yield meant
            return
        pairs: list[tuple[object, object]] = []
        if tool.is_relay:
            pairs = [(arguments.get("name"), arguments.get("args"))]
        elif tool.name == "drift_batch" and isinstance(calls := arguments.get("calls"), list):
            pairs = [(call.get("tool"), call.get("args")) for call in calls if isinstance(call, Mapping)]
        for name, args in pairs:
            if isinstance(name, str):
                yield name, args if isinstance(args, Mapping) else {}

    def methods(self) -> dict[str, Method]:
        """The tools that are JSON-RPC methods, too."""
        return {tool.method: self._method(tool) for tool in self._runtime.toolbox if tool.method}

    def _method(self, tool: ToolDefinition) -> Method:
        async def answer(context: Context, params: Mapping[str, Any]) -> dict[str, Any]:
            client = McpClient(context)
            wanted = program_arguments(tool, params)
            try:
                await self._open_folder.settle(context)
                with carrying(context):
                    outcome = await self._runtime.call(
                        tool.name, wanted, caller=current_caller(), client=client
                    )
            except InputRequired as required:
                reason = f"{required.question.message} The reply needs a tools/call of {tool.name}."
                raise MCPError(types.INVALID_REQUEST, reason) from None
            finally:
                await client.finish()
            if outcome.is_error:
                raise _method_error(self._runtime.toolbox, tool, outcome, params)
            return method_result(outcome)

        return answer


def current_caller() -> Caller:
    """Who calls: the bearer of a token over HTTP, else the person at this machine."""
    token = get_access_token()
    return Caller() if token is None else caller_of(token)


def caller_of(token: AccessToken) -> Caller:
    """The bearer of a token, with the rights that are rights here."""
    known = {str(scope) for scope in Scope}
    scopes = frozenset(Scope(scope) for scope in token.scopes if scope in known)
    return Caller(id=token.subject or token.client_id, scopes=scopes)


def wire_result(outcome: Outcome, *, is_structured: bool) -> dict[str, Any]:
    """A tools/call result: text for models, the same as structured content where it is wanted, and links."""
    content: list[dict[str, Any]] = [{"type": "text", "text": outcome.full_text}]
    content += [
        {
            "type": "resource_link",
            "uri": link.uri,
            "name": link.name,
            "description": link.description,
            "mimeType": link.mime_type,
        }
        for link in outcome.links
    ]
    # The SDK leaves resultType out for revisions that do not know it.
    result: dict[str, Any] = {"resultType": "complete", "content": content}
    if is_structured:
        result["structuredContent"] = outcome.structured()
    return {**result, "isError": True} if outcome.is_error else result


def _wire_tool(tool: ListedTool, *, has_schema: bool) -> types.Tool:
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.input_schema,
        # Promised to a client that gets no structured content, it would break the protocol.
        output_schema=tool.output_schema if has_schema else None,
        annotations=types.ToolAnnotations.model_validate(tool.annotations),
    )


def _input_required(question: Question) -> types.InputRequiredResult:
    params = types.ElicitRequestFormParams(message=question.message, requested_schema=question.schema)
    return types.InputRequiredResult(
        input_requests={question.key: types.ElicitRequest(params=params)}, request_state=question.key
    )


def _method_error(
    toolbox: Toolbox, tool: ToolDefinition, outcome: Outcome, params: Mapping[str, Any]
) -> MCPError:
    if is_of_catalog(tool):
        return catalog_error(toolbox, tool, outcome, params)
    number = protocol_error(DriftError(ErrorCode(str(outcome.code)), "")).error.code
    return MCPError(number, str(outcome.body["message"]), dict(outcome.body))
