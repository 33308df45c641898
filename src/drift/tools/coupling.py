"""How the modules of a project hold on to each other: measures, cycles with the cheapest cut, layers, unused exports."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Final, Literal, NamedTuple

from drift.analyses.dead_code.finding import Asked, look_through
from drift.analyses.modules.coupling import (
    HOTSPOT_SORTS,
    Coupling,
    CouplingMetrics,
    ModuleDetail,
    MoveImpact,
)
from drift.analyses.modules.cycles import (
    CYCLE_SORTS,
    SEVERITIES,
    CycleRow,
    DependencyRow,
    Severity,
    cycle_row,
    cycles_summary,
    dependency_row,
)
from drift.analyses.modules.exports import ExportRow, export_row, unused_exports
from drift.analyses.modules.graph import Level
from drift.analyses.modules.layers import VIOLATION_SORTS, LayerRow, layer_rows
from drift.analyses.modules.measures import Measures
from drift.index import IndexReader, Layer
from drift.kernel.answer import Answer
from drift.kernel.errors import needed
from drift.kernel.ranking import Ranked
from drift.kernel.text import plural
from drift.registry import Call, Page, Range, tool
from drift.registry.indexes import opened_index
from drift.registry.listing import list_answer

Action = Literal["status", "cycles", "hotspots", "analyze", "refactor-impact", "unused-exports", "layers"]

_MOST_SHOWN = 5
_MOST_TANGLES = 10


@dataclass(frozen=True, slots=True)
class CouplingData:
    """What the action found; the other fields are absent."""

    metrics: CouplingMetrics | None = None
    modules: tuple[Measures, ...] | None = None
    cycles: tuple[CycleRow, ...] | None = None
    module: ModuleDetail | None = None
    impact: MoveImpact | None = None
    unused: tuple[ExportRow, ...] | None = None
    layers: tuple[LayerRow, ...] | None = None
    violations: tuple[DependencyRow, ...] | None = None
    violations_count: int | None = None
    tangles: tuple[DependencyRow, ...] | None = None


@tool(
    category="analysis",
    title="Coupling of modules",
    tokens=(300, 2000),
    needs=Layer.CALLS,
    examples=(
        {"action": "status"},
        {"action": "cycles", "level": "folder"},
        {"action": "analyze", "module": "shop/pricing.py"},
    ),
)
def drift_coupling(  # noqa: PLR0917 - the caller names them
    call: Call,
    action: Action = "status",
    module: Annotated[str | None, "analyze, refactor-impact, unused-exports: one of the level"] = None,
    level: Annotated[Level, "What a module is"] = "file",
    min_coupling: Annotated[int, Range(0, 10_000), "hotspots: least Ca + Ce"] = 3,
    max_cycle_length: Annotated[int | None, Range(2, 100_000), "cycles: most members"] = None,
    min_severity: Annotated[Severity, "cycles: least"] = "info",
    with_tests: Annotated[bool, "Count tests too"] = False,
    page: Page = Page(limit=15, sorts=tuple(HOTSPOT_SORTS)),
) -> Answer[CouplingData]:
    """Who depends on whom: measures, cycles and their cheapest cut, layers. What breaks them, who would notice a move."""
    asked = _Asked(call, page, module, min_coupling, max_cycle_length, min_severity)
    with opened_index(call) as reader:
        return _ANSWERS[action](asked, reader, Coupling(reader, level, with_tests=with_tests))


class _Asked(NamedTuple):
    """What the caller wants of the action."""

    call: Call
    page: Page
    module: str | None
    min_coupling: int
    max_cycle_length: int | None
    min_severity: Severity

    @property
    def unsorted(self) -> Page:
        """The page for lists that have one order alone: sorts are of hotspots."""
        return Page(self.page.cursor, self.page.limit)


def _status(asked: _Asked, _reader: IndexReader, found: Coupling) -> Answer[CouplingData]:
    metrics = found.metrics()
    hot = sorted(found.measures.values(), key=HOTSPOT_SORTS["coupling"].key)[:_MOST_SHOWN]
    against = found.layering.violations
    data = CouplingData(
        metrics=metrics,
        modules=tuple(hot),
        layers=layer_rows(found.layering),
        violations=tuple(map(dependency_row, against[:_MOST_SHOWN])),
        violations_count=len(against),
    )
    told = (
        f"{plural(metrics.modules, metrics.level)}, {plural(metrics.edges, 'dependency', 'dependencies')}; "
        f"{plural(metrics.cycles, 'cycle')} of {plural(metrics.in_cycles, metrics.level)}; "
        f"{plural(len(found.layering.layers), 'layer')}, {plural(len(against), 'dependency', 'dependencies')} against them"
    )
    why = "what to drop to open them"
    after = asked.call.suggest(drift_coupling, why, action="cycles", level=found.level)
    return Answer(told, data, next=(after,) if metrics.cycles else ())


def _cycles(asked: _Asked, _reader: IndexReader, found: Coupling) -> Answer[CouplingData]:
    wanted = SEVERITIES[: SEVERITIES.index(asked.min_severity) + 1]
    most = asked.max_cycle_length
    rows = [
        one for one in found.cycles if (most is None or len(one.members) <= most) and one.severity in wanted
    ]
    return list_answer(
        asked.call,
        asked.unsorted,
        Ranked(rows, CYCLE_SORTS),
        lambda shown: CouplingData(cycles=tuple(map(cycle_row, shown))),
        summary=cycles_summary(rows, found.level),
    )


def _hotspots(asked: _Asked, _reader: IndexReader, found: Coupling) -> Answer[CouplingData]:
    rows = [one for one in found.measures.values() if one.coupling >= asked.min_coupling]
    return list_answer(
        asked.call,
        asked.page,
        Ranked(rows, HOTSPOT_SORTS),
        lambda shown: CouplingData(modules=shown),
        summary=f"{plural(len(rows), found.level)} with a coupling of at least {asked.min_coupling}",
    )


def _layers(asked: _Asked, _reader: IndexReader, found: Coupling) -> Answer[CouplingData]:
    layering = found.layering
    count = len(layering.violations)
    told = (
        f"{plural(len(layering.layers), 'layer')}; {plural(count, 'dependency goes', 'dependencies go')} against them, "
        f"{plural(len(layering.tangles), 'pair')} of folders {'is' if len(layering.tangles) == 1 else 'are'} entangled"
    )
    return list_answer(
        asked.call,
        asked.unsorted,
        Ranked(layering.violations, VIOLATION_SORTS),
        lambda shown: CouplingData(
            layers=layer_rows(layering),
            violations=tuple(map(dependency_row, shown)),
            violations_count=count,
            tangles=tuple(map(dependency_row, layering.tangles[:_MOST_TANGLES])),
        ),
        summary=told,
    )


def _unused(asked: _Asked, reader: IndexReader, found: Coupling) -> Answer[CouplingData]:
    call = asked.call
    paths = None if asked.module is None else found.graph.members[found.require(asked.module)]
    every = look_through(
        reader, call.project.root, Asked(with_exports=True), check_cancelled=call.check_cancelled
    )
    rows = unused_exports(every, paths)
    return list_answer(
        asked.call,
        asked.unsorted,
        rows,
        lambda shown: CouplingData(unused=tuple(map(export_row, shown))),
        summary=f"{plural(len(rows.rows), 'export')} without a known use in the project",
    )


def _module(asked: _Asked, _reader: IndexReader, found: Coupling) -> Answer[CouplingData]:
    name = found.require(needed("module", asked.module, when="action=analyze"))
    detail = found.describe(name)
    one = detail.measures
    told = f"{name}: {one.ca} use it, it uses {one.ce}"
    told += f", in a cycle of {len(detail.cycle)}" if detail.cycle else ""
    after = asked.call.suggest(
        drift_coupling, "who would notice a change", action="refactor-impact", module=name, level=found.level
    )
    return Answer(told, CouplingData(module=detail), next=(after,))


def _impact(asked: _Asked, reader: IndexReader, found: Coupling) -> Answer[CouplingData]:
    name = found.require(needed("module", asked.module, when="action=refactor-impact"))
    impact = found.impact(reader, name)
    told = f"{name}: {impact.risk} risk; {impact.reason}; {plural(impact.tests_count, 'test file')} near"
    return Answer(told, CouplingData(impact=impact))


_ANSWERS: Final[Mapping[Action, Callable[[_Asked, IndexReader, Coupling], Answer[CouplingData]]]] = {
    "status": _status,
    "cycles": _cycles,
    "hotspots": _hotspots,
    "analyze": _module,
    "refactor-impact": _impact,
    "unused-exports": _unused,
    "layers": _layers,
}
