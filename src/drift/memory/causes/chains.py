"""The chain of causes and effects of a memory, followed through the edges as far as they carry."""

from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from itertools import chain
from typing import Final, NamedTuple

from drift.memory.causes.causality import edges_around, ends_of
from drift.memory.records import CausalEdge, Relation
from drift.memory.store import MemoryStore

MAX_DEPTH: Final = 5
LEAST_STRENGTH: Final = 0.3
MOST_NODES: Final = 50
_WEAKEST_SHARE: Final = 0.6  # a chain is hardly better than its weakest link
_MEAN_SHARE: Final = 0.4

EdgesOf = Callable[[Sequence[str]], Iterable[CausalEdge]]


class Side(StrEnum):
    """Towards what came before, or what came after."""

    ORIGINS = "origins"
    EFFECTS = "effects"


class Step(NamedTuple):
    """A memory in a chain: how far it is, over which edge and from which memory it was reached.

    `confidence` is of the whole way from the start to here.
    """

    memory: str
    side: Side
    depth: int
    via: str
    edge: CausalEdge
    confidence: float


class Chain(NamedTuple):
    """What leads to a memory and what it led to, nearest first; `confidence` is None where there is no edge."""

    start: str
    steps: tuple[Step, ...]
    conflicts: tuple[CausalEdge, ...]
    confidence: float | None
    is_cut: bool

    @property
    def ids(self) -> tuple[str, ...]:
        """Every memory of the chain, the start first."""
        ends = chain.from_iterable((edge.source, edge.target) for edge in self.conflicts)
        return tuple(dict.fromkeys((self.start, *(step.memory for step in self.steps), *ends)))


class Reach(NamedTuple):
    """How far to follow."""

    sides: tuple[Side, ...] = tuple(Side)
    max_depth: int = MAX_DEPTH
    least_strength: float = LEAST_STRENGTH
    most_nodes: int = MOST_NODES


def edges_now(store: MemoryStore) -> EdgesOf:
    """The edges as they are."""
    return lambda ids: edges_around(store, ids)


def edges_as_of(store: MemoryStore, at_ms: int) -> EdgesOf:
    """The edges as the store knew them at a time."""
    known: dict[str, list[CausalEdge]] = {}
    for edge in store.history.edges_at(at_ms):
        known.setdefault(edge.source, []).append(edge)
        known.setdefault(edge.target, []).append(edge)
    return lambda ids: dict.fromkeys(edge for one in ids for edge in known.get(one, ()))


def follow(start: str, edges_of: EdgesOf, reach: Reach = Reach()) -> Chain:  # noqa: B008 - a NamedTuple cannot be changed
    """The chain around a memory. Circles are walked once; of two ways to a memory the shorter counts."""
    steps: list[Step] = []
    is_cut = False
    for side in reach.sides:
        room = reach.most_nodes - 1 - len(steps)
        found, more = _walk(start, side, edges_of, reach=reach, room=room)
        steps += found
        is_cut |= more
    conflicts = tuple(edge for edge in edges_of([start]) if edge.relation is Relation.CONTRADICTS)
    strengths = [step.edge.strength for step in steps]
    return Chain(start, tuple(steps), conflicts, weigh(strengths), is_cut)


def weigh(strengths: Sequence[float]) -> float | None:
    """How far edges in a row can be believed: mostly as far as the weakest. None without edges."""
    if not strengths:
        return None
    mean = sum(strengths) / len(strengths)
    return round(_WEAKEST_SHARE * min(strengths) + _MEAN_SHARE * mean, 4)


def _walk(start: str, side: Side, edges_of: EdgesOf, *, reach: Reach, room: int) -> tuple[list[Step], bool]:
    ways: dict[str, tuple[float, ...]] = {start: ()}
    steps: list[Step] = []
    level = [start]
    for depth in range(1, reach.max_depth + 1):
        onward: list[str] = []
        for here, there, edge in _onward(level, side, edges_of, reach.least_strength):
            if there in ways:
                continue
            if len(steps) >= room:
                return steps, True
            ways[there] = (*ways[here], edge.strength)
            steps.append(Step(there, side, depth, here, edge, weigh(ways[there]) or 0.0))
            onward.append(there)
        if not onward:
            return steps, False
        level = onward
    return steps, any(
        there not in ways for _here, there, _edge in _onward(level, side, edges_of, reach.least_strength)
    )


def _onward(
    level: Sequence[str], side: Side, edges_of: EdgesOf, least_strength: float
) -> list[tuple[str, str, CausalEdge]]:
    """From each memory of a level to the next, the strongest edges first."""
    here = frozenset(level)
    found = []
    for edge in edges_of(level):
        ends = ends_of(edge)
        if ends is None or edge.strength < least_strength:
            continue
        near, far = (ends.effect, ends.cause) if side is Side.ORIGINS else (ends.cause, ends.effect)
        if near in here:
            found.append((near, far, edge))
    return sorted(found, key=lambda one: (-one[2].strength, one[1], one[2].relation))
