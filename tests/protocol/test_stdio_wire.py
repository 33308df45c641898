import json

import pytest
from stdio_client import MODERN, envelope, initialize, serving

VERSIONS = ("2025-03-26", "2025-11-25", MODERN)
SMALL_LIMITS = {"max_request_bytes": 5000, "max_response_bytes": 20_000, "max_depth": 16}


@pytest.fixture(scope="module", params=VERSIONS)
def session(request):
    with serving(request.param, **SMALL_LIMITS) as session:
        session.echo("awake")  # settles the era before a test sends something broken
        yield session


def refused(session, line):
    """The answer to one raw line, after which an honest call must still be answered."""
    session.send_raw(line + b"\n")
    answer = session.receive()
    assert session.echo("still here") == "still here"
    assert set(answer) == {"jsonrpc", "id", "error"}
    return answer["id"], answer["error"]["code"], answer["error"]["message"]


def test_a_call_is_answered(session):
    assert session.echo("grüße \N{SNOWMAN}") == "grüße \N{SNOWMAN}"


def test_an_unknown_method_is_not_found(session):
    answer = session.ask(session.request("no/such"))

    assert answer["error"]["code"] == -32601


def test_windows_line_ends_and_blank_lines_are_tolerated(session):
    request = json.dumps(session.call("echo", request_id="crlf", text="x")).encode()

    session.send_raw(b"\r\n\n  \t\n" + request + b"\r\n\r\n")

    assert session.receive_for("crlf")["result"]["content"][0]["text"] == "x"
    assert session.held == []


def test_a_message_may_arrive_byte_by_byte(session):
    request = json.dumps(session.call("echo", request_id="slowly", text="x")).encode() + b"\n"

    for byte in request:
        session.send_raw(bytes([byte]))

    assert "result" in session.receive_for("slowly")


@pytest.mark.parametrize(
    "line",
    [
        b"{bad json",
        b'{"jsonrpc":"2.0","id":1,"method":"ping"',
        b'{"jsonrpc":"2.0","id":1,"method":"\xff\xfe"}',
        b'{"jsonrpc":"2.0","id":NaN,"method":"ping"}',
        b'{"jsonrpc":"2.0","id":1,"method":"\\ud800"}',
        b'{"jsonrpc":"2.0","id":1}{"jsonrpc":"2.0","id":2}',
        b"\x00\x01\x02",
        b"\xef\xbb\xbf{}",
    ],
)
def test_what_is_no_json_is_a_parse_error_without_id(session, line):
    request_id, code, _ = refused(session, line)

    assert (request_id, code) == (None, -32700)


@pytest.mark.parametrize(
    ("message", "request_id"),
    [
        ({"jsonrpc": "1.0", "id": 7, "method": "ping"}, 7),
        ({"id": "seven", "method": "ping"}, "seven"),
        ({"jsonrpc": 2.0, "id": 7, "method": "ping"}, 7),
        ({"jsonrpc": "2.0", "id": None, "method": "ping"}, None),
        ({"jsonrpc": "2.0", "id": 1.5, "method": "ping"}, None),
        ({"jsonrpc": "2.0", "id": True, "method": "ping"}, None),
        ({"jsonrpc": "2.0", "id": {"a": 1}, "method": "ping"}, None),
        ({"jsonrpc": "2.0", "id": 2**64, "method": "ping"}, None),
        ({"jsonrpc": "2.0", "id": 7, "method": 1}, 7),
        ({"jsonrpc": "2.0", "id": 7, "method": None}, 7),
        ({"jsonrpc": "2.0", "id": 7, "method": "ping", "params": [1]}, 7),
        ({"jsonrpc": "2.0", "id": 7, "method": "ping", "params": "x"}, 7),
        ({"jsonrpc": "2.0", "id": 7}, 7),
        ({"jsonrpc": "2.0", "method": 1, "params": "bar"}, None),
        ({}, None),
        (1, None),
        ("text", None),
        (None, None),
    ],
)
def test_a_bad_envelope_is_an_invalid_request(session, message, request_id):
    answered_id, code, text = refused(session, json.dumps(message).encode())

    assert (answered_id, code) == (request_id, -32600)
    assert text.startswith("Invalid Request: ")


