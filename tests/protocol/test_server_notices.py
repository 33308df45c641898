"""News of changed lists and resources, told in the way of each era."""

from contextlib import asynccontextmanager, closing

import anyio
import mcp_types as types
import pytest
from mcp.server.subscriptions import (
    PromptsListChanged,
    ResourcesListChanged,
    ResourceUpdated,
    ToolsListChanged,
)
from mcp.shared.exceptions import MCPError
from mcp.shared.memory import create_client_server_memory_streams
from mcp.shared.message import SessionMessage
from server_world import PlainTools, connect, eventually, on_asyncio, parts_of, real_server

from drift.memory import Memory, MemoryStore
from drift.protocol.server import build_server
from store_places import memory_db

pytestmark = on_asyncio

STATUS = "drift://status"
TOOLS = ("drift_status", "drift_callers", "drift_callees")


def hearing():
    heard = []

    async def hear(message):
        heard.append((message.method, getattr(message.params, "uri", None)))

    return hear, heard


async def test_before_2026_sessions_are_told_of_changed_lists_and_watched_resources(tmp_path):
    server = real_server(tmp_path).mcp
    hear, heard = hearing()
    async with connect(server, "legacy", message_handler=hear) as client:
        await eventually(lambda: server.notices._sessions)
        await client.subscribe_resource(STATUS)
        for name in ("tools", "prompts", "resources"):
            await server.notices.list_changed(name)
        await server.notices.resource_updated(STATUS)
        await server.notices.resource_updated("drift://capabilities")
        await eventually(lambda: len(heard) >= 4)

    assert heard == [
        ("notifications/tools/list_changed", None),
        ("notifications/prompts/list_changed", None),
        ("notifications/resources/list_changed", None),
        ("notifications/resources/updated", STATUS),
    ]


async def test_whoever_watches_the_status_hears_of_a_call_that_changed_something(tmp_path):
    assembled = real_server(tmp_path)
    hear, heard = hearing()
    async with connect(assembled.mcp, "legacy", message_handler=hear) as client:
        await eventually(lambda: assembled.mcp.notices._sessions)
        await client.subscribe_resource(STATUS)
        await client.call_tool("drift_status", {})
        await client.call_tool("drift_tool", {"name": "drift_telemetry", "args": {"action": "disable"}})
        await eventually(lambda: heard)

    assert heard == [("notifications/resources/updated", STATUS)]


async def test_before_2026_an_unsubscribed_session_hears_nothing_more(tmp_path):
    server = real_server(tmp_path).mcp
    hear, heard = hearing()
    async with connect(server, "legacy", message_handler=hear) as client:
        await eventually(lambda: server.notices._sessions)
        await client.subscribe_resource(STATUS)
        await client.unsubscribe_resource(STATUS)
        await client.unsubscribe_resource("drift://never-subscribed")
        await server.notices.resource_updated(STATUS)
        await server.notices.list_changed("tools")
        await eventually(lambda: heard)

    assert heard == [("notifications/tools/list_changed", None)]


async def test_since_2026_a_stream_carries_what_it_was_opened_for_and_nothing_else(tmp_path):
    server = real_server(tmp_path).mcp
    events = []
    async with (
        connect(server, "auto") as client,
        client.listen(tools_list_changed=True, resource_subscriptions=[STATUS]) as stream,
    ):
        await server.notices.list_changed("prompts")
        await server.notices.resource_updated("drift://capabilities")
        await server.notices.list_changed("tools")
        await server.notices.resource_updated(STATUS)
        with anyio.fail_after(300):
            async for event in stream:
                events.append(event)
                if len(events) == 2:
                    break

    assert events == [ToolsListChanged(), ResourceUpdated(uri=STATUS)]


async def test_since_2026_every_list_can_be_listened_to(tmp_path):
    server = real_server(tmp_path).mcp
    events = []
    async with (
        connect(server, "auto") as client,
        client.listen(
            tools_list_changed=True, prompts_list_changed=True, resources_list_changed=True
        ) as stream,
    ):
        for name in ("tools", "prompts", "resources"):
            await server.notices.list_changed(name)
        with anyio.fail_after(300):
            async for event in stream:
                events.append(event)
                if len(events) == 3:
                    break

    assert events == [ToolsListChanged(), PromptsListChanged(), ResourcesListChanged()]


