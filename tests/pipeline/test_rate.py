import asyncio
from datetime import UTC, datetime

import pytest
from pipeline_samples import OK, answer_ok, make_tool

from drift.kernel.errors import DriftError, ErrorCode
from drift.pipeline.rate import RateLimiter, RateLimits
from drift.registry import Caller, Tier


class Clock:
    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


def test_the_window_slides_and_a_refused_call_counts_nowhere():
    clock = Clock()
    limiter = RateLimiter(RateLimits(overall=3, expensive=0), clock)
    assert [limiter.take("a", "t", Tier.NORMAL) for _ in range(3)] == [None, None, None]

    refused = limiter.take("a", "t", Tier.NORMAL)
    clock.now += 59.9
    still = limiter.take("a", "t", Tier.NORMAL)
    clock.now += 0.2
    freed = limiter.take("a", "t", Tier.NORMAL)

    assert refused.limit == 3
    assert refused.wait_seconds == pytest.approx(60)
    assert still.wait_seconds == pytest.approx(0.1)
    assert freed is None


def test_expensive_tools_and_single_tools_have_windows_of_their_own():
    limiter = RateLimiter(RateLimits(overall=100, expensive=2, per_tool={"drift_x": 1}), Clock())

    assert limiter.take("a", "slow", Tier.EXPENSIVE) is None
    assert limiter.take("a", "other", Tier.EXPENSIVE) is None
    assert limiter.take("a", "slow", Tier.EXPENSIVE).limit == 2
    assert limiter.take("a", "third", Tier.EXPENSIVE).what == "all expensive tools together"
    assert limiter.take("a", "drift_x", Tier.NORMAL) is None
    assert limiter.take("a", "drift_x", Tier.NORMAL).limit == 1
    assert limiter.take("a", "drift_x", Tier.NORMAL).what == "drift_x"
    assert limiter.take("a", "cheap", Tier.NORMAL) is None


def test_callers_do_not_use_up_each_others_calls():
    limiter = RateLimiter(RateLimits(overall=1), Clock())

    assert limiter.take("a", "t", Tier.NORMAL) is None
    assert limiter.take("b", "t", Tier.NORMAL) is None


def test_the_refusal_says_when_to_come_back(request_for):
    limiter = RateLimiter(RateLimits(overall=1), Clock(), lambda: datetime(2026, 1, 1, tzinfo=UTC))
    request = request_for()
    asyncio.run(limiter(request, answer_ok))

    with pytest.raises(DriftError) as caught:
        asyncio.run(limiter(request, answer_ok))

    wire = caught.value.as_wire()
    assert caught.value.code is ErrorCode.RATE_LIMITED
    assert wire["retryAfterMs"] == 60_000
    assert (wire["limit"], wire["remaining"]) == (1, 0)
    assert wire["resetAt"] == "2026-01-01T00:01:00.000+00:00"


def test_zero_switches_limits_off_and_relays_do_not_count(request_for):
    off = RateLimiter(RateLimits(overall=0, expensive=0), Clock())
    assert all(asyncio.run(off(request_for(), answer_ok)) is OK for _ in range(500))

    limiter = RateLimiter(RateLimits(overall=1), Clock())
    relay = request_for(make_tool(tier=Tier.RELAY))
    assert all(asyncio.run(limiter(relay, answer_ok)) is OK for _ in range(5))


def test_memory_for_callers_is_bounded():
    limiter = RateLimiter(RateLimits(overall=1), Clock())
    for number in range(3_000):
        limiter.take(Caller(id=str(number)).id, "t", Tier.NORMAL)

    assert len(limiter._calls) == 1_000
