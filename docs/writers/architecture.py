"""The step list of docs/architecture.md, read from the steps a server really runs."""

import sys
import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from inspect import getclosurevars
from pathlib import Path
from typing import Any

from drift.kernel.text import first_sentence
from drift.pipeline import Environment, ServerRuntime
from drift.project import ProjectRegistry
from drift.registry import ServerName, parse_surface
from drift.tools import declared_tools
from writers.blocks import Block


def architecture_blocks() -> Block:
    call, relay = step_modules()
    passed = ", ".join(_label_of(name)[0] for name in relay)
    return {
        "steps": "\n".join(_write_step(position, name) for position, name in enumerate(call, 1)),
        "relay-steps": f"Relays (`drift_tool`, `drift_memory_manage`) pass through fewer steps: {passed}.",
    }


def step_modules() -> tuple[list[str], list[str]]:
    """The modules of the steps of a call and of a relay, outermost first, the handler last."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        projects = ProjectRegistry(root / "projects.json", lambda: datetime.now(UTC))
        runtime = ServerRuntime(
            ServerName.ANALYSIS,
            declared_tools().of_server(ServerName.ANALYSIS),
            parse_surface("entry"),
            at=Environment(root=root, projects=projects, environ={}),
        )
        try:
            chains = (runtime._answer, runtime._relay)  # noqa: SLF001 - the order is private to the runtime on purpose
            call, relay = ([_module_of(step) for step in _walk(chain)] for chain in chains)
        finally:
            runtime.close()
    return call, relay


def _walk(chain: Callable[..., Any]) -> Iterator[object]:
    """Each step of a composed chain: `compose` keeps a step and what follows it in a closure."""
    inner: Any = chain
    while hasattr(inner, "__closure__"):
        kept = getclosurevars(inner).nonlocals
        yield kept["step"]
        inner = kept["inner"]
    yield inner
    yield inner._handler  # noqa: SLF001 - the budget shapes what the handler returns


def _module_of(step: object) -> str:
    is_function = hasattr(step, "__qualname__")
    return str(step.__module__ if is_function else type(step).__module__)


def _write_step(position: int, name: str) -> str:
    label, about = _label_of(name)
    path = name.removeprefix("drift.").replace(".", "/")
    return f"{position}. **{label}** (`{path}.py`): {about}."


def _label_of(name: str) -> tuple[str, str]:
    """A step's name and what it does: its module's docstring begins with `Name: what it does`."""
    label, _, about = first_sentence(sys.modules[name].__doc__ or "").partition(": ")
    return label, about
