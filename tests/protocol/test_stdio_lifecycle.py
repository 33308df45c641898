import asyncio
import json
import os
import signal
import socket
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest
from mcp.server.lowlevel import Server
from stdio_client import MODERN, PATIENCE_SECONDS, fixture_command, initialize, serving

from drift.protocol.limits import InFlight, WireLimits
from drift.protocol.stdio.transport import serve_descriptors

VERSIONS = ("2025-11-25", MODERN)

# Nearly every test here ends its server, so each starts one of its own.
pytestmark = pytest.mark.slow


def run_to_end(data, **streams):
    """The server's exit code and output for input that simply ends."""
    done = subprocess.run(
        fixture_command(), input=data, capture_output=True, timeout=PATIENCE_SECONDS, check=False, **streams
    )
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]


def handshake_and(*messages):
    return b"".join(json.dumps(message).encode() + b"\n" for message in (initialize("2025-11-25"), *messages))


def ping(request_id):
    return {"jsonrpc": "2.0", "id": request_id, "method": "ping"}


@pytest.mark.parametrize("version", VERSIONS)
def test_calls_in_flight_at_the_end_of_input_are_answered(version):
    with serving(version) as session:
        session.send(session.call("slow", request_id="late", seconds=0.4))

        assert session.leave() == 0
        assert session.rest()[0]["result"]["content"][0]["text"] == "done"


@pytest.mark.parametrize("signum", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_stops_reading_and_lets_calls_in_flight_finish(signum):
    with serving("2025-11-25") as session:
        session.send(session.call("slow", request_id="late", seconds=0.5))
        session.echo("the slow call has been read")

        session.signal(signum)

        assert session.wait() == 0
        assert session.rest()[0]["result"]["content"][0]["text"] == "done"


def test_calls_that_outlast_the_drain_are_answered_with_an_error():
    with serving("2025-11-25", drain_seconds=0.3) as session:
        session.send(session.call("slow", request_id="too long", seconds=60))

        assert session.leave() == 0
        assert session.rest()[0]["error"]["code"] == -32000
        assert b"slow was cancelled" in session.stderr


def test_a_second_signal_leaves_the_calls_in_flight():
    with serving("2025-11-25", drain_seconds=600) as session:
        session.send(session.call("slow", request_id="long", seconds=600))
        session.echo("the slow call has been read")

        session.signal()
        while session.process.poll() is None:
            session.signal()  # two that come before the first is handled count as one
            with suppress(subprocess.TimeoutExpired):
                session.process.wait(0.1)

        assert session.wait() in (0, -signal.SIGTERM)  # a late one may hit the interpreter on its way out
        assert b"slow was cancelled" in session.stderr


def test_an_idle_server_ends_at_once():
    with serving("2025-11-25") as session:
        assert session.leave() == 0
        assert session.rest() == []


def test_an_open_subscription_does_not_hold_the_server_up():
    with serving(MODERN, drain_seconds=600) as session:
        session.echo("modern")
        session.send(session.request("subscriptions/listen", request_id="sub", notifications={}))
        session.receive()

        assert session.leave() == 0


def test_the_last_line_needs_no_newline():
    code, answers = run_to_end(handshake_and(ping("last"))[:-1])

    assert code == 0
    assert [answer["id"] for answer in answers] == ["handshake", "last"]


def test_an_overlong_line_cut_by_the_end_of_input_is_still_refused():
    code, answers = run_to_end(handshake_and() + b'{"id": 3, "x": "' + b"y" * 2_000_000)

    assert code == 0
    assert (answers[1]["id"], answers[1]["error"]["code"]) == (3, -32600)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads the size of a process from /proc")
def test_memory_stays_bounded_while_an_endless_line_is_discarded():
    with serving("2025-11-25") as session:
        before = resident_kib(session.process.pid)
        for _ in range(64):
            session.send_raw(b"x" * 1_048_576)
        session.send_raw(b"\n")

        assert session.receive()["error"]["code"] == -32600
        assert resident_kib(session.process.pid) - before < 16 * 1024


def resident_kib(pid):
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0])


def test_what_libraries_print_goes_to_stderr_only():
    with serving("2025-11-25") as session:
        answer = session.ask(session.call("noisy"))

        assert answer["result"]["content"][0]["text"] == "was noisy"
        assert session.leave() == 0
        assert session.rest() == []
        for stray in (b"printed before serving", b"stray print", b"stray write", b"stray child"):
            assert stray in session.stderr


def test_a_client_that_no_longer_reads_ends_the_server_quietly():
    pipe = subprocess.PIPE
    with subprocess.Popen(fixture_command(), stdin=pipe, stdout=pipe, stderr=pipe) as process:
        process.stdin.write(handshake_and())
        process.stdin.flush()
        process.stdout.readline()
        process.stdout.close()
        process.stdin.write(json.dumps(ping("unheard")).encode() + b"\n")
        process.stdin.flush()

        assert process.wait(PATIENCE_SECONDS) == 0
        assert b"Traceback" not in process.stderr.read()


