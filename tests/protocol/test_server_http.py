"""The factory's servers over HTTP: what memory streams cannot show."""

import threading
from contextlib import contextmanager

import anyio
import mcp_types as types
from mcp import Client
from server_world import PlainTools, both_eras, eventually, on_asyncio, parts_of, real_server, server_of

from drift.kernel.answer import Answer
from drift.protocol.http.app import create_app
from drift.protocol.http.serve import HttpServer
from drift.protocol.http.settings import HttpSettings, Mount
from drift.protocol.server import build_server
from drift.registry import Call, tool

pytestmark = on_asyncio

EVENTS: list[str] = []


@tool(category="surgical", title="Count", tokens=(1, 2), ttl=0)
def count_up(call: Call) -> Answer[int]:
    """Reports from a worker thread."""
    call.progress(1, 2, "half")
    call.progress(2, 2, "done")
    return Answer("counted", 2)


@tool(category="surgical", title="Wait", tokens=(1, 2), ttl=0)
def wait_in_thread(call: Call) -> Answer[int]:
    """Waits until the call is cancelled."""
    EVENTS.append("started")
    call.cancelled.wait(300)
    EVENTS.append("cancelled")
    return Answer("ended", 1)


@contextmanager
def over_http(server):
    settings = HttpSettings(port=0)
    mount = Mount("/mcp", server, lambda _name, _arguments: frozenset(), frozenset())
    app = create_app([mount], settings=settings, verifier=None, health=lambda: {"status": "ok"}, metrics=str)
    http = HttpServer(app, settings)
    is_ready = threading.Event()
    thread = threading.Thread(target=http.run, args=(lambda _server: is_ready.set(),))
    thread.start()
    try:
        assert is_ready.wait(300)
        yield f"{http.url}/mcp"
    finally:
        http.stop()
        thread.join(300)
        assert not thread.is_alive()


@both_eras
async def test_progress_comes_before_the_answer(era, tmp_path):
    reports = []

    async def note(done, total, message):
        reports.append(done)

    with over_http(server_of(tmp_path, count_up)) as url:
        async with Client(url, mode=era) as client:
            result = await client.call_tool("count_up", {}, progress_callback=note)
            at_answer = list(reports)

    assert result.structured_content["data"] == 2
    assert at_answer == [1, 2]


@both_eras
async def test_a_question_reaches_the_person(era, tmp_path):
    async def reply(context, params):
        return types.ElicitResult(action="accept", content={"name": "Shop", "register": False})

    with over_http(real_server(tmp_path).mcp) as url:
        async with Client(url, mode=era, elicitation_callback=reply) as client:
            result = await client.call_tool("drift_setup", {"action": "init"})

    assert result.structured_content["summary"].startswith("Shop")
    assert result.structured_content["data"]["assumed"] == []


@both_eras
async def test_cancelling_reaches_a_handler_in_its_thread(era, tmp_path):
    EVENTS.clear()
    with over_http(server_of(tmp_path, wait_in_thread)) as url:
        async with Client(url, mode=era) as client:
            async with anyio.create_task_group() as group:
                group.start_soon(client.call_tool, "wait_in_thread", {})
                await eventually(lambda: "started" in EVENTS)
                group.cancel_scope.cancel()
            await eventually(lambda: "cancelled" in EVENTS)


async def test_a_session_of_an_earlier_revision_is_told_of_changed_lists():
    heard = []

    async def hear(message):
        heard.append(message.method)

    async def announce(context, params):
        await server.notices.list_changed("tools")
        return types.CallToolResult(content=[])

    server = build_server(parts_of(PlainTools((), announce)))
    with over_http(server) as url:
        async with Client(url, mode="legacy", message_handler=hear) as client:
            can_tell = client.server_capabilities.tools.list_changed
            with anyio.fail_after(300):
                # What is said before the client has opened its stream is lost, as the revision has it.
                while not heard:
                    await client.call_tool("announce", {})
                    await anyio.sleep(0.02)

    assert can_tell
    assert set(heard) == {"notifications/tools/list_changed"}


async def test_whoever_watches_an_instruction_over_http_hears_of_an_edit_by_hand(tmp_path):
    server = real_server(tmp_path, "catalog").mcp
    folder = tmp_path / "shop/.drift/instructions"
    folder.mkdir(parents=True)
    heard = []

    async def hear(message):
        heard.append((message.method, getattr(message.params, "uri", None)))

    with over_http(server) as url:
        async with Client(url, mode="legacy", message_handler=hear) as client:
            await client.subscribe_resource("instructions://rule")
            (folder / "rule.json").write_text('{"id": "rule", "body": "Be kind."}')
            await eventually(lambda: ("notifications/resources/updated", "instructions://rule") in heard)
