import asyncio
import json
import logging

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drift.protocol.http.events import CappedResponse, take_events
from drift.protocol.limits import RESPONSE_TOO_LARGE

LIMIT = 200


def event(message, end="\r\n"):
    return f"event: message{end}data: {json.dumps(message)}{end}{end}".encode()


def send_through(*messages, request_id=None):
    """What comes out of a capped response for the messages that go in."""
    sent = []

    async def send(message):
        sent.append(message)

    async def run():
        capped = CappedResponse(send, LIMIT, request_id=request_id)
        for message in messages:
            await capped.send(message)

    asyncio.run(run())
    return sent


def json_answer(body):
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    return (
        {"type": "http.response.start", "status": 200, "headers": [*headers, (b"mcp-session-id", b"s")]},
        {"type": "http.response.body", "body": body, "more_body": False},
    )


def chunk(body):
    return {"type": "http.response.body", "body": body, "more_body": True}


@pytest.mark.parametrize("size", [0, 1, LIMIT])
def test_an_answer_up_to_the_limit_passes_unchanged(size):
    answer = json_answer(b"x" * size)

    assert send_through(*answer) == list(answer)


def test_a_json_answer_over_the_limit_becomes_an_error_with_the_same_id():
    start, body = send_through(*json_answer(b"x" * (LIMIT + 1)), request_id="r7")

    error = json.loads(body["body"])
    assert (error["id"], error["error"]["code"]) == ("r7", RESPONSE_TOO_LARGE)
    assert dict(start["headers"])[b"content-length"] == str(len(body["body"])).encode()
    assert dict(start["headers"])[b"mcp-session-id"] == b"s"
    assert not body["more_body"]


def test_an_event_over_the_limit_becomes_an_error_event_with_the_same_id():
    (sent,) = send_through(chunk(event({"jsonrpc": "2.0", "id": 9, "result": {"text": "x" * LIMIT}})))

    (data,) = take_events(bytearray(sent["body"]))
    error = json.loads(data)
    assert (error["id"], error["error"]["code"]) == (9, RESPONSE_TOO_LARGE)
    assert sent["more_body"]


def test_a_notification_over_the_limit_is_dropped_and_logged(caplog):
    with caplog.at_level(logging.WARNING):
        (sent,) = send_through(
            chunk(event({"jsonrpc": "2.0", "method": "notifications/x", "params": {"t": "x" * LIMIT}}))
        )

    assert sent["body"] == b""
    assert "notifications/x" in caplog.text


@given(
    st.lists(st.dictionaries(st.text(max_size=5), st.text(max_size=20), max_size=3), max_size=5),
    st.integers(1, 40),
    st.sampled_from(["\r\n", "\n"]),
)
def test_events_are_read_whole_however_the_stream_is_cut(messages, step, end):
    stream = b": ping\r\n\r\n" + b"".join(event(message, end) for message in messages)
    buffer, found = bytearray(), []

    for start in range(0, len(stream), step):
        buffer += stream[start : start + step]
        found += take_events(buffer)

    assert [json.loads(data) for data in found] == messages
