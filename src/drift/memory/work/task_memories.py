"""What is told of a task from the memories, and which of them warn."""

from dataclasses import dataclass
from typing import Final

from drift.memory.records import Memory

_CAUTIONS: Final = frozenset({"incident", "code_smell", "constraint_override"})


_SEVERE: Final = frozenset({"warning", "high", "critical"})


@dataclass(frozen=True, slots=True)
class ToldRow:
    """A memory, told as a line, as its gist or in full; only its id where there was no room for more.

    `stale` says what changed of the code it cites.
    """

    id: str
    type: str
    confidence: float
    text: str | None = None
    scope: str | None = None
    stale: str | None = None


@dataclass(frozen=True, slots=True)
class TaskMemories:
    """What was learned about a task: warnings first, then the rest, best first.

    `alreadySent` are ids this session was told before; `tokensSaved` is what telling them again would cost.
    `dropped` counts what bears on the task and had no room.
    """

    warnings: tuple[ToldRow, ...]
    memories: tuple[ToldRow, ...]
    tokens_used: int
    intent: str | None
    dropped: int | None = None
    already_sent: tuple[str, ...] | None = None
    deduplicated: int | None = None
    tokens_saved: int | None = None
    unknown_words: tuple[str, ...] | None = None


def is_caution(memory: Memory) -> bool:
    """Whether the memory warns of something rather than tells it."""
    content = memory.content
    return (
        memory.type in _CAUTIONS
        or memory.importance == "critical"
        or bool(content.get("warnings"))
        or content.get("severity") in _SEVERE
    )
