"""What every memory tool needs: the project's store, who writes, and how a memory looks in an answer."""

import secrets
from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.project import Project
from drift.registry import Call, Scope
from drift.tools.memories.personal import calls_of, refuse_if_off

if TYPE_CHECKING:
    from drift.memory import MemoryStore
    from drift.memory.embeddings import Closeness, Meanings
    from drift.memory.search import WordCounts

MEMORY = frozenset({Scope.MEMORY})


def store_path(call: Call) -> Path:
    """Where the project's memories are kept."""
    return call.project.memory_db


def store_of(call: Call) -> "MemoryStore":
    """The memories a call is about: the project's, unless it was turned to the person's. Nothing is opened or made before it is used."""
    from drift.memory.opened import memory_store  # brings SQLite, which listing the tools does not need
    from drift.memory.storage.damage import say_damage
    from drift.project.backups import back_up_soon  # as above

    refuse_if_off(call)
    if call.project.config.cortex.enabled is False:
        raise DriftError(
            ErrorCode.CORTEX_UNAVAILABLE,
            "Memories are switched off for this project",
            Recovery(hint="Set cortex.enabled to true or auto in drift.toml."),
        )
    back_up_soon(call.project.stores)
    # Only then: tools that can write are mostly asked to read, which must leave no trace in the project.
    store = memory_store(store_path(call), before_writing=partial(_prepare, call.project))
    call.closing_notes.append(lambda: say_damage(store.damaged))
    return store


def _prepare(project: Project) -> None:
    try:
        project.prepare()
    except DriftError as error:
        # The store may be written though the project may not; if not, it knows more of what is wrong.
        if error.code is not ErrorCode.STORE_UNAVAILABLE:
            raise


def counts_of(call: Call) -> "WordCounts":
    from drift.memory.opened import word_counts  # as above

    return word_counts(store_path(call))


def meanings_of(call: Call) -> "Meanings | None":
    """How the project's memories are compared by meaning; None where no model is named or installed."""
    from drift.memory.embeddings import OFF, Meanings, Model, installed_model  # reads no model yet
    from drift.memory.opened import meanings  # as above

    named = call.project.config.cortex.embeddings_model
    if named == OFF:
        return None
    try:
        folder = call.project.path_of("cortex.embeddings_model") if named else installed_model()
    except DriftError as error:  # a link that leads out of the project: the status tells it
        return Meanings(store_path(call), Model(call.project.root / named, refused=error))
    return meanings(store_path(call), folder) if folder is not None else None


def asking(call: Call, text: str) -> "AbstractContextManager[Closeness | None]":
    """How close memories are to a question in meaning, for the time of a search; None where words must do."""
    found = meanings_of(call) if text.strip() else None
    return nullcontext() if found is None else found.asking(text)


def count_uses(call: Call, ids: Iterable[str]) -> None:
    """Count one use of each memory, in whichever of the stores it is."""
    used = tuple(ids)
    for one in calls_of(call) if used else ():
        store = store_of(one)
        if store.is_present:  # counting must not make one
            store.touch(used)


def actor_of(call: Call) -> str:
    """Who makes a change, for the log."""
    return f"{call.caller.id}:{call.tool.name}"


def session_of(call: Call, given: str | None) -> str:
    """The session a call belongs to: the one it names, else all that this caller does with this process."""
    return given or f"{_process_session()}-{call.caller.id}"[:100]


def now_ms() -> int:
    from drift.memory.store import clock_ms  # as above

    return clock_ms()


@cache
def _process_session() -> str:
    return f"s_{secrets.token_hex(4)}"
