"""All tools, one module per group. A new module is added to the table below and nowhere else.

A server loads its own modules alone: those of the others would be half of the time it takes to start.
"""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Final

from drift.registry import ServerName, Toolbox, collect_tools

_MODULES: Final[Mapping[ServerName, tuple[str, ...]]] = {
    ServerName.ANALYSIS: (
        "context",
        "discovery",
        "projects",
        "dispatch",
        "packs",
        "setup",
        "scanning",
        "lookup",
        "files",
        "explaining",
        "history",
        "dependencies",
        "packages",
        "errors",
        "similarity",
        "test_templates",
        "testing",
        "frameworks",
        "callgraph",
        "impact",
        "reachability",
        "graph",
        "dead_code",
    ),
    ServerName.MEMORY: (
        "memories.doors",
        "memories.simple",
        "memories.core",
        "memories.changing",
        "memories.search",
        "memories.querying",
        "memories.recalling",
        "memories.status",
        "memories.embedding",
        "memories.transfer",
        "memories.typed",
        "memories.sessions",
        "memories.graph",
        "memories.learning",
        "memories.foresight",
        "why",
        "grounding",
        "memories.validating",
        "memories.contradicting",
        "memories.hygiene",
    ),
    ServerName.CATALOG: (
        "catalog",
        "catalogs.reading",
        "catalogs.querying",
        "catalogs.standing",
        "catalogs.batching",
        "catalogs.writing",
        "catalogs.counting",
        "catalogs.checking",
        "catalogs.describing",
        "catalogs.hearing",
    ),
}
# Modules of drift-memory with tools that join drift-analysis where there are memories.
_BRIDGES: Final = ("why", "grounding", "memories.learning", "memories.simple")


@cache
def all_tools() -> Toolbox:
    """Every registered tool of every server."""
    return _collect(*(name for names in _MODULES.values() for name in names))


@cache
def tools_of(server: ServerName) -> Toolbox:
    """The registered tools of one server, without loading those of the others."""
    bridges = _BRIDGES if server is ServerName.ANALYSIS else ()
    return _collect(*_MODULES[server], *bridges).of_server(server)


def _collect(*names: str) -> Toolbox:
    return collect_tools(import_module(f"{__name__}.{name}") for name in names)


__all__ = ["all_tools", "tools_of"]
