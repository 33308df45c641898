"""What is known of MCP clients: which form of an answer reaches the model, and how it comes to know the tools."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final, Literal

Structured = Literal["replaces", "adds", "ignored", "unknown"]
ToolsKnown = Literal["searched", "listed", "unknown"]
StructuredSetting = Literal["auto", "always", "never"]

_COSTS_THE_MODEL: Final[frozenset[Structured]] = frozenset({"replaces", "adds"})
_ENDS_A_NAME: Final = (" ", "-", "/")
_LONGEST_NAME: Final = 60  # a client may send any text as its name, with every request


@dataclass(frozen=True, slots=True)
class KnownClient:
    """A client by the name `drift install` has for it; data/clients.toml says what the words mean."""

    id: str
    names: tuple[str, ...]
    structured: Structured
    tools: ToolsKnown

    def is_named(self, name: str) -> bool:
        """Whether the client calls itself so."""
        return any(
            name == own or name.startswith(tuple(own + end for end in _ENDS_A_NAME)) for own in self.names
        )


@cache
def known_clients() -> Mapping[str, KnownClient]:
    """All of them, by id."""
    rows = tomllib.loads(files("drift.registry").joinpath("data/clients.toml").read_text("utf-8"))
    return {
        client_id: KnownClient(client_id, tuple(row["names"]), row["structured"], row["tools"])
        for client_id, row in rows.items()
    }


def find_client(client_name: str) -> KnownClient | None:
    """The client that names itself so in `clientInfo.name`; None for programs and others nothing is known of."""
    return _find(client_name[:_LONGEST_NAME].strip().casefold())


@lru_cache(maxsize=32)
def _find(name: str) -> KnownClient | None:
    return next((client for client in known_clients().values() if client.is_named(name)), None)


def sends_structured(setting: StructuredSetting, client_name: str | None) -> bool:
    """Whether a client gets `structuredContent` and `outputSchema`.

    On `auto` it does unless its model would read the JSON instead of the text, or both: programs live on the JSON,
    and what is not known of a client must not take it from them.
    """
    if setting != "auto":
        return setting == "always"
    client = find_client(client_name) if client_name else None
    return client is None or client.structured not in _COSTS_THE_MODEL


def surface_for(client_id: str) -> str:
    """The surface that fits a client, named as `drift install` names it.

    Where tools are searched, each needs a name and words of its own to be found, and costs nothing before; where
    all are listed, every message pays for them.
    """
    client = known_clients().get(client_id)
    return "core" if client is not None and client.tools == "searched" else "entry"