@pytest.mark.parametrize(
    "message",
    [
        {"jsonrpc": "1.0", "method": "notifications/cancelled"},
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": [1]},
        {"jsonrpc": "2.0", "method": "notifications/unheard"},
        {"jsonrpc": "2.0", "id": "nobody asked", "result": {}},
        {"jsonrpc": "2.0", "id": "nobody asked", "result": 5},
        {"jsonrpc": "2.0", "id": None, "error": {"code": 1, "message": "x"}},
        {"jsonrpc": "2.0", "error": "x"},
    ],
)
def test_notifications_and_responses_are_never_answered(session, message):
    session.send(message)

    assert session.echo("next") == "next"
    assert session.held == []


def test_params_of_null_count_as_absent(session):
    answer = session.ask({"jsonrpc": "2.0", "id": "nothing", "method": "no/such", "params": None})

    assert answer["error"]["code"] in (-32601, -32602)


@pytest.mark.parametrize("ending", [b"\n", b"\r\n"])
def test_a_line_of_exactly_the_limit_is_served(session, ending):
    bare = len(json.dumps(session.call("echo", request_id="fits", text="")))
    request = session.call("echo", request_id="fits", text="x" * (SMALL_LIMITS["max_request_bytes"] - bare))

    session.send_raw(json.dumps(request).encode() + ending)

    assert "result" in session.receive_for("fits")


def test_a_line_one_byte_over_the_limit_is_refused_by_name_and_id(session):
    bare = len(json.dumps(session.call("echo", request_id="over", text="")))
    request = session.call(
        "echo", request_id="over", text="x" * (SMALL_LIMITS["max_request_bytes"] + 1 - bare)
    )

    request_id, code, message = refused(session, json.dumps(request).encode())

    assert (request_id, code) == ("over", -32600)
    assert "5000 bytes" in message


def test_the_id_of_an_overlong_line_is_found_behind_its_params(session):
    request = {"method": "tools/call", "params": {"id": 5, "x": "y" * 300_000}, "jsonrpc": "2.0", "id": 77}

    assert refused(session, json.dumps(request).encode())[0] == 77


def test_an_overlong_line_without_a_visible_id_is_answered_with_null(session):
    request = {"method": "tools/call", "params": {"id": 5, "x": "y" * 300_000}, "id": 77, "extra": {"z": 1}}

    assert refused(session, json.dumps(request).encode())[:2] == (None, -32600)


def test_too_deep_a_message_is_refused_with_its_id(session):
    line = b'{"jsonrpc":"2.0","id":"deep","method":"ping","params":{"a":' + b"[" * 20 + b"]" * 20 + b"}}"

    request_id, code, message = refused(session, line)

    assert (request_id, code) == ("deep", -32600)
    assert "16 levels" in message


def test_brackets_inside_strings_are_not_depth(session):
    assert session.echo('"[{\\' * 100) == '"[{\\' * 100


def test_the_second_of_two_requests_with_one_id_is_refused_and_the_first_answered(session):
    session.send(
        session.call("slow", request_id=901, seconds=0.3), session.call("echo", request_id=901, text="second")
    )

    refusal = session.receive()
    answer = session.receive_for(901)

    assert (refusal["id"], refusal["error"]["code"]) == (None, -32600)
    assert refusal["error"]["data"]["requestId"] == 901
    assert answer["result"]["content"][0]["text"] == "done"


def test_an_error_for_a_bad_message_never_takes_the_id_of_an_open_request(session):
    session.send(
        session.call("slow", request_id=902, seconds=0.3), {"jsonrpc": "1.0", "id": 902, "method": "ping"}
    )

    assert session.receive()["id"] is None
    assert session.receive_for(902)["result"]["content"][0]["text"] == "done"


def test_seven_and_the_string_seven_are_not_open_at_once(session):
    session.send(
        session.call("slow", request_id=7, seconds=0.3), session.call("echo", request_id="7", text="x")
    )

    assert session.receive()["error"]["data"]["requestId"] == "7"
    assert "result" in session.receive_for(7)


def test_an_id_may_be_used_again_once_answered(session):
    assert "result" in session.ask(session.call("echo", request_id="again", text="1"))
    assert "result" in session.ask(session.call("echo", request_id="again", text="2"))


def test_an_id_may_be_used_again_once_its_request_was_cancelled(session):
    session.send(session.call("slow", request_id="given up"), session.cancel("given up"))
    session.echo("the cancellation has been seen")

    answer = session.ask(session.call("echo", request_id="given up", text="anew"))

    assert answer["result"]["content"][0]["text"] == "anew"


