"""`drift serve`: the three servers over HTTP, with their health and their numbers."""

import argparse
import logging
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from drift.cli.callers import find_verifier
from drift.cli.command_lines import command_line
from drift.cli.console import Console, Ink
from drift.cli.exits import Exit
from drift.cli.project_choice import open_registry
from drift.cli.serving import (
    choose_surface,
    follow_server_log,
    leave_tools_behind,
    serving_environ,
    start_telemetry,
)
from drift.index import read_index_state
from drift.kernel.errors import DriftError
from drift.pipeline import Environment, SharedState, prometheus_text
from drift.project import Project, find_root, open_project
from drift.project.home import expand_home
from drift.protocol.heap import loading
from drift.registry import SURFACES, Scope, ServerName
from drift.telemetry import Telemetry

if TYPE_CHECKING:
    # The protocol library takes a second to import; help and wrong options need none of it.
    from drift.protocol.http.serve import HttpServer
    from drift.protocol.http.settings import HttpSettings, Mount
    from drift.protocol.http.tokens import Verifier
    from drift.servers import AssembledServer
    from drift.state import EffectiveRate

logger = logging.getLogger(__name__)

_BASE_SCOPES: Final[Mapping[ServerName, frozenset[str]]] = {
    ServerName.ANALYSIS: frozenset({str(Scope.READ)}),
    ServerName.MEMORY: frozenset({str(Scope.MEMORY)}),
    ServerName.CATALOG: frozenset({str(Scope.READ)}),
}


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", nargs="?", help="the project; default: the one around this directory")
    parser.add_argument("--host", help="address to listen on; default: mcp.http_host, which is 127.0.0.1")
    parser.add_argument("--port", type=int, help="port, 0 for any; default: mcp.http_port, which is 3000")
    parser.add_argument(
        "--tokens", metavar="FILE", help="bearer tokens callers must show; see docs/protocol.md"
    )
    parser.add_argument("--insecure", action="store_true", help="listen beyond this machine without tokens")
    parser.add_argument(
        "--cors", action="append", metavar="ORIGIN", help="web page that may call; repeatable"
    )
    parser.add_argument("--surface", help=f"which tools are listed: {', '.join(SURFACES)}")


def run(arguments: argparse.Namespace, console: Console) -> Exit:
    environ = serving_environ(console.environ, is_shared=True)
    root = find_root(arguments.path, cwd=console.cwd, environ=environ)
    project = open_project(root, environ)
    follow_server_log(project, console)
    telemetry = start_telemetry(project, environ)
    state_url = project.config.mcp.state_url
    shared = SharedState(state_url) if state_url else None
    at = Environment(root, open_registry(console), environ, around=telemetry, shared=shared)
    try:
        _House(arguments, project, at, telemetry).serve(console)
    finally:
        if telemetry is not None:
            telemetry.close()
        leave_tools_behind()
    return Exit.OK


