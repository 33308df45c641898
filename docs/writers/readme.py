"""The lists of README.md: the clients and commands there are."""

from drift.cli.clients import CLIENTS, SCOPES, McpClient
from drift.cli.commands import COMMANDS
from drift.cli.exits import MEANINGS
from writers.blocks import Block
from writers.markdown import code, fence, table


def readme_blocks() -> Block:
    """The blocks by name."""
    width = max(len(client.name) for client in CLIENTS)
    commands = ((code(f"drift {each.name}"), each.purpose) for each in COMMANDS)
    exits = "; ".join(f"{exit_code.value} {meaning}" for exit_code, meaning in MEANINGS.items())
    return {
        "clients": fence("\n".join(_write_client(client, width) for client in CLIENTS), "sh"),
        "commands": table(("Command", "What it does"), commands),
        "exit-codes": f"Exit codes: {exits}.",
    }


def _write_client(client: McpClient, width: int) -> str:
    return f"drift install {client.name:<{width}}  # {client.title}, for {SCOPES[client.default_scope]}"
