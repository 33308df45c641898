"""All checks, in the order a doctor would go through them: the ground first, what stands on it later."""

from collections.abc import Iterator

from drift.cli.checks.clients import check_clients
from drift.cli.checks.finding import Finding, failing
from drift.cli.checks.machine import check_machine
from drift.cli.checks.project import check_project
from drift.cli.checks.server import check_server
from drift.cli.clients import Places, launch_command
from drift.cli.console import Console
from drift.cli.project_choice import open_registry
from drift.kernel.errors import DriftError
from drift.project import find_root


def run_checks(console: Console) -> Iterator[Finding]:
    """What every check found, as it is found."""
    yield from check_machine()
    try:
        environ = console.environ
        root = find_root(None, cwd=console.cwd, environ=environ)
        projects = open_registry(console)
        places = Places.of(environ, root)
    except DriftError as error:
        yield failing("surroundings", error)
        return
    yield from check_project(root, environ, projects)
    yield from check_clients(places)
    yield from check_server(launch_command(root), root, console.environ)
