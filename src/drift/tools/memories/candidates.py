"""Which memories bear on a task: those that share its words, and those linked to what its doer has at hand."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from drift.memory import LinkKind, Listing, Memory
from drift.memory.branches import view_branches
from drift.memory.decay import current_confidence
from drift.memory.search import Setting, Wanted, classify_intent
from drift.memory.search.intents import type_weight
from drift.memory.truth.staleness import SHARE_LEFT, find_stale
from drift.memory.work.searched import Searched
from drift.registry import Call
from drift.tools.memories.access import now_ms, store_of
from drift.tools.memories.lookups import search_memories

_MOST_HITS: Final = 40
_LEAST_SHARE: Final = 0.25  # of the best hit's score; below, a hit shares an everyday word and no more
_MOST_LINKED: Final = 20  # of one file, function or pattern
_MOST_NAMES: Final = 12
_NAME: Final = re.compile(r"[A-Za-z_][\w.]{2,100}")
_PATH: Final = re.compile(r"(?<![\w.-])[\w.-]+(?:/[\w.-]+)+")

# What a link is worth beside the best hit by words, which is worth 1.
_ACTIVE_FILE: Final = 0.8
_FUNCTION: Final = 0.6
_PATTERN: Final = 0.5
_RECENT_FILE: Final = 0.4
_INTENT_SHARE: Final = 0.25  # how far the intent moves what is there by a link alone


class Task(NamedTuple):
    """What is to be done, and what its doer has at hand."""

    focus: str
    intent: str | None
    active_file: str | None = None
    recent_files: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()


class Candidate(NamedTuple):
    """A memory that bears on the task, its worth, what is left of its confidence, and what brought it in."""

    memory: Memory
    worth: float
    confidence: float
    reason: str
    scope: str | None = None
    stale: str | None = None


class Candidates(NamedTuple):
    """All that was found, best first, and how the words were read."""

    found: tuple[Candidate, ...]
    intent: str | None
    searched: Searched


def find_candidates(call: Call, task: Task) -> Candidates:
    """The memories that bear on a task, best first."""
    intent = task.intent or classify_intent(task.focus)
    files = tuple(dict.fromkeys(path for path, _worth in _files(task)))
    setting = Setting(now_ms(), intent, files, _names(task.focus), task.patterns)
    searched = search_memories(call, task.focus, setting=setting, wanted=Wanted(), limit=_MOST_HITS)
    best = max((one.hit.score for one in searched.memories), default=1.0)
    worths: dict[str, tuple[float, Memory, str]] = {
        one.memory.id: (one.hit.score / best, one.memory, "words")
        for one in searched.memories
        if one.hit.score >= best * _LEAST_SHARE
    }
    for worth, reason, memory in _linked(call, task):
        gain = worth * _help(intent, memory)
        known, _memory, known_reason = worths.get(memory.id, (0.0, memory, ""))
        worths[memory.id] = (known + gain, memory, f"{known_reason}, {reason}" if known_reason else reason)
    # Links lead to the project's alone: a memory of the person has none.
    scopes = {one.memory.id: one.scope for one in searched.memories}
    stale = find_stale(call.project.root, (memory for _worth, memory, _reason in worths.values()))
    return Candidates(_rank(worths.values(), scopes, stale), intent, searched)


def _rank(
    worths: Iterable[tuple[float, Memory, str]], scopes: Mapping[str, str | None], stale: Mapping[str, str]
) -> tuple[Candidate, ...]:
    at_ms = now_ms()
    candidates = []
    for worth, memory, reason in worths:
        note = stale.get(memory.id)
        left = current_confidence(memory, now_ms=at_ms) * (1.0 if note is None else SHARE_LEFT)
        scope = scopes.get(memory.id)
        candidates.append(Candidate(memory, worth * (1 + left) / 2, left, reason, scope, note))
    return tuple(sorted(candidates, key=lambda one: (-one.worth, one.memory.id)))


def _linked(call: Call, task: Task) -> Iterator[tuple[float, str, Memory]]:
    """Memories with a link to something at hand, each once, by its best link."""
    store = store_of(call)
    if not store.is_present:
        return
    seen = set(view_branches(store, call.project.root).hidden)
    for listing, worth, reason in sorted(_listings(task), key=lambda one: -one[1]):
        for memory in store.list(listing, limit=_MOST_LINKED).memories:
            if memory.id not in seen:
                seen.add(memory.id)
                yield worth, reason, memory


def _listings(task: Task) -> Iterator[tuple[Listing, float, str]]:
    for path, worth in _files(task):
        yield Listing(file=path), worth, f"linked to {path}"
    for name in _names(task.focus):
        yield Listing(link=(LinkKind.FUNCTION, name)), _FUNCTION, f"linked to {name}"
    for pattern in task.patterns:
        yield Listing(link=(LinkKind.PATTERN, pattern)), _PATTERN, f"linked to {pattern}"


def _files(task: Task) -> Iterator[tuple[str, float]]:
    if task.active_file:
        yield task.active_file, _ACTIVE_FILE
    for path in _PATH.findall(task.focus)[:_MOST_NAMES]:
        yield path, _ACTIVE_FILE
    for path in task.recent_files[:_MOST_NAMES]:
        yield path, _RECENT_FILE


def _names(focus: str) -> tuple[str, ...]:
    """Names of code in a text: such as `Cart.total`, `load_cart` or `loadCart`, not plain words."""
    named = (found.strip(".") for found in _NAME.findall(focus))
    marked = (name for name in named if "_" in name or "." in name or not (name.islower() or name.istitle()))
    return tuple(dict.fromkeys(marked))[:_MOST_NAMES]


def _help(intent: str | None, memory: Memory) -> float:
    return 1 + _INTENT_SHARE * (type_weight(intent, memory.type) - 1)
