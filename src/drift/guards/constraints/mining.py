"""Constraints that a project holds to as it is: proposed by miners, counted, and kept where the counts are sure enough."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from drift.analyses.index_cache import PerState
from drift.conventions.statistics import wilson
from drift.guards.constraints.form import CannotTellError, Constraint, Counts, Site
from drift.guards.constraints.miners.access import propose_access
from drift.guards.constraints.miners.calls import propose_pairs
from drift.guards.constraints.miners.companies import propose_cause, propose_companions, propose_names
from drift.guards.constraints.miners.counts import propose_counts
from drift.guards.constraints.miners.layers import propose_layers
from drift.guards.constraints.miners.routes import propose_routes
from drift.guards.constraints.miners.sequences import propose_sequences
from drift.guards.constraints.miners.settings import parameters
from drift.guards.constraints.miners.wrappers import propose_wrappers
from drift.guards.constraints.predicates import evaluate
from drift.guards.constraints.scene import Scene

if TYPE_CHECKING:
    from drift.index import IndexReader

Miner = Callable[[Scene], Iterator[Constraint]]

MINERS: Final[tuple[tuple[str, Miner], ...]] = (
    ("layers", propose_layers),
    ("wrappers", propose_wrappers),
    ("routes", propose_routes),
    ("access", propose_access),
    ("order", propose_pairs),
    ("sequences", propose_sequences),
    ("counts", propose_counts),
    ("companions", propose_companions),
    ("names", propose_names),
    ("cause", propose_cause),
)

_mined: Final = PerState[tuple[Constraint, ...]]()


def mine(reader: "IndexReader") -> tuple[Constraint, ...]:
    """The constraints of the state of the index that is read, the surest first; kept until it changes."""
    return _mined.get(reader, lambda: _mine(Scene(reader)))


def confidence_of(counts: Counts | None) -> float | None:
    """The lower end of what the share of places that hold may be; None where there are no counts."""
    return round(wilson(counts.holding, counts.sites), 3) if counts is not None and counts.sites else None


def count(sites: Iterable[Site]) -> Counts:
    """How many places there are and hold."""
    found = list(sites)
    return Counts(sum(each.holds for each in found), len(found), len({each.file for each in found}))


def _mine(scene: Scene) -> tuple[Constraint, ...]:
    found: dict[str, Constraint] = {}
    for name, propose in MINERS:
        for proposed in propose(scene):
            judged = _judge(scene, proposed, name)
            if judged is not None:
                found.setdefault(judged.id, judged)
    return tuple(sorted(found.values(), key=lambda each: (-(confidence_of(each.counts) or 0), each.id)))


def _judge(scene: Scene, proposed: Constraint, miner: str) -> Constraint | None:
    judging = {**parameters("judging"), **parameters(miner)}
    try:
        counts = count(evaluate(scene, proposed))
    except CannotTellError:
        return None  # what the index cannot tell is nothing to be claimed of it
    is_enough = counts.sites >= judging["least_sites"] and counts.files >= judging["least_files"]
    is_sure = (confidence_of(counts) or 0) >= judging["least_confidence"]
    return replace(proposed, counts=counts) if is_enough and is_sure else None
