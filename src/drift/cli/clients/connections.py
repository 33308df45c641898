"""Which of Drift's servers a client has."""

from typing import NamedTuple

from drift.cli.clients.change import read_installed
from drift.cli.clients.places import Places, config_path, section_of
from drift.cli.clients.table import McpClient
from drift.kernel.errors import DriftError


class Connections(NamedTuple):
    """Our servers in a client's files, with the file of each, and the files that cannot be read."""

    servers: dict[str, str]
    problems: list[str]


def read_connections(client: McpClient, places: Places) -> Connections:
    """What every file of the client says."""
    servers: dict[str, str] = {}
    problems: list[str] = []
    for scope in client.files:
        try:
            path = config_path(client, scope, places)
            section = section_of(client, scope, places)
            servers |= dict.fromkeys(read_installed(path, section), str(path))
        except (DriftError, ValueError, RecursionError) as error:
            problems.append(f"{places.fill(client.files[scope])} cannot be read: {error}")
    return Connections(servers, problems)
