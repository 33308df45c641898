"""Which end of an edge came first: the eight relations read as cause and effect."""

from collections.abc import Collection
from typing import Final, NamedTuple

from drift.memory.records import CausalEdge, Relation
from drift.memory.storage.edges import Direction
from drift.memory.store import MemoryStore

# Read from source to target, these name the later memory first.
_LATER_FIRST: Final = frozenset({Relation.TRIGGERED_BY, Relation.DERIVED_FROM, Relation.SUPERSEDES})
_WORDS: Final = {
    Relation.CAUSED: "was caused by",
    Relation.ENABLED: "was made possible by",
    Relation.PREVENTED: "was prevented by",
    Relation.SUPPORTS: "is supported by",
    Relation.DERIVED_FROM: "builds on",
    Relation.TRIGGERED_BY: "was triggered by",
    Relation.SUPERSEDES: "took the place of",
    Relation.CONTRADICTS: "contradicts",
}


class Ends(NamedTuple):
    """The ids of what was there first and of what came of it."""

    cause: str
    effect: str


def ends_of(edge: CausalEdge) -> Ends | None:
    """Cause and effect of an edge; None for a contradiction, which leads nowhere."""
    if edge.relation is Relation.CONTRADICTS:
        return None
    if edge.relation in _LATER_FIRST:
        return Ends(edge.target, edge.source)
    return Ends(edge.source, edge.target)


def words_of(relation: Relation) -> str:
    """How the effect stands to its cause, as said between the two."""
    return _WORDS[relation]


def edges_around(store: MemoryStore, ids: Collection[str]) -> tuple[CausalEdge, ...]:
    """The edges of memories in either direction, each once, strongest first."""
    # Asked one direction at a time, each goes by an index; asked for both at once SQLite reads every edge.
    found = (*store.edges.of(ids, Direction.OUT), *store.edges.of(ids, Direction.IN))
    return tuple(sorted(dict.fromkeys(found), key=lambda edge: -edge.strength))
