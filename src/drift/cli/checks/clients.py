"""The clients on this machine, and whether Drift is connected to each."""

from collections.abc import Iterator

from drift.cli.checks.finding import Finding, ok, warn
from drift.cli.clients import CLIENTS, McpClient, Places, is_present, read_connections


def check_clients(places: Places) -> Iterator[Finding]:
    """One line per client that is here, or one that says there is none."""
    here = [client for client in CLIENTS if is_present(client, places)]
    if not here:
        yield ok("clients", f"none of the {len(CLIENTS)} Drift knows found on this machine")
    for client in here:
        yield _check_client(client, places)


def _check_client(client: McpClient, places: Places) -> Finding:
    name = f"client {client.name}"
    installed, problems = read_connections(client, places)
    if installed:
        return ok(name, ", ".join(f"{server} in {path}" for server, path in sorted(installed.items())))
    if problems:
        return warn(name, " ".join(problems), f"See what to paste: drift install {client.name} --print")
    fix = f"Run: drift install {client.name}"
    return warn(name, "found, but not connected to Drift", fix, mending=("install", client.name))
