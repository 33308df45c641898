"""Progress on its way to the client, and cancellation on its way to the handler, in both eras."""

import threading
from typing import Annotated

import anyio
import mcp_types as types
import pytest
from server_world import both_eras, connect, eventually, on_asyncio, server_of

from drift.kernel.answer import Answer
from drift.kernel.errors import DriftError
from drift.registry import Call, Question, Range, tool

pytestmark = on_asyncio

EVENTS: list[str] = []
GATE = threading.Event()


@pytest.fixture(autouse=True)
def _forget():
    EVENTS.clear()
    GATE.clear()


@tool(category="surgical", title="Count", tokens=(1, 2), ttl=0)
def count_up(call: Call, steps: Annotated[int, Range(1, 10_000)] = 3) -> Answer[int]:
    """Reports each step from a worker thread."""
    for step in range(steps):
        call.progress(step, steps, f"step {step}")
    call.progress(steps, steps, "done")
    return Answer("counted", steps)


@tool(category="surgical", title="Count on the loop", tokens=(1, 2), ttl=0)
async def count_on_loop(call: Call) -> Answer[int]:
    """Reports from the event loop, the last time just before it answers."""
    for step in range(3):
        call.progress(step, 3, f"step {step}")
        await anyio.sleep(0.06)
    call.progress(3, 3, "done")
    return Answer("counted", 3)


@tool(category="surgical", title="Report and fail", tokens=(1, 2), ttl=0)
def report_and_fail(call: Call) -> Answer[int]:
    """Reports once, then fails."""
    call.progress(1, 2, "half")
    raise RuntimeError("no")


@tool(category="surgical", title="Report and ask", tokens=(1, 2), ttl=0)
async def report_and_ask(call: Call) -> Answer[int]:
    """Reports once, then asks."""
    call.progress(1, 2, "before the question")
    await call.client.ask(Question("sure", "Sure?", {"type": "object", "properties": {}}))
    return Answer("asked", 1)


@tool(category="surgical", title="Work in a thread", tokens=(1, 2), ttl=0)
def work_in_thread(call: Call) -> Answer[int]:
    """Works until nobody waits for it any more."""
    EVENTS.append("started")
    while not GATE.wait(0.005):
        try:
            call.check_cancelled()
        except DriftError:
            EVENTS.append("thread saw the cancellation")
            raise
    return Answer("worked", 1)


@tool(category="surgical", title="Work on the loop", tokens=(1, 2), ttl=0)
async def work_on_loop(call: Call) -> Answer[int]:
    """Waits until nobody waits for it any more."""
    EVENTS.append("started")
    try:
        await anyio.sleep(60)
    except BaseException:
        EVENTS.append("coroutine saw the cancellation")
        raise
    return Answer("worked", 1)


@both_eras
@pytest.mark.parametrize("name", ["count_up", "count_on_loop"])
async def test_progress_arrives_in_order_and_before_the_answer(era, name, tmp_path):
    reports: list[tuple[float, str | None]] = []

    async def note(done, total, message):
        reports.append((done, message))

    async with connect(server_of(tmp_path, count_up, count_on_loop), era) as client:
        await client.call_tool(name, {}, progress_callback=note)
        at_answer = list(reports)
        await anyio.sleep(0.05)

    assert at_answer == sorted(at_answer)
    assert at_answer[-1] == (3, "done")
    assert reports == at_answer


@both_eras
async def test_a_flood_of_reports_is_thinned_and_its_last_one_kept(era, tmp_path):
    reports: list[float] = []

    async def note(done, total, message):
        reports.append(done)

    async with connect(server_of(tmp_path, count_up), era) as client:
        await client.call_tool("count_up", {"steps": 5_000}, progress_callback=note)

    assert reports[-1] == 5_000
    assert len(reports) < 200


@both_eras
async def test_reports_of_a_tool_that_fails_arrive_before_its_error(era, tmp_path):
    order: list[str] = []

    async def note(done, total, message):
        order.append("report")

    async with connect(server_of(tmp_path, report_and_fail), era) as client:
        result = await client.call_tool("report_and_fail", {}, progress_callback=note)
        order.append("answer")

    assert result.is_error
    assert order == ["report", "answer"]


@both_eras
async def test_reports_before_a_question_arrive_before_it(era, tmp_path):
    order: list[str] = []

    async def note(done, total, message):
        order.append("report")

    async def reply(context, params):
        order.append("question")
        return types.ElicitResult(action="accept", content={})

    async with connect(server_of(tmp_path, report_and_ask), era, elicitation_callback=reply) as client:
        await client.call_tool("report_and_ask", {}, progress_callback=note)

    assert order[:2] == ["report", "question"]


@both_eras
async def test_nobody_is_told_of_progress_who_did_not_ask(era, tmp_path):
    heard: list[object] = []

    async def hear(message):
        heard.append(message)

    async with connect(server_of(tmp_path, count_up), era, message_handler=hear) as client:
        result = await client.call_tool("count_up", {})

    assert result.structured_content["data"] == 3
    assert heard == []


@both_eras
@pytest.mark.parametrize(
    ("name", "sight"),
    [
        ("work_in_thread", "thread saw the cancellation"),
        ("work_on_loop", "coroutine saw the cancellation"),
    ],
)
async def test_cancelling_a_call_reaches_its_handler_and_the_server_lives_on(era, name, sight, tmp_path):
    async with connect(server_of(tmp_path, work_in_thread, work_on_loop, count_up), era) as client:
        async with anyio.create_task_group() as group:
            group.start_soon(client.call_tool, name, {})
            await eventually(lambda: "started" in EVENTS)
            group.cancel_scope.cancel()

        await eventually(lambda: sight in EVENTS)
        after = await client.call_tool("count_up", {})

    assert after.structured_content["data"] == 3


@both_eras
async def test_a_tool_that_takes_too_long_is_stopped_and_says_so(era, tmp_path):
    server = server_of(tmp_path, work_in_thread, DRIFT_MCP_CALL_TIMEOUT_SECONDS="1")
    async with connect(server, era) as client:
        result = await client.call_tool("work_in_thread", {})
        await eventually(lambda: "thread saw the cancellation" in EVENTS)

    assert result.structured_content["code"] == "TIMEOUT"
