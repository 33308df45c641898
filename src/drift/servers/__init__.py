"""The three servers: which tools, resources and prompts make each."""

from drift.servers.analysis import ANALYSIS
from drift.servers.assembly import AssembledServer, Blueprint, assemble, enabled_servers
from drift.servers.catalog import CATALOG
from drift.servers.memory import MEMORY

BLUEPRINTS = {blueprint.name: blueprint for blueprint in (ANALYSIS, MEMORY, CATALOG)}

__all__ = ["BLUEPRINTS", "AssembledServer", "Blueprint", "assemble", "enabled_servers"]
