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
    packages,
    packs,
    projects,
    reachability,
    scanning,
    setup,
    similarity,
    test_templates,
    testing,
    why,
)
from drift.tools.memories import (
    changing,
    contradicting,
    core,
    doors,
    foresight,
    hygiene,
    learning,
    querying,
    recalling,
    search,
    sessions,
    simple,
    status,
    transfer,
    typed,
    validating,
)
from drift.tools.memories import (
    graph as memory_graph,
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
    doors,
    simple,
    core,
    changing,
    search,
    querying,
    recalling,
    status,
    transfer,
    typed,
    sessions,
    memory_graph,
    learning,
    foresight,
    why,
    validating,
    contradicting,
    hygiene,
    catalog,
)


@cache
def all_tools() -> Toolbox:
    """Every registered tool of every server."""
    return collect_tools(_MODULES)


__all__ = ["all_tools"]
