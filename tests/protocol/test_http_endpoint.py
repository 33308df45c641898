import json
import socket
from contextlib import ExitStack

import pytest
from http_fixture_server import ACCEPT, META, MODERN, RELEASE, Service, call, running
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from drift.protocol.http.settings import HttpSettings
from drift.protocol.limits import RESPONSE_TOO_LARGE, WireLimits

LIMITS = WireLimits(max_response_bytes=20_000)
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


@pytest.fixture(scope="module")
def streaming():
    with running(HttpSettings(port=0, limits=LIMITS)) as started:
        yield started


@pytest.fixture(scope="module")
def plain():
    with running(HttpSettings(port=0, limits=LIMITS, json_response=True)) as started:
        yield started


@pytest.fixture(params=["streaming", "plain"])
def service(request) -> Service:
    return request.getfixturevalue(request.param)


@pytest.fixture(scope="module")
def session(streaming):
    return streaming.initialize()


def text_of(reply):
    return reply.message["result"]["content"][0]["text"]


def test_a_call_is_answered_in_the_newest_revision(service: Service):
    reply = service.modern("tools/call", {"name": "echo", "arguments": {"a": 1}})

    assert reply.status == 200
    assert json.loads(text_of(reply)) == {"a": 1}
    assert "mcp-session-id" not in reply.headers


@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
def test_a_call_is_answered_in_a_session_of_every_earlier_revision(service: Service, version):
    headers = service.initialize(version)

    assert json.loads(text_of(service.post(call("echo", {"a": 1}), **headers))) == {"a": 1}


@pytest.mark.parametrize("path", ["/analysis", "/analysis/", "/memory/mcp", "/memory/mcp/"])
def test_each_mount_answers_with_and_without_a_trailing_slash(service: Service, path):
    assert service.modern("tools/list", path=path).status == 200


def test_a_session_of_one_mount_is_unknown_to_another(streaming: Service, session):
    assert streaming.post(PING, path="/memory/mcp", **session).status == 404


def test_a_deleted_session_is_gone(streaming: Service):
    headers = streaming.initialize()
    named = {name.replace("_", "-"): value for name, value in headers.items()}

    assert streaming.request("DELETE", "/analysis", headers=named).status == 200
    assert streaming.post(PING, **headers).status == 404


@pytest.mark.parametrize(
    "body", [b"", b"{", b"nonsense", b'{"a": NaN}', b'"\xff"', b"\xef\xbb\xbf{}", b'{"a": "\\ud800"}']
)
@pytest.mark.parametrize("is_modern", [True, False])
def test_a_body_that_is_no_json_is_a_parse_error(service: Service, body, is_modern):
    reply = service.post(body, **({"mcp_protocol_version": MODERN} if is_modern else {}))

    assert (reply.status, reply.json["error"]["code"], reply.json["id"]) == (400, -32700, None)


@pytest.mark.parametrize(
    "message",
    [
        1,
        "text",
        None,
        {},
        {"jsonrpc": "1.0", "id": 1, "method": "ping"},
        {"jsonrpc": "2.0", "id": None, "method": "ping"},
        {"jsonrpc": "2.0", "id": 1.5, "method": "ping"},
        {"jsonrpc": "2.0", "id": True, "method": "ping"},
        {"jsonrpc": "2.0", "id": 1, "method": 5},
        {"jsonrpc": "2.0", "id": 1, "method": "ping", "params": [1]},
        {"jsonrpc": "2.0", "method": "notifications/x", "params": [1]},
        {"jsonrpc": "2.0", "id": 1, "result": 5},
        {"jsonrpc": "2.0", "id": 1, "error": {"code": "x"}},
    ],
)
@pytest.mark.parametrize("is_modern", [True, False])
def test_a_wrong_envelope_is_an_invalid_request_and_shows_no_inner_words(
    streaming: Service, session, message, is_modern
):
    reply = streaming.post(message, **({"mcp_protocol_version": MODERN} if is_modern else session))

    assert (reply.status, reply.json["error"]["code"]) == (400, -32600)
    assert "pydantic" not in reply.body.decode().lower()
    assert "validation" not in reply.body.decode().lower()