def test_a_client_that_reads_late_gets_every_answer():
    reading, writing = os.pipe()
    command = fixture_command()
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=writing, stderr=subprocess.DEVNULL
    ) as process:
        os.close(writing)
        call = {"name": "big", "arguments": {"size": 100_000}}
        process.stdin.write(
            handshake_and(
                *[{"jsonrpc": "2.0", "id": n, "method": "tools/call", "params": call} for n in range(100)]
            )
        )
        process.stdin.close()
        with open(reading, "rb") as stdout:  # noqa: PTH123 -- a descriptor, not a path
            ids = [json.loads(line)["id"] for line in stdout]
        assert process.wait(PATIENCE_SECONDS) == 0

    assert sorted(map(str, ids)) == sorted(["handshake", *map(str, range(100))])


def test_a_handler_that_waits_for_the_client_hears_that_it_left():
    with serving("2025-11-25", drain_seconds=600) as session:
        session.send(session.call("ask", request_id="asking"))
        question = session.receive()
        assert question["method"] == "elicitation/create"

        assert session.leave() == 0
        assert "left before it replied" in json.dumps(session.rest())


def test_the_reply_to_an_elicitation_reaches_its_handler():
    with serving("2025-11-25") as session:
        session.send(session.call("ask", request_id="asking"))
        question = session.receive()
        result = {"action": "accept", "content": {"name": "Ada"}}
        session.send({"jsonrpc": "2.0", "id": question["id"], "result": result})

        assert session.receive_for("asking")["result"]["content"][0]["text"] == "accept:Ada"


def test_files_serve_as_input_and_output(tmp_path):
    source, sink = tmp_path / "in", tmp_path / "out"
    source.write_bytes(handshake_and(ping("from a file")))

    with source.open("rb") as stdin, sink.open("wb") as stdout:
        code = subprocess.run(
            fixture_command(), stdin=stdin, stdout=stdout, stderr=subprocess.DEVNULL, timeout=300, check=False
        ).returncode

    assert code == 0
    assert [json.loads(line)["id"] for line in sink.read_bytes().splitlines()] == ["handshake", "from a file"]


def test_the_null_device_as_input_ends_the_server_at_once():
    null = subprocess.DEVNULL

    assert (
        subprocess.run(
            fixture_command(), stdin=null, stdout=null, stderr=null, timeout=300, check=False
        ).returncode
        == 0
    )


def test_a_terminal_as_input_is_served_and_stays_blocking():
    master, terminal = os.openpty()
    with subprocess.Popen(
        fixture_command(), stdin=terminal, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        os.write(master, handshake_and())
        answer = json.loads(process.stdout.readline())
        is_blocking = os.get_blocking(terminal)
        process.terminate()
        code = process.wait(PATIENCE_SECONDS)
    os.close(master)
    os.close(terminal)

    assert answer["id"] == "handshake"
    assert is_blocking
    assert code == 0


def test_one_socket_may_carry_both_directions():
    ours, theirs = socket.socketpair()
    with subprocess.Popen(
        fixture_command(), stdin=theirs, stdout=theirs, stderr=subprocess.DEVNULL
    ) as process:
        theirs.close()
        with ours, ours.makefile("rwb", 0) as stream:
            stream.write(handshake_and(ping("by socket")))
            ids = [json.loads(stream.readline())["id"] for _ in range(2)]
            ours.shutdown(socket.SHUT_WR)
            assert process.wait(PATIENCE_SECONDS) == 0

    assert ids == ["handshake", "by socket"]


def test_a_closed_standard_output_is_reported_with_a_way_out():
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" >&-', "sh", *fixture_command()],
        input=b"",
        capture_output=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )

    assert done.returncode != 0
    assert b"Standard input or output is closed" in done.stderr


def test_a_closed_standard_error_does_not_let_stray_output_through():
    calls = [
        {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "noisy", "arguments": {}}}
    ]
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" 2>&-', "sh", *fixture_command()],
        input=handshake_and(*calls),
        capture_output=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )

    assert done.returncode == 0
    assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == ["handshake", 1]


def serve_in_process(server, data, **options):
    """What a server writes to a pipe for the given input."""
    in_read, in_write = os.pipe()
    out_read, out_write = os.pipe()
    os.write(in_write, data)
    os.close(in_write)
    asyncio.run(serve_descriptors(server, (in_read, out_write), **options))
    os.close(in_read)
    os.close(out_write)
    with open(out_read, "rb") as stream:  # noqa: PTH123 -- a descriptor, not a path
        return [json.loads(line) for line in stream]


def test_the_limit_on_calls_in_flight_is_taken_off_the_server_afterwards():
    server = Server("plain")
    before = list(server.middleware)

    answers = serve_in_process(server, handshake_and(ping("x")), limits=WireLimits())

    assert [answer["id"] for answer in answers] == ["handshake", "x"]
    assert server.middleware == before


def test_a_given_limit_on_calls_in_flight_is_left_where_it_is():
    server = Server("plain")
    in_flight = InFlight(WireLimits())
    server.middleware.append(in_flight)

    serve_in_process(server, handshake_and(), limits=WireLimits(), in_flight=in_flight)

    assert server.middleware[-1] is in_flight
    assert in_flight.active == 0


def test_descriptors_are_left_blocking():
    server = Server("plain")
    in_read, in_write = os.pipe()
    out_read, out_write = os.pipe()
    os.close(in_write)

    asyncio.run(serve_descriptors(server, (in_read, out_write), limits=WireLimits()))

    assert os.get_blocking(in_read)
    assert os.get_blocking(out_write)
    for fd in (in_read, out_read, out_write):
        os.close(fd)
