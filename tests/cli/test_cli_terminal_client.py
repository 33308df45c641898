"""The person at the keyboard, asked and told."""

import asyncio

import pytest

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
    times = iter([0.0, 0.01, 1.0])
    client = TerminalClient(console, clock=lambda: next(times))

    client.report(1, 10, "parsing\x1b[31m")
    client.report(2, 10, "too soon")
    client.report(3, None, "linking")
    client.finish()

    assert console.stderr.getvalue() == "\r\x1b[K1/10 parsing\\x1b[31m\r\x1b[K3 linking\r\x1b[K"


def test_progress_has_no_place_in_a_file(place):
    console = place.console()
    TerminalClient(console).report(1, 2, "parsing")

    assert console.stderr.getvalue() == ""
