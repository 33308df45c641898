"""Crowds that want to keep others out: silent connections, half requests, sessions without end."""

import socket
from contextlib import ExitStack
from hashlib import sha256

import pytest
from http_fixture_server import call, running
from mcp.server.auth.provider import AccessToken
from test_http_auth import READER, VERIFIER, WRITER

from drift.protocol.http import serve
from drift.protocol.http.settings import HttpSettings
from drift.protocol.http.tokens import StaticTokens, TokenEntry

HALF_HEAD = b"POST /analysis HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
HALF_BODY = b"POST /analysis HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"
CROWD = 300


@pytest.fixture(params=["httptools", "h11"])
def parser(request, monkeypatch):
    if request.param == "h11":
        monkeypatch.setattr(serve.importlib.util, "find_spec", lambda name: None)


def connect(service, *, sending=b""):
    connection = socket.create_connection(("127.0.0.1", service.port), timeout=300)
    connection.sendall(sending)
    return connection


def is_ended(connection):
    """Wait until the server has closed it."""
    try:
        return connection.recv(1) == b""
    except ConnectionError:
        return True


@pytest.mark.parametrize("sent", [b"", HALF_HEAD, HALF_BODY])
def test_a_crowd_of_half_requests_keeps_nobody_out(parser, sent):
    settings = HttpSettings(port=0, max_connections=200, max_connections_per_address=100)
    with running(settings) as service, ExitStack() as stack:
        crowd = [stack.enter_context(connect(service, sending=sent)) for _ in range(CROWD)]

        assert service.modern("tools/call", {"name": "echo", "arguments": {}}).status == 200
        assert all(is_ended(each) for each in crowd[: CROWD - 100])


@pytest.mark.parametrize("sent", [b"", HALF_HEAD])
def test_a_head_that_does_not_end_in_time_ends_its_connection(parser, sent):
    with (
        running(HttpSettings(port=0, head_timeout_seconds=0.2)) as service,
        connect(service, sending=sent) as one,
    ):
        assert is_ended(one)


def test_the_next_head_on_a_connection_has_its_time_too(parser):
    head = b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with running(HttpSettings(port=0, head_timeout_seconds=0.5)) as service:
        while True:  # until the machine lets the first head through in time
            with connect(service, sending=head) as one:
                if not one.recv(4096).startswith(b"HTTP/1.1 200"):
                    continue
                one.sendall(HALF_HEAD)

                while one.recv(4096):
                    pass  # what was left of the first answer
                break


def test_a_body_that_does_not_come_is_given_up(parser):
    with (
        running(HttpSettings(port=0, body_timeout_seconds=0.2)) as service,
        connect(service, sending=HALF_BODY) as one,
    ):
        assert one.recv(4096).startswith(b"HTTP/1.1 408")


# The first byte of a stream comes with its first ping, after a quarter of a minute: once is enough.
@pytest.mark.parametrize("parser", ["httptools"], indirect=True)
def test_where_all_are_being_answered_one_more_is_told_to_come_again(parser):
    settings = HttpSettings(port=0, max_connections_per_address=1)
    with running(settings) as service, connect(service) as busy:
        body = b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "slow", "arguments": {"seconds": 30},'
        body += b'"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}}}'
        head = (
            "POST /analysis HTTP/1.1\r\nHost: localhost\r\nAccept: application/json, text/event-stream\r\n"
            "Content-Type: application/json\r\nMcp-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\n"
            f"Mcp-Name: slow\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        busy.sendall(head.encode() + body)
        assert busy.recv(15).startswith(b"HTTP/1.1 200")

        with connect(service) as refused:
            assert refused.recv(4096).startswith(b"HTTP/1.1 503")


def test_one_caller_cannot_take_the_sessions_of_all():
    settings = HttpSettings(port=0, max_sessions=5, max_sessions_per_caller=3)
    with running(settings, verifier=VERIFIER) as service:
        honest = service.initialize(**WRITER)
        greedy = [service.initialize(**READER) for _ in range(10)]

        assert service.post(call("echo"), **honest).status == 200
        assert [service.post(call("echo"), **each).status for each in greedy] == [404] * 7 + [200] * 3


def test_the_clients_of_one_person_share_what_one_person_may_have():
    names = ("editor", "shell", "browser", "phone")
    tokens = StaticTokens(
        TokenEntry(
            sha256(name.encode()).digest(),
            AccessToken(token="-", client_id=name, subject="ada", scopes=["drift:read"]),
        )
        for name in names
    )
    settings = HttpSettings(port=0, max_sessions=10, max_sessions_per_caller=2)
    with running(settings, verifier=tokens) as service:
        sessions = [service.initialize(authorization=f"Bearer {name}") for name in names]

        assert [service.post(call("echo"), **each).status for each in sessions] == [404, 404, 200, 200]


def test_idle_sessions_make_room_when_there_is_none():
    with running(HttpSettings(port=0, max_sessions=3)) as service:
        sessions = [service.initialize() for _ in range(5)]

        assert [service.post(call("echo"), **each).status for each in sessions] == [404, 404, 200, 200, 200]
