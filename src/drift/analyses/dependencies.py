"""Dependencies declared, settled, used in code, declared without use, and used without being declared."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, NamedTuple

from drift.index import IndexReader
from drift.index.listing_queries import PackageUse, PathFilter
from drift.kernel.ranking import Sort
from drift.kernel.text import plural
from drift.manifests.contents import Ecosystem, Scope
from drift.manifests.import_names import (
    ECOSYSTEMS,
    TELLING,
    accounts_for,
    declares_itself,
    is_ever_imported,
    is_platform,
)
from drift.manifests.reading import DeclaredAt, Manifests, read_manifests

_STRONGEST_FIRST: Final[tuple[Scope, ...]] = ("prod", "peer", "optional", "build", "dev")

EcosystemChoice = Literal["python", "node", "go", "rust", "jvm", "php", "dotnet", "cpp", "ruby"]

ScopeChoice = Literal["prod", "dev", "peer", "optional", "build", "all"]

_MOST_FINDINGS: Final = 15


@dataclass(frozen=True, slots=True)
class DependencyRow:
    """A declared package. `locked` is the settled version, `imports` how often code imports it: null where that cannot be told."""

    name: str
    ecosystem: str
    scope: str
    version: str | None
    locked: str | None
    imports: int | None
    file: str
    line: int
    manifests: int


DEPENDENCY_SORTS: Final[Mapping[str, Sort[DependencyRow]]] = {
    "name": Sort(lambda row: (row.name.lower(), row.ecosystem)),
    "imports": Sort(lambda row: (-1 if row.imports is None else -2 - row.imports,), "desc"),
    "file": Sort(lambda row: (row.file, row.line)),
}


class _Imported(NamedTuple):
    """Imports of one outside package."""

    package: str
    times: int
    path: str
    line: int
    is_only_in_tests: bool


@dataclass(frozen=True, slots=True)
class UndeclaredRow:
    """A package that code imports and no manifest declares, with one of the places."""

    package: str
    ecosystem: str
    imports: int
    file: str
    line: int
    only_in_tests: bool
    reason: str


@dataclass(frozen=True, slots=True)
class UnusedRow:
    """A package declared for production that no file imports."""

    name: str
    ecosystem: str
    file: str
    line: int
    confidence: float
    reason: str


class Survey(NamedTuple):
    """All dependencies by name, and where declarations and code disagree."""

    dependencies: tuple[DependencyRow, ...]
    unused: tuple[UnusedRow, ...]
    undeclared: tuple[UndeclaredRow, ...]
    files: tuple[str, ...]
    problems: tuple[str, ...]


def survey_dependencies(reader: IndexReader, root: Path) -> Survey:
    """What the project's manifests say, compared with what its code imports."""
    configs = reader.listings.paths(PathFilter(role="config"))
    manifests = read_manifests(root, {path.rpartition("/")[0] for path in configs})
    imported = _imported_by_ecosystem(reader.listings.package_uses())
    provides = {(each.ecosystem, each.package.name): each.package.provides for each in manifests.locked}
    rows: list[DependencyRow] = []
    accounted: set[tuple[Ecosystem, str]] = set()
    locked = {(each.ecosystem, each.package.name.lower()): each.package.version for each in manifests.locked}
    for (ecosystem, name), places in _grouped(manifests.declared).items():
        uses = [
            each
            for each in imported.get(ecosystem, ())
            if accounts_for(ecosystem, name, each.package, provides.get((ecosystem, name), ()))
        ]
        accounted |= {(ecosystem, each.package) for each in uses}
        settled = locked.get((ecosystem, name.lower()))
        # What the project itself offers is imported as its own files, which are not counted by package.
        count = None if name in manifests.own_names else _use_count(ecosystem, name, uses, imported)
        rows.append(_row(places, settled, count))
    for (ecosystem, name), names in provides.items():
        # What a lock has beside the declared comes along with it; importing it directly works, and is fragile.
        if names:
            accounted |= {
                (ecosystem, each.package)
                for each in imported.get(ecosystem, ())
                if accounts_for(ecosystem, name, each.package, names)
            }
    return Survey(
        tuple(sorted(rows, key=lambda row: (row.name.lower(), row.ecosystem))),
        tuple(_unused(row for row in rows if row.name not in manifests.own_names)),
        tuple(_undeclared(imported, accounted, manifests)),
        manifests.files,
        manifests.problems,
    )


def _imported_by_ecosystem(uses: Iterable[PackageUse]) -> dict[Ecosystem, list[_Imported]]:
    found: dict[tuple[Ecosystem, str], list[PackageUse]] = {}
    for use in uses:
        ecosystem = ECOSYSTEMS.get(use.language or "")
        if ecosystem is not None and not is_platform(ecosystem, use.package):
            found.setdefault((ecosystem, use.package), []).append(use)
    result: dict[Ecosystem, list[_Imported]] = {}
    for (ecosystem, package), group in found.items():
        product = [use for use in group if not use.is_test] or group
        times = sum(use.times for use in group)
        only_tests = all(use.is_test for use in group)
        result.setdefault(ecosystem, []).append(
            _Imported(package, times, product[0].path, product[0].line, only_tests)
        )
    return result