@dataclass
class _House:
    """The three servers under one roof."""

    arguments: argparse.Namespace
    project: Project
    at: Environment
    telemetry: Telemetry | None

    def serve(self, console: Console) -> None:
        with loading():
            # Imported here: they bring the protocol library and the web server.
            from drift.dashboard import Inquiry, guarded_page, own_door, token_door
            from drift.protocol.http.app import create_app
            from drift.protocol.http.origin import refuse_unsafe_bind
            from drift.protocol.http.refusals import Refusals
            from drift.protocol.http.serve import serve_http
            from drift.servers import BLUEPRINTS, assemble, enabled_servers

            settings = self._settings()
            tokens = self.arguments.tokens
            verifier = find_verifier(
                self.project, console.cwd / expand_home(tokens, console.environ) if tokens else None
            )
            refuse_unsafe_bind(settings.host, has_auth=verifier is not None, insecure=self.arguments.insecure)
            surface = choose_surface(self.arguments.surface, self.project)
            servers = {
                name: assemble(BLUEPRINTS[name], surface, at=self.at)
                for name in enabled_servers(self.project)
            }
            inquiry = Inquiry(self.at, write_command=command_line)
        refusals = Refusals()
        if self.telemetry is not None:
            refusals.hearers.append(self.telemetry.hear_of_caller)
            for server in servers.values():
                self.telemetry.watch(server.runtime)
        try:
            app = create_app(
                [_mount(name, server) for name, server in servers.items()],
                settings=settings,
                verifier=verifier,
                health=self._health,
                metrics=lambda: self._metrics(servers, refusals.counts),
                refusals=refusals,
                on_close=partial(self._let_go, verifier),
                page=lambda gate, drain: guarded_page(
                    inquiry, drain, own_door(may_write=False) if gate is None else token_door(gate)
                ),
            )
            serve_http(app, settings, on_ready=lambda http: _say_urls(http, [*servers], console))
        finally:
            inquiry.close()
            for server in servers.values():
                server.runtime.close()

    async def _let_go(self, verifier: "Verifier | None") -> None:
        for each in (verifier, self.at.shared):
            if each is not None:
                await each.close()

    def _settings(self) -> "HttpSettings":
        from drift.protocol.http.settings import HttpSettings  # see above

        mcp, given = self.project.config.mcp, self.arguments
        return HttpSettings(
            host=mcp.http_host if given.host is None else given.host,
            port=mcp.http_port if given.port is None else given.port,
            cors_origins=tuple(given.cors) if given.cors else mcp.http_cors_origins,
            max_sessions=mcp.http_max_sessions,
            max_sessions_per_caller=mcp.http_max_sessions_per_caller,
            max_requests_per_caller=mcp.http_max_requests_per_caller,
            resource_url=mcp.http_public_url or None,
            issuer_url=mcp.auth.issuer or None,
            audiences=mcp.auth.audience,
        )

    def _metrics(self, servers: Mapping[ServerName, "AssembledServer"], callers: Mapping[str, int]) -> str:
        measured = {str(name): server.runtime.metrics() for name, server in servers.items()}
        return prometheus_text(measured, callers=callers, rates=self._rates())

    def _rates(self) -> "tuple[EffectiveRate, ...]":
        """What was rated of no use; nothing where the store cannot be read, which must not cost the other numbers."""
        from drift.state import StateStore, effective_rates  # brings SQLite, for those who ask for numbers

        try:
            with closing(StateStore(self.project.stores.state_db)) as store:
                return effective_rates(store, datetime.now(UTC))
        except DriftError as error:
            logger.warning("ratings are left out of the metrics: %s", error.message)
            return ()

    def _health(self) -> Mapping[str, Any]:
        """Degraded while the index is there but cannot be used."""
        index = read_index_state(self.project.state.index_db)
        about = {"project": self.project.name, "indexed": index.is_usable, "scannedAt": index.scanned_at}
        shared = self.at.shared.problem if self.at.shared is not None else None
        if problem := index.problem or shared:
            return {"status": "degraded", **about, "problem": problem}
        return {"status": "ok", **about}


def _mount(name: ServerName, server: "AssembledServer") -> "Mount":
    from drift.protocol.http.settings import Mount  # see above

    return Mount(
        path=f"/{name}",
        server=server.mcp,
        required_scopes=server.tools.required_scopes,
        base_scopes=_BASE_SCOPES[name],
        resource_scopes=server.resource_scopes,
    )


def _say_urls(http: "HttpServer", names: Sequence[ServerName], console: Console) -> None:
    console.tell(f"  {console.paint_aside(f'{http.url}/', Ink.CYAN)} the page, for a browser")
    for path in (*map(str, names), "health", "metrics"):
        console.tell(f"  {console.paint_aside(f'{http.url}/{path}', Ink.CYAN)}")
    console.tell("Serving; Ctrl-C ends it when running calls are done.")
