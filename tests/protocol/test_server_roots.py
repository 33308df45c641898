"""A server that was started without a project stands where its client works."""

import sys
from dataclasses import replace

import mcp_types as types
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from server_world import connect, environment, on_asyncio

from drift.registry import ServerName, parse_surface
from drift.servers import BLUEPRINTS, assemble

pytestmark = on_asyncio


def telling(*uris):
    async def roots(_context):
        return types.ListRootsResult(roots=[types.Root(uri=uri) for uri in uris])

    return roots


@pytest.fixture
def other(tmp_path):
    folder = tmp_path / "other place"
    (folder / "inner").mkdir(parents=True)
    (folder / ".git").mkdir()
    (folder / "mail.py").write_text("def send():\n    return 1\n")
    return folder


def server_at(tmp_path, root, *, is_root_given=False):
    at = replace(environment(tmp_path), root=root, is_root_given=is_root_given)
    return assemble(BLUEPRINTS[ServerName.ANALYSIS], parse_surface("full"), at=at).mcp


async def name_of_project(server, era="legacy", **options):
    async with connect(server, era, **options) as client:
        answer = await client.call_tool("drift_status", {})
    return answer if answer.is_error else answer.structured_content["data"]["project"]["name"]


@pytest.fixture
def home(tmp_path):
    (tmp_path / "home").mkdir(exist_ok=True)
    return (tmp_path / "home").resolve()


@pytest.mark.parametrize("inner", ["", "/inner"])
async def test_the_folder_a_client_tells_of_is_the_project(tmp_path, home, other, inner):
    uri = other.as_uri() + inner

    assert await name_of_project(server_at(tmp_path, home), list_roots_callback=telling(uri)) == "other place"


async def test_a_given_project_stays_whatever_the_client_has_open(tmp_path, other):
    server = server_at(tmp_path, environment(tmp_path).root, is_root_given=True)

    assert await name_of_project(server, list_roots_callback=telling(other.as_uri())) == "shop"


async def test_a_server_started_where_the_client_works_stays_there(tmp_path):
    root = environment(tmp_path).root.resolve()

    name = await name_of_project(server_at(tmp_path, root), list_roots_callback=telling(tmp_path.as_uri()))

    assert name == "shop"


async def test_the_working_directory_counts_for_a_client_without_roots(tmp_path):
    root = environment(tmp_path).root.resolve()

    assert await name_of_project(server_at(tmp_path, root)) == "shop"


@pytest.mark.parametrize("uris", [(), ("file:///no/such/folder",), ("file://elsewhere/share",)])
async def test_a_home_is_never_taken_for_a_project(tmp_path, home, uris):
    answer = await name_of_project(server_at(tmp_path, home), list_roots_callback=telling(*uris))

    assert answer.is_error
    assert "No project is open" in answer.content[0].text
    assert list(home.rglob("drift.db")) == []


async def test_drift_mcp_without_a_path_serves_the_open_folder(tmp_path, home, other):
    words = ["-P", "-m", "drift", "mcp", "analysis", "--surface", "full"]
    environ = {"HOME": str(home), "DRIFT_HOME": str(tmp_path / "state")}
    program = StdioServerParameters(command=sys.executable, args=words, env=environ, cwd=home)

    async with Client(program, mode="legacy", list_roots_callback=telling(other.as_uri())) as client:
        answer = await client.call_tool("drift_callers", {"symbol": "send"})

    assert not answer.is_error, answer.content
    assert answer.structured_content["data"]["target"]["file"] == "mail.py"
