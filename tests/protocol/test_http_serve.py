import http.client
import json
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from http_fixture_server import ACCEPT, META, MODERN, Service, call, create_mount, running
from server_world import real_server

from drift.kernel.errors import DriftError, ErrorCode
from drift.protocol.http.app import create_app
from drift.protocol.http.serve import HttpServer
from drift.protocol.http.settings import HttpSettings, Mount

PROGRAM = Path(__file__).with_name("http_fixture_server.py")


class Program:
    """The fixture server as a process of its own, which signals can be sent to."""

    def __init__(self, mode, listeners):
        self.process = subprocess.Popen(
            [sys.executable, PROGRAM, mode, listeners],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.service = Service(int(self.process.stderr.readline()))

    def terminate(self, sent=signal.SIGTERM):
        """Send a signal and return (exit code, stdout, stderr) of the program."""
        self.process.send_signal(sent)
        out, err = self.process.communicate(timeout=300)
        return self.process.returncode, out, err

    def await_call(self):
        """Return when the slow tool has begun to run."""
        assert self.process.stderr.readline() == "begun\n"


@pytest.fixture
def start():
    programs = []

    def begin(mode="stream", listeners="farewell"):
        programs.append(Program(mode, listeners))
        return programs[-1]

    yield begin
    for program in programs:
        if program.process.poll() is None:
            program.process.kill()
            program.process.communicate()


def in_background(function, *arguments, **named):
    """Run a request in a thread; the returned function waits for its answer."""
    found = []
    thread = threading.Thread(target=lambda: found.append(function(*arguments, **named)))
    thread.start()

    def wait():
        thread.join(300)
        assert found, "the request failed"
        return found[0]

    return wait


def open_stream(service, method, headers, body=None):
    """A request whose answer has begun and does not end."""
    connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=300)
    connection.request(method, "/analysis", body=body, headers={**ACCEPT, **headers})
    answer = connection.getresponse()
    assert answer.status == 200
    return connection, answer


def listen(service):
    meta = {"_meta": META, "notifications": {"toolsListChanged": True}}
    body = json.dumps({"jsonrpc": "2.0", "id": 5, "method": "subscriptions/listen", "params": meta})
    headers = {"MCP-Protocol-Version": MODERN, "Mcp-Method": "subscriptions/listen"}
    connection, answer = open_stream(service, "POST", headers, body)
    assert b"acknowledged" in answer.readline() + answer.readline()
    return connection, answer


@pytest.mark.parametrize("name", ["analysis", "memory", "catalog"])
def test_streams_of_the_real_servers_get_a_farewell(tmp_path, name):
    served = real_server(tmp_path, name)
    mount = Mount("/analysis", served.mcp, served.tools.required_scopes, frozenset())

    with running(HttpSettings(port=0), mounts=[mount]) as service:
        connection, answer = listen(service)
    last = answer.read()
    connection.close()
    served.runtime.close()

    assert b'"id":5,"result"' in last


def ask_while_alive(program):
    while program.process.poll() is None:
        program.service.modern("tools/list")


@pytest.mark.slow
@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_program_in_order_and_nothing_is_on_stdout(start, sent):
    program = start()
    assert program.service.modern("tools/list").status == 200

    code, out, err = program.terminate(sent)

    assert (code, out) == (0, "")
    assert "ended in order" in err
    assert "Traceback" not in err


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["stream", "json"])
@pytest.mark.parametrize("era", ["modern", "legacy"])
def test_a_call_in_flight_gets_its_answer_after_the_signal(start, mode, era):
    program = start(mode)
    if era == "modern":
        params = {"name": "slow", "arguments": {"seconds": 0.7}}
        wait = in_background(program.service.modern, "tools/call", params)
    else:
        session = program.service.initialize()
        wait = in_background(program.service.post, call("slow", {"seconds": 0.7}), **session)
    program.await_call()

    code, _, err = program.terminate()

    assert wait().message["result"]["content"][0]["text"] == "slept"
    assert code == 0
    assert "Traceback" not in err


@pytest.mark.slow
@pytest.mark.parametrize("listeners", ["farewell", "hang"])
def test_open_streams_do_not_hold_up_the_end(start, listeners):
    program = start(listeners=listeners)
    session = program.service.initialize()
    named = {name.replace("_", "-"): value for name, value in session.items()}
    get_connection, get_answer = open_stream(program.service, "GET", named)
    listen_connection, listen_answer = listen(program.service)

    code, _, err = program.terminate()

    # Whole answers: http.client raises IncompleteRead when a chunked body breaks off.
    assert get_answer.read() == b""
    assert (b'"id":5,"result"' in listen_answer.read()) == (listeners == "farewell")
    assert code == 0
    # What uvicorn says when it has waited for the whole drain time, or a stream broke off.
    assert "graceful shutdown exceeded" not in err
    assert "without completing response" not in err
    get_connection.close()
    listen_connection.close()


@pytest.mark.slow
def test_a_new_client_is_not_answered_during_the_drain(start):
    program = start()
    session = program.service.initialize()
    wait = in_background(program.service.post, call("slow", {"seconds": 0.7}), **session)
    program.await_call()
    program.process.send_signal(signal.SIGTERM)

    with pytest.raises(OSError):  # noqa: PT011 - refused or reset, as the platform likes
        ask_while_alive(program)

    assert wait().message["result"]["content"][0]["text"] == "slept"


def test_a_free_port_is_found_and_told_before_the_server_runs():
    settings = HttpSettings(port=0)
    app = create_app(
        [create_mount("/analysis")],
        settings=settings,
        verifier=None,
        health=lambda: {"status": "ok"},
        metrics=str,
    )

    server = HttpServer(app, settings)

    assert server.port > 0
    assert server.url == f"http://127.0.0.1:{server.port}"
    server.close()


def test_a_port_in_use_is_an_error_with_a_way_out():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        settings = HttpSettings(port=taken.getsockname()[1])
        app = create_app(
            [create_mount("/analysis")], settings=settings, verifier=None, health=dict, metrics=str
        )

        with pytest.raises(DriftError) as caught:
            HttpServer(app, settings)

    assert caught.value.code is ErrorCode.INVALID_ARGUMENT
    assert "0 for any free one" in str(caught.value.recovery.hint)


@pytest.mark.parametrize("address", [("127.0.0.1", 70_000), ("no.such.host.invalid", 0)])
def test_an_address_that_cannot_be_had_is_an_error(address):
    settings = HttpSettings(host=address[0], port=address[1])
    app = create_app([create_mount("/analysis")], settings=settings, verifier=None, health=dict, metrics=str)

    with pytest.raises(DriftError) as caught:
        HttpServer(app, settings)

    assert caught.value.code is ErrorCode.INVALID_ARGUMENT


def test_the_server_listens_on_the_loopback_of_version_six():
    with running(HttpSettings(host="::1", port=0)) as service:
        connection = http.client.HTTPConnection("::1", service.port, timeout=300)
        connection.request("GET", "/health")
        assert connection.getresponse().status == 200
        connection.close()


def test_an_application_that_cannot_start_is_an_error():
    settings = HttpSettings(port=0)
    mount = create_mount("/analysis")
    app = create_app([mount], settings=settings, verifier=None, health=dict, metrics=str)

    HttpServer(app, settings).run(lambda server: server.stop())

    with pytest.raises(DriftError) as caught:
        HttpServer(app, settings).run()  # session managers do not start a second time

    assert caught.value.code is ErrorCode.INTERNAL_ERROR
