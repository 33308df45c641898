"""What the next call says of the answer before it."""

from datetime import date
from pathlib import Path

import pytest
from pipeline_samples import make_tool

from drift.kernel.answer import Answer
from drift.pipeline.signals import SignalTracker
from drift.pipeline.usage import UsageLog
from drift.project import open_project
from drift.registry import Call, Caller, Outcome, ToolSigns

PLACE = Path("usage.db")
ANSWER = Outcome({"nextActions": [{"tool": "drift_other"}, {"tool": 5}, None]}, "ok")
FAILED = Outcome({"code": "TIMEOUT"}, "no", is_error=True)


def drift_other(call: Call, word: str = "x") -> Answer[dict[str, str]]:
    """Another."""
    return Answer("other", {})


def drift_third(call: Call) -> Answer[dict[str, str]]:
    """A third."""
    return Answer("third", {})


OTHER, THIRD = make_tool(drift_other), make_tool(drift_third)


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def says(request_for, clock):
    """What a call says of the one before it."""
    tracker = SignalTracker(clock)

    def note(
        definition=None, arguments=None, outcome=ANSWER, *, caller=None, after=1.0, depth=0, may_ask=True
    ):
        clock.now += after
        request = request_for(definition, arguments, caller)
        request.depth, request.may_ask = depth, may_ask
        return tracker.note(PLACE, request, outcome)

    return note


def test_the_first_call_says_nothing(says):
    assert says() is None


@pytest.mark.parametrize(
    ("definition", "arguments", "after", "signal"),
    [
        (None, {"word": "b"}, 1, "retried"),
        (None, {"word": "a"}, 1, None),
        (None, {"word": "a", "cursor": "next"}, 1, "followed"),
        (OTHER, {}, 1, "followed"),
        (THIRD, {}, 1, "moved_on"),
        (None, {"word": "b"}, 601, "ended"),
    ],
)
def test_what_comes_next_tells_of_the_answer(says, definition, arguments, after, signal):
    says(None, {"word": "a"})

    found = says(definition, arguments, after=after)

    assert found == (None if signal is None else ("drift_sample", signal))


def test_after_a_failure_the_same_again_says_nothing_of_an_answer(says):
    says(None, {"word": "a"}, FAILED)

    assert says(None, {"word": "b"}) is None


def test_callers_do_not_speak_for_each_other_and_tools_not_for_callers(says):
    says(None, {"word": "a"})

    assert says(None, {"word": "b"}, caller=Caller("eve")) is None
    assert says(None, {"word": "c"}, depth=1, may_ask=False) is None  # another tool made the call
    assert says(None, {"word": "d"}, depth=1) == ("drift_sample", "retried")  # through a door


def test_what_nothing_came_after_has_ended_once(request_for, clock):
    tracker = SignalTracker(clock)
    for caller, outcome in (("ada", ANSWER), ("eve", FAILED)):
        tracker.note(PLACE, request_for(caller=Caller(caller)), outcome)

    clock.now = 599
    assert tracker.end() == []
    clock.now = 600
    assert tracker.end() == [(PLACE, "drift_sample")]
    assert tracker.end() == []


def test_signs_are_kept_where_people_agreed_and_nowhere_else(root, request_for):
    (root / ".drift").mkdir()
    project = open_project(root, {}).prepare()
    day = [date(2026, 3, 1)]
    usage = UsageLog(lambda: day[0])
    usage.observe(request_for(), ANSWER, 1.0)
    assert usage.signs(project) is None

    usage.switch(project, enabled=True)
    for word in "abc":
        usage.observe(request_for(None, {"word": word}), ANSWER, 1.0)
    day[0] = date(2026, 3, 2)
    usage.observe(request_for(OTHER), ANSWER, 1.0)

    signs = usage.signs(project)
    assert signs.tools == (ToolSigns("drift_sample", followed=1, retried=2),)
    assert (signs.counted_days, signs.called) == (2, {"drift_sample", "drift_other"})

    day[0] = date(2026, 5, 30)  # ninety days later the first day is forgotten, and since when is not
    usage.observe(request_for(THIRD), ANSWER, 1.0)
    assert usage.signs(project).called == {"drift_other", "drift_third"}
    assert usage.signs(project).counted_days == 91
    assert usage.status(project).tools[0].tool == "drift_third"
    usage.close()
    assert usage.signs(project).tools[-1] == ToolSigns("drift_third", ended=1)
