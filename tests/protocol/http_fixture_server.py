"""A small MCP server behind the real HTTP application, in a thread or as a program of its own."""

import http.client
import json
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import anyio
import mcp_types as types
from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.auth.provider import TokenVerifier
from mcp.server.lowlevel import Server
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler
from mcp.shared.exceptions import MCPError
from mcp.shared.message import ServerMessageMetadata

from drift.protocol.http.app import create_app
from drift.protocol.http.serve import HttpServer, serve_http
from drift.protocol.http.settings import HttpSettings, Mount

MODERN = "2026-07-28"
META = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientCapabilities": {},
}
ACCEPT = {"accept": "application/json, text/event-stream", "content-type": "application/json"}

ANY_OBJECT = {"type": "object"}
TOOLS = ("echo", "slow", "big", "flood", "ask", "whoami", "write", "relay")


def tell(word: object) -> None:
    """Say something to the test that started this program; stdout must stay empty."""
    sys.stderr.write(f"{word}\n")
    sys.stderr.flush()


RELEASE = threading.Event()  # ends the calls of the tool `hold`


def text(value: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type="text", text=value)])


async def ask_client(ctx: Any) -> types.CallToolResult:
    metadata = ServerMessageMetadata(related_request_id=ctx.request_id)
    try:
        await ctx.session.send_request(types.PingRequest(), types.EmptyResult, metadata=metadata)
    except MCPError as error:
        return text(f"declined: {error.error.message}")
    return text("answered")


