import asyncio
import sqlite3
from contextlib import closing

import orjson
import pytest
from pipeline_samples import make_tool

from drift.pipeline.cache import Cache, Event, cache_key
from drift.pipeline.cache_store import KEPT_SECONDS, CacheStore
from drift.registry import Caller, Effect, Outcome, Scope


class Clock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


class Counter:
    """A handler that says how often it ran."""

    def __init__(self, *, is_error=False):
        self.runs = 0
        self.is_error = is_error
        self.gate = None

    async def __call__(self, request):
        self.runs += 1
        if self.gate:
            await self.gate.wait()
        return Outcome(body={"n": self.runs}, text=str(self.runs), is_error=self.is_error)


def ask(cache, request, handler):
    return asyncio.run(cache(request, handler))


def test_the_same_question_is_computed_once_and_marked_cached(request_for):
    cache, handler = Cache(10), Counter()
    first, second = request_for(), request_for()

    ask(cache, first, handler)
    answer = ask(cache, second, handler)

    assert handler.runs == 1
    assert (first.is_cached, second.is_cached) == (False, True)
    assert answer.body == {"n": 1}
    assert (cache.hits, cache.misses) == (1, 1)


def test_another_generation_project_argument_budget_or_right_is_another_question(request_for):
    base = request_for(arguments={"word": "a"})
    variants = [request_for(arguments={"word": "a"}) for _ in range(3)]
    variants[0].generation = "2"
    variants[1].max_tokens = 100
    variants[2].caller = Caller("bob", frozenset({Scope.READ}))
    variants.append(request_for(arguments={"word": "b"}))

    keys = {cache_key(request) for request in [base, *variants]}

    assert len(keys) == 5


def test_the_order_of_arguments_does_not_matter(request_for):
    one = request_for(arguments={"a": 1, "b": {"x": 1, "y": 2}})
    two = request_for(arguments={"b": {"y": 2, "x": 1}, "a": 1})

    assert cache_key(one) == cache_key(two)


def test_answers_expire_after_their_categorys_time(request_for):
    clock = Clock()
    cache, handler = Cache(10, clock), Counter()
    ask(cache, request_for(), handler)

    clock.now = 299
    ask(cache, request_for(), handler)
    clock.now = 301
    ask(cache, request_for(), handler)

    assert handler.runs == 2


def test_errors_and_writing_tools_are_never_kept(request_for):
    cache, failing = Cache(10), Counter(is_error=True)
    ask(cache, request_for(), failing)
    ask(cache, request_for(), failing)
    assert failing.runs == 2

    writing, handler = make_tool(effect=Effect.WRITES), Counter()
    ask(cache, request_for(writing), handler)
    ask(cache, request_for(writing), handler)
    assert handler.runs == 2


def test_identical_calls_that_arrive_together_share_one_computation(request_for):
    async def scenario():
        cache, handler = Cache(10), Counter()
        handler.gate = asyncio.Event()
        calls = [asyncio.create_task(cache(request_for(), handler)) for _ in range(20)]
        await asyncio.sleep(0)
        handler.gate.set()
        return handler.runs, await asyncio.gather(*calls)

    runs, answers = asyncio.run(scenario())

    assert runs == 1
    assert {answer.text for answer in answers} == {"1"}


def test_when_the_computing_call_is_cancelled_the_others_still_get_their_answer(request_for):
    async def scenario():
        cache, handler = Cache(10), Counter()
        handler.gate = asyncio.Event()
        first = asyncio.create_task(cache(request_for(), handler))
        await asyncio.sleep(0)
        second = asyncio.create_task(cache(request_for(), handler))
        await asyncio.sleep(0)
        first.cancel()
        handler.gate.set()
        return await second, handler.runs

    answer, runs = asyncio.run(scenario())

    assert answer.text == "2"
    assert runs == 2


def test_a_clearing_during_a_computation_keeps_its_answer_out(request_for):
    async def scenario():
        cache, handler = Cache(10), Counter()
        handler.gate = asyncio.Event()
        call = asyncio.create_task(cache(request_for(), handler))
        await asyncio.sleep(0)
        cache.invalidate(Event.SCANNED)
        handler.gate.set()
        await call
        return len(cache)

    assert asyncio.run(scenario()) == 0