def test_a_refused_request_gets_its_id_back(streaming: Service, session):
    reply = streaming.post({"jsonrpc": "2.0", "id": "a7", "method": "ping", "params": []}, **session)

    assert reply.json["id"] == "a7"


@pytest.mark.parametrize("levels", [65, 500, 5000, 140_000])
def test_a_body_nested_too_deep_is_an_invalid_request(streaming: Service, session, levels):
    body = b'{"a":' * levels + b"1" + b"}" * levels

    reply = streaming.post(body, **session)

    assert (reply.status, reply.json["error"]["code"]) == (400, -32600)


def test_a_body_at_the_deepest_level_is_served(streaming: Service, session):
    nested: object = "end"
    for _ in range(61):  # the message, its params and its arguments are three more
        nested = [nested]

    assert json.loads(text_of(streaming.post(call("echo", {"a": nested}), **session)))["a"] == nested


def test_a_body_at_the_size_limit_is_served_and_one_byte_more_is_not(streaming: Service, session):
    empty = json.dumps(call("whoami", {"pad": ""})).encode()
    room = 1_048_576 - len(empty)

    assert streaming.post(call("whoami", {"pad": "x" * room}), **session).status == 200
    assert streaming.post(call("whoami", {"pad": "x" * (room + 1)}), **session).status == 413


def test_a_chunked_body_over_the_limit_is_refused(streaming: Service, session):
    named = {name.replace("_", "-"): value for name, value in session.items()}

    reply = streaming.request(
        "POST", "/analysis", headers={**ACCEPT, **named}, body=iter([b"x" * 100_000 for _ in range(20)])
    )

    assert (reply.status, reply.json["error"]["code"]) == (413, -32600)


def test_an_unknown_method_is_said_to_be_unknown(service: Service):
    modern = service.modern("no/such")
    legacy = service.post({"jsonrpc": "2.0", "id": 1, "method": "no/such"}, **service.initialize())

    assert (modern.status, modern.json["error"]["code"]) == (404, -32601)
    assert (legacy.status, legacy.message["error"]["code"]) == (200, -32601)


def test_an_unknown_protocol_version_is_refused(service: Service):
    reply = service.modern("tools/list", mcp_protocol_version="2099-01-01")

    assert reply.status == 400


def test_a_method_of_our_own_is_served_in_both_eras(service: Service):
    modern = service.modern("notes/write", {"word": "hi"})
    message = {"jsonrpc": "2.0", "id": 1, "method": "notes/write", "params": {"word": "hi"}}
    legacy = service.post(message, **service.initialize())

    assert modern.message["result"]["noted"] == legacy.message["result"]["noted"] == "hi"


@pytest.mark.parametrize("is_modern", [True, False])
def test_an_answer_over_the_limit_becomes_an_error_with_the_same_id(service: Service, is_modern):
    arguments = {"bytes": LIMITS.max_response_bytes + 1}

    if is_modern:
        reply = service.modern("tools/call", {"name": "big", "arguments": arguments})
    else:
        reply = service.post(call("big", arguments), **service.initialize())

    assert reply.status == 200
    assert (reply.message["id"], reply.message["error"]["code"]) == (1, RESPONSE_TOO_LARGE)


def flood(service, progress_bytes, answer_bytes):
    arguments = {"bytes": progress_bytes, "answer_bytes": answer_bytes}
    return service.modern(
        "tools/call", {"name": "flood", "arguments": arguments}, meta={**META, "progressToken": 1}
    )


