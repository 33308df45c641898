"""What tools/list of every server and surface costs a model's context, in cl100k tokens.

    python benchmarks/surface_tokens.py

Counted is the compact JSON of the whole result as the real server sends it, in both protocol eras.
Exits with 1 when an `entry` surface is over its budget.
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
from splintr import Tokenizer

from drift.pipeline import Environment
from drift.project import ProjectRegistry
from drift.protocol.server import DriftServer
from drift.registry import SURFACES, ServerName, parse_surface
from drift.registry.surfaces import SIMPLE_TOOLS
from drift.servers import BLUEPRINTS, assemble

Conversation = tuple[tuple[str, dict[str, Any]], ...]

ENTRY_BUDGET_TOKENS = 500
CLIENT = {"name": "surface_tokens", "version": "1"}
HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": CLIENT}
ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": CLIENT,
}
# What a client of each era sends until it has the first page of the list.
CONVERSATIONS: dict[str, Conversation] = {
    "2025-11-25": (("initialize", HELLO), ("tools/list", {})),
    "2026-07-28": (("tools/list", {"_meta": ENVELOPE}),),
}


async def converse(server: DriftServer, requests: Conversation) -> dict[str, Any]:
    """The last request's result, as it stands on the wire."""
    result: dict[str, Any] = {}
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
            result = received.message.result
        group.cancel_scope.cancel()
    return result


def list_tools(server: ServerName, surface: str, era: str) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as directory:
        place = Path(directory)
        projects = ProjectRegistry(place / "projects.json", lambda: datetime.now(UTC))
        at = Environment(place, projects, {"HOME": directory})
        assembled = assemble(BLUEPRINTS[server], parse_surface(surface), at=at)
        try:
            return anyio.run(converse, assembled.mcp, CONVERSATIONS[era])
        finally:
            assembled.runtime.close()


def surfaces_of(server: ServerName) -> list[str]:
    everywhere = [surface for surface in SURFACES if surface not in ("simple", "pack:NAME")]
    return everywhere + (["simple"] if server in SIMPLE_TOOLS else [])


def main() -> int:
    encode = Tokenizer.from_pretrained("cl100k_base").encode_ordinary
    is_over_budget = False
    print(
        f"{'server':10}{'surface':14}{'tools':>6}"
        + "".join(f"{era:>12}" for era in CONVERSATIONS)
        + "  tokens"
    )
    for server in BLUEPRINTS:
        for surface in surfaces_of(server):
            lists = {era: list_tools(server, surface, era) for era in CONVERSATIONS}
            assert not any("nextCursor" in listed for listed in lists.values()), "count every page"
            tokens = {era: len(encode(orjson.dumps(listed).decode())) for era, listed in lists.items()}
            is_over = surface == "entry" and max(tokens.values()) > ENTRY_BUDGET_TOKENS
            is_over_budget |= is_over
            remark = f"  over the budget of {ENTRY_BUDGET_TOKENS}" if is_over else ""
            shown = len(lists["2026-07-28"]["tools"])
            print(
                f"{server:10}{surface:14}{shown:>6}" + "".join(f"{n:>12}" for n in tokens.values()) + remark
            )
    return 1 if is_over_budget else 0


if __name__ == "__main__":
    raise SystemExit(main())
