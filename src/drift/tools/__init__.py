"""All tools, one module per group. A new module is added to the tuple below and nowhere else."""

from functools import cache

from drift.registry import Toolbox, collect_tools
from drift.tools import (
    callgraph,
    catalog,
    context,
    dead_code,
    dependencies,
    discovery,
    dispatch,
    errors,
    explaining,
    files,
    frameworks,
    graph,
    history,
    impact,
    lookup,
    memory,
    packages,
    packs,
    projects,
    reachability,
    scanning,
    setup,
    similarity,
    test_templates,
    testing,
)

_MODULES = (
    context,
    discovery,
    projects,
    dispatch,
    packs,
    setup,
    scanning,
    lookup,
    files,
    explaining,
    history,
    dependencies,
    packages,
    errors,
    similarity,
    test_templates,
    testing,
    frameworks,
    callgraph,
    impact,
    reachability,
    graph,
    dead_code,
    memory,
    catalog,
)


@cache
def all_tools() -> Toolbox:
    """Every registered tool of every server."""
    return collect_tools(_MODULES)


__all__ = ["all_tools"]
