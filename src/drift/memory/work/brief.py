"""What somebody who begins to work should know: of the project, and of the file about to be changed."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from drift.memory.decay import current_confidence, is_spent
from drift.memory.records import Importance, Memory
from drift.memory.storage.listing import Listing
from drift.memory.store import MemoryStore
from drift.memory.work.debug_paths import KIND as DEBUG_PATH
from drift.memory.work.debug_paths import OPEN, DebugPath, list_paths, read_path
from drift.memory.work.framing import framed
from drift.memory.work.stash import list_threads

MOST_CHARS: Final = 6_000
_LINE_CHARS: Final = 180
_SUMMARY_CHARS: Final = 800
_EACH: Final = 6
_LOOKED_AT: Final = 200
_WARNING_TYPES: Final = ("tribal", "incident", "code_smell")
_OPEN_GOALS: Final = frozenset({"active", "blocked", "at_risk"})
_GRAVE: Final = (Importance.HIGH, Importance.CRITICAL)
_RANK: Final = {importance: place for place, importance in enumerate(Importance)}


class Section(NamedTuple):
    """A heading and its lines."""

    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Brief:
    """What to know at the start. `left_out` counts the lines that did not fit."""

    text: str
    ids: tuple[str, ...]
    left_out: int


@dataclass(frozen=True, slots=True)
class FileRecall:
    """What was learned about a file, best first, and the debug paths that led through it."""

    learned: tuple[Memory, ...]
    paths: tuple[DebugPath, ...]


class _Line(NamedTuple):
    text: str
    id: str | None = None


def make_brief(
    store: MemoryStore,
    *,
    now_ms: int,
    session: str | None = None,
    most_chars: int = MOST_CHARS,
    personal: MemoryStore | None = None,
    hidden: frozenset[str] = frozenset(),
) -> Brief:
    """The brief of a store: gravest first, nothing of `session` itself or hidden; empty where there is nothing to say.

    A store of the person adds what is known of them, under a heading of its own.
    """
    parts: list[str] = []
    ids: list[str] = []
    left_out = used = 0
    sections = _sections(store, now_ms=now_ms, session=session) if store.is_present else ()
    for title, lines in (*_of_person(personal, now_ms=now_ms), *sections):
        shown: list[str] = []
        heading = f"{title}:"
        for line in (one for one in lines if one.id not in hidden):
            cost = len(line.text) + 3 + (0 if shown else len(heading) + 2)
            if used + cost > most_chars:
                left_out += 1
                continue
            shown.append(f"- {line.text}")
            used += cost
            ids += [line.id] if line.id else []
        if shown:
            parts.append("\n".join([heading, *shown]))
    return Brief("\n\n".join(parts), tuple(ids), left_out)


def recall_for_file(
    store: MemoryStore, path: str, *, now_ms: int, limit: int = 5, hidden: frozenset[str] = frozenset()
) -> FileRecall:
    """What is linked to a file: the most important and surest first; episodes of earlier changes last."""
    listed = store.list(Listing(file=path), limit=_LOOKED_AT).memories
    linked = [one for one in listed if one.id not in hidden]
    paths = tuple(read_path(one) for one in linked if one.kind == DEBUG_PATH)
    learned = [one for one in linked if one.kind != DEBUG_PATH and not is_spent(one, now_ms=now_ms)]
    learned.sort(
        key=lambda one: (
            one.type == "episodic",
            -_RANK[one.importance],
            -round(current_confidence(one, now_ms=now_ms), 1),
            -one.recorded_at_ms,
        )
    )
    return FileRecall(tuple(learned[:limit]), paths[:limit])


def say_memory(memory: Memory, *, chars: int = _LINE_CHARS) -> str:
    """A memory in a line: its title, what it says beyond it, and its id. What it says cannot leave its quotes."""
    said = " ".join(memory.text.split())
    beyond = (
        f": {said}" if said and not said.casefold().startswith(memory.title.rstrip("…").casefold()) else ""
    )
    title = memory.title if beyond or not said else said
    return f"{framed(f'{title}{beyond}', chars=chars)} [{memory.id}]"


def say_path(path: DebugPath) -> str:
    """A debug path in a line or two: the error, what failed, what solved it."""
    failed = (
        f"; tried in vain: {'; '.join(framed(one, chars=80) for one in path.failed[-3:])}"
        if path.failed
        else ""
    )
    solved = f"; solved by: {framed(path.resolution, chars=200)}" if path.resolution else "; not solved yet"
    return f"{framed(path.error.splitlines()[-1], chars=120)}{failed}{solved} [{path.id}]"


def _sections(store: MemoryStore, *, now_ms: int, session: str | None) -> Iterator[tuple[str, list[_Line]]]:
    yield "Last session", _last_session(store, session)
    yield (
        "Laid aside",
        [
            _Line(f"{framed(one.topic, chars=_LINE_CHARS)} [{one.id}]", one.id)
            for one in list_threads(store)[:_EACH]
        ],
    )
    warnings = [
        one
        for one in _listed(store, _WARNING_TYPES, now_ms=now_ms)
        if one.importance in _GRAVE or one.content.get("severity") in ("critical", "high", "warning")
    ]
    warnings.sort(key=lambda one: (one.content.get("severity") != "critical", -_RANK[one.importance]))
    yield "Warnings", _lines(warnings)
    yield "Open errors", [_Line(say_path(one), one.id) for one in list_paths(store, tag=OPEN, limit=_EACH)]
    goals = _listed(store, ("goal",), now_ms=now_ms)
    yield (
        "Goals",
        [
            _Line(f"{one.content.get('status', 'active')}: {say_memory(one)}", one.id)
            for one in goals
            if one.content.get("status", "active") in _OPEN_GOALS
        ][:_EACH],
    )
    yield "Decisions", _lines(_listed(store, ("decision",), now_ms=now_ms))
    changes = store.list(Listing(kinds=("change",)), limit=_EACH).memories
    yield "Recent changes", _lines(list(changes))


def _of_person(store: MemoryStore | None, *, now_ms: int) -> Iterator[tuple[str, list[_Line]]]:
    """What is true of the person: the most important first, then the newest."""
    if store is None or not store.is_present:
        return
    known = _listed(store, (), now_ms=now_ms)
    yield "Of the user (scope: user)", _lines(sorted(known, key=lambda one: -_RANK[one.importance]))


def _last_session(store: MemoryStore, session: str | None) -> list[_Line]:
    recent = (one for one in store.sessions.recent(_EACH) if one.id != session and one.summary)
    last = next(recent, None)
    return [_Line(framed(last.summary or "", chars=_SUMMARY_CHARS))] if last else []


def _listed(store: MemoryStore, types: tuple[str, ...], *, now_ms: int) -> list[Memory]:
    page = store.list(Listing(types=types), limit=_LOOKED_AT)
    return [memory for memory in page.memories if not is_spent(memory, now_ms=now_ms)]


def _lines(memories: list[Memory]) -> list[_Line]:
    return [_Line(say_memory(memory), memory.id) for memory in memories[:_EACH]]
