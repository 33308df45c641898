"""Martin's measures of modules: who depends on it, on whom it depends, how abstract it is, and what follows from that.

What it does: counts the modules that use one (Ca) and that it uses (Ce), instability Ce / (Ca + Ce), abstractness as the
share of interfaces, traits, protocols, abstract classes and type aliases among the types and functions it offers, and the
distance |A + I - 1| from where both balance. Why it matters: what many lean on and nothing can be put in the place of is
hard to change. Example: a module of concrete classes with Ca 40 and Ce 0 stands in the zone of pain. Known limits: of a
module that offers nothing or has no neighbours the measures are null, not zero.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from drift.analyses.modules.graph import ModuleGraph, Offer

Zone = Literal["pain", "uselessness"]
Role = Literal["hub", "authority", "balanced", "isolated"]

_LOW: Final = 0.3
_HIGH: Final = 0.7
_MUCH: Final = 20
_SOME: Final = 10
_CYCLE_COSTS: Final = 10
_PAIN_COSTS: Final = 20
_COSTS: Final = ((_MUCH, 30), (_SOME, 15))


@dataclass(frozen=True, slots=True)
class Measures:
    """What is measured of a module; null where there is nothing to measure.

    `module_health` is 100 less what its coupling, its cycle and its zone cost.
    """

    module: str
    ca: int
    ce: int
    instability: float | None
    abstractness: float | None
    distance: float | None
    zone: Zone | None
    role: Role
    in_cycle: bool
    module_health: int

    @property
    def coupling(self) -> int:
        return self.ca + self.ce


def measure(graph: ModuleGraph, cyclic: Mapping[str, int]) -> dict[str, Measures]:
    """The measures of all modules; `cyclic` has those that are part of a cycle."""
    return {name: _measure(graph, name, in_cycle=name in cyclic) for name in graph.members}


def _measure(graph: ModuleGraph, name: str, *, in_cycle: bool) -> Measures:
    ca, ce = len(graph.sources[name]), len(graph.targets[name])
    offer = graph.offers.get(name, Offer())
    instability = ce / (ca + ce) if ca + ce else None
    abstractness = offer.abstract / offer.names if offer.names else None
    distance = None
    zone: Zone | None = None
    if instability is not None and abstractness is not None:
        distance = abs(abstractness + instability - 1)
        is_pain = instability < _LOW and abstractness < _LOW
        zone = "pain" if is_pain else "uselessness" if min(instability, abstractness) > _HIGH else None
    costs = next((cost for least, cost in _COSTS if ca + ce > least), 0)
    health = 100 - costs - _CYCLE_COSTS * in_cycle - _PAIN_COSTS * (zone == "pain" and ca + ce > _SOME)
    return Measures(
        name, ca, ce, _rounded(instability), _rounded(abstractness), _rounded(distance), zone,
        _role(ca, ce), in_cycle, health,
    )  # fmt: skip


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 3)


def _role(ca: int, ce: int) -> Role:
    if not ca + ce:
        return "isolated"
    return "hub" if ca > 2 * ce else "authority" if ce > 2 * ca else "balanced"