def test_invalidation_goes_by_event_project_and_category(request_for):
    cache, handler = Cache(10), Counter()
    ask(cache, request_for(make_tool(category="surgical"), {"word": "a"}), handler)
    ask(cache, request_for(make_tool(category="detail"), {"word": "b"}), handler)
    project = request_for().settled_project

    assert cache.invalidate(Event.CURATED, project) == 1
    assert len(cache) == 1
    assert cache.invalidate(Event.SCANNED, project) == 1


def test_the_oldest_answers_give_way(request_for):
    cache, handler = Cache(2), Counter()
    for word in "abc":
        ask(cache, request_for(arguments={"word": word}), handler)

    assert len(cache) == 2


def test_the_second_level_survives_a_restart_until_it_is_an_hour_old(request_for, tmp_path):
    clock, path = Clock(), tmp_path / "cache.db"
    handler = Counter()
    ask(Cache(10, store=lambda _project: CacheStore(path, clock)), request_for(), handler)

    request = request_for()
    kept = ask(Cache(10, store=lambda _project: CacheStore(path, clock)), request, handler)
    clock.now = KEPT_SECONDS + 1
    ask(Cache(10, store=lambda _project: CacheStore(path, clock)), request_for(), handler)

    assert kept.body == {"n": 1}
    assert request.is_cached
    assert handler.runs == 2


def test_forgetting_reaches_the_second_level(request_for, tmp_path):
    store = CacheStore(tmp_path / "cache.db")
    cache, handler = Cache(10, store=lambda _project: store), Counter()
    ask(cache, request_for(), handler)

    cache.forget(request_for().settled_project)
    ask(cache, request_for(), handler)

    assert handler.runs == 2


@pytest.mark.parametrize("content", [b"not a database at all, but long enough to look like one" * 50, b""])
def test_a_broken_second_level_never_breaks_a_call(request_for, tmp_path, content):
    path = tmp_path / "cache.db"
    path.write_bytes(content)
    handler = Counter()

    answer = ask(Cache(10, store=lambda _project: CacheStore(path)), request_for(), handler)

    assert answer.body == {"n": 1}


@pytest.mark.parametrize(
    "script",
    [
        "CREATE TABLE answers (of, another, version)",
        "CREATE VIEW answers AS SELECT 1 AS key, 2 AS category, 3 AS kept_at, 4 AS outcome",
    ],
)
def test_a_second_level_that_is_not_ours_is_made_anew(request_for, tmp_path, script):
    path, handler = tmp_path / "cache.db", Counter()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(script)

    for _ in range(2):
        ask(Cache(10, store=lambda _project: CacheStore(path)), request_for(), handler)

    assert handler.runs == 1


@pytest.mark.parametrize(
    "row",
    [
        {"body": 5},
        {"body": []},
        {"text": None},
        {"tokens": "many"},
        {"truncated": 1},
        {"totalAvailable": "all"},
        {"links": [5]},
        {"links": [{"uri": 1, "name": "n", "description": "", "mimeType": ""}]},
    ],
)
def test_a_kept_answer_that_is_none_is_computed_anew(request_for, tmp_path, row):
    path, handler = tmp_path / "cache.db", Counter()
    ask(Cache(10, store=lambda _project: CacheStore(path)), request_for(), handler)
    with closing(sqlite3.connect(path)) as connection, connection:
        (kept,) = connection.execute("SELECT outcome FROM answers").fetchone()
        connection.execute("UPDATE answers SET outcome = ?", (orjson.dumps({**orjson.loads(kept), **row}),))

    answer = ask(Cache(10, store=lambda _project: CacheStore(path)), request_for(), handler)

    assert answer.body == {"n": 2}


def test_forgetting_everything_reaches_every_second_level(request_for, tmp_path):
    cache, handler = Cache(10, store=lambda _project: CacheStore(tmp_path / "cache.db")), Counter()
    ask(cache, request_for(), handler)

    cache.forget()
    ask(cache, request_for(), handler)

    assert handler.runs == 2


def test_a_huge_answer_is_not_kept(request_for):
    cache = Cache(10)

    async def answer_at_length(_request):
        return Outcome({"n": 1}, "x" * 100_001)

    ask(cache, request_for(), answer_at_length)

    assert len(cache) == 0


