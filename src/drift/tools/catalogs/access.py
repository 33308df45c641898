"""What every catalog tool needs: the project's catalog, who calls, and whether the call may change anything."""

import atexit
import functools
import logging
import os
import secrets
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.timings import TIMINGS
from drift.project import Project, StateDir
from drift.project.home import HOME_VARIABLE
from drift.registry import Call, tool

if TYPE_CHECKING:
    from drift.catalog import Catalog, CatalogSettings

logger = logging.getLogger(__name__)

F = TypeVar("F", bound=Callable[..., Any])

MOST_RESULTS: Final = 1_000
MUTATION: Final = "mutation"
"""The kind of fault that the catalog may only be read."""

_lock: Final = threading.Lock()
_catalogs: "Final[dict[tuple[Path, CatalogSettings, str | None, str | None], Catalog]]" = {}


def catalog_tool(*, title: str, tokens: tuple[int, int], **about: Any) -> Callable[[F], F]:
    """Make a typed function a tool of the catalog, whose work is timed."""

    def mark(function: F) -> F:
        @functools.wraps(function)
        def timed(call: Call, **arguments: Any) -> Any:
            started = time.perf_counter()
            try:
                return function(call, **arguments)
            finally:
                TIMINGS.add(call.tool.name, (time.perf_counter() - started) * 1000)

        marked: F = tool(category="catalog", title=title, tokens=tokens, **about)(timed)  # type: ignore[assignment] # the same signature
        return marked

    return mark


def catalog_of(call: Call) -> "Catalog":
    """The catalog of the call's project, as the server's variables want it."""
    catalog = open_catalog(call.project, call.runtime.environ)
    # Of what the call then reads; changes and uses are in one file, feedback may be in another.
    call.closing_notes.extend(part.damage.say for part in (catalog.audit, catalog.feedback))
    return catalog


def noting_catalog(call: Call) -> "Catalog":
    """The same for a call that writes something down: the project's state directory is there."""
    call.project.prepare()
    return catalog_of(call)


def open_catalog(project: Project, environ: Mapping[str, str]) -> "Catalog":
    """The one catalog this process has open for a project and the settings of an environment."""
    key = (project.root, _settings_of(environ), environ.get(HOME_VARIABLE), environ.get("HOME"))
    with _lock:
        known = _catalogs.get(key)
        if known is not None:
            if known.settings.instructions_dir is None:
                _refuse_new_link(project)
            return known
        from drift.catalog import Catalog  # brings SQLite, which listing the tools does not need

        _prepare(project)
        if not _catalogs:
            atexit.register(close_catalogs)
        _catalogs[key] = Catalog.open(project.root, environ)
        return _catalogs[key]


def _settings_of(environ: Mapping[str, str]) -> "CatalogSettings":
    names = _variables().intersection(environ)
    return _read_settings(tuple((name, environ[name]) for name in sorted(names)))


@cache
def _variables() -> frozenset[str]:
    from drift.catalog import VARIABLES  # as above

    return frozenset(VARIABLES)


@lru_cache(maxsize=8)
def _read_settings(variables: tuple[tuple[str, str], ...]) -> "CatalogSettings":
    """The settings these variables ask for, read once: the environment is asked at every call."""
    from drift.catalog import read_settings  # as above

    return read_settings(dict(variables))


def close_catalogs() -> None:
    """Let go of every file."""
    with _lock:
        catalogs = list(_catalogs.values())
        _catalogs.clear()
    for catalog in catalogs:
        catalog.close()


@contextmanager
def mutating(call: Call, entry: object = None, *, changes: bool = True) -> "Iterator[Catalog]":
    """The catalog for a change, if changes are allowed; refusals say how to report them.

    A call that only tells what it would do is always allowed: `changes` is False then.
    """
    catalog = catalog_of(call)
    if changes and not catalog.settings.is_mutation_enabled:
        raise _disabled(call)
    try:
        yield noting_catalog(call) if changes else catalog
    except DriftError as error:
        raise reportable(error, entry) from error


def reportable(error: DriftError, entry: object = None) -> DriftError:
    """The error with what a report of it would need."""
    from drift.catalog.refusals import FEEDBACK_HINT, repro_of  # as above

    added: dict[str, Any] = {"feedbackHint": FEEDBACK_HINT}
    if isinstance(entry, Mapping):
        added["reproEntry"] = repro_of(entry)
    found = error.recovery
    return DriftError(
        error.code,
        error.message,
        Recovery(
            hint=found.hint,
            similar=found.similar,
            alternative_tools=found.alternative_tools,
            command=found.command,
            retry_after_ms=found.retry_after_ms,
            details={**added, **found.details},
        ),
    )


def actor_of(call: Call) -> str:
    """Who makes a change, for the audit: the agent the process was started for, else the caller."""
    agent = catalog_of(call).settings.agent_id
    return f"{agent or call.caller.id}:{call.tool.name}"


@cache
def process_session() -> str:
    """A name for all that is done with this process."""
    return f"s_{secrets.token_hex(4)}"


def _prepare(project: Project) -> None:
    """Keep derived files out of git where there is a state directory; what cannot be written can still be read."""
    if not os.path.lexists(project.state.path):
        return  # reading makes none
    try:
        project.state.ensure()
    except DriftError as error:
        if error.code is not ErrorCode.STORE_UNAVAILABLE:
            raise
        logger.debug("the catalog is only read: %s", error.message)


def _refuse_new_link(project: Project) -> None:
    """Raise PATH_OUTSIDE_PROJECT where a link that leads out has taken the directory's place since it was opened."""
    # Before every call: two looks of a few microseconds tell that there is nothing to follow.
    if any(map(os.path.islink, _ways_to(project.state))):
        project.state.check(project.state.instructions)


@lru_cache(maxsize=64)
def _ways_to(state: StateDir) -> tuple[str, str]:
    """Where links could stand on the way to the instructions; as text, since to join paths takes longer than to look."""
    return os.fspath(state.path), os.fspath(state.instructions)


def _disabled(call: Call) -> DriftError:
    return DriftError(
        ErrorCode.FORBIDDEN,
        f"{call.tool.name} changes instructions, and this server only reads them",
        Recovery(
            hint="Start the server with MCP_ENABLE_MUTATION=1, or use `drift instructions` at a terminal.",
            details={"error": "mutation disabled", "fault": MUTATION, "mutationEnabled": False},
        ),
    )
