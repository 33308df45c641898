"""Servers for the tests of the factory: the real ones at a small project, and one with tools of the test's own."""

import os
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
import pytest
from mcp import Client
from mcp.client._memory import InMemoryTransport

from drift.pipeline import Environment, ServerRuntime
from drift.project import ProjectRegistry
from drift.project.home import drift_home
from drift.protocol.prompts import Prompts
from drift.protocol.registry_tools import RegistryTools
from drift.protocol.resources import Resources
from drift.protocol.server import DriftServer, build_server
from drift.protocol.sources import ServerParts
from drift.registry import ServerName, Surface, Toolbox, definition_of, parse_surface
from drift.servers import BLUEPRINTS, AssembledServer, assemble

# The SDK's client: "legacy" shakes hands as up to 2025-11-25, "auto" speaks 2026-07-28.
ERAS = ("legacy", "auto")
on_asyncio = [pytest.mark.anyio, pytest.mark.parametrize("anyio_backend", ["asyncio"])]
both_eras = pytest.mark.parametrize("era", ERAS)

UNLIMITED = {
    "DRIFT_MCP_RATE_LIMIT": "0",
    "DRIFT_MCP_MEMORY_RATE_LIMIT": "0",
    "DRIFT_MCP_CATALOG_RATE_LIMIT": "0",
}


def environment(place: Path, **environ: str) -> Environment:
    """A project of one file below `place`, and a user without a past."""
    root = place / "shop"
    root.mkdir(exist_ok=True)
    (root / "main.py").write_text("def main():\n    return 1\n")
    projects = ProjectRegistry(place / "home" / "projects.json", lambda: datetime.now(UTC))
    # Drift's home is that of this process, which seals the index that a process of its own makes.
    own = {"HOME": str(place / "home"), "DRIFT_HOME": str(drift_home(os.environ))}
    return Environment(root, projects, {**own, **UNLIMITED, **environ})


def real_server(
    place: Path, name: str = "analysis", surface: str = "entry", **environ: str
) -> AssembledServer:
    return assemble(BLUEPRINTS[ServerName(name)], parse_surface(surface), at=environment(place, **environ))


def server_of(place: Path, *functions: Callable[..., Any], **environ: str) -> DriftServer:
    """A server on the whole pipeline with just these tools."""
    toolbox = Toolbox(definition_of(function) for function in functions)
    at = environment(place, **environ)
    runtime = ServerRuntime(ServerName.ANALYSIS, toolbox, Surface("full"), at=at)
    tools = RegistryTools(runtime)
    return build_server(parts_of(tools, methods=tools.methods()))


def connect(server: DriftServer, era: str, **options: Any) -> Client:
    """A client over streams in memory. Given the server itself, the SDK would leave out JSON-RPC since 2026-07-28."""
    return Client(InMemoryTransport(server), mode=era, **options)


def parts_of(tools: Any, **others: Any) -> ServerParts:
    parts: dict[str, Any] = {
        "name": "drift-test",
        "version": "1",
        "title": "Test",
        "instructions": "Call the tools.",
        "resources": Resources(),
        "prompts": Prompts(),
        "state_key": b"k" * 32,
    }
    return ServerParts(tools=tools, **(parts | others))


class PlainTools:
    """A tool source without a registry behind it."""

    def __init__(self, tools: Sequence[types.Tool] = (), answer: Callable[..., Any] | None = None) -> None:
        self._tools = tools
        self._answer = answer

    def list_tools(self, client: str | None) -> Sequence[types.Tool]:
        return self._tools

    def input_schema(self, name: str) -> None:
        return None

    async def call_tool(self, context: Any, params: types.CallToolRequestParams) -> Any:
        assert self._answer is not None
        return await self._answer(context, params)


async def eventually(holds: Callable[[], bool], seconds: float = 300.0) -> None:
    """Return as soon as a condition holds; fail when it does not within the time."""
    limit = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < limit, "it did not come to pass"
        await anyio.sleep(0.005)
