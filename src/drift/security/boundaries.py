"""Tables with who reaches them: places, modules, entry points, guards, sensitive fields and crossed rules."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from posixpath import dirname
from typing import Final, NamedTuple

from drift.analyses.data_access import AccessPoint, DataMap, Model, data_of
from drift.analyses.data_access.naming import folded
from drift.analyses.index_cache import PerState
from drift.index import IndexReader
from drift.kernel.ranking import Sort
from drift.kernel.text import plural
from drift.security.exposure import ReachingEntry, describe_ways, find_ways
from drift.security.routes import Routes
from drift.security.sensitive import SensitiveField, find_sensitive

TABLE: Final = "table:"
"""What stands before the name of a table where a symbol could stand, too."""
_MOST_SHOWN: Final = 8
_MOST_ENTRIES: Final = 5
_WEIGHT: Final = {"read": 0.8, "write": 1.0, "delete": 1.0, "schema": 0.3, "unknown": 0.8}
# Tables that frameworks keep beside the data, by words of their names.
_NOISE: Final = frozenset({"migration", "migrations", "log", "logs", "cache", "job", "jobs", "lock", "locks"})


@dataclass(frozen=True, slots=True)
class TableAccess:
    """A place that reaches a table."""

    file: str
    line: int
    symbol: str
    operation: str
    framework: str
    is_raw_sql: bool
    fields: tuple[str, ...]
    confidence: float


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table, what it holds and who reaches it. Entry points are counted where few enough tables are shown to walk."""

    table: str
    location: str
    """As drift_reachability takes it."""
    model: str | None
    framework: str
    file: str | None
    line: int | None
    priority: str
    """P0: credentials or money that are changed, to P4: noise."""
    operations: dict[str, int]
    raw_sql: int
    modules: tuple[str, ...]
    sensitive: tuple[str, ...]
    """`field (kind: why)`, the worst first."""
    entry_points: int | None
    unguarded: int | None
    """Routes without a guard that lead here, but for those of a kind that everybody may call."""
    entries: tuple[ReachingEntry, ...] | None
    points: tuple[TableAccess, ...]


class Table(NamedTuple):
    """A table with its places."""

    name: str
    model: Model | None
    points: tuple[AccessPoint, ...]
    sensitive: tuple[SensitiveField, ...]

    @property
    def score(self) -> float:
        """How much a look at it is worth: the worst field, times what is done with it."""
        if folded(self.name) in _NOISE or not self.points:
            return 0.0
        worst = max((one.score for one in self.sensitive), default=10)
        return worst * max(_WEIGHT[one.operation] for one in self.points)

    @property
    def priority(self) -> str:
        kinds = {one.kind for one in self.sensitive}
        changes = any(one.operation in {"write", "delete"} for one in self.points)
        score = self.score
        if not score:
            return "P4"
        if (changes and kinds & {"credentials", "financial"}) or score >= 90:  # noqa: PLR2004 - tiers of the priority
            return "P0"
        if kinds & {"credentials", "financial", "health"} or score >= 75:  # noqa: PLR2004 - as above
            return "P1"
        return "P2" if "personal" in kinds or score >= 50 else "P3"  # noqa: PLR2004 - as above


class Boundaries(NamedTuple):
    """The tables of a project, the most worth looking at first."""

    data: DataMap
    tables: tuple[Table, ...]
    sensitive: tuple[SensitiveField, ...]
    unnamed: int
    """Places that reach data of which nothing near says which."""


_BOUNDARIES: Final[PerState[Boundaries]] = PerState()


def find_boundaries(reader: IndexReader, root: Path) -> Boundaries:
    """Every table that somebody reaches or a model is kept in."""
    return _BOUNDARIES.get(reader, lambda: _find_boundaries(data_of(reader, root)))


def _find_boundaries(data: DataMap) -> Boundaries:
    sensitive = find_sensitive(data)
    models: dict[str, Model] = {}
    for model in data.models:
        models.setdefault(model.table.lower(), model)
    by_table: dict[str, list[AccessPoint]] = defaultdict(list)
    names: dict[str, str] = {}
    for point in data.points:
        if point.table is not None:
            by_table[point.table.lower()].append(point)
            names.setdefault(point.table.lower(), point.table)
    fields: dict[str, list[SensitiveField]] = defaultdict(list)
    for one in sensitive:
        fields[one.table.lower()].append(one)
    tables = [
        Table(
            models[key].table if key in models else names[key],
            models.get(key),
            tuple(by_table.get(key, ())),
            tuple(fields.get(key, ())),
        )
        for key in sorted({*by_table, *models})
    ]
    tables.sort(key=lambda one: (-one.score, -len(one.points), one.name))
    return Boundaries(data, tuple(tables), sensitive, sum(point.table is None for point in data.points))


