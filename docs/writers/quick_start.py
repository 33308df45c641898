"""What each client needs, for the quick start."""

from drift.cli.clients import CLIENTS, SCOPES, McpClient
from writers.blocks import Block
from writers.markdown import code, fence

# What stands for the folders of the one who reads.
_FOLDERS = {
    "{project}": ".",
    "{home}": "~",
    "{config}": "~/.config",
    "{xdg}": "~/.config",
    "{codex}": "~/.codex",
    "{goose}": "~/.config/goose",
    "{apps}": "the folder of applications' settings",
}


def quick_start_blocks() -> Block:
    """A section for every client, by the table that `drift install` goes by."""
    return {"quick-start-clients": "\n\n".join(map(_write_client, CLIENTS))}


def _write_client(client: McpClient) -> str:
    places = "; ".join(f"for {SCOPES[scope]}: {_write_place(file)}" for scope, file in client.files.items())
    return f"### {client.title}\n\n{fence(f'drift install {client.name}', 'sh')}\n\n{client.after} The entry is written {places}."


def _write_place(file: str) -> str:
    if file.startswith("{apps}/"):
        return f"{code(file.removeprefix('{apps}/'))} in {_FOLDERS['{apps}']}"
    for name, folder in _FOLDERS.items():
        file = file.replace(name, folder)
    return code(file)
