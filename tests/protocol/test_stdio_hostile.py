"""Six thousand bad messages, half of them in each era: every one is answered or rightly ignored, and the server lives.

DRIFT_HOSTILE_COMMAND points the test at another server, for example `drift mcp analysis /path/to/project`.
"""

import os
import shlex
import time

import pytest
from stdio_client import MODERN, serving
from stdio_hostility import Hostility

MESSAGES_PER_ERA = 3_000
CHECK_EVERY = 500
COMMAND = shlex.split(os.environ.get("DRIFT_HOSTILE_COMMAND", "")) or None


def assert_is_answer(message):
    if isinstance(message, list):
        assert message
        for entry in message:
            assert isinstance(entry, dict)
            assert_is_answer(entry)
        return
    assert message["jsonrpc"] == "2.0"
    assert "id" in message
    assert ("result" in message) != ("error" in message)
    if "error" in message:
        assert isinstance(message["error"]["code"], int)
        assert isinstance(message["error"]["message"], str)


def call_honestly(session, check):
    """List the tools, as an honest client would, waiting when told that the rate is exceeded."""
    for attempt in range(100):
        answer = session.ask(session.request("tools/list", request_id=f"honest {check}.{attempt}"))
        if "result" in answer:
            return
        assert answer["error"]["code"] == -32003
        time.sleep(answer["error"]["data"]["retryAfterMs"] / 1000)
    pytest.fail("an honest call was never answered")


def is_about_a_request(message):
    return "method" not in message if isinstance(message, dict) else True


@pytest.mark.slow
@pytest.mark.parametrize("version", ["2025-03-26", MODERN])
def test_every_hostile_message_is_answered_or_ignored_and_the_server_lives(version):
    hostility = Hostility(version, seed=20260728)
    with serving(version, COMMAND) as session:
        call_honestly(session, "first")
        for check in range(MESSAGES_PER_ERA // CHECK_EVERY):
            batch = [hostility.message() for _ in range(CHECK_EVERY)]
            batch.append(hostility.renegotiate())

            session.send_raw(b"".join(data for data, _ in batch))
            expected = sum(answers for _, answers in batch)
            answers = receive_answers(session, expected)
            call_honestly(session, check)

            assert len(answers) == expected
            assert [line for line in session.held if is_about_a_request(line)] == []
            session.held.clear()
            assert session.process.poll() is None

        assert session.leave() == 0
        assert [message for message in session.rest() if is_about_a_request(message)] == []


def receive_answers(session, expected):
    answers = []
    while len(answers) < expected:
        message = session.receive()
        if is_about_a_request(message):
            assert_is_answer(message)
            answers.append(message)
        else:
            assert message["jsonrpc"] == "2.0"
            assert isinstance(message["method"], str)
    return answers