def test_a_long_answer_after_progress_becomes_an_error_event(streaming: Service):
    reply = flood(streaming, 1, LIMITS.max_response_bytes)

    assert [message.get("method") for message in reply.events] == ["notifications/progress", None]
    assert (reply.message["id"], reply.message["error"]["code"]) == (1, RESPONSE_TOO_LARGE)


def test_a_notification_over_the_limit_is_left_out_and_the_answer_arrives(streaming: Service):
    reply = flood(streaming, LIMITS.max_response_bytes, 3)

    assert [message.get("method") for message in reply.events] == [None]
    assert text_of(reply) == "xxx"


def test_progress_streams_before_the_answer(streaming: Service):
    meta = {**META, "progressToken": 1}

    reply = streaming.modern("tools/call", {"name": "slow", "arguments": {"seconds": 0}}, meta=meta)

    assert [message.get("method") for message in reply.events] == ["notifications/progress", None]


def test_blanks_around_routing_headers_do_not_matter(streaming: Service):
    body = json.dumps(call("echo") | {"params": {"name": "echo", "arguments": {}, "_meta": META}}).encode()
    head = (
        f"POST /analysis HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAccept: */*\r\n"
        f"Content-Type: application/json\r\nMCP-Protocol-Version: \t{MODERN} \r\nMcp-Method:  tools/call\t \r\n"
        f"Mcp-Name:   echo  \r\nContent-Length: {len(body)}\r\n\r\n"
    )

    with socket.create_connection(("127.0.0.1", streaming.port), timeout=300) as connection:
        connection.sendall(head.encode() + body)
        assert connection.recv(64).startswith(b"HTTP/1.1 200")


def test_a_name_that_differs_from_the_body_is_a_mismatch(service: Service):
    reply = service.modern("tools/call", {"name": "echo", "arguments": {}}, mcp_name="whoami")

    assert (reply.status, reply.json["error"]["code"]) == (400, -32020)


def test_text_instead_of_json_is_refused_by_its_content_type(service: Service):
    assert service.post(PING, content_type="text/plain").status == 400


def test_a_client_that_takes_no_json_is_told_so(service: Service):
    assert service.post(PING, accept="text/html", **service.initialize()).status == 406


def begin_call(service, session, stack):
    """Make a session busy; the answer of its call has begun."""
    named = {name.replace("_", "-"): value for name, value in session.items()}
    connection = stack.enter_context(service.connection())
    connection.request("POST", "/analysis", json.dumps(call("hold")), headers={**ACCEPT, **named})
    answer = connection.getresponse()
    assert answer.status == 200
    return answer


def test_sessions_over_the_limit_are_refused_while_all_others_are_busy():
    with running(HttpSettings(port=0, max_sessions=2)) as service, ExitStack() as stack:
        stack.callback(RELEASE.clear)
        stack.callback(RELEASE.set)
        sessions = [service.initialize() for _ in range(2)]
        held = [begin_call(service, each, stack) for each in sessions]
        params = {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "t", "version": "1"},
        }

        third = service.post({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params})

        assert third.status == 503
        assert [service.post(call("echo", request_id=2), **each).status for each in sessions] == [200, 200]
        RELEASE.set()
        assert all(b"released" in each.read() for each in held)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(
    body=st.one_of(
        st.binary(max_size=80),
        st.recursive(
            st.none() | st.integers() | st.text(max_size=5),
            lambda inner: (
                st.lists(inner, max_size=3)
                | st.dictionaries(
                    st.sampled_from(["jsonrpc", "id", "method", "params", "x"]), inner, max_size=4
                )
            ),
            max_leaves=8,
        ).map(lambda value: json.dumps(value).encode()),
    )
)
def test_noise_is_always_answered_with_a_json_rpc_error(streaming: Service, session, body):
    for headers in ({"mcp_protocol_version": MODERN}, session):
        reply = streaming.post(body, **headers)

        assert reply.status == 400
        assert reply.json["error"]["code"] in (-32700, -32600)
