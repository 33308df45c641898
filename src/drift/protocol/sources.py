"""What a server serves, as the protocol layer sees it: tools, resources, prompts, completions.

Drift's own sources stand on the registry; the conformance fixture has sources of its own, so that
the official suite exercises the same factory, transports and limits.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import mcp_types as types
from mcp.server.context import ServerRequestContext

Context = ServerRequestContext[Any, Any]
ToolResult = types.CallToolResult | types.InputRequiredResult | dict[str, Any]
Method = Callable[[Context, Mapping[str, Any]], Awaitable[dict[str, Any]]]


class Part(NamedTuple):
    """One of several contents of a resource, told from the others by what stands behind # in its address."""

    text: str
    mime_type: str
    fragment: str = ""


Content = str | bytes | tuple[Part, ...]


class ToolSource(Protocol):
    """Lists tools for a client, known by its name if it gave one, and answers its calls."""

    def list_tools(self, client: str | None) -> Sequence[types.Tool]: ...
    def input_schema(self, name: str) -> Mapping[str, Any] | None: ...
    async def call_tool(self, context: Context, params: types.CallToolRequestParams) -> ToolResult: ...


class ResourceSource(Protocol):
    """Lists resources and reads them. `read` returns None for an unknown URI, which cannot be watched either."""

    def list_resources(self) -> Sequence[types.Resource]: ...
    def list_templates(self) -> Sequence[types.ResourceTemplate]: ...
    async def can_watch(self, uri: str) -> bool: ...
    async def read(self, uri: str) -> tuple[Content, str] | None: ...


class PromptSource(Protocol):
    """Lists prompts and fills them in."""

    def list_prompts(self) -> Sequence[types.Prompt]: ...
    async def get_prompt(
        self, context: Context, params: types.GetPromptRequestParams
    ) -> types.GetPromptResult | types.InputRequiredResult: ...


Completer = Callable[[types.CompleteRequestParams], Sequence[str]]


def complete_nothing(params: types.CompleteRequestParams) -> Sequence[str]:  # noqa: ARG001 - the interface's argument
    """For servers without completions."""
    return ()


@dataclass(frozen=True)
class ServerParts:
    """Everything a server is made of."""

    name: str
    version: str
    title: str
    instructions: str
    tools: ToolSource
    resources: ResourceSource
    prompts: PromptSource
    state_key: bytes
    complete: Completer = complete_nothing
    methods: Mapping[str, Method] = field(default_factory=dict)