def _grouped(declared: Iterable[DeclaredAt]) -> dict[tuple[Ecosystem, str], list[DeclaredAt]]:
    groups: dict[tuple[Ecosystem, str], list[DeclaredAt]] = {}
    for each in declared:
        groups.setdefault((each.ecosystem, each.dependency.name), []).append(each)
    return groups


def _use_count(
    ecosystem: Ecosystem,
    name: str,
    uses: Sequence[_Imported],
    imported: dict[Ecosystem, list[_Imported]],
) -> int | None:
    if uses:
        return sum(each.times for each in uses)
    is_telling = ecosystem in TELLING and ecosystem in imported and is_ever_imported(name)
    return 0 if is_telling else None


def _row(places: Sequence[DeclaredAt], locked: str | None, imports: int | None) -> DependencyRow:
    strongest = min(places, key=lambda each: _STRONGEST_FIRST.index(each.dependency.scope))
    versions = Counter(each.dependency.version for each in places if each.dependency.version)
    return DependencyRow(
        name=strongest.dependency.name,
        ecosystem=strongest.ecosystem,
        scope=strongest.dependency.scope,
        version=versions.most_common(1)[0][0] if versions else None,
        locked=locked,
        imports=imports,
        file=strongest.file,
        line=strongest.line,
        manifests=len({each.file for each in places}),
    )


def _unused(rows: Iterable[DependencyRow]) -> Iterable[UnusedRow]:
    reason = "no file imports it; configuration, plug-ins or commands may still use it"
    return (
        UnusedRow(row.name, row.ecosystem, row.file, row.line, 0.6, reason)
        for row in rows
        if row.imports == 0 and row.scope == "prod"
    )


def _undeclared(
    imported: dict[Ecosystem, list[_Imported]], accounted: set[tuple[Ecosystem, str]], manifests: Manifests
) -> list[UndeclaredRow]:
    declaring = {each.ecosystem for each in manifests.declared}
    locked = {(each.ecosystem, each.package.name) for each in manifests.locked}
    rows = []
    for ecosystem, packages in imported.items():
        for each in packages:
            if declares_itself(ecosystem, each.package):
                continue
            is_own = any(accounts_for(ecosystem, own, each.package) for own in manifests.own_names)
            if ecosystem not in declaring or (ecosystem, each.package) in accounted or is_own:
                continue
            comes_along = (ecosystem, each.package) in locked or any(
                accounts_for(ecosystem, name, each.package) for kind, name in locked if kind == ecosystem
            )
            unsure = "" if ecosystem in TELLING else " under such a name; another package may bring it along"
            reason = (
                "only another package brings it along" if comes_along else f"no manifest names it{unsure}"
            )
            rows.append(
                UndeclaredRow(
                    each.package,
                    ecosystem,
                    each.times,
                    each.path,
                    each.line,
                    each.is_only_in_tests,
                    reason,
                )
            )
    return sorted(rows, key=lambda row: (row.only_in_tests, -row.imports, row.package))


@dataclass(frozen=True, slots=True)
class DependenciesData:
    """Declared packages by name, and up to fifteen each of those that code does not import or nobody declares."""

    dependencies: tuple[DependencyRow, ...]
    unused_count: int
    unused: tuple[UnusedRow, ...]
    undeclared_count: int
    undeclared: tuple[UndeclaredRow, ...]
    manifests: tuple[str, ...]


def narrowed(found: Survey, search: str, scope: ScopeChoice, ecosystem: str | None) -> Survey:
    def is_wanted(name: str, kind: str) -> bool:
        return search in name.lower() and ecosystem in {None, kind}

    dependencies = (row for row in found.dependencies if is_wanted(row.name, row.ecosystem))
    return Survey(
        tuple(row for row in dependencies if scope in {"all", row.scope}),
        tuple(row for row in found.unused if is_wanted(row.name, row.ecosystem) and scope in {"all", "prod"}),
        tuple(row for row in found.undeclared if is_wanted(row.package, row.ecosystem)),
        found.files,
        found.problems,
    )


def dependencies_data(survey: Survey, shown: tuple[DependencyRow, ...]) -> DependenciesData:
    """The answer that shows these of the dependencies."""
    return DependenciesData(
        shown,
        len(survey.unused),
        survey.unused[:_MOST_FINDINGS],
        len(survey.undeclared),
        survey.undeclared[:_MOST_FINDINGS],
        survey.files[:_MOST_FINDINGS],
    )


def summarize(survey: Survey) -> str:
    counted = plural(len(survey.dependencies), "dependency", "dependencies")
    return (
        f"{counted} in {plural(len(survey.files), 'manifest')}; "
        f"{len(survey.unused)} unused, {len(survey.undeclared)} undeclared"
    )