async def test_clients_of_both_eras_are_told_at_once(tmp_path):
    server = real_server(tmp_path).mcp
    hear, heard = hearing()
    async with (
        connect(server, "legacy", message_handler=hear),
        connect(server, "auto") as modern,
        modern.listen(tools_list_changed=True) as stream,
    ):
        await eventually(lambda: server.notices._sessions)
        await server.notices.list_changed("tools")
        with anyio.fail_after(300):
            event = await anext(aiter(stream))
            await eventually(lambda: heard)

    assert event == ToolsListChanged()


async def test_a_client_that_is_gone_is_forgotten_and_keeps_nobody_else_from_hearing(tmp_path):
    server = real_server(tmp_path).mcp
    hear, heard = hearing()
    async with connect(server, "legacy", message_handler=hear):
        await eventually(lambda: server.notices._sessions)
        async with connect(server, "legacy") as leaving:
            await leaving.subscribe_resource(STATUS)
        await server.notices.resource_updated(STATUS)
        await server.notices.list_changed("tools")
        await eventually(lambda: heard)

    assert heard == [("notifications/tools/list_changed", None)]
    assert server.notices._watched == {}
    assert server.notices._sessions == {}
    assert server.notices._known == set()


@asynccontextmanager
async def deaf_client(server):
    """A session whose client shakes hands and then reads nothing more."""
    params = {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "deaf", "version": "1"},
    }
    hello = types.JSONRPCRequest(jsonrpc="2.0", id=1, method="initialize", params=params)
    ready = types.JSONRPCNotification(jsonrpc="2.0", method="notifications/initialized")
    async with (
        create_client_server_memory_streams() as ((reading, writing), streams),
        anyio.create_task_group() as group,
    ):
        group.start_soon(server.run, *streams, server.create_initialization_options())
        await writing.send(SessionMessage(hello))
        await reading.receive()
        await writing.send(SessionMessage(ready))
        yield
        group.cancel_scope.cancel()


async def test_a_client_that_does_not_read_delays_nobody_for_long(monkeypatch):
    monkeypatch.setattr("drift.protocol.notices._PATIENCE_SECONDS", 1.0)
    server = build_server(parts_of(PlainTools()))
    hear, heard = hearing()
    async with deaf_client(server), connect(server, "legacy", message_handler=hear):
        await eventually(lambda: len(server.notices._sessions) == 2)

        with anyio.fail_after(300):
            for _ in range(2):
                await server.notices.list_changed("tools")
        await eventually(lambda: len(heard) == 2)


async def test_subscriptions_of_a_session_have_a_limit(tmp_path, monkeypatch):
    monkeypatch.setattr("drift.protocol.notices._MAX_SUBSCRIPTIONS", 3)
    async with connect(real_server(tmp_path).mcp, "legacy") as client:
        for number in range(3):
            await client.subscribe_resource(f"drift://tools/{TOOLS[number]}")

        with pytest.raises(MCPError, match="too many") as refused:
            await client.subscribe_resource(STATUS)
        await client.unsubscribe_resource(f"drift://tools/{TOOLS[0]}")
        await client.subscribe_resource(STATUS)

    assert refused.value.error.code == types.INVALID_PARAMS


async def test_a_uri_too_long_to_keep_is_not_watched(tmp_path):
    async with connect(real_server(tmp_path).mcp, "legacy") as client:
        with pytest.raises(MCPError, match="longer"):
            await client.subscribe_resource("drift://" + "x" * 5_000)


async def test_subscribing_again_and_again_leaves_nothing_behind(tmp_path):
    server = real_server(tmp_path).mcp
    async with connect(server, "legacy") as client:
        for _ in range(50):
            await client.subscribe_resource(STATUS)
            await client.unsubscribe_resource(STATUS)
        (connection,) = server.notices._sessions.values()
        callbacks = len(connection.exit_stack._exit_callbacks)

    assert callbacks <= 2


