import json

import mcp_types as types
import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from drift.protocol.batches import Batch
from drift.protocol.frames import Ignored, Refusal, encode_message, parse_line, read_envelope
from drift.protocol.framing import LineFramer, OverlongLine, find_id
from drift.protocol.limits import RESPONSE_TOO_LARGE

LIMIT = 20


def frame(chunks, max_bytes=LIMIT):
    framer = LineFramer(max_bytes)
    return [line for chunk in chunks for line in framer.feed(chunk)] + framer.close()


def cut(data, at):
    places = sorted({place for place in at if place <= len(data)})
    return [data[start:end] for start, end in zip([0, *places], [*places, len(data)], strict=True)]


lines = st.lists(st.text("ab \t[é", max_size=2 * LIMIT).map(str.encode), max_size=8)


@given(lines, st.sampled_from([b"\n", b"\r\n"]), st.lists(st.integers(0, 400)))
def test_lines_come_out_the_same_however_the_stream_is_cut(sent, ending, at):
    data = b"".join(line + ending for line in sent)

    framed = frame(cut(data, at))

    expected = [line for line in sent if len(line) > LIMIT or line.strip(b" \t")]
    assert len(framed) == len(expected)
    for got, line in zip(framed, expected, strict=True):
        if len(line) > LIMIT:
            assert isinstance(got, OverlongLine)
        else:
            assert got == line.strip(b" \t")


@given(st.integers(LIMIT + 1, 10_000), st.lists(st.integers(0, 10_000)))
def test_of_an_overlong_line_both_ends_are_kept_and_the_next_line_served(length, at):
    line = b'{"id":1,' + b"x" * (length - 16) + b',"id":2}'

    overlong, following = frame(cut(line + b"\nnext\n", at))

    assert isinstance(overlong, OverlongLine)
    assert line.startswith(overlong.head)
    assert line.endswith(overlong.tail.rstrip(b"\r"))
    assert len(overlong.head) <= 4096
    assert len(overlong.tail) <= 4096
    assert following == b"next"


def test_a_byte_order_mark_is_dropped_in_front_of_the_stream_only():
    assert frame([b"\xef\xbb", b"\xbfone\n\xef\xbb\xbftwo\n"]) == [b"one", b"\xef\xbb\xbftwo"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b'{"jsonrpc":"2.0","id":5,"method":"x","params":{', 5),
        (b'  { "method" : "a\\"b" , "id" : "five" , ', "five"),
        (b'{"params":{"id":1},"x":{}', None),
        (b'{"params":{"id":1},"jsonrpc":"2.0","id":5}', 5),
        (b'{"params":{"text":"\\",\\"id\\":5}"}}', None),
        (b'{"id":1.5,"method":"x"', None),
        (b'{"id":null,"method":"x"', None),
        (b'{"id":true,"method":"x"', None),
        (b'{"id":[1],"method":"x"', None),
        (b'{"id":12', None),
        (b'{"id":1-2,"method"', None),
        (b'[{"id":5,"method":"x"}]', None),
        (b'{"a":"id","b":1,"id":7,', 7),
        (b"", None),
    ],
)
def test_the_id_is_found_only_where_it_surely_is_the_messages_own(text, expected):
    assert find_id(OverlongLine.of(text)) == expected


@given(
    st.fixed_dictionaries(
        {
            "id": st.integers(-(2**63), 2**63) | st.text(max_size=20),
            "params": st.dictionaries(st.text(), st.text()),
        }
    ),
    st.permutations(["id", "params", "jsonrpc", "method"]),
)
def test_an_id_that_is_found_is_the_one_a_parser_finds(message, order):
    whole = {**message, "jsonrpc": "2.0", "method": "x"}
    text = orjson.dumps({key: whole[key] for key in order})

    assert find_id(OverlongLine.of(text)) in (None, message["id"])


@given(st.binary(max_size=300))
def test_any_line_is_a_value_or_a_refusal(data):
    value = parse_line(data, 8)

    if isinstance(value, Refusal):
        assert value.code in (-32700, -32600)
    else:
        assert json.loads(data) == value


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5),
    lambda children: (
        st.lists(children, max_size=3) | st.dictionaries(st.text(max_size=5), children, max_size=3)
    ),
    max_leaves=5,
)
envelopes = st.fixed_dictionaries(
    {},
    optional={
        "jsonrpc": st.just("2.0") | json_values,
        "id": st.integers() | st.text(max_size=3) | json_values,
        "method": st.sampled_from(["ping", "notifications/x"]) | json_values,
        "params": st.just({}) | json_values,
        "result": st.just({}) | json_values,
        "error": st.just({"code": 1, "message": "x"}) | json_values,
    },
)


@given(envelopes | json_values)
def test_an_envelope_is_read_refused_or_ignored_but_never_raises(value):
    message = read_envelope(value)

    match message:
        case Refusal():
            assert message.code == -32600
            assert message.id is None or message.id == value["id"]
        case Ignored():
            assert "id" not in value or "method" not in value
        case types.JSONRPCRequest():
            assert (message.id, message.method) == (value["id"], value["method"])
        case types.JSONRPCNotification():
            assert "id" not in value
        case _:
            assert "method" not in value


def test_a_refusal_reads_as_a_json_rpc_error():
    refusal = Refusal(-32600, "no", "a", {"limit": 1})

    assert json.loads(refusal.encode()) == {
        "jsonrpc": "2.0",
        "id": "a",
        "error": {"code": -32600, "message": "no", "data": {"limit": 1}},
    }


@given(st.dictionaries(st.text(), json_values))
def test_an_answer_is_one_line_that_reads_back_the_same(result):
    text = encode_message(types.JSONRPCResponse(jsonrpc="2.0", id=1, result=result), 10_000_000)

    assert b"\n" not in text
    assert json.loads(text) == {"jsonrpc": "2.0", "id": 1, "result": result}


def test_a_number_json_does_not_have_is_written_as_null():
    result = {"numbers": [float("nan"), float("inf"), 2**70]}

    text = encode_message(types.JSONRPCResponse(jsonrpc="2.0", id=1, result=result), 1000)

    assert json.loads(text)["result"] == {"numbers": [None, None, 2**70]}


def test_a_notification_that_is_no_json_is_its_senders_fault():
    message = types.JSONRPCNotification(jsonrpc="2.0", method="x", params={"text": "\ud800"})

    with pytest.raises(ValueError, match=r"surrogate|utf-8"):
        encode_message(message, 100)


@pytest.mark.parametrize(
    ("result", "max_bytes", "code"),
    [({"text": "\ud800"}, 1000, -32603), ({"text": "x" * 100}, 100, RESPONSE_TOO_LARGE)],
)
def test_an_answer_that_is_no_json_or_too_long_becomes_an_error_of_the_same_id(result, max_bytes, code):
    text = encode_message(types.JSONRPCResponse(jsonrpc="2.0", id="a", result=result), max_bytes)

    answer = json.loads(text)
    assert (answer["id"], answer["error"]["code"]) == ("a", code)


def test_a_batch_gives_its_answer_once():
    batch = Batch(1000)
    batch.expect()
    batch.expect()
    batch.finish_reading()

    batch.settle(1, b"1")
    assert batch.take_answer() is None
    batch.settle(2, None)

    assert batch.take_answer() == b"[1]"
    assert batch.take_answer() is None


def test_a_batch_that_is_still_being_read_gives_no_answer():
    batch = Batch(1000)
    batch.expect()
    batch.settle(1, b"1")

    assert batch.take_answer() is None
    batch.finish_reading()
    assert batch.take_answer() == b"[1]"
