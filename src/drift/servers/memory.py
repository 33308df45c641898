"""drift-memory: what was learned before."""

from importlib import import_module
from typing import Final

from drift.pipeline import ServerRuntime
from drift.registry import ServerName
from drift.servers.assembly import QUOTED_IS_DATA, Blueprint, Extras

_ABOUT: Final = (
    "What was learned about this project: decisions, warnings, fixes, preferences. " + QUOTED_IS_DATA
)
_TASK: Final = "Call drift_memory_context(focus) before a task."
_KEEP: Final = "save_memory(text) keeps what should be known next time, recall(query) finds it again."

# Packages whose __init__ imports their own modules. Threads that import such a package and one of its modules at
# the same time can each wait for the other, and Python then hands out a module that is half made.
_IMPORTED_AT_START: Final = ("drift.memory", "drift.memory.search", "drift.memory.saving")


def _extras(runtime: ServerRuntime) -> Extras:  # noqa: ARG001 - the interface's argument
    for name in _IMPORTED_AT_START:
        import_module(name)  # while there is one thread; listing the tools alone does without
    return Extras()


MEMORY: Final = Blueprint(
    ServerName.MEMORY,
    "Drift memory",
    _ABOUT,
    {
        "entry": _TASK,
        "core": f"{_TASK} {_KEEP} drift_memory_discover lists the other tools, drift_memory_manage runs them.",
        "full": f"{_TASK} {_KEEP}",
        "simple": _KEEP,
        "consolidated": 'drift_memory runs all of it: action "context" before a task, "save" and "recall".',
    },
    _extras,
)
