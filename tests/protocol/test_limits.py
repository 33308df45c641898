import math

import anyio
import mcp_types as types
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp import Client
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from drift.kernel.errors import DriftError, ErrorCode
from drift.protocol.limits import InFlight, TokenBucket, WireLimits


class HandClock:
    """A clock that moves when it is told to."""

    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


@pytest.mark.parametrize(
    "values",
    [
        {"max_request_bytes": 0},
        {"max_in_flight": -1},
        {"burst": 0},
        {"drain_seconds": -0.1},
        {"sustained_per_second": math.nan},
        {"sustained_per_second": math.inf},
    ],
)
def test_a_limit_that_makes_no_sense_is_refused_by_name(values):
    with pytest.raises(DriftError, match=next(iter(values))) as caught:
        WireLimits(**values)

    assert caught.value.code is ErrorCode.CONFIG_INVALID


def test_the_defaults_are_those_of_the_wire_protocol():
    assert WireLimits() == WireLimits(
        max_request_bytes=1_048_576,
        max_response_bytes=10_485_760,
        max_depth=64,
        max_in_flight=128,
        max_waiting=1024,
        burst=1000,
        sustained_per_second=100,
        drain_seconds=30,
    )


def test_waiting_rate_and_drain_may_be_zero():
    limits = WireLimits(max_waiting=0, sustained_per_second=0, drain_seconds=0)

    assert limits.max_waiting == 0


def test_a_bucket_allows_its_burst_and_then_tells_the_wait():
    bucket = TokenBucket(3, 2.0, HandClock())

    assert [bucket.take() for _ in range(4)] == [0.0, 0.0, 0.0, 0.5]
    assert bucket.remaining == 0


def test_a_bucket_refills_at_its_pace_and_not_above_its_burst():
    clock = HandClock()
    bucket = TokenBucket(3, 2.0, clock)
    for _ in range(3):
        bucket.take()

    clock.now += 0.25
    assert bucket.take() == pytest.approx(0.25)
    clock.now += 3600
    assert [bucket.take() for _ in range(4)].count(0.0) == 3


def test_a_bucket_with_no_pace_never_refuses():
    bucket = TokenBucket(1, 0, HandClock())

    assert not any(bucket.take() for _ in range(1000))


def test_a_clock_that_steps_back_takes_no_tokens_away():
    clock = HandClock()
    bucket = TokenBucket(2, 1.0, clock)
    clock.now -= 50

    assert bucket.take() == 0.0


@given(
    burst=st.integers(1, 50),
    per_second=st.floats(0.01, 1000),
    gaps=st.lists(st.floats(0, 10), max_size=200),
)
def test_no_stretch_of_time_gets_more_than_burst_and_pace_allow(burst, per_second, gaps):
    clock = HandClock()
    bucket = TokenBucket(burst, per_second, clock)
    allowed = 0
    for gap in gaps:
        clock.now += gap
        allowed += bucket.take() == 0.0

    assert allowed <= burst + sum(gaps) * per_second + 1e-6


@given(burst=st.integers(1, 5), per_second=st.floats(0.1, 1000))
def test_who_waits_as_long_as_told_is_let_in(burst, per_second):
    clock = HandClock()
    bucket = TokenBucket(burst, per_second, clock)
    waits = [bucket.take() for _ in range(burst + 1)]

    clock.now += waits[-1] + 1e-9
    assert bucket.take() == 0.0


@pytest.fixture
def anyio_backend():
    return "asyncio"


class Gate:
    """A server whose one tool waits until it is let go."""

    def __init__(self, limits, clock):
        self.in_flight = InFlight(limits, clock)
        self.opened = anyio.Event()
        self.order = []
        self.server = Server("gate", on_call_tool=self.call_tool, on_list_tools=self.list_tools)
        self.server.middleware.insert(0, self.in_flight)

    async def call_tool(self, ctx, params):
        self.order.append(params.arguments["n"])
        await self.opened.wait()
        return types.CallToolResult(content=[])

    async def list_tools(self, ctx, params):
        return types.ListToolsResult(tools=[types.Tool(name="wait", input_schema={"type": "object"})])


