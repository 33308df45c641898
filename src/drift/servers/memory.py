"""drift-memory: what was learned before."""

from drift.pipeline import ServerRuntime
from drift.registry import ServerName
from drift.servers.assembly import Blueprint, Extras

INSTRUCTIONS = (
    "Drift's memory of this project. drift_memory_discover lists what it can do; drift_memory_manage(name, args) "
    "runs one of those tools; drift_memory_context(focus) brings what was learned about a task."
)


def _extras(runtime: ServerRuntime) -> Extras:  # noqa: ARG001 - the interface's argument
    return Extras()


MEMORY = Blueprint(ServerName.MEMORY, "Drift memory", INSTRUCTIONS, _extras)
