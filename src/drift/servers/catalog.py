"""drift-catalog: governed instructions for agents."""

from drift.pipeline import ServerRuntime
from drift.registry import ServerName
from drift.servers.assembly import Blueprint, Extras

INSTRUCTIONS = (
    "The project's governed instructions for agents. catalog_discover lists the actions; "
    "instructions_dispatch(action, params) and feedback_dispatch(action, params) run them."
)


def _extras(runtime: ServerRuntime) -> Extras:  # noqa: ARG001 - the interface's argument
    return Extras()


CATALOG = Blueprint(ServerName.CATALOG, "Drift catalog", INSTRUCTIONS, _extras)
