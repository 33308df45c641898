"""The clients on this machine, and whether Drift is connected to each."""

from collections.abc import Iterator

from drift.cli.checks.finding import Finding, ok, warn
from drift.cli.clients import CLIENTS, McpClient, Places, config_path, is_present, read_installed, section_of
from drift.kernel.errors import DriftError


def check_clients(places: Places) -> Iterator[Finding]:
    """One line per client that is here, or one that says there is none."""
    here = [client for client in CLIENTS if is_present(client, places)]
    if not here:
        yield ok("clients", f"none of the {len(CLIENTS)} Drift knows found on this machine")
    for client in here:
        yield _check_client(client, places)


def _check_client(client: McpClient, places: Places) -> Finding:
    name = f"client {client.name}"
    installed: dict[str, str] = {}
    problems: list[str] = []
    for scope in client.files:
        try:
            path = config_path(client, scope, places)
            section = section_of(client, scope, places)
            installed |= dict.fromkeys(read_installed(path, section), str(path))
        except (DriftError, ValueError, RecursionError) as error:
            problems.append(f"{places.fill(client.files[scope])} cannot be read: {error}")
    if installed:
        return ok(name, ", ".join(f"{server} in {path}" for server, path in sorted(installed.items())))
    if problems:
        return warn(name, " ".join(problems), f"See what to paste: drift install {client.name} --print")
    return warn(name, "found, but not connected to Drift", f"Run: drift install {client.name}")
