"""A folder of Markdown files and the store brought to say the same, from either side, and nothing lost on the way.

What both said when they last agreed is known by a digest of each memory. Where one side is as it was, the other counts:
changed files are taken in, changed memories written out, new ones of either side come to the other, a file that was
deleted hides its memory and a memory that no longer holds takes its file along. Where both changed, neither is touched
before somebody says which counts; what then gives way is kept, in the store's log or in a file beside.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

import orjson

from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.files import write_atomically
from drift.kernel.reading import ProjectFiles, read_beginning
from drift.memory.records import Memory
from drift.memory.saving import clean_draft
from drift.memory.storage.bulk import OnConflict
from drift.memory.store import MemoryStore
from drift.memory.transfer.note_files import digest_note, name_note, read_note, say_problem, write_note
from drift.memory.transfer.transfer import export_memories

MOST_FILES: Final = 20_000
_MOST_BYTES: Final = 1_000_000
_MOST_STATE_BYTES: Final = 20_000_000
_SUFFIX: Final = ".md"
_KEPT: Final = ".bak"
_NOT_NOTES: Final = frozenset({"readme.md", "index.md"})
_CAPTURED: Final = "hook:"

Prefer = Literal["files", "store"]


class Step(StrEnum):
    """What is to be done about one memory."""

    TAKE_NEW = "new file"
    TAKE_CHANGED = "changed file"
    HIDE = "deleted file"
    WRITE_NEW = "new memory"
    WRITE_CHANGED = "changed memory"
    REMOVE = "memory no longer current"
    CONFLICT = "conflict"
    REFUSED = "refused"


class Move(NamedTuple):
    """One step: the file it is about, and the memory on either side; `reason` of a conflict or a refusal."""

    step: Step
    name: str
    there: Memory | None = None
    """As the file says it."""
    here: Memory | None = None
    """As the store says it."""
    reason: str = ""


class _Note(NamedTuple):
    name: str
    content: bytes
    memory: Memory


@dataclass(frozen=True, slots=True)
class SyncPlan:
    """All steps, and what both sides agree on already."""

    moves: tuple[Move, ...]
    agreed: Mapping[str, str]
    contents: Mapping[str, bytes] = field(default_factory=dict)
    """What stood in the files when they were read."""

    def of(self, *steps: Step) -> list[Move]:
        return [one for one in self.moves if one.step in steps]


def plan_sync(
    store: MemoryStore, folder: Path, known: Mapping[str, str], *, now_ms: int, prefer: Prefer | None = None
) -> SyncPlan:
    """What would be done. `known` are the digests by id of when both sides last agreed."""
    notes, moves = _read_folder(folder, now_ms=now_ms)
    if known and not notes and not moves:
        raise DriftError(
            ErrorCode.FILE_NOT_FOUND,
            f"{folder} held {len(known):,} memories and holds none now",
            Recovery(
                hint="Bring the files back, or name another folder; memories are not hidden all at once."
            ),
        )
    held = store.get_many(notes) if store.is_present else {}
    agreed: dict[str, str] = {}
    for memory_id, note in notes.items():
        move = _compare(note, held.get(memory_id), known.get(memory_id), prefer=prefer)
        if move is None:
            agreed[memory_id] = digest_note(note.memory)
        else:
            moves.append(move)
    without = _without_file(store, notes, known, prefer=prefer)
    # A file that cannot be read may be that of a memory which only seems to have none.
    moves += [move for move in without if not (moves and move.step is Step.HIDE and _has_refused(moves))]
    return SyncPlan(tuple(moves), agreed, {note.name: note.content for note in notes.values()})


def apply_sync(
    store: MemoryStore, folder: Path, plan: SyncPlan, known: Mapping[str, str], *, now_ms: int, actor: str
) -> dict[str, str]:
    """Do what was planned, the store first; the digests of what both sides agree on then."""
    digests = {**{one: digest for one, digest in known.items() if _is_open(one, plan)}, **plan.agreed}
    taken = plan.of(Step.TAKE_NEW, Step.TAKE_CHANGED)
    hidden = [move.here.id for move in plan.of(Step.HIDE) if move.here]
    if taken or hidden:
        with store.transaction():
            store.add_many(_cleaned(taken, now_ms), actor=actor, on_conflict=OnConflict.REPLACE)
            store.purge(hidden, actor=actor)
    kept = store.get_many(move.there.id for move in taken if move.there) if taken else {}
    for move in plan.moves:
        memory = kept.get(move.there.id) if move in taken and move.there else move.here
        if move.step in (Step.REMOVE, Step.HIDE):
            _remove(folder, move, plan)
        elif move.step not in (Step.CONFLICT, Step.REFUSED) and memory is not None:
            # A file that was taken is written as well: with its id, and without its secrets.
            digests[memory.id] = _write(folder, move, memory, plan)
    return digests


def _has_refused(moves: Sequence[Move]) -> bool:
    return any(move.step is Step.REFUSED for move in moves)


def _is_open(memory_id: str, plan: SyncPlan) -> bool:
    """Whether somebody has yet to decide about a memory, so that what was known of it stays known."""
    if _has_refused(plan.moves):
        return True
    undecided = {one.id for move in plan.of(Step.CONFLICT) for one in (move.there, move.here) if one}
    return memory_id in undecided


def _read_folder(folder: Path, *, now_ms: int) -> tuple[dict[str, _Note], list[Move]]:
    notes: dict[str, _Note] = {}
    refused: list[Move] = []
    if not folder.is_dir():
        return notes, refused
    with ProjectFiles(folder) as files:
        names = [name for name in files.list_files("") if _is_note(name)]
        if len(names) > MOST_FILES:
            raise DriftError(ErrorCode.TOO_LARGE, f"{folder} holds more than {MOST_FILES:,} files")
        for name in names:
            try:
                content = files.read(name, _MOST_BYTES, follow_links=False)
                memory = read_note(content, now_ms=now_ms)
            except OSError as error:
                refused.append(Move(Step.REFUSED, name, reason=error.strerror or type(error).__name__))
            except DriftError as error:
                refused.append(Move(Step.REFUSED, name, reason=say_problem(error)))
            else:
                same = notes.get(memory.id)
                if same is not None:
                    refused.append(Move(Step.REFUSED, name, reason=f"{same.name} is of the same memory"))
                else:
                    notes[memory.id] = _Note(name, content, memory)
    return notes, refused


def _is_note(name: str) -> bool:
    lowered = name.lower()
    return lowered.endswith(_SUFFIX) and not lowered.startswith(".") and lowered not in _NOT_NOTES


def _compare(note: _Note, here: Memory | None, base: str | None, *, prefer: Prefer | None) -> Move | None:
    """What a file and the memory of its id come to; None where they agree."""
    name, there = note.name, note.memory
    if here is None:
        return Move(Step.TAKE_NEW, name, there)
    theirs, ours = digest_note(there), digest_note(here)
    if here.is_current and theirs == ours:
        return None
    if base == theirs:
        return Move(Step.WRITE_CHANGED if here.is_current else Step.REMOVE, name, None, here)
    if here.is_current and base == ours:
        return Move(Step.TAKE_CHANGED, name, there, here)
    if prefer == "files":
        return Move(Step.TAKE_CHANGED, name, there, here)
    if prefer == "store":
        return Move(Step.WRITE_CHANGED if here.is_current else Step.REMOVE, name, there, here)
    reason = (
        "the file and the memory both changed" if here.is_current else "the memory is hidden, its file is not"
    )
    return Move(Step.CONFLICT, name, there, here, reason)


def _without_file(
    store: MemoryStore, notes: Mapping[str, _Note], known: Mapping[str, str], *, prefer: Prefer | None
) -> Iterator[Move]:
    for memory in export_memories(store) if store.is_present else ():
        if memory.id in notes or not memory.is_current:
            continue
        name, base = name_note(memory), known.get(memory.id)
        if base is None:
            if not (memory.source or "").startswith(_CAPTURED):
                yield Move(Step.WRITE_NEW, name, None, memory)
        elif base == digest_note(memory) or prefer == "files":
            yield Move(Step.HIDE, name, None, memory)
        elif prefer == "store":
            yield Move(Step.WRITE_NEW, name, None, memory)
        else:
            yield Move(Step.CONFLICT, name, None, memory, "the file was deleted, and the memory changed")


def _cleaned(taken: list[Move], now_ms: int) -> Iterator[Memory]:
    for move in taken:
        assert move.there is not None, "what is taken comes from a file"
        clean, _found = clean_draft(move.there)
        yield replace(clean, updated_at_ms=now_ms)


def _write(folder: Path, move: Move, memory: Memory, plan: SyncPlan) -> str:
    """Write the file of a memory; the digest of what it says."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / move.name
    _keep_what_changed(folder, move, plan)
    write_atomically(path, write_note(memory))
    return digest_note(memory)


