"""The packages of a project as a list, and the findings about all of them."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from drift.analyses.workspaces.relations import Landscape, Link
from drift.analyses.workspaces.rows import PackageContext, PackageRow, UndeclaredUseRow, WorkspaceRow
from drift.index import IndexReader
from drift.kernel.ranking import Ranked, Sort
from drift.kernel.text import plural

MOST_FINDINGS = 10


_MOST_PROBLEMS = 5


MOST_CANDIDATES = 10


@dataclass(frozen=True, slots=True)
class PackagesData:
    """The packages by path with what holds them together, or `package` alone.

    `undeclared` are up to ten uses that no manifest declares, most first.
    """

    is_monorepo: bool
    package_managers: tuple[str, ...]
    workspaces: tuple[WorkspaceRow, ...] | None = None
    packages: tuple[PackageRow, ...] | None = None
    undeclared_count: int | None = None
    undeclared: tuple[UndeclaredUseRow, ...] | None = None
    package: PackageContext | None = None


_MOST_NAMED: Final = 8


def list_packages(reader: IndexReader, landscape: Landscape) -> tuple[PackageRow, ...]:
    """Every package with its size and what it depends on in the project, by path."""
    counts = reader.packages.symbol_counts()
    files: Counter[int] = Counter()
    symbols: Counter[int] = Counter()
    languages: dict[int, Counter[str]] = {}
    for file in landscape.files:
        owner = landscape.owners.get(file.id)
        if owner is not None:
            files[owner] += 1
            symbols[owner] += counts.get(file.id, 0)
            if file.language:
                languages.setdefault(owner, Counter())[file.language] += 1
    rows = []
    for number, each in enumerate(landscape.packages):
        links = [link for link in landscape.links if link.source == number and link.standing != "contained"]
        rows.append(
            PackageRow(
                name=each.name,
                path=each.path or ".",
                manager=each.manager,
                language=main_language(languages.get(number)),
                version=each.version,
                is_root=each.is_root,
                in_workspace=each.workspace is not None,
                files=files[number],
                symbols=symbols[number],
                internal_dependencies=tuple(landscape.label(link.target) for link in links),
                undeclared=_labels(landscape, links, "undeclared"),
                unseen=_labels(landscape, links, "unused"),
            )
        )
    return tuple(rows)


def main_language(counts: Counter[str] | None) -> str | None:
    """The language most files have; None where no file has one."""
    return min(counts, key=lambda name: (-counts[name], name)) if counts else None


def list_workspaces(landscape: Landscape) -> tuple[WorkspaceRow, ...]:
    """Every workspace with how many folders it means."""
    return tuple(
        WorkspaceRow(each.manager, each.file, len(each.members)) for each in landscape.detected.workspaces
    )


def list_undeclared(landscape: Landscape) -> tuple[UndeclaredUseRow, ...]:
    """What code uses and no manifest of its package names, most used first."""
    return tuple(undeclared_row(landscape, each) for each in landscape.findings())


def undeclared_row(landscape: Landscape, link: Link) -> UndeclaredUseRow:
    """A finding with its evidence."""
    source = landscape.packages[link.source]
    manifest = source.manifests[0]
    brought = f"; it comes along with {landscape.label(link.via)}" if link.via is not None else ""
    return UndeclaredUseRow(
        landscape.label(link.source),
        landscape.label(link.target),
        link.uses + link.test_uses,
        not link.uses,
        link.file or "",
        link.line or 1,
        f"{manifest} does not name it{brought}",
    )


def describe_cycles(landscape: Landscape) -> tuple[str, ...]:
    """Each group of packages that lead to each other, as a sentence."""
    told = []
    for group in landscape.cycles:
        names = [landscape.label(each) for each in group]
        more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
        told.append(
            f"{plural(len(names), 'package')} depend on each other in a circle: {', '.join(names[:_MOST_NAMED])}{more}"
        )
    return tuple(told)


def _labels(landscape: Landscape, links: list[Link], standing: str) -> tuple[str, ...] | None:
    return tuple(landscape.label(each.target) for each in links if each.standing == standing) or None


def find_doubts(landscape: Landscape, number: int) -> tuple[str, ...]:
    """What is wrong with a package, and what may mislead about it."""
    each = landscape.packages[number]
    own = landscape.label(number)
    told = [
        f"uses {one.uses} undeclared in {plural(one.places, 'place')}"
        f"{' of tests' if one.only_in_tests else ''}, first {one.file}:{one.line}: {one.reason}"
        for one in list_undeclared(landscape)
        if one.package == own
    ]
    told = told[:MOST_FINDINGS]
    if any(number in group for group in landscape.cycles):
        told += describe_cycles(
            landscape._replace(cycles=tuple(one for one in landscape.cycles if number in one))
        )
    if not each.is_named:
        told.append(f"{each.manifests[0]} gives no name; this is the one of the folder")
    alike = [
        landscape.label(at)
        for at, one in enumerate(landscape.packages)
        if at != number and (one.name == each.name or one.path == each.path)
    ]
    if alike:
        told.append(
            f"not to be confused with the other of this name or folder: {', '.join(alike[:MOST_CANDIDATES])}"
        )
    return tuple(told)


def is_monorepo(landscape: Landscape) -> bool:
    """Whether packages are held together, by a workspace or by asking for each other; one beside its tools is not."""
    inner = [
        each
        for each in landscape.detected.declarations
        if not (landscape.packages[each.source].is_root or landscape.packages[each.target].is_root)
    ]
    return bool(landscape.detected.workspaces or inner)


def list_managers(landscape: Landscape) -> tuple[str, ...]:
    holding = [each.manager for each in landscape.detected.workspaces]
    return tuple(dict.fromkeys((*holding, *(one for each in landscape.packages for one in each.managers))))


def say_problems(landscape: Landscape) -> tuple[str, ...]:
    return tuple(f"not read: {each}" for each in landscape.detected.problems[:_MOST_PROBLEMS])


PACKAGE_SORTS: Final[Mapping[str, Sort[PackageRow]]] = {
    "path": Sort(lambda row: (row.path, row.name, row.manager)),
    "name": Sort(lambda row: (row.name,)),
    "files": Sort(lambda row: (-row.files,), "desc"),
    "symbols": Sort(lambda row: (-row.symbols,), "desc"),
}


class PackageList(NamedTuple):
    """All packages, as an answer tells them."""

    landscape: Landscape
    rows: tuple[PackageRow, ...]
    workspaces: tuple[WorkspaceRow, ...]
    undeclared: tuple[UndeclaredUseRow, ...]

    @property
    def summary(self) -> str:
        held = sum(row.in_workspace for row in self.rows)
        workspaces = plural(len(self.workspaces), "workspace")
        joined = f", {held} held by {workspaces}" if self.workspaces else ", none in a workspace"
        return (
            f"{plural(len(self.rows), 'package')} ({', '.join(list_managers(self.landscape))}){joined}; "
            f"{plural(len(self.undeclared), 'undeclared use')} between them"
        )

    @property
    def largest(self) -> str:
        return self.landscape.label(max(range(len(self.rows)), key=lambda each: self.rows[each].symbols))

    def ranked(self) -> Ranked[PackageRow]:
        return Ranked(self.rows, PACKAGE_SORTS)

    def data(self, shown: tuple[PackageRow, ...]) -> PackagesData:
        return PackagesData(
            is_monorepo(self.landscape),
            list_managers(self.landscape),
            self.workspaces,
            shown,
            len(self.undeclared),
            self.undeclared[:MOST_FINDINGS],
        )


def list_all(reader: IndexReader, landscape: Landscape) -> PackageList:
    return PackageList(
        landscape,
        tuple(list_packages(reader, landscape)),
        list_workspaces(landscape),
        list_undeclared(landscape),
    )
