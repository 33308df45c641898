"""Pages beside answers: named to clients that show them, and to nobody else."""

import mcp_types as types
import pytest
from mcp.client.extension import advertise
from server_world import both_eras, connect, on_asyncio, real_server

from drift.protocol.views import ANSWER_VIEW, VIEW_TYPE, VIEWED_TOOLS
from drift.tools import all_tools

pytestmark = on_asyncio

UI = "io.modelcontextprotocol/ui"
# A model of this client would read the JSON as well, so that it gets none.
THRIFTY = types.Implementation(name="claude-code", version="1")


@both_eras
@pytest.mark.parametrize(
    ("kinds", "shows"),
    [(None, False), ({"mimeTypes": [VIEW_TYPE]}, True), ({"mimeTypes": ["text/x"]}, False)],
)
async def test_a_tool_names_its_view_and_sends_what_it_draws_only_where_it_is_shown(
    example_shop, tmp_path, era, kinds, shows
):
    extensions = [advertise(UI, kinds)] if kinds is not None else None
    server = real_server(tmp_path, "analysis", "full").mcp
    async with connect(server, era, extensions=extensions, client_info=THRIFTY) as client:
        listed = (await client.list_tools()).tools
        answer = await client.call_tool("drift_graph", {"action": "central"})
        resources = (await client.list_resources()).resources
        page = (await client.read_resource(ANSWER_VIEW)).contents[0]

    named = {tool.name for tool in listed if (tool.meta or {}).get("ui") == {"resourceUri": ANSWER_VIEW}}
    assert named == (VIEWED_TOOLS if shows else set())
    assert (answer.structured_content is not None) is shows
    assert ANSWER_VIEW not in {str(each.uri) for each in resources}
    assert page.mime_type == VIEW_TYPE
    assert "http" not in page.text  # it fetches nothing


async def test_every_tool_with_a_view_is_there():
    assert all(all_tools().find(name) for name in VIEWED_TOOLS)
