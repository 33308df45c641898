"""Which port the page gets."""

import socket

import pytest
from starlette.applications import Starlette

from drift.dashboard.listening import find_port
from drift.kernel.errors import DriftError, ErrorCode
from drift.protocol.http.drain import Drain
from drift.protocol.http.settings import HttpSettings


@pytest.fixture
def app():
    made = Starlette()
    made.state.drain = Drain()
    return made


@pytest.fixture
def taken():
    """A port that is taken, with free ones behind it as far as anyone can tell."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield listening.getsockname()[1]


def test_the_port_asked_for_is_used_when_it_is_free(app):
    with socket.create_server(("127.0.0.1", 0)) as listening:
        free = listening.getsockname()[1]

    server = find_port(app, HttpSettings(port=free), tries=0)
    server.close()

    assert server.port == free


def test_a_taken_port_gives_way_to_one_behind_it(app, taken):
    server = find_port(app, HttpSettings(port=taken), tries=50)
    server.close()

    assert taken < server.port <= taken + 50


def test_without_tries_a_taken_port_is_an_error_that_names_it(app, taken):
    with pytest.raises(DriftError) as refused:
        find_port(app, HttpSettings(port=taken), tries=0)

    assert refused.value.code is ErrorCode.INVALID_ARGUMENT
    assert str(taken) in refused.value.message


def test_when_all_are_taken_the_error_names_the_range(app):
    first = socket.create_server(("127.0.0.1", 0))
    port = first.getsockname()[1]
    try:
        second = socket.create_server(("127.0.0.1", port + 1))
    except OSError:
        second = None  # someone else has it, which is as good

    try:
        with pytest.raises(DriftError, match=f"{port} to {port + 1}"):
            find_port(app, HttpSettings(port=port), tries=1)
    finally:
        first.close()
        if second is not None:
            second.close()


@pytest.mark.parametrize("port", [-1, 65_536, 70_000])
def test_a_number_that_is_no_port_is_refused_at_once(app, port):
    with pytest.raises(DriftError, match="ports end at 65535"):
        find_port(app, HttpSettings(port=port), tries=10)


def test_an_address_of_another_machine_is_not_searched_for_ports(app):
    with pytest.raises(DriftError, match=r"cannot listen on 192\.0\.2\.1:8787"):
        find_port(app, HttpSettings(host="192.0.2.1", port=8787), tries=10)


def test_the_last_port_has_none_behind_it(app):
    try:
        server = find_port(app, HttpSettings(port=65_535), tries=10)
    except DriftError as error:
        assert "65535" in error.message
    else:
        server.close()
        assert server.port == 65_535
