"""Debug paths: an error, what was tried, what failed and what solved it, found again when a similar error comes.

A path is a memory of type procedural and kind `debug_path`: its errors are the trigger phrases, its waypoints
the steps, its solution the correction. Tags say whether it is open.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, NamedTuple

from drift.kernel.errors import DriftError, ErrorCode, Recovery, invalid
from drift.kernel.redaction import redact
from drift.kernel.text import plural, shorten
from drift.memory.details import day
from drift.memory.overlap import telling_words
from drift.memory.records import DEBUG_PATH, Draft, FileLink, Memory
from drift.memory.saving import save
from drift.memory.search import Setting, Wanted, WordCounts, search
from drift.memory.storage.listing import Listing, MemoryPage
from drift.memory.store import MemoryStore
from drift.memory.work.error_causes import ALIKE, Cause, likeness, read_cause

_ERROR_CHARS: Final = 160


@dataclass(frozen=True, slots=True)
class PathRow:
    """A debug path: its error, what failed, what solved it."""

    id: str
    error: str
    open: bool
    solution: str | None
    failed: tuple[str, ...]
    recorded: str
    likeness: float | None = None
    """How sure it is that both are one fault: the same cause in the same words at the same place is 1."""
    steps: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class PathData:
    """The path at hand, and others that are listed or alike."""

    path: PathRow | None = None
    paths: tuple[PathRow, ...] = ()


TYPE: Final = "procedural"
KIND: Final = DEBUG_PATH
OPEN: Final = "open"
RESOLVED: Final = "resolved"
MOST_WAYPOINTS: Final = 30
_MOST_ERRORS: Final = 5
_MOST_CHARS: Final = 600
_TITLE_CHARS: Final = 90


class Waypoint(StrEnum):
    """What a step of a path was."""

    ERROR = "error"
    ATTEMPT = "attempt"
    FAILURE = "failure"
    SUCCESS = "success"
    DISCOVERY = "discovery"


@dataclass(frozen=True, slots=True)
class DebugPath:
    """A path as it is read back."""

    id: str
    error: str
    is_open: bool
    steps: tuple[tuple[str, str], ...]
    """Waypoint and text."""
    resolution: str | None
    files: tuple[str, ...]
    recorded_at_ms: int

    @property
    def failed(self) -> tuple[str, ...]:
        """What was tried in vain."""
        return tuple(text for kind, text in self.steps if kind == Waypoint.FAILURE)


class AlikePath(NamedTuple):
    """An earlier path, and how sure it is that its error is the new one."""

    path: DebugPath
    share: float


def normalise_error(text: str) -> str:
    """The cause of a failure as it is kept: own frames, then its type and what it says without its particulars."""
    return shorten(read_cause(text).phrase, _MOST_CHARS)


def start_path(
    store: MemoryStore,
    error: str,
    *,
    actor: str,
    files: tuple[str, ...] = (),
    session: str | None = None,
    counts: WordCounts | None = None,
) -> DebugPath:
    """A new path for an error, or the open one there is for the same error."""
    clean = redact(error).text.replace("\0", "")
    cause = read_cause(clean)
    phrase = normalise_error(clean)
    if not telling_words(f"{cause.type} {cause.message}"):
        raise invalid("text", "it says nothing that could be found again", hint="Give the text of the error.")
    if store.is_present:
        same = next((path for path in list_paths(store, tag=OPEN) if read_cause(path.error) == cause), None)
        if same is not None:
            return same
    draft = Draft(
        type=TYPE,
        kind=KIND,
        title=shorten(f"Debugging: {phrase.splitlines()[-1]}", _TITLE_CHARS),
        text=f"{Waypoint.ERROR}: {shorten(clean.strip(), _MOST_CHARS)}",
        content={"name": phrase, "triggerPhrases": [phrase], "steps": []},
        tags=(OPEN,),
        files=tuple(FileLink(path) for path in files),
        session=session,
        source="debug path",
    )
    return read_path(save(store, draft, actor=actor, counts=counts).memory)


def add_waypoint(
    store: MemoryStore,
    path_id: str,
    *,
    waypoint: Waypoint,
    text: str,
    actor: str,
    files: tuple[str, ...] = (),
) -> DebugPath:
    """The path with one step more. Raises INVALID_ARGUMENT when it is resolved or long enough."""
    memory = require_path(store, path_id)
    steps = list(memory.content.get("steps", ()))
    if OPEN not in memory.tags:
        raise invalid("id", f"{path_id} is resolved", hint="Start a path for the new error.")
    if len(steps) >= MOST_WAYPOINTS:
        raise invalid("id", f"{path_id} has {MOST_WAYPOINTS} steps", hint="Resolve it, or start another.")
    said = shorten(" ".join(redact(text).text.replace("\0", "").split()), _MOST_CHARS)
    if not said:
        raise invalid("text", "is empty")
    steps.append({"order": len(steps) + 1, "action": f"{waypoint}: {said}"})
    phrases = list(memory.content.get("triggerPhrases", ()))
    if waypoint is Waypoint.ERROR and len(phrases) < _MOST_ERRORS:
        phrases = list(dict.fromkeys([*phrases, normalise_error(said) or said]))
    content = {**memory.content, "steps": steps, "triggerPhrases": phrases}
    links = (*memory.files, *(FileLink(path) for path in files))
    return read_path(store.update(path_id, {"content": content, "files": links}, actor=actor))


def resolve_path(store: MemoryStore, path_id: str, *, resolution: str, actor: str) -> DebugPath:
    """The path, closed with what solved it."""
    memory = require_path(store, path_id)
    solved = shorten(redact(resolution).text.replace("\0", "").strip(), _MOST_CHARS)
    if not solved:
        raise invalid("text", "is empty", hint="Say what was wrong and what to do next time.")
    tags = tuple({*memory.tags, RESOLVED} - {OPEN})
    changes: Mapping[str, Any] = {
        "content": {**memory.content, "corrections": [solved]},
        "text": f"{memory.text}\nsolved by: {solved}",
        "tags": tags,
    }
    return read_path(store.update(path_id, changes, actor=actor))


def list_paths(store: MemoryStore, *, tag: str | None = None, limit: int = 50) -> tuple[DebugPath, ...]:
    """The newest paths: all, or those that are open or resolved."""
    page: MemoryPage = store.list(Listing(types=(TYPE,), kinds=(KIND,), tag=tag), limit=limit)
    return tuple(read_path(memory) for memory in page.memories)


def similar_paths(
    store: MemoryStore, counts: WordCounts, error: str, *, now_ms: int, limit: int = 3
) -> tuple[AlikePath, ...]:
    """Earlier paths whose error has the same cause, solved ones first among equals."""
    cause = read_cause(error)
    if not (cause.type or cause.message) or not store.is_present:
        return ()
    with store.reading() as connection:
        wanted = Wanted(types=(TYPE,), kinds=(KIND,))
        found = search(connection, counts, cause.phrase, setting=Setting(now_ms), wanted=wanted, limit=20)
    read = store.get_many(hit.row.id for hit in found.hits)
    alike = [
        AlikePath(read_path(memory), _share(cause, memory))
        for memory in read.values()
        if isinstance(memory.content.get("name"), str)
    ]
    close = [one for one in alike if one.share >= ALIKE]
    return tuple(sorted(close, key=lambda one: (-round(one.share, 1), one.path.is_open)))[:limit]


def require_path(store: MemoryStore, path_id: str) -> Memory:
    """The memory of a path. Raises RESOURCE_NOT_FOUND for any other id."""
    memory = store.get(path_id)
    if memory.type != TYPE or memory.kind != KIND:
        raise DriftError(
            ErrorCode.RESOURCE_NOT_FOUND,
            f"{path_id} is a memory of type {memory.type}, not a debug path",
            Recovery(hint="drift_memory_path with action=list shows the paths."),
        )
    return memory


def read_path(memory: Memory) -> DebugPath:
    steps = (str(step.get("action", "")).partition(": ") for step in memory.content.get("steps", ()))
    corrections = memory.content.get("corrections") or [None]
    return DebugPath(
        memory.id,
        str(memory.content.get("name", memory.title)),
        OPEN in memory.tags,
        tuple((kind, text) for kind, _colon, text in steps),
        corrections[0],
        tuple(sorted({link.path for link in memory.files})),
        memory.recorded_at_ms,
    )


def _share(cause: Cause, memory: Memory) -> float:
    phrases = [str(memory.content["name"]), *memory.content.get("triggerPhrases", ())]
    return max((likeness(cause, read_cause(str(phrase))) for phrase in phrases), default=0.0)


def path_row(path: DebugPath, *, likeness: float | None = None, with_steps: bool = False) -> PathRow:
    return PathRow(
        path.id,
        shorten(path.error.splitlines()[-1] if path.error else "", _ERROR_CHARS),
        path.is_open,
        path.resolution,
        tuple(shorten(one, _ERROR_CHARS) for one in path.failed[-3:]),
        day(path.recorded_at_ms),
        None if likeness is None else round(likeness, 2),
        tuple(f"{kind}: {text}" for kind, text in path.steps) if with_steps else None,
    )


def say_state(path: DebugPath) -> str:
    state = "open" if path.is_open else "resolved"
    return f"{state}, {plural(len(path.steps), 'step')}, {len(path.failed)} failed"
