"""The server the official suite expects, made by Drift's own factory and served by its HTTP application.

Run it as a program: it prints its URL and serves until it is stopped.
"""

import base64
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import mcp_types as types
from conformance_rounds import prompt_with_input
from conformance_tools import PNG, TOOLS, FixtureTool, answer_text, embedded, image, text_of
from mcp.shared.exceptions import MCPError

from drift.protocol.http.app import create_app
from drift.protocol.http.serve import serve_http
from drift.protocol.http.settings import HttpSettings, Mount
from drift.protocol.resources import Resource, Resources, Template
from drift.protocol.server import DriftServer, build_server
from drift.protocol.sources import Context, ServerParts, ToolResult


class FixtureTools:
    """The suite's tools, and two that announce changed lists."""

    def __init__(self) -> None:
        self.server: DriftServer | None = None
        announcers = {name: self._announcer(name) for name in ("tool", "prompt")}
        self._tools = TOOLS | {tool.listed.name: tool for tool in announcers.values()}

    def _announcer(self, kind: str) -> FixtureTool:
        async def announce(context: Context, params: types.CallToolRequestParams) -> ToolResult:
            assert self.server is not None
            await self.server.notices.list_changed("tools" if kind == "tool" else "prompts")
            return answer_text("changed")

        name = f"test_trigger_{kind}_change"
        schema = {"type": "object", "properties": {}}
        return FixtureTool(
            types.Tool(name=name, description=f"Announces a new {kind}", input_schema=schema), announce
        )

    def list_tools(self, client: str | None) -> Sequence[types.Tool]:
        return [tool.listed for tool in self._tools.values()]

    def input_schema(self, name: str) -> Mapping[str, Any] | None:
        return self._tools[name].listed.input_schema if name in self._tools else None

    async def call_tool(self, context: Context, params: types.CallToolRequestParams) -> ToolResult:
        if params.name not in self._tools:
            # Not a result with isError: two of the suite's scenarios would take that for a pass.
            raise MCPError(types.INVALID_PARAMS, f"There is no tool named {params.name[:80]!r}")
        return await self._tools[params.name].answer(context, params)


def fixture_resources() -> Resources:
    async def read_text() -> str:
        return "This is the content of the static text resource."

    async def read_binary() -> bytes:
        return base64.b64decode(PNG)

    async def read_watched() -> str:
        return "Watched resource content"

    async def read_template(identity: str) -> str:
        return json.dumps({"id": identity, "templateTest": True, "data": f"Data for ID: {identity}"})

    return Resources(
        (
            Resource("test://static-text", "Text", "A text", read_text, "text/plain"),
            Resource("test://static-binary", "Image", "An image", read_binary, "image/png"),
            Resource("test://watched-resource", "Watched", "A text that changes", read_watched, "text/plain"),
        ),
        (Template("test://template/{id}/data", "Template", "Data of an id", read_template),),
    )


Messages = Callable[[Mapping[str, str]], list[types.ContentBlock]]
PROMPTS: dict[str, tuple[tuple[str, ...], Messages]] = {
    "test_simple_prompt": ((), lambda _given: [text_of("This is a simple prompt for testing.")]),
    "test_prompt_with_arguments": (
        ("arg1", "arg2"),
        lambda given: [text_of(f"Prompt with arguments: arg1='{given['arg1']}', arg2='{given['arg2']}'")],
    ),
    "test_prompt_with_embedded_resource": (
        ("resourceUri",),
        lambda given: [
            embedded(given["resourceUri"], "text/plain", "Embedded resource content for testing."),
            text_of("Please process the embedded resource above."),
        ],
    ),
    "test_prompt_with_image": ((), lambda _given: [image(), text_of("Please analyze the image above.")]),
    "test_input_required_result_prompt": ((), lambda _given: []),
}


class FixturePrompts:
    """The suite's prompts."""

    def list_prompts(self) -> Sequence[types.Prompt]:
        return [
            types.Prompt(
                name=name,
                description=f"The prompt {name}",
                arguments=[types.PromptArgument(name=blank, required=True) for blank in blanks],
            )
            for name, (blanks, _write) in PROMPTS.items()
        ]

    async def get_prompt(
        self, context: Context, params: types.GetPromptRequestParams
    ) -> types.GetPromptResult | types.InputRequiredResult:
        if params.name not in PROMPTS:
            raise MCPError(types.INVALID_PARAMS, f"There is no prompt named {params.name[:80]!r}")
        if params.name == "test_input_required_result_prompt":
            return prompt_with_input(params)
        blanks, write = PROMPTS[params.name]
        given = params.arguments or {}
        if not set(blanks) <= given.keys():
            raise MCPError(types.INVALID_PARAMS, f"{params.name} needs the arguments {', '.join(blanks)}")
        return types.GetPromptResult(
            messages=[types.PromptMessage(role="user", content=content) for content in write(given)]
        )


def complete(params: types.CompleteRequestParams) -> Sequence[str]:
    known = ("test_value_1", "test_value_2") if params.argument.name == "arg1" else ()
    return [value for value in known if value.startswith(params.argument.value)]


def create_fixture() -> DriftServer:
    """The fixture as a server of Drift's factory."""
    tools = FixtureTools()
    tools.server = build_server(
        ServerParts(
            name="drift-fixture",
            version="1.0.0",
            title="Conformance fixture",
            instructions="A server with what the official conformance suite calls.",
            tools=tools,
            resources=fixture_resources(),
            prompts=FixturePrompts(),
            state_key=b"k" * 32,
            complete=complete,
        )
    )
    return tools.server


def main() -> None:
    settings = HttpSettings(port=0)
    mount = Mount("/mcp", create_fixture(), lambda _name, _arguments: frozenset(), frozenset())
    app = create_app([mount], settings=settings, verifier=None, health=lambda: {"status": "ok"}, metrics=str)
    serve_http(app, settings, on_ready=lambda server: sys.stderr.write(f"{server.url}\n"))


if __name__ == "__main__":
    main()
