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
    grounding,
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
from drift.tools.catalogs import (
    batching,
    checking,
    counting,
    describing,
    hearing,
    reading,
    standing,
    writing,
)
from drift.tools.catalogs import (
    querying as catalog_querying,
)
from drift.tools.memories import (
    changing,
    contradicting,
    core,
    doors,
    embedding,
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
    embedding,
    transfer,
    typed,
    sessions,
    memory_graph,
    learning,
    foresight,
    why,
    grounding,
    validating,
    contradicting,
    hygiene,
    catalog,
    reading,
    catalog_querying,
    standing,
    batching,
    writing,
    counting,
    checking,
    describing,
    hearing,
)


@cache
def all_tools() -> Toolbox:
    """Every registered tool of every server."""
    return collect_tools(_MODULES)


__all__ = ["all_tools"]
