"""`drift mcp`: one server for one client over standard input and output. Nothing else is written there."""

import argparse
import asyncio
import json
from typing import Final

from drift.cli.console import Console
from drift.cli.exits import Exit
from drift.cli.logs import parse_levels
from drift.cli.project_choice import open_registry
from drift.cli.serving import (
    choose_surface,
    follow_server_log,
    leave_tools_behind,
    serving_environ,
    start_telemetry,
)
from drift.kernel.errors import DriftError
from drift.pipeline import Environment
from drift.project import find_root, open_project
from drift.project.roots import ROOT_VARIABLE
from drift.protocol.heap import loading
from drift.registry import SURFACES, Intent, ServerName
from drift.telemetry import Telemetry

_LONGEST_REQUEST: Final = 1_000_000
_INTERNAL_ERROR: Final = -32603  # of JSON-RPC


def configure(parser: argparse.ArgumentParser) -> None:
    servers = [str(name) for name in ServerName]
    parser.add_argument(
        "server",
        nargs="?",
        choices=servers,
        default=servers[0],
        help=f"{', '.join(servers)}; default: {servers[0]}",
    )
    parser.add_argument(
        "path",
        nargs="?",
        help="the project; default: the folder the client has open, else the one around this directory",
    )
    parser.add_argument("--surface", help=f"which tools are listed: {', '.join(SURFACES)}")
    parser.add_argument(
        "--intent",
        choices=[str(intent) for intent in Intent],
        metavar="INTENT",
        help="list the tools for one task",
    )
    parser.add_argument(
        "--log-level", help="debug, info, warning or error; rooms may differ: pipeline=debug,info"
    )
    parser.add_argument("--no-rate-limit", action="store_true", help="take calls as fast as they come")


def run(arguments: argparse.Namespace, console: Console) -> Exit:
    try:
        return _run(arguments, console)
    except DriftError as error:
        _answer_first(error, console)
        raise


def _answer_first(error: DriftError, console: Console) -> None:
    """Answer a client's first request with what keeps the server from starting: it may show nothing of a log."""
    if console.stdin.isatty():
        return
    try:
        request = json.loads(console.stdin.readline(_LONGEST_REQUEST))
    except (ValueError, RecursionError):
        return
    request_id = request.get("id") if isinstance(request, dict) else None
    if not isinstance(request_id, str | int) or isinstance(request_id, bool):
        return
    told = {"code": _INTERNAL_ERROR, "message": error.message, "data": error.as_wire()}
    console.say(json.dumps({"jsonrpc": "2.0", "id": request_id, "error": told}))
    console.stdout.flush()


def _run(arguments: argparse.Namespace, console: Console) -> Exit:
    root = find_root(arguments.path, cwd=console.cwd, environ=console.environ)
    levels = parse_levels(arguments.log_level, named_by="--log-level") if arguments.log_level else None
    environ = serving_environ(
        console.environ, intent=arguments.intent, has_rate_limit=not arguments.no_rate_limit
    )
    project = open_project(root, environ)
    follow_server_log(project, console, levels=levels)
    if console.stdin.isatty():
        console.tell(
            "This speaks MCP on standard input and output; `drift install` connects a client. Ctrl-C ends it."
        )
    is_given = arguments.path is not None or bool(console.environ.get(ROOT_VARIABLE, "").strip())
    telemetry = start_telemetry(project, environ)
    at = Environment(root, open_registry(console), environ, is_root_given=is_given, around=telemetry)
    try:
        asyncio.run(_serve(ServerName(arguments.server), arguments, at, telemetry=telemetry))
    finally:
        if telemetry is not None:
            telemetry.close()
        leave_tools_behind()
    return Exit.OK


async def _serve(
    name: ServerName, arguments: argparse.Namespace, at: Environment, *, telemetry: Telemetry | None
) -> None:
    with loading():
        # Imported here: they bring the protocol library, which takes a second that a wrong path need not wait for.
        from drift.protocol.limits import WireLimits
        from drift.protocol.stdio.transport import serve_stdio
        from drift.servers import BLUEPRINTS, assemble

        limits = WireLimits(sustained_per_second=0) if arguments.no_rate_limit else WireLimits()
        surface = choose_surface(arguments.surface, open_project(at.root, at.environ))
        assembled = assemble(BLUEPRINTS[name], surface, at=at, limits=limits)
        if telemetry is not None:
            telemetry.watch(assembled.runtime)
    try:
        await serve_stdio(assembled.mcp, limits=limits, in_flight=assembled.mcp.in_flight)
    finally:
        assembled.runtime.close()
