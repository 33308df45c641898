"""What is worth recording and is missing, read off the store and what is known of the code. No general advice."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from drift.memory.decay import current_confidence
from drift.memory.records import Memory
from drift.memory.storage.listing import MOST_LISTED, Listing
from drift.memory.store import MemoryStore


@dataclass(frozen=True, slots=True)
class SuggestionRow:
    """Something to record: `what`, and the count that shows it is missing. `type` is the type of memory that fits."""

    kind: str
    what: str
    because: str
    type: str | None = None
    memory_id: str | None = None
    file: str | None = None


@dataclass(frozen=True, slots=True)
class SuggestedData:
    """What is missing, most useful first, found in so many memories and so many changed files."""

    suggestions: tuple[SuggestionRow, ...]
    memories_looked_at: int
    files_looked_at: int


_SEVERAL_EPISODES: Final = 3
_OFTEN_USED: Final = 3
_DOUBTFUL: Final = 0.5
_OF_EACH: Final = 5
# What each type is kept for; a memory without it answers only half of the question it will be asked.
_NEEDED: Final[Mapping[str, tuple[str, ...]]] = {
    "incident": ("rootCause", "resolution", "lessonsLearned"),
    "decision": ("alternatives", "decisionSummary"),
    "procedural": ("steps",),
    "workflow": ("steps",),
    "constraint_override": ("reason", "expiresAt"),
    "goal": ("successCriteria",),
}


class HotFile(NamedTuple):
    """A file that matters: `why` says by what count, `weight` orders."""

    path: str
    weight: float
    why: str


class Suggestion(NamedTuple):
    """Something to record: of what kind, why it is missed, and what it is about."""

    kind: str
    what: str
    because: str
    weight: float
    memory: str | None = None
    file: str | None = None
    type: str | None = None


class Suggestions(NamedTuple):
    """What is missing, most useful first; `is_cut` where only the newest memories were looked at."""

    found: tuple[Suggestion, ...]
    looked_at: int
    is_cut: bool


def suggest(
    store: MemoryStore, *, hot_files: Sequence[HotFile] = (), focus: str = "", now_ms: int, limit: int = 10
) -> Suggestions:
    """What is worth recording next. `focus` narrows it to paths and titles that hold it."""
    memories: tuple[Memory, ...] = ()
    is_cut = False
    if store.is_present:
        page = store.list(Listing(), limit=MOST_LISTED)
        memories, is_cut = page.memories, page.next_after is not None
    found = [
        *_hot_files(store, hot_files),
        *_unfinished(memories),
        *_episodes(memories),
        *_doubtful(memories, now_ms=now_ms),
    ]
    wanted = [one for one in found if _is_about(one, focus)]
    wanted.sort(key=lambda one: (-one.weight, one.kind, one.memory or one.file or ""))
    return Suggestions(tuple(wanted[:limit]), len(memories), is_cut)


def _is_about(one: Suggestion, focus: str) -> bool:
    asked = focus.strip().lower()
    return not asked or any(asked in text.lower() for text in (one.what, one.file or "", one.because))


def _hot_files(store: MemoryStore, hot_files: Sequence[HotFile]) -> Iterator[Suggestion]:
    heaviest = max((one.weight for one in hot_files), default=1.0) or 1.0
    for one in hot_files:
        if store.is_present and store.list(Listing(file=one.path), limit=1).memories:
            continue
        yield Suggestion(
            "file_without_memory",
            f"What one must know before changing {one.path}",
            f"{one.why}, and no memory is linked to it",
            one.weight / heaviest,
            file=one.path,
            type="tribal",
        )


def _unfinished(memories: Iterable[Memory]) -> Iterator[Suggestion]:
    counts: Counter[str] = Counter()
    for memory in memories:
        needed = _NEEDED.get(memory.type, ())
        missing = [name for name in needed if _is_empty(memory.content.get(name))]
        counts[memory.type] += bool(missing)
        if missing and counts[memory.type] <= _OF_EACH:
            yield Suggestion(
                "unfinished",
                f"{', '.join(missing)} of {memory.type} “{memory.title[:80]}”",
                f"{len(missing)} of {len(needed)} fields that {memory.type} memories are kept for are empty",
                len(missing) / len(needed),
                memory=memory.id,
                type=memory.type,
            )


def _is_empty(value: Any) -> bool:
    return value is None or value in ("", [], {})


def _episodes(memories: Iterable[Memory]) -> Iterator[Suggestion]:
    """Files that several episodes are about and no lasting memory is."""
    episodes: Counter[str] = Counter()
    lasting: set[str] = set()
    for memory in memories:
        paths = {link.path for link in memory.files}
        if memory.type == "episodic":
            episodes.update(paths)
        else:
            lasting |= paths
    for path, count in episodes.most_common():
        if count >= _SEVERAL_EPISODES and path not in lasting:
            yield Suggestion(
                "unlearned_episodes",
                f"What the {count} episodes about {path} taught",
                f"{count} episodes are linked to it, and no memory that lasts longer than they do",
                min(1.0, count / (2 * _SEVERAL_EPISODES)),
                file=path,
                type="semantic",
            )


def _doubtful(memories: Iterable[Memory], *, now_ms: int) -> Iterator[Suggestion]:
    """Memories that are used and hardly believed: a word from somebody who knows is worth most there."""
    used = (
        (memory, current_confidence(memory, now_ms=now_ms))
        for memory in memories
        if memory.access_count >= _OFTEN_USED and memory.last_validated_ms is None
    )
    doubted = sorted((one for one in used if one[1] < _DOUBTFUL), key=lambda one: -one[0].access_count)
    for memory, left in doubted[:_OF_EACH]:
        yield Suggestion(
            "unconfirmed",
            f"Whether “{memory.title[:80]}” is true",
            f"used {memory.access_count} times, never confirmed, {left:.2f} of its confidence is left",
            1 - left,
            memory=memory.id,
            type=memory.type,
        )
