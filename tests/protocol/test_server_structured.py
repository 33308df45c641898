"""Which clients get an answer as JSON beside the text, and that the list of tools agrees."""

import mcp_types as types
import pytest
from server_world import both_eras, connect, on_asyncio, real_server

from drift.scan import ScanOptions, scan

pytestmark = on_asyncio

READS_JSON = ("claude-code", "codex-mcp-client", "Visual Studio Code - Insiders", "opencode")
READS_TEXT_OR_IS_A_PROGRAM = (
    "mcp",
    "mcp-inspector",
    "Zed",
    "claude-ai",
    "claude-codex-bridge",
    "x" * 1_000_000,
)


def named(name):
    return types.Implementation(name=name, version="1")


async def look(server, era, name):
    """Whether any tool is listed with a schema of its answers, and what a call gets."""
    async with connect(server.mcp, era, client_info=named(name)) as client:
        tools = (await client.list_tools()).tools
        result = await client.call_tool("drift_status", {})
    return [tool.output_schema for tool in tools], result


@both_eras
@pytest.mark.parametrize("name", READS_JSON)
async def test_a_client_whose_model_would_read_the_json_gets_the_text_alone(era, name, tmp_path):
    schemas, result = await look(real_server(tmp_path), era, name)

    assert set(schemas) == {None}
    assert result.structured_content is None
    assert "shop" in result.content[0].text


@both_eras
@pytest.mark.parametrize("name", READS_TEXT_OR_IS_A_PROGRAM, ids=lambda name: name[:20])
async def test_programs_and_clients_that_pass_the_text_on_get_both(era, name, tmp_path):
    schemas, result = await look(real_server(tmp_path), era, name)

    assert None not in schemas
    assert result.structured_content["data"]["project"]["name"] == "shop"
    assert "shop" in result.content[0].text


@both_eras
@pytest.mark.parametrize(("setting", "name"), [("always", "claude-code"), ("never", "mcp-inspector")])
async def test_a_setting_decides_for_every_client(era, setting, name, tmp_path):
    schemas, result = await look(real_server(tmp_path, DRIFT_MCP_STRUCTURED=setting), era, name)

    assert all((schema is not None) is (setting == "always") for schema in schemas)
    assert (result.structured_content is not None) is (setting == "always")


async def test_each_client_of_one_server_gets_its_own_form(tmp_path):
    server = real_server(tmp_path)

    first = await look(server, "auto", "claude-code")
    second = await look(server, "auto", "mcp-inspector")
    third = await look(server, "auto", "claude-code")

    assert [found[1].structured_content is None for found in (first, second, third)] == [True, False, True]
    assert [set(map(bool, found[0])) for found in (first, second, third)] == [{False}, {True}, {False}]


@both_eras
async def test_an_error_says_the_same_in_text_to_a_client_that_gets_no_json(era, tmp_path):
    server = real_server(tmp_path)
    scan(tmp_path / "shop", ScanOptions(jobs=0))
    async with connect(server.mcp, era, client_info=named("claude-code")) as client:
        result = await client.call_tool("drift_callers", {"symbol": "nowhere_to_be_found"})

    assert result.is_error
    assert result.structured_content is None
    assert "SYMBOL_NOT_FOUND" in result.content[0].text
