"""What the factory's servers list, in both protocol eras."""

import re

import mcp_types as types
import pytest
from mcp.shared.exceptions import MCPError
from server_world import PlainTools, both_eras, connect, on_asyncio, parts_of, real_server
from splintr import Tokenizer

from drift.protocol.resources import Resource, Resources, Template
from drift.protocol.server import LIST_PAGE_SIZE, build_server
from drift.registry import ServerName, Surface, parse_surface
from drift.servers import BLUEPRINTS

pytestmark = on_asyncio

SERVERS = tuple(str(name) for name in BLUEPRINTS)
EMPTY = {"type": "object"}


async def unread():
    raise AssertionError("listing must not read")


def many_things(count):
    tools = [
        types.Tool(name=f"tool_{number}", description="x", input_schema=EMPTY) for number in range(count)
    ]
    resources = [Resource(f"test://{number}", str(number), "x", unread) for number in range(count)]
    templates = [Template(f"test://{number}/{{id}}", str(number), "x", unread) for number in range(count)]
    return build_server(parts_of(PlainTools(tools), resources=Resources(resources, templates)))


@both_eras
async def test_long_lists_come_in_pages_that_make_the_whole(era):
    async with connect(many_things(250), era) as client:
        for list_page, items in (
            (client.list_tools, "tools"),
            (client.list_resources, "resources"),
            (client.list_resource_templates, "resource_templates"),
        ):
            names, cursor, pages = [], None, 0
            while pages == 0 or cursor:
                page = await list_page(cursor=cursor)
                names += [item.name for item in getattr(page, items)]
                cursor, pages = page.next_cursor, pages + 1

            assert len(names) == len(set(names)) == 250
            assert pages == -(-250 // LIST_PAGE_SIZE)


@both_eras
async def test_a_list_of_exactly_one_page_has_no_cursor(era):
    async with connect(many_things(LIST_PAGE_SIZE), era) as client:
        assert (await client.list_tools()).next_cursor is None


@both_eras
@pytest.mark.parametrize("cursor", ["", "MTAw", "x" * 5000, "é\x00"])
async def test_a_cursor_that_is_not_ours_is_refused(era, cursor):
    async with connect(many_things(250), era) as client:
        with pytest.raises(MCPError) as refused:
            await client.list_tools(cursor=cursor)

    assert refused.value.error.code == types.INVALID_PARAMS
    assert refused.value.error.data["code"] == "INVALID_CURSOR"


@both_eras
async def test_a_cursor_of_one_list_is_refused_by_another(era):
    async with connect(many_things(250), era) as client:
        cursor = (await client.list_tools()).next_cursor

        with pytest.raises(MCPError):
            await client.list_resources(cursor=cursor)


@both_eras
async def test_what_a_server_can_do_is_said_in_every_era(era, tmp_path):
    async with connect(real_server(tmp_path).mcp, era) as client:
        can = client.server_capabilities

    assert can.tools.list_changed
    assert can.prompts.list_changed
    assert can.resources.list_changed
    assert can.resources.subscribe
    assert can.completions is not None


@pytest.mark.parametrize("name", SERVERS)
async def test_lists_of_2026_say_how_long_and_for_whom_they_hold(name, tmp_path):
    async with connect(real_server(tmp_path, name).mcp, "auto") as client:
        listed = [
            await client.list_tools(),
            await client.list_prompts(),
            await client.list_resources(),
            await client.list_resource_templates(),
        ]
        read = await client.read_resource("drift://status") if name == "analysis" else None

    assert {(page.ttl_ms, page.cache_scope) for page in listed} == {(60_000, "private")}
    assert read is None or (read.ttl_ms, read.cache_scope) == (0, "private")


@both_eras
@pytest.mark.parametrize("surface", ["entry", "full", "consolidated"])
@pytest.mark.parametrize("name", SERVERS)
async def test_every_tool_says_what_it_may_change(era, name, surface, tmp_path):
    async with connect(real_server(tmp_path, name, surface).mcp, era) as client:
        tools = (await client.list_tools()).tools

    for tool in tools:
        assert tool.description, tool.name
        assert tool.title, tool.name
        assert tool.output_schema, tool.name
        assert tool.annotations is not None, tool.name
        assert tool.annotations.read_only_hint is not None, tool.name
        assert tool.annotations.open_world_hint is False, tool.name
        assert tool.annotations.read_only_hint or tool.annotations.destructive_hint is not None, tool.name


@both_eras
async def test_the_order_of_tools_does_not_change_between_servers(era, tmp_path):
    orders = []
    for _ in range(2):
        async with connect(real_server(tmp_path, surface="full").mcp, era) as client:
            orders.append([tool.name for tool in (await client.list_tools()).tools])

    assert orders[0] == orders[1]
    assert len(orders[0]) > 3


@both_eras
@pytest.mark.parametrize("name", SERVERS)
async def test_instructions_cost_a_model_less_than_150_tokens(era, name, tmp_path):
    async with connect(real_server(tmp_path, name).mcp, era) as client:
        instructions = client.instructions

    assert instructions == BLUEPRINTS[ServerName(name)].instructions(Surface("entry"))
    assert 10 < len(Tokenizer.from_pretrained("cl100k_base").encode(instructions)) < 150


@pytest.mark.parametrize("surface", ["entry", "core", "consolidated", "full", "simple", "pack:bug-fix"])
@pytest.mark.parametrize("name", SERVERS)
async def test_instructions_name_only_tools_the_surface_can_call(name, surface, tmp_path):
    if surface == "simple" and name != "memory":
        pytest.skip("only the memory server has it")
    server = real_server(tmp_path, name, surface)
    async with connect(server.mcp, "auto") as client:
        listed = {tool.name for tool in (await client.list_tools()).tools}
        instructions = client.instructions

    named = {
        word
        for word in re.findall(r"[a-z]+(?:_[a-z]+)+|[a-z]+(?=[(])", instructions)
        if word in server.runtime.toolbox
    }
    has_relay = any(tool.is_relay and tool.name in listed for tool in server.runtime.toolbox)

    assert instructions == BLUEPRINTS[ServerName(name)].instructions(parse_surface(surface))
    assert named <= listed or has_relay


@pytest.mark.parametrize(("surface", "most"), [("entry", 500), ("core", 1500)])
@pytest.mark.parametrize("name", SERVERS)
async def test_what_a_client_reads_first_is_short(name, surface, most, tmp_path):
    (tmp_path / "shop" / ".drift" / "memory").mkdir(parents=True)
    (tmp_path / "shop" / ".drift" / "memory" / "cortex.db").touch()
    async with connect(real_server(tmp_path, name, surface).mcp, "legacy") as client:
        listed = (await client.list_tools()).model_dump_json(by_alias=True, exclude_none=True)
        instructions = client.instructions

    assert len(Tokenizer.from_pretrained("cl100k_base").encode(listed + instructions)) <= most
