"""One package from all sides: what it is, offers and needs, who depends on it, its tests."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from drift.analyses.workspaces.listing import main_language
from drift.analyses.workspaces.readme import read_first_paragraph
from drift.analyses.workspaces.relations import Landscape, Link
from drift.analyses.workspaces.rows import (
    ApiRow,
    EntryRow,
    ExternalRow,
    KeyFileRow,
    PackageContext,
    RelationRow,
    TestsRow,
)
from drift.analyses.workspaces.sections import SECTIONS, PackageSection, PackageSubject, gather_sections
from drift.analyses.workspaces.shapes import Package
from drift.analyses.workspaces.usage import Usage, UsedSymbol, survey_usage
from drift.index import EntryPointRecord, IndexReader
from drift.kernel.text import shorten
from drift.manifests.contents import plain_name
from drift.manifests.import_names import TELLING, accounts_for

_LONGEST_SIGNATURE: Final = 160
_LONGEST_ABOUT: Final = 400
_MOST_API: Final = 20
_MOST_ENTRIES: Final = 30
_MOST_FILES: Final = 10
_MOST_RELATIONS: Final = 25
_MOST_EXTERNALS: Final = 20
_MOST_TESTS: Final = 8
_MOST_SECTION_ROWS: Final = 20


def describe_package(
    reader: IndexReader,
    root: Path,
    landscape: Landscape,
    package: int,
    *,
    sections: Sequence[PackageSection] = SECTIONS,
) -> PackageContext:
    """A package from all sides; `sections` are the domains that have something to say about it."""
    each = landscape.packages[package]
    files = landscape.files_of(package)
    ids = [file.id for file in files]
    counts = reader.packages.symbol_counts()
    usage = survey_usage(reader, landscape, package)
    entries = [one for one in reader.packages.entry_points_in(ids) if one.symbol.role != "test"]
    about, source = _about(root, each)
    inner = [link for link in landscape.links if link.source == package]
    users = [link for link in landscape.links if link.target == package]
    externals = _externals(landscape, each, reader.packages.external_packages_of(ids))
    tests = tuple(file.path for file in files if file.role == "test")
    return PackageContext(
        name=each.name,
        path=each.path or ".",
        manager=each.manager,
        manifests=each.manifests,
        version=each.version,
        language=main_language(Counter(file.language for file in files if file.language)),
        is_root=each.is_root,
        workspace=each.workspace,
        about=about,
        about_source=source,
        files=len(files),
        symbols=sum(counts.get(file, 0) for file in ids),
        code_lines=sum(file.code_lines for file in files),
        api_count=sum(bool(each.outside_files) for each in usage.symbols),
        public_api=tuple(map(_api_row, usage.symbols[:_MOST_API])),
        entry_point_counts=dict(sorted(Counter(one.kind for one in entries).items())),
        entry_points=tuple(map(_entry_row, _spread(entries)[:_MOST_ENTRIES])),
        key_files=tuple(KeyFileRow(*file) for file in usage.files[:_MOST_FILES]),
        dependent_count=len(users),
        dependents=_relations(landscape, users, usage, is_incoming=True),
        dependencies=_relations(landscape, inner, usage, is_incoming=False),
        external_count=len(externals),
        externals=externals[:_MOST_EXTERNALS],
        tests=TestsRow(
            len(tests), len(usage.tests_elsewhere), tests[:_MOST_TESTS], usage.tests_elsewhere[:_MOST_TESTS]
        ),
        sections=dict(
            gather_sections(PackageSubject(reader, each, files), sections, rows=_MOST_SECTION_ROWS)
        ),
    )


def _about(root: Path, package: Package) -> tuple[str | None, str | None]:
    """What its authors say: the manifest's description, else the readme's first paragraph."""
    if package.description:
        return shorten(" ".join(package.description.split()), _LONGEST_ABOUT), package.manifests[0]
    found = read_first_paragraph(root, package.path)
    return (found.text, f"{found.file}:{found.line}") if found else (None, None)


def _api_row(used: UsedSymbol) -> ApiRow:
    symbol = used.symbol
    signature = shorten(symbol.signature, _LONGEST_SIGNATURE) if symbol.signature else None
    place = f"{symbol.path}:{symbol.line}"
    return ApiRow(symbol.qualname, symbol.kind, place, *used[1:], signature)


def _entry_row(entry: EntryPointRecord) -> EntryRow:
    return EntryRow(entry.kind, entry.detail, f"{entry.symbol.path}:{entry.symbol.line}")


def _spread(entries: Sequence[EntryPointRecord]) -> list[EntryPointRecord]:
    """The entries with the kinds taking turns, so that no kind hides the others."""
    turns: Counter[str] = Counter()
    placed = []
    for number, each in enumerate(entries):
        placed.append((turns[each.kind], number, each))
        turns[each.kind] += 1
    return [each for _, _, each in sorted(placed, key=lambda one: one[:2])]


def _relations(
    landscape: Landscape, links: Iterable[Link], usage: Usage, *, is_incoming: bool
) -> tuple[RelationRow, ...]:
    rows = []
    for link in sorted(links, key=lambda one: (-one.uses, -one.test_uses, one.source, one.target)):
        declaration = link.declaration
        rows.append(
            RelationRow(
                landscape.label(link.source if is_incoming else link.target),
                link.standing,
                link.uses,
                link.test_uses,
                declaration.scope if declaration else None,
                f"{declaration.file}:{declaration.line}" if declaration else None,
                f"{link.file}:{link.line}" if link.file else None,
                landscape.label(link.via) if link.via is not None else None,
                usage.symbols_by_user.get(link.source) if is_incoming else None,
            )
        )
    return tuple(rows[:_MOST_RELATIONS])


def _externals(
    landscape: Landscape, package: Package, imported: Sequence[tuple[str, int]]
) -> tuple[ExternalRow, ...]:
    """What the manifest declares from outside the project, most imported first; null where names do not tell."""
    ecosystem = package.ecosystem
    inside = {
        plain_name(each.ecosystem, each.name) for each in landscape.packages if each.ecosystem == ecosystem
    }
    declared: Mapping[str, tuple[str, str | None]] = {
        each.name: (each.scope, each.version)
        for each, _ in reversed(package.declared)
        if plain_name(ecosystem, each.name) not in inside
    }
    rows = []
    for name, (scope, version) in declared.items():
        times = sum(count for other, count in imported if accounts_for(ecosystem, name, other))
        rows.append(ExternalRow(name, scope, version, times if times or ecosystem in TELLING else None))
    return tuple(sorted(rows, key=lambda row: (-(row.imports or 0), row.name)))
