import asyncio
import dataclasses
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pipeline_samples import Rows, make_tool

from drift.kernel.answer import Answer, NextAction, Pagination
from drift.kernel.errors import DriftError, ErrorCode
from drift.kernel.tokens import count_tokens
from drift.kernel.wire import PlainRows
from drift.pipeline.budget import Budget, shape
from drift.registry import Call, Outcome


@dataclass(frozen=True, slots=True)
class Caller:
    function: str
    file: str
    line: int


def callers(count):
    return Answer(
        f"{count} callers", {"callers": [Caller(f"name_{n}", f"src/app/{n}.py", n) for n in range(count)]}
    )


def test_an_answer_that_fits_is_left_as_it_is():
    outcome = shape(callers(3), 4_000, [])

    assert not outcome.truncated
    assert outcome.total_available is None
    assert len(outcome.body["data"]["callers"]) == 3
    assert outcome.tokens == count_tokens(outcome.text)


def test_lists_lose_their_tail_until_the_answer_fits():
    outcome = shape(callers(1_000), 500, [])

    kept = outcome.body["data"]["callers"]
    assert outcome.tokens <= 500
    assert outcome.truncated
    assert outcome.total_available == 1_000
    assert [row["line"] for row in kept] == list(range(len(kept)))
    assert len(kept) > 15


def test_without_lists_to_cut_long_texts_give_way():
    outcome = shape(Answer("one file", {"body": "word " * 5_000}), 300, [])

    assert outcome.tokens <= 300
    assert outcome.truncated
    assert outcome.body["data"]["body"].endswith("…")


def test_warnings_of_earlier_steps_join_those_of_the_tool():
    outcome = shape(Answer("x", {}, warnings=("own",)), 500, ["deprecated"])

    assert outcome.body["warnings"] == ["own", "deprecated"]


def test_absent_parts_are_left_out_and_present_ones_are_named():
    outcome = shape(Answer("x", {"a": 1}, next=(NextAction("drift_x", {}, "why"),)), 500, [])

    assert list(outcome.body) == ["summary", "data", "nextActions"]


nested_lists = st.recursive(
    st.integers() | st.text(max_size=40) | st.none(),
    lambda inner: (
        st.lists(inner, max_size=8) | st.dictionaries(st.text(min_size=1, max_size=6), inner, max_size=5)
    ),
    max_leaves=60,
)


@given(nested_lists, st.integers(100, 2_000))
def test_cutting_always_ends_and_never_grows_an_answer(data, max_tokens):
    whole = shape(Answer("s", {"value": data}), 10**9, [])
    cut = shape(Answer("s", {"value": data}), max_tokens, [])

    assert cut.tokens <= max(whole.tokens, max_tokens)
    assert set(cut.body["data"]) == {"value"}


def test_an_answer_outside_its_own_schema_is_an_internal_error(request_for):
    def drift_wrong(call: Call) -> Answer[Rows]:
        """Promises rows."""
        return Answer("x", {"rows": "none"})

    async def handler(request) -> Answer[Any]:
        return drift_wrong(None)

    with pytest.raises(DriftError) as caught:
        asyncio.run(Budget(handler)(request_for(make_tool(drift_wrong))))

    assert caught.value.code is ErrorCode.INTERNAL_ERROR


def test_a_finished_outcome_passes_as_it_is(request_for):
    done = Outcome(body={}, text="done")

    async def handler(request):
        return done

    assert asyncio.run(Budget(handler)(request_for())) is done


def test_a_page_that_was_cut_gives_no_cursor_that_would_skip_what_is_missing():
    page = Pagination(total=500, has_more=True, next_cursor="AVx0.signature", page_size=100)
    answer = dataclasses.replace(callers(100), pagination=page)

    cut, whole = shape(answer, 500, []), shape(answer, 100_000, [])

    assert cut.body["pagination"] == {"total": 500, "hasMore": True, "nextCursor": None, "pageSize": 100}
    assert "smaller limit" in cut.body["warnings"][0]
    assert cut.tokens <= 500
    assert whole.body["pagination"]["nextCursor"] == "AVx0.signature"
    assert "warnings" not in whole.body


@given(st.integers(0, 300), st.integers(50, 4_000))
def test_a_long_list_keeps_about_as_many_rows_as_fit(count, max_tokens):
    outcome = shape(callers(count), max_tokens, [])
    kept = len(outcome.body["data"]["callers"])
    more = shape(callers(int(kept * 1.25) + 2), 10**9, [])

    assert outcome.truncated == (kept < count)
    assert not outcome.truncated or outcome.tokens <= max_tokens or kept == 1
    assert not outcome.truncated or more.tokens > max_tokens


def test_cutting_leaves_rows_alone_that_others_hold_too():
    rows = PlainRows({"id": n, "tags": ["a", "b", "c"] * 30} for n in range(3))
    outcome = shape(Answer("x", {"rows": rows}), 60, [])

    assert outcome.truncated
    assert [len(row["tags"]) for row in rows] == [90, 90, 90]


def test_the_total_is_the_tools_own_where_it_gives_one():
    outcome = shape(dataclasses.replace(callers(100), total=5_000), 200, [])

    assert outcome.total_available == 5_000


def test_an_answer_that_a_question_got_before_is_shaped_once(request_for):
    words = ["x", "x", "y"]

    async def handler(request):
        return Answer("got", Rows((words.pop(0),)))

    budget, request = Budget(handler), request_for(make_tool(ttl=0))
    first, again, other = (asyncio.run(budget(request)) for _ in range(3))

    assert again is first
    assert other.body["data"] == {"rows": ["y"]}


def test_a_cut_page_is_gone_on_from_behind_what_it_shows():
    page = Pagination(
        total=500,
        has_more=False,
        next_cursor=None,
        page_size=100,
        shown=100,
        cursor_behind="behind {}".format,
    )
    cut = shape(dataclasses.replace(callers(100), pagination=page), 500, [])
    shown = len(cut.body["data"]["callers"])

    assert 1 < shown < 100
    assert cut.tokens <= 500
    assert cut.body["pagination"] == {
        "total": 500, "hasMore": True, "nextCursor": f"behind {shown}", "pageSize": shown,
    }  # fmt: skip
    assert f"page: {shown} of 500, next cursor: behind {shown}" in cut.text
    assert "warnings" not in cut.body


def test_where_two_lists_may_be_the_page_no_cursor_is_given_that_might_skip():
    page = Pagination(
        total=500, has_more=True, next_cursor="c", page_size=100, shown=100, cursor_behind="behind {}".format
    )
    answer = callers(100)
    data = {"lines": list(range(100)), **answer.data}
    cut = shape(dataclasses.replace(answer, data=data, pagination=page), 500, [])

    assert cut.truncated
    assert cut.body["pagination"]["nextCursor"] is None
    assert "smaller limit" in cut.body["warnings"][0]
