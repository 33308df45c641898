"""A server over stdio whose tools misbehave on purpose; limits come as JSON in the first argument."""

import asyncio
import io
import json
import os
import sys

import anyio
import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler
from mcp.shared.exceptions import MCPError

from drift.protocol.limits import WireLimits
from drift.protocol.stdio.transport import serve_stdio

NAMES = ("echo", "slow", "boom", "noisy", "big", "unwritable", "ask", "stubborn", "huge_number")
NAME_SCHEMA = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}


async def list_tools(ctx, params):
    schema = {"type": "object"}
    return types.ListToolsResult(
        tools=[types.Tool(name=name, description=name, input_schema=schema) for name in NAMES]
    )


def answer(text):
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)])


async def sleep_and_report(seconds):
    try:
        await anyio.sleep(seconds)
    except asyncio.CancelledError:
        sys.stderr.write("slow was cancelled\n")
        sys.stderr.flush()
        raise
    return answer("done")


async def be_noisy():
    print("stray print")  # noqa: T201 -- what the test is about
    sys.stdout.flush()
    os.write(1, b"stray write\n")
    child = await asyncio.create_subprocess_exec("sh", "-c", "echo stray child; cat")
    await child.wait()
    return answer("was noisy")


async def ask_for_name(ctx):
    reply = await ctx.session.elicit_form("Name?", NAME_SCHEMA, related_request_id=ctx.request_id)
    return answer(f"{reply.action}:{(reply.content or {}).get('name')}")


async def resist_cancellation(seconds):
    with anyio.CancelScope(shield=True):
        await anyio.sleep(seconds)
    return answer("finished all the same")


async def call_tool(ctx, params):
    arguments = params.arguments or {}
    match params.name:
        case "echo":
            return answer(str(arguments.get("text", "")))
        case "slow":
            return await sleep_and_report(arguments.get("seconds", 30))
        case "stubborn":
            return await resist_cancellation(arguments.get("seconds", 0.2))
        case "boom":
            raise RuntimeError("kaboom")
        case "noisy":
            return await be_noisy()
        case "big":
            return answer("x" * arguments["size"])
        case "unwritable":
            return types.CallToolResult(content=[], structured_content={"text": "\ud800"})
        case "huge_number":
            return types.CallToolResult(content=[], structured_content={"number": 2**70})
        case "ask":
            return await ask_for_name(ctx)
        case _:
            raise MCPError(types.INVALID_PARAMS, f"Unknown tool: {params.name}")


def serve(limits):
    bus = InMemorySubscriptionBus()
    server = Server(
        "fixture",
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_subscriptions_listen=ListenHandler(bus),
    )
    if sys.stdout is not None:
        # Buffered whatever the environment says: this is to be still on its way when serving begins.
        sys.stdout = io.TextIOWrapper(io.BufferedWriter(io.FileIO(1, "w", closefd=False)))
        print("printed before serving")  # noqa: T201 -- what the test is about
    asyncio.run(serve_stdio(server, limits=WireLimits(**limits)))


if __name__ == "__main__":
    serve(json.loads(sys.argv[1]))
