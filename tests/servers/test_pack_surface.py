"""A pack as the surface of a server, over a real stdio session."""

import json
import sys

import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters

from drift.scan import ScanOptions, scan

pytestmark = [pytest.mark.anyio, pytest.mark.parametrize("anyio_backend", ["asyncio"])]


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "project"
    (folder / ".drift/packs").mkdir(parents=True)
    (folder / "mail.py").write_text("def send():\n    return deliver()\n\n\ndef deliver():\n    return 1\n")
    pack = {"name": "who", "title": "Who", "description": "d", "tools": ["drift_callers", "drift_later"]}
    (folder / ".drift/packs/who.json").write_text(json.dumps(pack))
    scan(folder, ScanOptions(jobs=0))
    return folder


def server(root, surface):
    home = str(root.parent / "home")
    words = ["-m", "drift", "mcp", "analysis", str(root), "--surface", surface]
    return StdioServerParameters(command=sys.executable, args=words, env={"HOME": home, "DRIFT_HOME": home})


async def test_a_built_in_pack_lists_its_tools_and_they_answer(root):
    async with Client(server(root, "pack:bug-fix")) as client:
        names = [tool.name for tool in (await client.list_tools()).tools]
        answer = await client.call_tool("drift_callers", {"symbol": "deliver"})

    assert names[:2] == ["drift_context", "drift_callers"]
    assert names[-1] == "drift_tool"
    assert "drift_prevalidate" in names
    assert answer.structured_content["data"]["callers"][0]["symbol"] == "send"


async def test_a_projects_own_pack_is_a_surface_and_runs_through_the_relay(root):
    run = {"name": "drift_pack", "args": {"action": "run", "name": "who", "target": "deliver"}}
    async with Client(server(root, "pack:who")) as client:
        names = [tool.name for tool in (await client.list_tools()).tools]
        answer = await client.call_tool("drift_tool", run)

    assert names == ["drift_callers", "drift_tool"]
    found = answer.structured_content["data"]["run"]
    assert [each["step"] for each in found["sections"]] == ["callers"]
    assert [each["tool"] for each in found["unanswered"]] == ["drift_later"]
