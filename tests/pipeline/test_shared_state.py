"""Several servers share rates and news of changes in a Redis; without it each is careful on its own, and none answers wrongly."""

import asyncio
import logging
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from pipeline_samples import OK, make_tool
from redis_server import RedisServer

from drift.kernel.errors import DriftError, ErrorCode
from drift.pipeline.cache import Cache
from drift.pipeline.rate import RateLimiter, RateLimits
from drift.pipeline.request import compose
from drift.pipeline.shared_state import SharedState, Window
from drift.registry import Effect

MINUTE = 60.0


@pytest.fixture(scope="module")
def redis():
    with tempfile.TemporaryDirectory(prefix="drift-redis-") as folder:  # a socket's path must be short
        server = RedisServer(Path(folder))
        yield server
        server.stop()


@pytest.fixture(autouse=True)
def empty(redis):
    """A store without anything in it, and running."""
    subprocess.run(
        ["redis-cli", "-s", redis.url.removeprefix("unix://"), "flushall"],
        check=True,
        stdout=subprocess.DEVNULL,
    )


class Server:
    """The two steps of a server that ask the shared state, around a tool that counts how often it ran."""

    def __init__(self, redis, clock=None, **limits):
        self.state = SharedState(redis.url, **({} if clock is None else {"clock": clock}))
        self.cache = Cache(10, shared=self.state)
        rate = RateLimiter(RateLimits(**limits), shared=self.state, heed=self.cache.heed, server="analysis")
        self.runs = 0
        self._call = compose((rate, self.cache), self._run)

    async def _run(self, _request):
        self.runs += 1
        return OK

    async def call(self, request):
        return await self._call(request)


def run(work):
    """Run a test's coroutine, which closes the servers it is given."""

    async def running():
        servers = []

        def serve(*given, **limits):
            servers.append(Server(*given, **limits))
            return servers[-1]

        try:
            await work(serve)
        finally:
            for server in servers:
                await server.state.close()

    asyncio.run(running())


def test_a_limit_holds_for_all_servers_together(redis, request_for):
    async def work(serve):
        one, other = serve(redis, overall=3, expensive=0), serve(redis, overall=3, expensive=0)
        for server in (one, other, one):
            await server.call(request_for())

        with pytest.raises(DriftError) as refused:
            await other.call(request_for())

        assert refused.value.code is ErrorCode.RATE_LIMITED
        assert 0 < refused.value.recovery.retry_after_ms <= 60_000
        assert other.runs == 1

    run(work)


def test_a_refused_call_counts_nowhere_and_windows_slide(redis):
    async def work(serve):
        state = serve(redis).state
        two, wide = Window("analysis:two", 2), Window("analysis:wide", 100)
        taken = [await state.take("a", (wide, two), 0.2) for _ in range(3)]
        await asyncio.sleep(0.25)

        later = await state.take("a", (wide, two), 0.2)

        assert [each.full for each in taken] == [None, None, 1]
        assert later.full is None

    run(work)


def test_what_one_server_changes_no_other_answers_from_before(redis, request_for):
    reading, writing = make_tool(ttl=60), make_tool(ttl=0, effect=Effect.WRITES)

    async def work(serve):
        one, other = serve(redis), serve(redis)
        for _ in range(2):
            await one.call(request_for(reading))
        before = one.runs

        await other.call(request_for(writing))
        await one.call(request_for(reading))

        assert (before, one.runs) == (1, 2)

    run(work)


def test_without_the_store_no_kept_answer_is_given_and_each_server_counts_for_itself(
    redis, request_for, caplog
):
    reading = make_tool(ttl=60)

    async def work(serve):
        moment = [0.0]
        server = serve(redis, lambda: moment[0], overall=3, expensive=0)
        await server.call(request_for(reading))
        redis.stop()
        with caplog.at_level(logging.WARNING):
            for _ in range(3):
                moment[0] += 2.0
                await server.call(request_for(reading))
            with pytest.raises(DriftError):
                await server.call(request_for(reading))
        away = server.state.problem
        redis.start()
        moment[0] += 2.0
        await server.call(request_for(reading))
        await server.call(request_for(reading))

        assert (server.runs, away is not None, server.state.problem) == (5, True, None)
        assert [each.message for each in caplog.records if "cannot be reached" in each.message] != []

    run(work)


def test_a_change_during_an_outage_is_told_afterwards(redis, request_for):
    reading, writing = make_tool(ttl=60), make_tool(ttl=0, effect=Effect.WRITES)

    async def work(serve):
        moment = [0.0]
        one, other = serve(redis, lambda: moment[0]), serve(redis, lambda: moment[0])
        await one.call(request_for(reading))
        redis.stop()
        await other.call(request_for(writing))
        redis.start()
        moment[0] += 2.0
        await other.call(request_for(reading))

        await one.call(request_for(reading))

        assert one.runs == 2

    run(work)


@pytest.mark.parametrize("url", ["http://x", "redis//x", "redis://host:port/0"])
def test_an_address_that_is_none_is_told_without_its_password(url):
    with pytest.raises(DriftError, match="DRIFT_STATE_URL") as refused:
        SharedState(url.replace("://", "://me:hunter2@"))

    assert refused.value.code is ErrorCode.CONFIG_INVALID
    assert "hunter2" not in str(refused.value)


def test_without_an_address_nothing_of_the_client_is_loaded():
    code = "import sys; import drift.pipeline; sys.exit('redis' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