class Slow(Counter):
    """A handler that takes a while of a test's clock."""

    def __init__(self, clock, seconds=5.0):
        super().__init__()
        self.clock, self.seconds = clock, seconds

    async def __call__(self, request):
        self.clock.now += self.seconds
        return await super().__call__(request)


@pytest.fixture
def costly():
    return make_tool(serves_old=lambda arguments: arguments.get("word") != "now")


@pytest.fixture
def asked(request_for, costly):
    """A request about the index of a generation, as the steps before the cache leave it."""

    def make(generation, word="x", tool=costly):
        request = request_for(tool, arguments={"word": word})
        request.generation, request.freshness, request.data_age = (
            str(generation),
            "fresh",
            f"day {generation}",
        )
        return request

    return make


async def settle(cache):
    """Let what is made beside the calls come to its end."""
    while cache._renewals:
        await asyncio.gather(*cache._renewals.values(), return_exceptions=True)
        await asyncio.sleep(0)


def test_after_a_change_a_costly_tool_answers_at_once_with_the_old_answer_and_says_so(asked):
    clock = Clock()
    cache, handler = Cache(10, clock), Slow(clock)

    async def calls():
        await cache(asked(1), handler)
        handler.gate = asyncio.Event()
        second, third = asked(2), asked(2)
        old = [await cache(second, handler), await cache(third, handler)]
        handler.gate.set()
        await settle(cache)
        fourth = asked(2)
        return old, (second, third), await cache(fourth, handler), fourth

    old, stale, new, fresh = asyncio.run(calls())

    assert [answer.body for answer in old] == [{"n": 1}, {"n": 1}]
    for request in stale:
        assert (request.freshness, request.data_age, request.is_cached) == ("stale", "day 1", True)
        assert "a new answer is being made" in request.notices[0]
    assert new.body == {"n": 2}
    assert (fresh.freshness, fresh.data_age, fresh.notices) == ("fresh", "day 2", [])
    assert handler.runs == 2


@pytest.mark.parametrize("case", ["quick", "another tool", "asked for what is now", "expired"])
def test_an_old_answer_is_given_only_where_it_spares_a_long_wait(asked, case):
    clock = Clock()
    cache = Cache(10, clock)
    handler = Slow(clock, 0.5 if case == "quick" else 5.0)
    tool = {"tool": make_tool()} if case == "another tool" else {}
    word = "now" if case == "asked for what is now" else "x"
    ask(cache, asked(1, word, **tool), handler)
    clock.now += 10_000 if case == "expired" else 0
    request = asked(2, word, **tool)

    answer = ask(cache, request, handler)

    assert answer.body == {"n": 2}
    assert request.freshness == "fresh"


def test_after_a_write_of_a_caller_no_old_answer_is_given(asked, request_for):
    clock = Clock()
    cache, handler = Cache(10, clock), Slow(clock)
    ask(cache, asked(1), handler)
    ask(cache, request_for(make_tool(effect=Effect.WRITES)), Counter())
    request = asked(2)

    assert ask(cache, request, handler).body == {"n": 2}
    assert request.freshness == "fresh"


def test_an_answer_asked_for_often_is_made_anew_before_it_expires(asked, costly):
    clock = Clock()
    cache, handler = Cache(10, clock), Slow(clock)

    async def calls():
        await cache(asked(1), handler)
        clock.now += costly.ttl_seconds * 0.5
        await cache(asked(1), handler)
        assert not cache._renewals
        clock.now += costly.ttl_seconds * 0.4
        await cache(asked(1), handler)
        await settle(cache)
        clock.now += costly.ttl_seconds * 0.5
        later = asked(1)
        return await cache(later, handler), later

    answer, later = asyncio.run(calls())

    assert (answer.body, later.is_cached, handler.runs) == ({"n": 2}, True, 2)


def test_a_renewal_that_fails_is_logged_and_the_next_call_tries_again(asked, caplog):
    clock = Clock()
    cache, handler = Cache(10, clock), Slow(clock)

    async def fail(_request):
        raise RuntimeError("no luck")

    async def calls():
        await cache(asked(1), handler)
        await cache(asked(2), fail)
        await settle(cache)
        await cache(asked(2), handler)
        await settle(cache)
        return await cache(asked(2), handler)

    assert asyncio.run(calls()).body == {"n": 2}
    assert "no luck" in caplog.text
