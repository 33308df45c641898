"""One tool on the bare SDK, over its own stdio or HTTP transport: the baseline of protocol.py.

    python benchmarks/protocol_bare.py stdio|http ANSWER.json

The answer is Drift's own to the same call, so that both servers put as many bytes on the wire.
"""

import sys
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
import orjson
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

INPUT_SCHEMA = {"type": "object", "properties": {}, "additionalProperties": False}
OUTPUT_SCHEMA = {"type": "object", "required": ["meta"]}


def create_server(answer: dict[str, Any]) -> Server[Any]:
    text, structured = answer["content"][0]["text"], answer["structuredContent"]
    links = [types.ResourceLink.model_validate(link) for link in answer["content"][1:]]
    tool = types.Tool(
        name="drift_capabilities", description="x", input_schema=INPUT_SCHEMA, output_schema=OUTPUT_SCHEMA
    )

    async def list_tools(_context: Any, _params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[tool])

    async def call_tool(_context: Any, _params: types.CallToolRequestParams) -> types.CallToolResult:
        content: list[types.ContentBlock] = [types.TextContent(type="text", text=text), *links]
        return types.CallToolResult(content=content, structured_content=structured)

    return Server("bare", on_list_tools=list_tools, on_call_tool=call_tool)


async def serve_stdio(server: Server[Any]) -> None:
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())


def serve_http(server: Server[Any]) -> None:
    import socket

    import uvicorn

    listening = socket.create_server(("127.0.0.1", 0))
    sys.stderr.write(f"http://127.0.0.1:{listening.getsockname()[1]}\n")
    config = uvicorn.Config(server.streamable_http_app(), log_level="warning", access_log=False)
    uvicorn.Server(config).run(sockets=[listening])


def main() -> None:
    server = create_server(orjson.loads(Path(sys.argv[2]).read_bytes()))
    if sys.argv[1] == "http":
        serve_http(server)
    else:
        anyio.run(serve_stdio, server)


if __name__ == "__main__":
    main()
