"""The command a client starts a server with; it works from any directory and with any PATH."""

import os
import sys
from collections.abc import Iterable
from pathlib import Path

from drift.cli.clients.shapes import Entry
from drift.cli.clients.table import McpClient
from drift.kernel.own_process import CLI, own_interpreter
from drift.registry import ServerName


def launch_command(project: Path, executable: str = sys.executable) -> list[str]:
    """`drift` by its absolute path, beside the interpreter that runs this; else the interpreter itself."""
    name = "drift.exe" if os.name == "nt" else "drift"
    # Not resolved: in a virtual environment the interpreter is a link out of it.
    script = Path(executable).absolute().parent / name
    if os.access(script, os.X_OK) and script.is_file():
        return [str(script)]
    # Without a script Drift was found by means the client does not know of: PYTHONPATH, a folder of the user's, a zip.
    return [str(Path(executable).absolute()), *own_interpreter(CLI, project)[1:]]


def server_entries(
    client: McpClient, servers: Iterable[ServerName], *, launch: list[str], options: list[str]
) -> dict[str, Entry]:
    """What to write into the client's section, by the servers' names; `options` stand behind a server's name."""
    command, *words = launch
    return {
        f"drift-{server}": {
            **client.extra,
            **client.shape(f"drift-{server}", command, [*words, "mcp", str(server), *options]),
        }
        for server in servers
    }