def test_an_answer_over_the_limit_becomes_an_error_with_the_same_id(session):
    answer = session.ask(session.call("big", size=30_000))

    assert answer["error"]["code"] == -32004
    assert answer["error"]["data"]["limit"] == 20_000
    assert answer["error"]["data"]["size"] > 30_000


def test_an_answer_that_is_no_json_becomes_an_internal_error(session):
    assert session.ask(session.call("unwritable"))["error"]["code"] == -32603


def test_an_answer_with_an_integer_above_64_bits_is_written_exactly(session):
    assert session.ask(session.call("huge_number"))["result"]["structuredContent"] == {"number": 2**70}


def test_a_handler_that_raises_is_answered_with_an_error(session):
    assert "error" in session.ask(session.call("boom"))


def test_many_pipelined_calls_are_all_answered_once(session):
    calls = [session.call("echo", request_id=f"many {n}", text=str(n)) for n in range(300)]
    session.send(*calls)

    answers = [session.receive() for _ in calls]

    assert {answer["id"]: answer["result"]["content"][0]["text"] for answer in answers} == {
        f"many {n}": str(n) for n in range(300)
    }


@pytest.mark.parametrize("session", ["2025-11-25", MODERN], indirect=True)
def test_batches_are_refused_outside_the_version_that_has_them(session):
    request_id, code, message = refused(session, b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]')

    assert (request_id, code) == (None, -32600)
    assert "2025-03-26 only" in message


def test_a_byte_order_mark_in_front_of_the_first_message_is_tolerated():
    with serving(MODERN) as session:
        session.send_raw(b"\xef\xbb\xbf" + json.dumps(session.call("echo", text="x")).encode() + b"\n")

        assert "result" in session.receive()


def test_initialize_is_handled_before_the_request_behind_it():
    with serving(MODERN) as session:
        session.version = "2025-11-25"
        session.send(initialize("2025-11-25"), session.call("echo", request_id="behind", text="x"))

        assert "result" in session.receive_for("behind")


def test_a_batch_right_behind_initialize_waits_for_its_version():
    with serving(MODERN) as session:
        session.version = "2025-03-26"
        session.send(initialize("2025-03-26"), [session.call("echo", request_id="behind", text="x")])

        assert session.receive()["id"] == "handshake"
        assert session.receive()[0]["id"] == "behind"


def test_requests_above_the_rate_are_told_when_to_come_back():
    with serving("2025-11-25", burst=5, sustained_per_second=0.5) as session:
        session.send(*[session.request("ping", request_id=n) for n in range(10)])
        answers = {answer["id"]: answer for answer in (session.receive() for _ in range(10))}

    refusals = [answer["error"] for answer in answers.values() if "error" in answer]
    assert len(refusals) == 6  # the handshake took one of the five tokens
    assert {refusal["code"] for refusal in refusals} == {-32003}
    assert refusals[0]["data"]["limit"] == 5
    assert refusals[0]["data"]["remaining"] == 0
    assert 0 < refusals[0]["data"]["retryAfterMs"] <= 2000
    assert refusals[0]["data"]["resetAt"].endswith("+00:00")


def test_notifications_and_responses_are_not_rated():
    with serving("2025-11-25", burst=3, sustained_per_second=0.001) as session:
        session.send(*[{"jsonrpc": "2.0", "method": "notifications/unheard"}] * 50)
        session.send(*[{"jsonrpc": "2.0", "id": 1, "result": {}}] * 50)

        assert session.echo("served") == "served"


def test_more_requests_than_may_run_and_wait_are_told_the_server_is_busy():
    with serving("2025-11-25", max_in_flight=3, max_waiting=4) as session:
        session.send(*[session.call("slow", request_id=n, seconds=0.3) for n in range(10)])
        answers = [session.receive() for _ in range(10)]

    busy = [answer["error"] for answer in answers if "error" in answer]
    assert len(busy) == 3
    assert busy[0]["code"] == -32000
    assert busy[0]["data"] == {"limit": 3, "retryAfterMs": None}


def test_a_busy_server_still_answers_a_ping():
    with serving("2025-11-25", max_in_flight=1, max_waiting=0) as session:
        session.send(session.call("slow", request_id="long", seconds=30))

        assert session.ask(session.request("ping"))["result"] == {}


def test_a_modern_request_of_an_unknown_version_is_refused():
    with serving(MODERN) as session:
        session.echo("modern")
        request = session.request("tools/list")
        request["params"]["_meta"] = envelope("1999-01-01")

        assert session.ask(request)["error"]["code"] == -32022
