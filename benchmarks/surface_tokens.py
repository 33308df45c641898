"""What every server and surface costs a model's context before the first question, in cl100k tokens.

    python benchmarks/surface_tokens.py

`wire` is the compact JSON of tools/list as the real server sends it to a program, with the instructions; then what the
model gets of it from each kind of client, in both protocol eras. Memories are there, so that what they bring is counted.
Exits with 1 when a surface with a budget is over it on the wire.
"""

import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
import orjson
from mcp.shared.memory import create_client_server_memory_streams
from mcp.shared.message import SessionMessage
from model_view import CLIENTS, tools_seen
from splintr import Tokenizer

from drift.pipeline import Environment
from drift.project import ProjectRegistry
from drift.project.stores import find_stores
from drift.protocol.server import DriftServer
from drift.registry import SURFACES, ServerName, parse_surface, short_list
from drift.servers import BLUEPRINTS, assemble

Conversation = tuple[tuple[str, dict[str, Any]], ...]

BUDGETS = {"entry": 500, "core": 1500}
PROGRAM = "surface_tokens"
ERAS = ("2025-11-25", "2026-07-28")


def conversation(era: str, client_name: str) -> Conversation:
    """What a client of an era sends until it has the instructions and the first page of the list."""
    client = {"name": client_name, "version": "1"}
    if era == ERAS[0]:
        hello = {"protocolVersion": era, "capabilities": {}, "clientInfo": client}
        return ("initialize", hello), ("tools/list", {})
    envelope = {
        "io.modelcontextprotocol/protocolVersion": era,
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": client,
    }
    return ("server/discover", {"_meta": envelope}), ("tools/list", {"_meta": envelope})


async def converse(server: DriftServer, requests: Conversation) -> list[dict[str, Any]]:
    """The results as they stand on the wire."""
    results: list[dict[str, Any]] = []
    async with (
        create_client_server_memory_streams() as ((reading, writing), streams),
        anyio.create_task_group() as group,
    ):
        group.start_soon(server.run, *streams, server.create_initialization_options())
        for number, (method, params) in enumerate(requests):
            request = types.JSONRPCRequest(jsonrpc="2.0", id=number, method=method, params=params)
            await writing.send(SessionMessage(request))
            received = await reading.receive()
            assert isinstance(received, SessionMessage), received
            assert isinstance(received.message, types.JSONRPCResponse), received.message
            results.append(received.message.result)
        group.cancel_scope.cancel()
    return results


def look(server: ServerName, surface: str, era: str, client_name: str) -> tuple[str, dict[str, Any]]:
    """The instructions and the list a client gets."""
    with tempfile.TemporaryDirectory() as directory:
        place = Path(directory)
        (place / ".drift").mkdir()
        memories = find_stores(place, {"HOME": directory}).memory_db
        memories.parent.mkdir(parents=True)
        memories.touch()
        projects = ProjectRegistry(place / "projects.json", lambda: datetime.now(UTC))
        at = Environment(place, projects, {"HOME": directory})
        assembled = assemble(BLUEPRINTS[server], parse_surface(surface), at=at)
        try:
            hello, listed = anyio.run(converse, assembled.mcp, conversation(era, client_name))
        finally:
            assembled.runtime.close()
    assert "nextCursor" not in listed, "count every page"
    return str(hello["instructions"]), listed


def surfaces_of(server: ServerName) -> list[str]:
    everywhere = [surface for surface in SURFACES if surface not in ("simple", "pack:NAME")]
    return [
        *everywhere,
        *(["pack:bug-fix"] if server is ServerName.ANALYSIS else []),
        *(["simple"] if short_list("simple", server) else []),
    ]


def main() -> int:
    tokenizer = Tokenizer.from_pretrained("cl100k_base")

    def count(text: str) -> int:
        return len(tokenizer.encode_ordinary(text))

    is_over_budget = False
    print(
        f"{'server':10}{'surface':14}{'era':12}{'tools':>6}{'wire':>8}" + "".join(f"{n:>14}" for n in CLIENTS)
    )
    for server in BLUEPRINTS:
        for surface in surfaces_of(server):
            for era in ERAS:
                instructions, listed = look(server, surface, era, PROGRAM)
                wire = count(instructions + orjson.dumps({"tools": listed["tools"]}).decode())
                seen = [
                    count(tools_seen(listed_for, told, name))
                    for name in CLIENTS
                    for told, listed_for in (look(server, surface, era, name),)
                ]
                is_over = wire > BUDGETS.get(surface, wire)
                is_over_budget |= is_over
                remark = f"  over the budget of {BUDGETS[surface]}" if is_over else ""
                figures = "".join(f"{tokens:>14}" for tokens in seen)
                print(f"{server:10}{surface:14}{era:12}{len(listed['tools']):>6}{wire:>8}{figures}{remark}")
    return 1 if is_over_budget else 0


if __name__ == "__main__":
    raise SystemExit(main())
