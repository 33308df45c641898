"""As much worth as fits into a number of tokens: everything gets a line before anything gets all its text."""

import heapq
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from drift.memory.disclosure import Level

# How much of a memory's worth each level brings: a line says most, the whole text little more than the gist.
_SHARES: Final = {Level.REFERENCE: 0.05, Level.LINE: 0.5, Level.GIST: 0.8, Level.FULL: 1.0}


class Offer(NamedTuple):
    """A memory that could be told: its worth, and the tokens each level costs in all, in the order of Level.

    `least` is told whatever the budget; None where it may be left out. `most` is the highest level wanted.
    """

    id: str
    worth: float
    costs: tuple[int, int, int, int]
    least: Level | None = None
    most: Level = Level.FULL


class Packed(NamedTuple):
    """The level of each memory that is told, the tokens of all, and the ids for which there was no room."""

    levels: Mapping[str, Level]
    tokens: int
    dropped: tuple[str, ...]


def pack(offers: Iterable[Offer], *, budget_tokens: int) -> Packed:
    """Choose levels by worth per token. Only what must be told can go over the budget."""
    by_id = {offer.id: offer for offer in offers}
    levels = {offer.id: offer.least for offer in by_id.values() if offer.least is not None}
    tokens = sum(by_id[one].costs[level] for one, level in levels.items())
    steps = [_step(offer, levels.get(offer.id)) for offer in by_id.values()]
    waiting = [step for step in steps if step is not None]
    heapq.heapify(waiting)
    while waiting:
        _ratio, memory_id, level = heapq.heappop(waiting)
        offer = by_id[memory_id]
        more = offer.costs[level] - _cost(offer, levels.get(memory_id))
        if tokens + more > budget_tokens:
            continue  # what is above costs still more
        levels[memory_id] = level
        tokens += more
        following = _step(offer, level)
        if following is not None:
            heapq.heappush(waiting, following)
    return Packed(levels, tokens, tuple(one for one in by_id if one not in levels))


def _step(offer: Offer, level: Level | None) -> tuple[float, str, Level] | None:
    """The next level up with what it brings for each token, best first in a heap; None at the top.

    Levels that cost no more than the one below come with it, such as the whole text of a short note.
    """
    above = Level.REFERENCE if level is None else Level(level + 1) if level < Level.FULL else None
    if above is None or above > offer.most:
        return None
    while above < offer.most and offer.costs[above + 1] <= offer.costs[above]:
        above = Level(above + 1)
    gain = offer.worth * (_SHARES[above] - (_SHARES[level] if level is not None else 0.0))
    return -gain / max(1, offer.costs[above] - _cost(offer, level)), offer.id, above


def _cost(offer: Offer, level: Level | None) -> int:
    return 0 if level is None else offer.costs[level]
