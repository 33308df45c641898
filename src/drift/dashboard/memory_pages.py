"""Memories for browsing, newest first and page by page. No tool lists them all: agents ask for what they need."""

from dataclasses import dataclass

from drift.dashboard.questions import Asked
from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.memory import Listing
from drift.memory.details import MemoryRow, memory_row
from drift.memory.opened import memory_store
from drift.project import Project


@dataclass(frozen=True, slots=True)
class MemoryRows:
    """Some memories, and the id to give as `after` for those that follow; null at the end."""

    memories: tuple[MemoryRow, ...]
    next_after: str | None = None


def list_memories(project: Project, asked: Asked) -> MemoryRows:
    """A page of the project's current memories, or of those linked to a file; none where nothing was ever saved. Nothing is made or counted."""
    if project.config.cortex.enabled is False:
        raise DriftError(
            ErrorCode.CORTEX_UNAVAILABLE,
            "Memories are switched off for this project",
            Recovery(hint="Set cortex.enabled to true or auto in drift.toml."),
        )
    store = memory_store(project.memory_db)
    if not store.is_present:
        return MemoryRows(())
    kind = asked.words.get("type")
    wanted = Listing(types=(kind,) if kind else (), file=asked.words.get("file"))
    page = store.list(wanted, after=asked.words.get("after"), limit=asked.numbers["limit"])
    now_ms = int(asked.now.timestamp() * 1000)
    return MemoryRows(tuple(memory_row(each, now_ms=now_ms) for each in page.memories), page.next_after)