async def test_since_2026_a_stream_hears_of_instructions_edited_by_hand_and_nobody_is_followed_after_it(
    tmp_path,
):
    server = real_server(tmp_path, "catalog").mcp
    folder = tmp_path / "shop/.drift/instructions"
    folder.mkdir(parents=True)
    async with connect(server, "2026-07-28") as client:
        async with client.listen(resource_subscriptions=["instructions://rule"]) as stream:
            (folder / "rule.json").write_text('{"id": "rule", "body": "Be kind."}')
            with anyio.fail_after(300):
                event = await anext(aiter(stream))
        await eventually(lambda: not server.notices.has_watchers)

    assert event.uri == "instructions://rule"


@pytest.mark.parametrize(
    "uri", ["drift://nothing", "https://example.com", "drift://tools/drift_no", "drift://files/no.py"]
)
async def test_what_cannot_be_read_cannot_be_watched(uri, tmp_path):
    server = real_server(tmp_path).mcp
    async with connect(server, "legacy") as client:
        with pytest.raises(MCPError, match="not found"):
            await client.subscribe_resource(uri)

    assert not server.notices._watched


async def test_since_2026_what_cannot_be_read_is_left_out_of_a_stream(tmp_path):
    server = real_server(tmp_path).mcp
    async with (
        connect(server, "auto") as client,
        client.listen(resource_subscriptions=[STATUS, "drift://nothing"]),
    ):
        assert server.notices.watched == {STATUS}

    await eventually(lambda: not server.notices.watched)


FROM_INDEX = [STATUS, "drift://files/main.py", "drift://callgraph/main"]


async def test_a_new_index_is_told_to_those_who_watch_what_is_read_from_it(tmp_path):
    assembled = real_server(tmp_path)
    hear, heard = hearing()
    async with connect(assembled.mcp, "legacy", message_handler=hear) as client:
        for uri in [*FROM_INDEX, "drift://tools/drift_status"]:
            await client.subscribe_resource(uri)
        (tmp_path / "shop" / "main.py").write_text("def main():\n    return other()\n\ndef other(): pass\n")
        await client.call_tool("drift_tool", {"name": "drift_callers", "args": {"symbol": "other"}})
        await eventually(lambda: len({uri for _method, uri in heard}) >= len(FROM_INDEX))

    assert {uri for _method, uri in heard} == set(FROM_INDEX)


async def test_since_2026_a_new_index_is_told_as_well(tmp_path):
    assembled = real_server(tmp_path)
    async with (
        connect(assembled.mcp, "auto") as client,
        client.listen(resource_subscriptions=["drift://files/main.py"]) as stream,
    ):
        (tmp_path / "shop" / "main.py").write_text("def main():\n    return other()\n\ndef other(): pass\n")
        await client.call_tool("drift_tool", {"name": "drift_callers", "args": {"symbol": "other"}})
        with anyio.fail_after(300):
            async for event in stream:
                assert event == ResourceUpdated(uri="drift://files/main.py")
                break


async def test_tools_that_come_with_a_memory_store_are_told_of(tmp_path):
    assembled = real_server(tmp_path, surface="full")
    hear, heard = hearing()
    async with connect(assembled.mcp, "legacy", message_handler=hear) as client:
        before = {tool.name for tool in (await client.list_tools()).tools}
        await client.call_tool("drift_callers", {"symbol": "main"})
        await eventually(lambda: assembled.runtime.index_state(assembled.runtime.project).is_usable)
        heard.clear()
        with closing(MemoryStore(memory_db(tmp_path / "shop"), now_ms=lambda: 1)) as store:
            store.add_many(
                [Memory(id="m_1", type="incident", title="t", recorded_at_ms=1, updated_at_ms=1)],
                actor="tests",
            )
        await eventually(lambda: heard)
        after = {tool.name for tool in (await client.list_tools()).tools}

    assert heard == [("notifications/tools/list_changed", None)]
    assert {"drift_why", "drift_memory_learn", "drift_grounding_check"} <= after - before
