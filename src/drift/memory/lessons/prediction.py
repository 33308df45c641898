"""Which memories will be wanted next, by what is being worked on, each with what speaks for it.

The hour and the weekday are left out: nothing the store keeps shows that they matter.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from drift.kernel.text import shorten
from drift.memory.causes.causality import edges_around
from drift.memory.decay import current_confidence
from drift.memory.records import LinkKind, Memory
from drift.memory.search import Setting, WordCounts, search
from drift.memory.search.intents import type_weight
from drift.memory.storage.listing import Listing
from drift.memory.store import MemoryStore


@dataclass(frozen=True, slots=True)
class PredictionRow:
    """A memory that will probably be wanted, and what speaks for it, strongest first."""

    id: str
    type: str
    title: str
    score: float
    because: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PredictedData:
    """Likeliest first."""

    predictions: tuple[PredictionRow, ...]


LEAST: Final = 0.3
_ACTIVE_FILE: Final = 0.8
_ACTIVE_FUNCTION: Final = 0.75
_PATTERN: Final = 0.7
_RECENT_FILE: Final = 0.7
_NEXT_RECENT: Final = 0.9  # each file further back counts a little less
_WORDS: Final = 0.6
_SAME_SESSION: Final = 0.4
_CAUSAL: Final = 0.5
_EACH_MORE: Final = 0.05
_OF_EACH: Final = 20
_NEIGHBOURS: Final = 5


class Situation(NamedTuple):
    """What is being worked on."""

    active_file: str | None = None
    recent_files: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    intent: str | None = None
    focus: str = ""

    @property
    def is_empty(self) -> bool:
        return not (
            self.active_file or self.recent_files or self.functions or self.patterns or self.focus.strip()
        )


class Sign(NamedTuple):
    """One thing that speaks for a memory, and by how much."""

    memory: str
    weight: float
    because: str


class Prediction(NamedTuple):
    """A memory that will probably be wanted; `score` is what speaks for it times what is left of its confidence."""

    memory: Memory
    score: float
    signs: tuple[Sign, ...]


def predict(
    store: MemoryStore,
    situation: Situation,
    *,
    now_ms: int,
    limit: int = 20,
    counts: WordCounts | None = None,
) -> tuple[Prediction, ...]:
    """The memories that will probably be wanted, likeliest first; none without a sign."""
    signs = list(_direct_signs(store, situation))
    signs += _word_signs(store, situation, now_ms=now_ms, counts=counts or WordCounts())
    near = list(dict.fromkeys(one.memory for one in sorted(signs, key=lambda one: -one.weight)))[:_NEIGHBOURS]
    signs += _neighbour_signs(store, near)
    by_memory: dict[str, list[Sign]] = {}
    for sign in signs:
        by_memory.setdefault(sign.memory, []).append(sign)
    memories = store.get_many(by_memory)
    found = (
        _weigh(memories[one], by_memory[one], situation.intent, now_ms=now_ms)
        for one in by_memory
        if one in memories and memories[one].is_current
    )
    likely = [one for one in found if one.score >= LEAST]
    return tuple(sorted(likely, key=lambda one: (-one.score, one.memory.id))[:limit])


def _weigh(memory: Memory, signs: Sequence[Sign], intent: str | None, *, now_ms: int) -> Prediction:
    ordered = tuple(sorted(dict.fromkeys(signs), key=lambda one: -one.weight))
    together = ordered[0].weight + _EACH_MORE * (len(ordered) - 1)
    helps = type_weight(intent, memory.type)
    score = min(1.0, together * helps) * current_confidence(memory, now_ms=now_ms)
    if intent is not None and helps != 1.0:
        ordered = (*ordered, Sign(memory.id, helps, f"{memory.type} counts x{helps:g} for {intent}"))
    return Prediction(memory, round(score, 3), ordered)


def _direct_signs(store: MemoryStore, situation: Situation) -> Iterator[Sign]:
    if situation.active_file:
        for one in _linked(store, Listing(file=situation.active_file)):
            yield Sign(one.id, _ACTIVE_FILE, f"about the active file {situation.active_file}")
    for place, path in enumerate(dict.fromkeys(situation.recent_files)):
        if path != situation.active_file:
            weight = _RECENT_FILE * _NEXT_RECENT**place
            for one in _linked(store, Listing(file=path)):
                yield Sign(one.id, round(weight, 3), f"about the recent file {path}")
    for kind, names, weight in (
        (LinkKind.FUNCTION, situation.functions, _ACTIVE_FUNCTION),
        (LinkKind.PATTERN, situation.patterns, _PATTERN),
    ):
        for name in names:
            for one in _linked(store, Listing(link=(kind, name))):
                yield Sign(one.id, weight, f"linked to the {kind} {name}")


def _linked(store: MemoryStore, listing: Listing) -> Iterable[Memory]:
    return store.list(listing, limit=_OF_EACH).memories


def _word_signs(store: MemoryStore, situation: Situation, *, now_ms: int, counts: WordCounts) -> list[Sign]:
    if not situation.focus.strip():
        return []
    files = tuple(one for one in (situation.active_file, *situation.recent_files) if one)
    setting = Setting(now_ms, situation.intent, files, situation.functions, situation.patterns)
    with store.reading() as connection:
        hits = search(connection, counts, situation.focus, setting=setting, limit=_OF_EACH).hits
    best = hits[0].score if hits else 1.0
    return [
        Sign(hit.row.id, round(_WORDS * hit.score / best, 3), f"shares {', '.join(hit.words[:4])}")
        for hit in hits
        if hit.words
    ]


def _neighbour_signs(store: MemoryStore, near: Sequence[str]) -> list[Sign]:
    """What hangs together with the likeliest: by cause, or made in the same session."""
    here = frozenset(near)
    signs = []
    for edge in edges_around(store, near):
        far = edge.target if edge.source in here else edge.source
        if far not in here:
            own = edge.source if far == edge.target else edge.target
            signs.append(Sign(far, round(_CAUSAL * edge.strength, 3), f"{edge.relation} joins it with {own}"))
    sessions = {one.session: one.id for one in store.get_many(near).values() if one.session}
    for session, own in sessions.items():
        signs += [
            Sign(one.id, _SAME_SESSION, f"made in the same session as {own}")
            for one in _linked(store, Listing(session=session))
            if one.id not in here
        ]
    return signs


def prediction_row(one: Prediction) -> PredictionRow:
    """A prediction as an answer shows it."""
    because = tuple(sign.because for sign in one.signs[:4])
    return PredictionRow(one.memory.id, one.memory.type, shorten(one.memory.title, 100), one.score, because)
