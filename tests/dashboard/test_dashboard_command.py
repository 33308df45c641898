"""`drift dashboard` as a person starts and ends it."""

import io
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from contextlib import contextmanager

import pytest

from drift.cli.commands import dashboard
from drift.cli.console import Console
from drift.cli.exits import Exit
from drift.cli.parser import Parser
from drift.kernel.errors import DriftError

PROGRAM = """
import sys
from drift.cli.commands import dashboard
from drift.cli.console import open_console
from drift.cli.parser import Parser
parser = Parser("drift dashboard", "")
dashboard.configure(parser)
sys.exit(dashboard.run(parser.read(sys.argv[1:]), open_console()))
"""


def read(*words):
    parser = Parser("drift dashboard", "")
    dashboard.configure(parser)
    return parser.read(words)


def run(place, *words):
    console = Console(io.StringIO(), io.StringIO(), io.StringIO(), place.environ, place.root)
    return dashboard.run(read(*words), console)


@contextmanager
def started(place, *words):
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", PROGRAM, *words],
        cwd=place.root,
        env=place.environ,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def test_it_listens_on_this_machine_at_the_usual_port_unless_told():
    given = read()

    assert (given.host, given.port, given.tries, given.insecure) == ("127.0.0.1", 8787, 10, False)


def test_both_spellings_of_every_option_mean_the_same():
    short = read("--port", "9000", "--host", "::1", "--tries", "3")
    long = read("--dashboard-port=9000", "--dashboard-host=::1", "--dashboard-tries=3")

    assert short == long


@pytest.mark.parametrize("tries", ["-1", "1001"])
def test_a_senseless_number_of_tries_is_refused(place, tries):
    with pytest.raises(DriftError, match="tries:"):
        run(place, f"--tries={tries}")


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "example.org"])
def test_the_network_is_not_listened_to_unless_the_person_insists(place, host):
    with pytest.raises(DriftError, match="open to the network"):
        run(place, "--host", host)


def test_a_host_name_that_is_no_name_is_refused(place):
    with pytest.raises(DriftError):
        run(place, "--host", "no host", "--insecure")


@pytest.mark.slow
def test_the_address_is_told_on_standard_error_and_an_interrupt_ends_it_well(place):
    with (
        socket.create_server(("127.0.0.1", 0)) as taken,
        started(place, "--dashboard-port", str(taken.getsockname()[1]), "--tries", "100") as process,
    ):
        first = process.stderr.readline()
        url = re.fullmatch(r"Dashboard: (http://127\.0\.0\.1:[0-9]+/)\n", first)[1]

        with urllib.request.urlopen(f"{url}tools.json") as reply:
            assert reply.status == 200
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=300)

    assert process.returncode == Exit.OK
    assert out == ""
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("environ", "platform", "is_there"),
    [
        ({}, "linux", False),
        ({"DISPLAY": ":0"}, "linux", True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", True),
        ({}, "darwin", True),
        ({}, "win32", True),
    ],
)
def test_a_browser_is_opened_only_where_it_has_a_window(place, monkeypatch, environ, platform, is_there):
    console = Console(io.StringIO(), io.StringIO(), io.StringIO(), environ, place.root)
    monkeypatch.setattr(sys, "platform", platform)

    assert dashboard._has_screen(console) is is_there
