"""drift-memory: what was learned before."""

from importlib import import_module
from typing import Final

from drift.pipeline import ServerRuntime
from drift.registry import ServerName
from drift.servers.assembly import Blueprint, Extras

INSTRUCTIONS = (
    "Drift's memory of this project. drift_memory_context(focus) brings what was learned about a task: call it before "
    "you start. save_memory(text) keeps what should be known next time, recall(query) finds it again; "
    "drift_memory_discover lists all tools, drift_memory_manage(name, args) runs any of them."
)

# Packages whose __init__ imports their own modules. Threads that import such a package and one of its modules at
# the same time can each wait for the other, and Python then hands out a module that is half made.
_IMPORTED_AT_START: Final = ("drift.memory", "drift.memory.search", "drift.memory.keeping")


def _extras(runtime: ServerRuntime) -> Extras:  # noqa: ARG001 - the interface's argument
    for name in _IMPORTED_AT_START:
        import_module(name)  # while there is one thread; listing the tools alone does without
    return Extras()


MEMORY = Blueprint(ServerName.MEMORY, "Drift memory", INSTRUCTIONS, _extras)