async def call_tool(ctx: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
    arguments = params.arguments or {}
    match params.name:
        case "slow":
            await ctx.session.report_progress(0, 1, "begun")
            tell("begun")
            await anyio.sleep(arguments["seconds"])
            return text("slept")
        case "hold":
            await anyio.to_thread.run_sync(RELEASE.wait)
            return text("released")
        case "big":
            return text("x" * arguments["bytes"])
        case "flood":
            await ctx.session.report_progress(0, 1, "x" * arguments["bytes"])
            return text("x" * arguments["answer_bytes"])
        case "ask":
            return await ask_client(ctx)
        case "whoami":
            token = get_access_token()
            return text("nobody" if token is None else str(token.subject))
        case _:
            return text(json.dumps(arguments))


async def list_tools(_ctx: Any, _params: Any) -> types.ListToolsResult:
    return types.ListToolsResult(tools=[types.Tool(name=name, input_schema=ANY_OBJECT) for name in TOOLS])


class NotedParams(types.RequestParams):
    word: str = ""


async def note(_ctx: Any, params: NotedParams) -> dict[str, Any]:
    return {"noted": params.word}


def needed_scopes(name: str, arguments: Mapping[str, Any]) -> frozenset[str]:
    if name == "relay":
        return needed_scopes(str(arguments.get("tool")), {})
    return frozenset({"drift:write"}) if name in ("write", "notes/write") else frozenset()


def create_mount(path: str, *, says_farewell: bool = True) -> Mount:
    listen = ListenHandler(InMemorySubscriptionBus())
    server: Server[Any] = Server(
        f"fixture{path.replace('/', '-')}",
        version="1",
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_subscriptions_listen=listen,
        get_tool_input_schema=lambda _name: ANY_OBJECT,
    )
    server.add_request_handler("notes/write", NotedParams, note)
    if not says_farewell:

        async def hang(ctx: Any, params: Any) -> Any:
            return await listen(ctx, params)

        server.add_request_handler("subscriptions/listen", types.SubscriptionsListenRequestParams, hang)
    return Mount(path, server, needed_scopes, frozenset({"drift:read"}))


@dataclass(frozen=True)
class Reply:
    """An HTTP answer, read to its end."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def events(self) -> list[Any]:
        lines = self.body.decode().splitlines()
        return [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: ")]

    @property
    def message(self) -> Any:
        """The JSON-RPC answer, whichever way it came."""
        is_stream = self.headers.get("content-type", "").startswith("text/event-stream")
        return self.events[-1] if is_stream else self.json


class Service:
    """A running application and the requests tests send to it."""

    def __init__(self, port: int) -> None:
        self.port = port

    @contextmanager
    def connection(self) -> Iterator[http.client.HTTPConnection]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=300)
        try:
            yield connection
        finally:
            connection.close()

    def request(
        self, method: str, path: str, *, headers: Mapping[str, str] | None = None, body: Any = None
    ) -> Reply:
        with self.connection() as connection:
            connection.request(method, path, body=body, headers=dict(headers or {}))
            answer = connection.getresponse()
            found = {name.lower(): value for name, value in answer.getheaders()}
            return Reply(answer.status, found, answer.read())

    def post(self, message: Any, *, path: str = "/analysis", **headers: str) -> Reply:
        body = message if isinstance(message, bytes) else json.dumps(message).encode()
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.request("POST", path, headers={**ACCEPT, **named}, body=body)

    def modern(
        self,
        method: str,
        params: Mapping[str, Any] | None = None,
        *,
        meta: Mapping[str, Any] = META,
        **headers: str,
    ) -> Reply:
        """A request of 2026-07-28: one POST that says everything."""
        path = headers.pop("path", "/analysis")
        named = {"mcp_protocol_version": MODERN, "mcp_method": method}
        if method == "tools/call" and params is not None:
            named["mcp_name"] = str(params["name"])
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**(params or {}), "_meta": meta}}
        return self.post(message, path=path, **{**named, **headers})

    def initialize(self, version: str = "2025-11-25", **headers: str) -> dict[str, str]:
        """Open a session of an earlier revision and return the headers its requests carry."""
        params = {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
        reply = self.post({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}, **headers)
        assert reply.status == 200, reply
        # Revision 2025-03-26 does not know the version header.
        versioned = {} if version == "2025-03-26" else {"mcp_protocol_version": version}
        session = {"mcp_session_id": reply.headers["mcp-session-id"], **versioned, **headers}
        assert self.post({"jsonrpc": "2.0", "method": "notifications/initialized"}, **session).status == 202
        return session


def call(name: str, arguments: Mapping[str, Any] | None = None, request_id: int | str = 1) -> dict[str, Any]:
    """A tool call of an earlier revision."""
    params = {"name": name, "arguments": arguments or {}}
    return {"jsonrpc": "2.0", "id": request_id, "method": "tools/call", "params": params}


@contextmanager
def running(
    settings: HttpSettings,
    *,
    verifier: TokenVerifier | None = None,
    health: Mapping[str, Any] | None = None,
    mounts: Sequence[Mount] = (),
) -> Iterator[Service]:
    """The application with two mounts, or with those given, served from a thread on a free port."""
    app = create_app(
        mounts or [create_mount("/analysis"), create_mount("/memory/mcp")],
        settings=settings,
        verifier=verifier,
        health=lambda: health or {"status": "ok", "project": "/secret/place"},
        metrics=lambda: "drift_calls_total 1\n",
    )
    server = HttpServer(app, settings)
    is_ready = threading.Event()
    thread = threading.Thread(target=server.run, args=(lambda _server: is_ready.set(),))
    thread.start()
    try:
        assert is_ready.wait(300)
        yield Service(server.port)
    finally:
        server.stop()
        thread.join(300)
        assert not thread.is_alive()


def main() -> None:
    settings = HttpSettings(port=0, json_response=sys.argv[1] == "json")
    app = create_app(
        [create_mount("/analysis", says_farewell=sys.argv[2] == "farewell")],
        settings=settings,
        verifier=None,
        health=lambda: {"status": "ok"},
        metrics=str,
    )
    serve_http(app, settings, on_ready=lambda server: tell(server.port))
    tell("ended in order")


if __name__ == "__main__":
    main()
