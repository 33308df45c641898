"""The person at the keyboard, asked and told."""

import asyncio
import threading

import pytest

from drift.cli.progress_line import ProgressLine, describe
from drift.cli.terminal_client import TerminalClient
from drift.registry import Question

QUESTION = Question(
    "setup",
    "Set up?",
    {
        "type": "object",
        "properties": {
            "name": {"type": "string", "title": "Name", "default": "shop"},
            "register": {"type": "boolean", "title": "Register", "default": True},
            "mode": {"type": "string", "enum": ["fast", "slow"], "default": "fast"},
        },
    },
)


class Clock:
    """A clock that stands still until it is set."""

    now = 0.0

    def __call__(self):
        return self.now


def wait_until(claim):
    waiting = threading.Event()
    for _ in range(600):
        if claim():
            return
        waiting.wait(0.1)
    raise AssertionError("never came true")


def ask(console):
    return asyncio.run(TerminalClient(console).ask(QUESTION))


@pytest.mark.parametrize(
    ("typed", "content"),
    [
        (b"\n\n\n", {"name": "shop", "register": True, "mode": "fast"}),
        (b"mine\nn\nslow\n", {"name": "mine", "register": False, "mode": "slow"}),
        (b"mine\nwhat\nNO\nslow\n", {"name": "mine", "register": False, "mode": "slow"}),
        (b"mine\nwhat\nwhat\nwhat\n\n", {"name": "mine", "register": True, "mode": "fast"}),
    ],
)
def test_what_is_typed_is_the_reply_and_nothing_typed_is_the_default(place, typed, content):
    reply = ask(place.console(is_screen=True, stdin=typed))

    assert reply.accepted
    assert reply.content == content


def test_the_end_of_input_declines(place):
    assert not ask(place.console(is_screen=True, stdin=b"mine\n")).accepted


def test_without_a_terminal_nobody_is_asked(place):
    client = TerminalClient(place.console(stdin=b"mine\n"))

    assert not client.can_answer
    assert asyncio.run(client.ask(QUESTION)) is None


def test_someone_who_said_yes_to_everything_is_not_asked(place):
    client = TerminalClient(place.console(is_screen=True), may_ask=False)

    assert asyncio.run(client.ask(QUESTION)) is None


def test_progress_is_one_line_rewritten_now_and_then_and_wiped_at_the_end(place):
    console = place.console(is_screen=True)
    clock = Clock()
    client = TerminalClient(console, clock=clock)

    client.report(1, 10, "parsing\x1b[31m")
    clock.now = 0.01
    client.report(2, 10, "too soon")
    clock.now = 0.5
    client.report(3, None, "linking")
    client.finish()
    client.finish()

    assert console.stderr.getvalue() == "\r\x1b[Kparsing\\x1b[31m  1/10\r\x1b[Klinking  3\r\x1b[K"


def test_what_tells_nothing_is_said_to_be_under_way_by_itself(place):
    console = place.console(is_screen=True)
    clock = Clock()
    line = ProgressLine(console, "measuring", clock)
    clock.now = 75.0

    wait_until(lambda: "measuring  1 min 15 s" in console.stderr.getvalue())
    line.end()

    assert console.stderr.getvalue().endswith("\r\x1b[K")


@pytest.mark.parametrize(
    ("done", "total", "seconds", "said"),
    [
        (50, 100, 0.5, "reading  50/100"),
        (50, 100, 2, "reading  50/100  25/s, 2 s left"),
        (1, 1000, 2, "reading  1/1,000  2 s"),  # of so little nothing follows
        (99, 100, 10, "reading  99/100  10/s"),  # it may hang at the end
        (100, 100, 9, "reading  100/100  9 s"),
        (7, None, 9, "reading  7  9 s"),
        (0, None, 61, "reading  1 min 1 s"),
        (1, 10, 30, "reading  1/10  4 min 30 s left"),
    ],
)
def test_rate_and_time_left_are_told_where_they_mean_something(done, total, seconds, said):
    assert describe("reading", done, total, seconds=seconds) == said


def test_progress_has_no_place_in_a_file(place):
    console = place.console()
    TerminalClient(console).report(1, 2, "parsing")

    assert console.stderr.getvalue() == ""