def choose(
    found: Boundaries,
    *,
    module: str | None = None,
    table: str | None = None,
    sensitive_only: bool = False,
) -> list[Table]:
    """The tables that a question is about: those of a name, those that files below a path reach, those with such fields."""
    chosen = list(found.tables)
    if table is not None:
        wanted, _, _ = table.partition(".")
        chosen = [
            one
            for one in chosen
            if wanted.lower() in {one.name.lower(), (one.model.name if one.model else "").lower()}
            or folded(one.name) == folded(wanted)
        ]
    if module is not None:
        inside = [
            one._replace(points=tuple(point for point in one.points if _is_in(point.file, module)))
            for one in chosen
        ]
        chosen = [
            one for one in inside if one.points or (one.model is not None and _is_in(one.model.file, module))
        ]
    return [one for one in chosen if one.sensitive or not sensitive_only]


def _is_in(path: str, module: str) -> bool:
    folder = module.strip("/")
    return path == folder or path.startswith(f"{folder}/") or path.rpartition(".")[0] == folder


TABLE_SORTS: Final[Mapping[str, Sort[Table]]] = {
    "priority": Sort(lambda one: (-one.score, -len(one.points), one.name), "desc"),
    "uses": Sort(lambda one: (-len(one.points), one.name), "desc"),
    "name": Sort(lambda one: (one.name,)),
}


def table_row(reader: IndexReader, table: Table, routes: Routes | None, *, max_depth: int) -> TableRow:
    """A table as an answer tells it; without routes nothing is said of entry points."""
    entries: tuple[ReachingEntry, ...] | None = None
    count = unguarded = None
    if routes is not None and table.points:
        ways, _ = find_ways(reader, table.points, max_depth=max_depth)
        rows = describe_ways(reader, ways[:200], table.points, routes)
        count, unguarded = len(ways), sum(one.is_unguarded for one in rows)
        entries = tuple(sorted(rows, key=lambda one: (not one.is_unguarded, one.depth))[:_MOST_ENTRIES])
    model = table.model
    return TableRow(
        table.name,
        f"{TABLE}{table.name}",
        model.name if model else None,
        model.framework if model else table.points[0].framework,
        model.file if model else None,
        model.line if model else None,
        table.priority,
        dict(Counter(one.operation for one in table.points).most_common()),
        sum(one.is_raw_sql for one in table.points),
        tuple(
            name
            for name, _ in Counter(dirname(one.file) or "." for one in table.points).most_common(_MOST_SHOWN)
        ),
        tuple(f"{one.field} ({one.kind}: {one.why})" for one in table.sensitive[:_MOST_SHOWN]),
        count,
        unguarded,
        entries,
        tuple(map(access_row, table.points[:_MOST_SHOWN])),
    )


def access_row(point: AccessPoint) -> TableAccess:
    """A place as an answer tells it."""
    return TableAccess(
        point.file,
        point.line,
        point.symbol,
        point.operation,
        point.framework,
        point.is_raw_sql,
        point.fields[:_MOST_SHOWN],
        point.confidence,
    )


def boundaries_summary(found: Boundaries, chosen: Collection[Table]) -> str:
    """A line on what was found."""
    if not found.data.points and not found.data.models:
        return "No access to data was found; drift knows the libraries that docs/security.md lists"
    places = sum(len(one.points) for one in chosen)
    held = sum(bool(one.sensitive) for one in chosen)
    return f"{plural(len(chosen), 'table')}, {held} with sensitive fields, reached from {plural(places, 'place')}"


def boundary_warnings(found: Boundaries, problems: Iterable[str] = ()) -> tuple[str, ...]:
    """What an answer about boundaries does not tell."""
    unnamed = (
        (f"{plural(found.unnamed, 'place')} reach data of which nothing near says which table",)
        if found.unnamed
        else ()
    )
    return (*unnamed, *problems)
