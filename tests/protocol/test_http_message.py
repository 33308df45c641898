import asyncio
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp_types import JSONRPCRequest

from drift.protocol.frames import read_envelope
from drift.protocol.http.message import first_values, is_plain_request, read_body, replay_body, trim_headers
from drift.protocol.http.reply import JsonReply
from drift.protocol.http.settings import HttpSettings
from drift.protocol.limits import WireLimits

SETTINGS = HttpSettings(limits=WireLimits(max_request_bytes=100), body_timeout_seconds=0.05)


def receiver(*messages):
    """An ASGI `receive` that yields the messages and then waits for ever."""
    waiting = list(messages)

    async def receive():
        if waiting:
            return waiting.pop(0)
        return await asyncio.get_running_loop().create_future()

    return receive


def part(body, *, more=False):
    return {"type": "http.request", "body": body, "more_body": more}


def read(*messages, headers=None):
    return asyncio.run(read_body(headers or {}, receiver(*messages), SETTINGS))


@given(st.lists(st.binary(max_size=30), min_size=1, max_size=6))
def test_a_body_in_pieces_is_read_whole_or_refused_by_its_size(pieces):
    *first, last = pieces

    found = read(*(part(piece, more=True) for piece in first), part(last))

    whole = b"".join(pieces)
    if len(whole) <= 100:
        assert found == whole
    else:
        assert isinstance(found, JsonReply)
        assert found.status == 413


@pytest.mark.parametrize("declared", [b"101", b"9" * 5000])
def test_a_declared_length_over_the_limit_is_refused_unread(declared):
    found = read(headers={b"content-length": declared})

    assert isinstance(found, JsonReply)
    assert found.status == 413


def test_the_refusal_of_a_long_body_names_the_limit_and_the_request():
    found = read(part(b'{"jsonrpc": "2.0", "id": 7, "method": "' + b"x" * 100))

    assert isinstance(found, JsonReply)
    answer = json.loads(found.body)
    assert (answer["id"], answer["error"]["data"]["limit"]) == (7, 100)


def test_a_body_that_does_not_come_is_given_up():
    found = read(part(b"{", more=True))

    assert isinstance(found, JsonReply)
    assert found.status == 408


def test_a_body_that_breaks_off_is_refused():
    found = read(part(b"{", more=True), {"type": "http.disconnect"})

    assert isinstance(found, JsonReply)
    assert found.status == 400


def test_a_replayed_body_comes_once_and_then_the_client():
    async def run():
        receive = replay_body(b"body", receiver({"type": "http.disconnect"}))
        return [await receive(), await receive()]

    assert asyncio.run(run()) == [part(b"body"), {"type": "http.disconnect"}]


def test_blanks_around_mcp_headers_are_trimmed_and_others_kept():
    headers = [(b"mcp-name", b"  echo \t"), (b"x-other", b" a "), (b"mcp-method", b"tools/call")]

    assert trim_headers(headers) == [
        (b"mcp-name", b"echo"),
        (b"x-other", b" a "),
        (b"mcp-method", b"tools/call"),
    ]


def test_headers_without_blanks_are_not_copied():
    headers = [(b"mcp-name", b"echo"), (b"x-other", b" a ")]

    assert trim_headers(headers) is headers


def test_of_repeated_headers_the_first_counts():
    assert first_values([(b"a", b"1"), (b"b", b"2"), (b"a", b"3")]) == {b"a": b"1", b"b": b"2"}


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.sampled_from(["2.0", "ping", ""]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from(["jsonrpc", "id", "method", "params", "result"]), JSON))
def test_what_passes_the_short_way_also_passes_the_long_one(message):
    if is_plain_request(message):
        assert isinstance(read_envelope(message), JSONRPCRequest)


def test_an_ordinary_request_passes_the_short_way():
    assert is_plain_request({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}})
    assert not is_plain_request({"jsonrpc": "2.0", "id": True, "method": "tools/list", "params": {}})
