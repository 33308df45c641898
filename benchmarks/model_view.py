"""What a client hands its model of what a server sends: the one place where benchmarks take it from.

What each client does stands in `src/drift/registry/data/clients.toml`. A client nothing is known of is taken to pass the
text on.
"""

from collections.abc import Mapping
from typing import Any

import orjson

from drift.registry import find_client

# One client of each kind, and a program.
CLIENTS = ("claude-code", "copilot-cli", "zed", "a program")


def answer_seen(result: Mapping[str, Any], client_name: str) -> str:
    """The text a model gets of a tools/call result."""
    text = "\n".join(part["text"] for part in result["content"] if part["type"] == "text")
    structured = result.get("structuredContent")
    client = find_client(client_name)
    kind = client.structured if client is not None else "unknown"
    if structured is None or result.get("isError") or kind not in ("replaces", "adds"):
        return text
    as_json = orjson.dumps(structured).decode()
    return as_json if kind == "replaces" else f"{text}\n{as_json}"


def tools_seen(listed: Mapping[str, Any], instructions: str, client_name: str) -> str:
    """What a model gets before the first message: instructions, and of each tool what model APIs take.

    Where tools are searched, that is their names.
    """
    client = find_client(client_name)
    if client is not None and client.tools == "searched":
        shown: list[Any] = [tool["name"] for tool in listed["tools"]]
    else:
        shown = [
            {key: tool[key] for key in ("name", "description", "inputSchema")} for tool in listed["tools"]
        ]
    return instructions + orjson.dumps(shown).decode()
