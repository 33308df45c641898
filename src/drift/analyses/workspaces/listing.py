"""The packages of a project as a list, and the findings about all of them."""

from collections import Counter
from typing import TYPE_CHECKING, Final

from drift.analyses.workspaces.relations import Landscape, Link
from drift.analyses.workspaces.rows import PackageRow, UndeclaredUseRow, WorkspaceRow
from drift.kernel.text import plural

if TYPE_CHECKING:
    from drift.index import IndexReader

_MOST_NAMED: Final = 8


def list_packages(reader: "IndexReader", landscape: Landscape) -> tuple[PackageRow, ...]:
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
