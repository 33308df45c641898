"""All tools, one module per group. A new module is added to the list below, and `make docs` writes the manifest.

Nobody who lists tools loads these modules: the manifest says what they define, and a call loads the one it needs.
"""

from functools import cache
from importlib import import_module, resources
from typing import Final

from drift.registry import ServerName, Toolbox, collect_tools, read_manifest

MODULES: Final = (
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
    "error_handling",
    "contracts",
    "fleet",
    "similarity",
    "test_templates",
    "testing",
    "frameworks",
    "languages",
    "callgraph",
    "references",
    "searching",
    "renaming",
    "impact",
    "reachability",
    "security",
    "composed",
    "graph",
    "coupling",
    "wrappers",
    "dead_code",
    "taint",
    "environment",
    "constants",
    "quality.duplicates",
    "quality.names",
    "quality.dag",
    "quality.defects",
    "quality.measures",
    "quality.gates",
    "quality.overviews",
    "gating",
    "templates",
    "patterns",
    "curating",
    "constraints",
    "guards",
    "decisions",
    "simulation",
    "quality.graph_metrics",
    "memories.entry_tools",
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
    "catalogs.entry_tools",
    "catalogs.reading",
    "catalogs.querying",
    "catalogs.health",
    "catalogs.batching",
    "catalogs.writing",
    "catalogs.counting",
    "catalogs.checking",
    "catalogs.describing",
    "catalogs.feedback",
)


@cache
def all_tools() -> Toolbox:
    """Every registered tool of every server, as the manifest has them."""
    return read_manifest(resources.files(__name__).joinpath("manifest.json").read_bytes())


@cache
def tools_of(server: ServerName) -> Toolbox:
    """The registered tools of one server."""
    return all_tools().of_server(server)


def declared_tools() -> Toolbox:
    """Every tool as its module defines it: what the manifest and the docs are made from. Loads all modules."""
    return collect_tools(import_module(f"{__name__}.{name}") for name in MODULES)


__all__ = ["MODULES", "all_tools", "declared_tools", "tools_of"]