async def settle():
    for _ in range(200):
        await anyio.lowlevel.checkpoint()


async def call_many(limits, numbers, meanwhile):
    """Make the calls at once, look at the gate while they wait, and return what each came to."""
    clock = HandClock()
    gate = Gate(limits, clock)
    outcomes = {}

    async def call(client, number):
        try:
            outcomes[number] = await client.call_tool("wait", {"n": number})
        except MCPError as error:
            outcomes[number] = error

    async with Client(gate.server) as client:
        await client.list_tools()
        async with anyio.create_task_group() as group:
            for number in numbers:
                group.start_soon(call, client, number)
            await settle()
            await meanwhile(gate, client, clock)
            gate.opened.set()
    return gate, outcomes


@pytest.mark.anyio
async def test_so_many_run_so_many_wait_and_the_rest_are_refused():
    counts = []

    async def look(gate, client, clock):
        counts.append((gate.in_flight.active, gate.in_flight.waiting))

    gate, outcomes = await call_many(WireLimits(max_in_flight=2, max_waiting=3), range(8), look)

    refused = [outcome for outcome in outcomes.values() if isinstance(outcome, MCPError)]
    assert counts == [(2, 3)]
    assert [error.code for error in refused] == [-32000] * 3
    assert refused[0].message.startswith("Server busy")
    assert refused[0].data["limit"] == 2
    assert (gate.in_flight.active, gate.in_flight.waiting) == (0, 0)


@pytest.mark.anyio
async def test_who_waits_is_served_in_order():
    async def look(gate, client, clock):
        return None

    gate, _ = await call_many(WireLimits(max_in_flight=1, max_waiting=9), range(6), look)

    assert gate.order == sorted(gate.order)
    assert len(gate.order) == 6


@pytest.mark.anyio
async def test_a_refusal_tells_the_moving_mean_of_call_times():
    async def move_on(gate, client, clock):
        clock.now += 2.0
        gate.opened.set()
        await settle()
        gate.opened = anyio.Event()
        async with anyio.create_task_group() as group:
            group.start_soon(client.call_tool, "wait", {"n": 1})
            await settle()
            with pytest.raises(MCPError) as caught:
                await client.call_tool("wait", {"n": 2})
            # Listing the tools took no time and the call two seconds, which weighs a tenth.
            assert caught.value.data["retryAfterMs"] == 200
            gate.opened.set()

    await call_many(WireLimits(max_in_flight=1, max_waiting=0), [0], move_on)


@pytest.mark.anyio
async def test_a_cancelled_call_gives_up_its_place_or_its_turn():
    gate = Gate(WireLimits(max_in_flight=1, max_waiting=5), HandClock())
    async with Client(gate.server) as client:
        for _ in range(2):
            with anyio.move_on_after(0.05):
                async with anyio.create_task_group() as group:
                    for number in range(3):
                        group.start_soon(client.call_tool, "wait", {"n": number})
        await settle()
        assert (gate.in_flight.active, gate.in_flight.waiting) == (0, 0)

        gate.opened.set()
        await client.call_tool("wait", {"n": 9})


@pytest.mark.anyio
async def test_idle_returns_when_the_last_call_has_ended():
    seen = []

    async def watch(gate):
        await gate.in_flight.idle()
        seen.append((gate.in_flight.active, gate.in_flight.waiting, gate.opened.is_set()))

    async def look(gate, client, clock):
        watchers.start_soon(watch, gate)
        watchers.start_soon(watch, gate)
        await settle()
        assert seen == []

    async with anyio.create_task_group() as watchers:
        gate, _ = await call_many(WireLimits(max_in_flight=2), range(4), look)
    await gate.in_flight.idle()

    assert seen == [(0, 0, True)] * 2


@pytest.mark.anyio
async def test_a_ping_passes_a_full_server():
    gate = Gate(WireLimits(max_in_flight=1, max_waiting=0), HandClock())
    async with Client(gate.server, mode="legacy") as client, anyio.create_task_group() as group:
        group.start_soon(client.call_tool, "wait", {"n": 0})
        await settle()

        await client.send_ping()

        assert gate.in_flight.active == 1
        gate.opened.set()