def _remove(folder: Path, move: Move, plan: SyncPlan) -> None:
    if move.name in plan.contents:
        _keep_what_changed(folder, move, plan)
        (folder / move.name).unlink(missing_ok=True)


def _keep_what_changed(folder: Path, move: Move, plan: SyncPlan) -> None:
    """Leave a copy of a file that is about to be replaced, where it says what nothing else says any more."""
    if not os.path.lexists(folder / move.name):
        return
    try:
        with ProjectFiles(folder) as files:
            content = files.read(move.name, _MOST_BYTES, follow_links=False)
    except OSError as error:
        raise DriftError(
            ErrorCode.STORE_UNAVAILABLE,
            f"{move.name} cannot be written: {error.strerror or type(error).__name__}",
        ) from error
    gives_way = move.there is not None and move.step in (Step.WRITE_CHANGED, Step.REMOVE)
    if gives_way or content != plan.contents.get(move.name):
        write_atomically(folder / f"{move.name}{_KEPT}", content)


def read_agreed(path: Path, folder: Path) -> dict[str, str]:
    """What a folder and the store last agreed on, as this machine knows it."""
    kept = _read_state(path).get(str(folder), {})
    return (
        {one: digest for one, digest in kept.items() if isinstance(digest, str)}
        if isinstance(kept, dict)
        else {}
    )


def write_agreed(path: Path, folder: Path, digests: Mapping[str, str]) -> None:
    write_atomically(path, orjson.dumps({**_read_state(path), str(folder): dict(digests)}).decode())


def _read_state(path: Path) -> dict[str, Any]:
    try:
        read = orjson.loads(read_beginning(path.parent, path.name, _MOST_STATE_BYTES))
    except (OSError, ValueError):
        return {}  # nothing was agreed on yet: where the sides differ, somebody is asked
    return read if isinstance(read, dict) else {}
