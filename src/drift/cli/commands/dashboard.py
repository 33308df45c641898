"""`drift dashboard`: a read-only web page about the project, on this machine."""

import argparse
import sys
import threading
from typing import Final
from urllib.parse import quote

from drift.cli.command_lines import command_line
from drift.cli.console import Console, Ink
from drift.cli.exits import Exit
from drift.cli.project_choice import open_registry
from drift.cli.serving import follow_server_log, serving_environ
from drift.kernel.errors import invalid
from drift.pipeline import Environment
from drift.project import find_root, open_project
from drift.protocol.heap import loading

_USUAL_PORT: Final = 8787
_USUAL_TRIES: Final = 10
_MOST_TRIES: Final = 1_000


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", nargs="?", help="the project; default: the one around this directory")
    parser.add_argument(
        "--port",
        "--dashboard-port",
        type=int,
        default=_USUAL_PORT,
        help=f"port, 0 for any; default: {_USUAL_PORT}",
    )
    parser.add_argument(
        "--host", "--dashboard-host", default="127.0.0.1", help="address to listen on; default: 127.0.0.1"
    )
    parser.add_argument(
        "--tries",
        "--dashboard-tries",
        type=int,
        default=_USUAL_TRIES,
        metavar="N",
        help=f"ports to try after the first; default: {_USUAL_TRIES}",
    )
    parser.add_argument(
        "--insecure", action="store_true", help="listen beyond this machine: all who reach it can read"
    )
    parser.add_argument(
        "--view", default="", metavar="ADDRESS", help="the view to open, as behind # in the page's address"
    )
    parser.add_argument(
        "--write", action="store_true", help="conventions can be approved and ignored on the page"
    )
    parser.add_argument("--no-open", action="store_true", help="do not open the page in a browser")


def run(arguments: argparse.Namespace, console: Console) -> Exit:
    if not 0 <= arguments.tries <= _MOST_TRIES:
        raise invalid("tries", f"got {arguments.tries}; a number from 0 to {_MOST_TRIES}")
    # One person clicks slower than any limit.
    environ = serving_environ(console.environ, has_rate_limit=False, is_shared=True)
    root = find_root(arguments.path, cwd=console.cwd, environ=environ)
    follow_server_log(open_project(root, environ), console)
    with loading():
        # Imported here: they bring the protocol library and the web server, which help does not need.
        from drift.dashboard import Inquiry, create_dashboard, find_port
        from drift.protocol.http.origin import is_loopback, refuse_unsafe_bind
        from drift.protocol.http.settings import HttpSettings

        refuse_unsafe_bind(arguments.host, has_auth=False, insecure=arguments.insecure)
        if arguments.write and not is_loopback(arguments.host):
            raise invalid("write", "only on this machine: without a log-in everyone could decide")
        settings = HttpSettings(host=arguments.host, port=arguments.port)
        inquiry = Inquiry(Environment(root, open_registry(console), environ), write_command=command_line)
    try:
        app = create_dashboard(inquiry, settings, may_write=arguments.write)
        server = find_port(app, settings, tries=arguments.tries)
        server.run(lambda ready: _say_ready(ready.url, console, arguments))
    finally:
        inquiry.close()
    return Exit.OK


def _say_ready(server: str, console: Console, arguments: argparse.Namespace) -> None:
    url = f"{server}/#{quote(arguments.view, safe='/?=&:')}" if arguments.view else f"{server}/"
    console.tell(f"Dashboard: {console.paint_aside(url, Ink.CYAN)}")
    does = "Conventions can be decided on it" if arguments.write else "It only reads"
    console.tell(f"{does}; Ctrl-C ends it.")
    if not arguments.no_open and console.is_interactive and _has_screen(console):
        import webbrowser  # not needed where nothing is opened

        # Some browsers let their caller wait until they are closed.
        threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()


def _has_screen(console: Console) -> bool:
    """Whether a browser would have a window; else one that draws in this terminal might be started."""
    if sys.platform in ("darwin", "win32"):
        return True
    return bool(console.environ.get("DISPLAY") or console.environ.get("WAYLAND_DISPLAY"))
