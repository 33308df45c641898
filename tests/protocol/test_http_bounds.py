import json
import socket

import pytest
from http_fixture_server import Service, running

from drift.protocol.http.bounds import MAX_BODY_BYTES, MAX_HEAD_BYTES
from drift.protocol.http.settings import HttpSettings

PIECE = b"x" * 65_536


@pytest.fixture(scope="module")
def service():
    with running(HttpSettings(port=0)) as started:
        yield started


def send_without_end(connection, *, at_most):
    """How many bytes the server takes before it closes the connection."""
    for sent in range(0, at_most, len(PIECE)):
        try:
            connection.sendall(PIECE)
        except OSError:
            return sent
    return at_most


def test_headers_without_end_close_the_connection(service: Service):
    with socket.create_connection(("127.0.0.1", service.port), timeout=300) as connection:
        connection.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\nX-Long: ")

        # Beyond the bound only what the sockets of both sides hold may still go out.
        assert send_without_end(connection, at_most=64 * 1_048_576) < 64 * 1_048_576


def test_a_body_without_end_is_refused_and_its_connection_closed(service: Service):
    with socket.create_connection(("127.0.0.1", service.port), timeout=300) as connection:
        head = b"POST /analysis HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9999999999\r\n\r\n"
        connection.sendall(head)
        assert connection.recv(64).startswith(b"HTTP/1.1 413")

        assert send_without_end(connection, at_most=8 * MAX_BODY_BYTES) < 8 * MAX_BODY_BYTES


def test_headers_up_to_the_bound_are_read(service: Service):
    reply = service.request("GET", "/health", headers={"X-Long": "x" * (MAX_HEAD_BYTES - 1000)})

    assert reply.status == 200


def test_many_requests_on_one_connection_are_counted_apart(service: Service):
    body = json.dumps({"pad": "x" * 900_000}).encode()

    with service.connection() as connection:
        for _ in range(MAX_BODY_BYTES // len(body) + 5):
            connection.request("POST", "/analysis", body=body)
            answer = connection.getresponse()
            answer.read()
            assert answer.status == 400
