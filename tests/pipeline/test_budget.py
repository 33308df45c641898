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
from drift.kernel.render import render_error
from drift.kernel.tokens import count_tokens
from drift.kernel.wire import PlainRows
from drift.pipeline.budget import Budget, shape
from drift.pipeline.cutting import fit_error
from drift.registry import Call, Outcome
from drift.registry.outcome import cut_note


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
def test_no_answer_is_longer_than_allowed(data, max_tokens):
    whole = shape(Answer("s", {"value": data}), 10**9, [])
    cut = shape(Answer("s", {"value": data}), max_tokens, [])

    assert cut.tokens == count_tokens(cut.full_text) <= max_tokens
    assert cut.truncated == (whole.tokens > max_tokens)
    assert set(cut.body.get("data", {"value": None})) == {"value"}


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


@given(st.integers(0, 300), st.integers(100, 4_000))
def test_a_long_list_keeps_about_as_many_rows_as_fit(count, max_tokens):
    outcome = shape(callers(count), max_tokens, [])
    kept = len(outcome.body["data"]["callers"])
    more = shape(callers(int(kept * 1.25) + 2), 10**9, [])

    assert outcome.truncated == (kept < count)
    assert outcome.tokens <= max_tokens
    assert not outcome.truncated or more.tokens + count_tokens(cut_note(count)) > max_tokens


def test_cutting_leaves_rows_alone_that_others_hold_too():
    rows = PlainRows({"id": n, "tags": ["a", "b", "c"] * 30} for n in range(3))
    outcome = shape(Answer("x", {"rows": rows}), 100, [])

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


def test_of_thousands_of_short_lists_all_are_shortened():
    data = {"files": [{"names": [f"name_{n}_{m}" for m in range(6)]} for n in range(200)]}
    outcome = shape(Answer("many", data), 300, [])

    assert outcome.tokens <= 300
    assert outcome.body["data"]["files"]


def test_what_cannot_be_cut_is_left_out_and_why_is_said():
    data = {f"count_{n}": n for n in range(400)}
    outcome = shape(Answer("400 counts " + "and a long tale " * 50, data), 100, [])

    assert outcome.tokens == count_tokens(outcome.full_text) <= 100
    assert list(outcome.body) == ["summary", "warnings"]
    assert outcome.body["summary"].startswith("400 counts")
    assert "maxTokens is 100" in outcome.body["warnings"][0]


def test_next_actions_and_warnings_give_way_before_the_data():
    next_calls = tuple(NextAction("drift_x", {"n": n}, "a reason " * 10) for n in range(9))
    answer = Answer("few", {"value": 1}, next=next_calls, warnings=tuple("some word " * 30 for _ in range(9)))
    outcome = shape(answer, 250, [])

    assert outcome.tokens <= 250
    assert outcome.body["data"] == {"value": 1}
    assert outcome.body["warnings"][-1] == "and 6 more"


def test_a_page_inside_an_answer_loses_its_cursor_with_its_rows():
    page = {"total": 500, "hasMore": True, "nextCursor": "AVx0.signature", "pageSize": 100}
    inner = {"summary": "s", "data": {"rows": [f"row {n}" for n in range(100)]}, "pagination": page}
    whole = {"summary": "t", "data": {"rows": ["row"]}, "pagination": dict(page)}
    outcome = shape(Answer("two", {"results": [{"answer": inner}, {"answer": whole}]}), 300, [])

    cut, kept = (each["answer"] for each in outcome.body["data"]["results"])
    assert cut["pagination"]["nextCursor"] is None
    assert kept["pagination"]["nextCursor"] == "AVx0.signature"


@pytest.mark.parametrize("max_tokens", [100, 200])
def test_an_error_is_no_longer_than_allowed(max_tokens):
    error = {"code": "X", "message": "wrong " * 400, "hint": "do it " * 50, "similar": ["a"] * 90}
    short = fit_error(error, max_tokens)

    assert count_tokens(render_error(short)) <= max_tokens
    assert short["code"] == "X"
    assert short["message"].startswith("wrong")
