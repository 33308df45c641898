"""What was learned before about a task: warnings first, then what its words and its files bring to mind.

A memory that is told here was not asked for, so telling it is not counted as a use and does not keep it fresh.
"""

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Final, NamedTuple

from drift.context.answers import Remark
from drift.kernel.errors import DriftError
from drift.kernel.text import shorten
from drift.memory import Listing, Memory, MemoryStore
from drift.memory.branches import view_branches
from drift.memory.decay import current_confidence
from drift.memory.lessons.warnings import TYPES, Severity, severity_of
from drift.memory.opened import memory_store, word_counts
from drift.memory.search import Setting, Wanted, search
from drift.memory.storage.damage import say_damage
from drift.memory.store import clock_ms
from drift.memory.truth.staleness import SHARE_LEFT, find_stale
from drift.memory.work.fitting import ASKED, fitting_hits

_MOST_FILES: Final = 3
_MOST_NAMES: Final = 10
_MOST_FOUND: Final = 12
_MOST_LINKED: Final = 4
_LONGEST_QUESTION: Final = 4_000
_TITLE_CHARS: Final = 120
_PASSING: Final = frozenset({"episodic", "conversation", "meeting"})


class Asked(NamedTuple):
    """What memories are looked for by: the task in words, its intent, and the files and symbols found for it."""

    root: Path
    stores: Sequence[Path]
    text: str
    intent: str
    files: Sequence[str]
    names: Sequence[str]


def recall_for_task(asked: Asked) -> Iterator[Remark]:
    """A line for each memory that bears on the task; none where nothing was ever saved."""
    found: list[list[Memory]] = []
    for path in asked.stores:
        store = memory_store(path)
        try:
            found += [_find(store, asked)] if store.is_present else []
            yield from (Remark("memories", note, path.name) for note in say_damage(store.damaged))
        except DriftError as error:
            # The context of a task is worth having without them.
            yield Remark("memories", f"not read: {error.message}", path.name)
    now_ms = clock_ms()
    for memory in _merge(found):
        note = find_stale(asked.root, (memory,)).get(memory.id)  # one by one: few of them are asked for
        left = current_confidence(memory, now_ms=now_ms) * (1.0 if note is None else SHARE_LEFT)
        yield Remark(memory.id, _line(memory, note), _place(memory), round(left, 2))


def _find(store: MemoryStore, asked: Asked) -> list[Memory]:
    """The memories of a store that help with the task: those that fit it first, then those of its files."""
    files, text = tuple(asked.files[:_MOST_FILES]), asked.text[:_LONGEST_QUESTION]
    setting = Setting(clock_ms(), asked.intent, files, tuple(asked.names[:_MOST_NAMES]))
    wanted = Wanted(without=tuple(view_branches(store, asked.root).hidden))
    counts = word_counts(store.path)
    with store.reading() as connection:
        found = search(connection, counts, text, setting=setting, wanted=wanted, limit=_MOST_FOUND)
        fitting = [hit.row.id for hit in fitting_hits(connection, counts, text, found.hits, gate=ASKED)]
    memories = store.get_many(fitting)
    for path in files:
        for one in store.list(Listing(file=path), limit=_MOST_LINKED).memories:
            # What was captured of a file says what happened to it, which its history tells better.
            if one.type not in _PASSING and one.id not in wanted.without:
                memories.setdefault(one.id, one)
    return [one for one in memories.values() if one.type not in _PASSING]


def _merge(found: Sequence[list[Memory]]) -> list[Memory]:
    """The memories in the order they are told: grave warnings, then the stores in turn, so that each has a say."""
    in_turn = [one for turn in zip_longest(*found) for one in turn if one is not None]
    return sorted(in_turn, key=_gravity)


def _gravity(memory: Memory) -> int:
    """Warnings by their severity; all else alike behind them, so that it keeps its order."""
    return int(severity_of(memory)) if memory.type in TYPES else len(Severity)


def _line(memory: Memory, stale: str | None) -> str:
    kind = f"{severity_of(memory).name.lower()} {memory.type}" if memory.type in TYPES else memory.type
    doubt = f"; stale: {stale}" if stale else ""
    return f"{kind}: {shorten(' '.join(memory.title.split()), _TITLE_CHARS)}{doubt}"


def _place(memory: Memory) -> str:
    """The first place it cites; nothing where it cites none."""
    if not memory.files:
        return ""
    first = memory.files[0]
    return f"{first.path}:{first.start_line}" if first.start_line else first.path
