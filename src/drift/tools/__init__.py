"""All tools, one module per group. A new module is added to the tuple below and nowhere else."""

from functools import cache

from drift.registry import Toolbox, collect_tools
from drift.tools import catalog, discovery, dispatch, memory, projects, scanning, setup

_MODULES = (discovery, projects, dispatch, setup, scanning, memory, catalog)


@cache
def all_tools() -> Toolbox:
    """Every registered tool of every server."""
    return collect_tools(_MODULES)


__all__ = ["all_tools"]
