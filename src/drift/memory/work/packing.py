"""As much worth as fits into a number of tokens: everything gets a line before anything gets all its text."""

import heapq
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from drift.memory.work.disclosure import Level

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
    steps = [_step(offer, levels.get(offer.id), most=offer.most) for offer in by_id.values()]
    waiting = [step for step in steps if step is not None]
    heapq.heapify(waiting)
    while waiting:
        _ratio, memory_id, level = heapq.heappop(waiting)
        offer, now = by_id[memory_id], levels.get(memory_id)
        more = offer.costs[level] - _cost(offer, now)
        if tokens + more <= budget_tokens:
            levels[memory_id] = level
            tokens += more
            following = _step(offer, level, most=offer.most)
        else:
            following = _step(offer, now, most=level - 1)
        if following is not None:
            heapq.heappush(waiting, following)
    return Packed(levels, tokens, tuple(one for one in by_id if one not in levels))


def _step(offer: Offer, level: Level | None, *, most: int) -> tuple[float, str, Level] | None:
    """The level above that brings most for each token, the best first in a heap; None if there is none."""
    first = 0 if level is None else level + 1
    known = _SHARES[level] if level is not None else 0.0

    def ratio(above: Level) -> float:
        gain = offer.worth * (_SHARES[above] - known)
        return gain / max(1, offer.costs[above] - _cost(offer, level))

    # Of equals the higher: the whole text of a short note costs no more than its gist.
    above = max(
        (Level(one) for one in range(first, most + 1)), key=lambda one: (ratio(one), one), default=None
    )
    return None if above is None else (-ratio(above), offer.id, above)


def _cost(offer: Offer, level: Level | None) -> int:
    return 0 if level is None else offer.costs[level]
