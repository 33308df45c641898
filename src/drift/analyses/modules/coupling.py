"""What the coupling of modules comes to: for the project, for one module, and for whoever wants to move one."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from statistics import mean
from typing import Final, Literal

from drift.analyses.modules.cycles import Cycle, find_cycles, find_groups
from drift.analyses.modules.graph import Dependency, Level, module_graph, reached
from drift.analyses.modules.layers import Layering, find_layers
from drift.analyses.modules.measures import Measures, measure
from drift.index import IndexReader
from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.ranking import Sort
from drift.kernel.similar import similar_names
from drift.kernel.text import plural

Risk = Literal["critical", "high", "medium", "low"]

_RISKS: Final[tuple[tuple[int, Risk], ...]] = ((20, "critical"), (10, "high"), (5, "medium"))
_MOST_NEIGHBOURS: Final = 15
_MOST_NAMES: Final = 6
_TEST_STEPS: Final = 2


@dataclass(frozen=True, slots=True)
class CouplingMetrics:
    """The modules of a level together; means are of the modules that have the measure."""

    level: Level
    modules: int
    edges: int
    names: int
    avg_instability: float | None
    avg_distance: float | None
    cycles: int
    in_cycles: int
    zone_of_pain: int
    zone_of_uselessness: int
    isolated: int


@dataclass(frozen=True, slots=True)
class NeighbourRow:
    """A module on the other end of a dependency, by which names, and the first place."""

    module: str
    uses: int
    names: tuple[str, ...]
    at: str


@dataclass(frozen=True, slots=True)
class ModuleDetail:
    """All about one module: what it uses, who uses it, whom these lead to, and the cycle it is in."""

    measures: Measures
    files: int
    layer: str | None
    dependencies: tuple[NeighbourRow, ...]
    dependents: tuple[NeighbourRow, ...]
    transitive_dependencies: int
    transitive_dependents: int
    cycle: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class MoveImpact:
    """What a change of a module's surface reaches: `names` are those others use of it, the most used first."""

    module: str
    risk: Risk
    reason: str
    direct: tuple[NeighbourRow, ...]
    direct_count: int
    transitive_count: int
    names: dict[str, int]
    tests: tuple[str, ...]
    tests_count: int


class Coupling:
    """What is known of the coupling of a project's modules; each part is worked out when it is asked for."""

    def __init__(self, reader: IndexReader, level: Level, *, with_tests: bool = False) -> None:
        self.level = level
        self._files = module_graph(reader, "file", with_tests=with_tests)
        self.graph = (
            self._files.grouped(self.layering.layer_of)
            if level == "layer"
            else module_graph(reader, level, with_tests=with_tests)
        )

    @cached_property
    def layering(self) -> Layering:
        return find_layers(self._files)

    @cached_property
    def groups(self) -> list[tuple[str, ...]]:
        return find_groups(self.graph)

    @cached_property
    def cycles(self) -> list[Cycle]:
        return find_cycles(self.graph)

    @cached_property
    def measures(self) -> Mapping[str, Measures]:
        return measure(self.graph, {name: len(group) for group in self.groups for name in group})

    def metrics(self) -> CouplingMetrics:
        """The figures of the project."""
        every = self.measures.values()
        zones = Counter(one.zone for one in every)
        return CouplingMetrics(
            self.level,
            len(self.graph.members),
            len(self.graph.edges),
            sum(one.weight for one in self.graph.edges.values()),
            _mean(one.instability for one in every),
            _mean(one.distance for one in every),
            len(self.groups),
            sum(map(len, self.groups)),
            zones["pain"],
            zones["uselessness"],
            sum(one.role == "isolated" for one in every),
        )

    def require(self, wanted: str) -> str:
        """The module of a name, which may be its end. Raises FILE_NOT_FOUND with what is like it."""
        plain = wanted.strip().rstrip("/").removeprefix("./")
        if plain in self.graph.members:
            return plain
        ends = [name for name in self.graph.members if name.endswith(f"/{plain}")]
        if len(ends) == 1:
            return ends[0]
        near = ends[:5] or similar_names(plain, self.graph.members)
        told = f" Like it: {', '.join(near)}." if near else ""
        said = f"{len(ends)} modules end in" if ends else "No module of the index is called"
        raise DriftError(
            ErrorCode.FILE_NOT_FOUND,
            f"{said} {wanted!r} at the level {self.level}.{told}",
            Recovery("Give one of them, or another level."),
        )

    def describe(self, name: str) -> ModuleDetail:
        """One module with its neighbours."""
        graph = self.graph
        paths = graph.members[name]
        layer = self.layering.layer_of(paths[0]) if self.level != "layer" and paths else None
        return ModuleDetail(
            self.measures[name],
            len(paths),
            layer,
            _neighbours((graph.edges[name, one] for one in graph.targets[name]), is_source=False),
            _neighbours((graph.edges[one, name] for one in graph.sources[name]), is_source=True),
            len(reached([name], graph.targets)),
            len(reached([name], graph.sources)),
            next((group for group in self.groups if name in group), None),
        )

    def impact(self, reader: IndexReader, name: str) -> MoveImpact:
        """Who would notice that a module is moved or its surface changed."""
        graph = self.graph
        direct = [graph.edges[one, name] for one in graph.sources[name]]
        around = reached([name], graph.sources)
        measures = self.measures[name]
        is_hub = measures.role == "hub" and measures.ca > _RISKS[-1][0]
        risk: Risk = next((risk for least, risk in _RISKS if len(around) > least), "low")
        if is_hub:
            risk = "critical"
        reason = f"{plural(len(around), 'module')} depend on it, directly or through others"
        if is_hub:
            reason += f"; a hub: {measures.ca} use it, it uses {measures.ce}"
        names = Counter(used for one in direct for used in one.names)
        tests = _tests_of(reader, graph.members[name])
        return MoveImpact(
            name, risk, reason, _neighbours(direct, is_source=True), len(direct), len(around),
            dict(names.most_common(_MOST_NEIGHBOURS)), tuple(tests[:_MOST_NEIGHBOURS]), len(tests),
        )  # fmt: skip


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return round(mean(known), 3) if known else None


def _neighbours(found: Iterable[Dependency], *, is_source: bool) -> tuple[NeighbourRow, ...]:
    ordered = sorted(found, key=lambda one: (-one.weight, one.source, one.target))
    return tuple(
        NeighbourRow(
            one.source if is_source else one.target,
            one.weight,
            one.names[:_MOST_NAMES],
            f"{one.path}:{one.line}",
        )
        for one in ordered[:_MOST_NEIGHBOURS]
    )


def _tests_of(reader: IndexReader, paths: Iterable[str]) -> list[str]:
    """Test files that use these files, directly or through one other."""
    graph = module_graph(reader, "file", with_tests=True)
    product = module_graph(reader, "file").members
    near = reached(paths, graph.sources)
    return sorted(path for path, steps in near.items() if path not in product and steps <= _TEST_STEPS)


HOTSPOT_SORTS: Final[Mapping[str, Sort[Measures]]] = {
    "coupling": Sort(lambda one: (-one.coupling, one.module), "desc"),
    "ca": Sort(lambda one: (-one.ca, one.module), "desc"),
    "ce": Sort(lambda one: (-one.ce, one.module), "desc"),
    "distance": Sort(lambda one: (-(one.distance or 0.0), one.module), "desc"),
    "health": Sort(lambda one: (one.module_health, one.module), "asc"),
}
