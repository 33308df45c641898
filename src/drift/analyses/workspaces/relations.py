"""How the packages of a project use each other: what manifests declare beside what the code does."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final, Literal, NamedTuple

from drift.analyses.modules.components import strong_components
from drift.analyses.workspaces.detection import detect_packages
from drift.analyses.workspaces.generated_names import PackageUse, generated_uses
from drift.analyses.workspaces.shapes import Declaration, Detected, Package
from drift.index import FileId, IndexReader
from drift.index.package_queries import FileSize
from drift.manifests.contents import Ecosystem, Scope, plain_name
from drift.manifests.import_names import ECOSYSTEMS

Standing = Literal["used", "unused", "undeclared", "transitive", "contained"]
# Where what is not declared cannot be relied on, whoever brings it along.
_STRICT: Final[frozenset[Ecosystem]] = frozenset({"node", "python", "php"})
# Scopes whose packages come along with the one that declares them; None is one taken by its path.
_BROUGHT_ALONG: Final[frozenset[Scope | None]] = frozenset({"prod", "peer", None})
# Of what a name may mean: below this it would join packages that have nothing to do with each other.
_SURE: Final = 0.8


class Link(NamedTuple):
    """One package and another that it declares or uses. `uses` counts places in product code.

    `standing`: used (declared and seen in code), unused (declared, not seen), undeclared (seen only), transitive
    (seen, and declared by one that is declared), contained (its folder lies in that of the user).
    """

    source: int
    target: int
    standing: Standing
    uses: int
    test_uses: int
    runtime_uses: int
    file: str | None
    line: int | None
    declaration: Declaration | None
    via: int | None = None


class Landscape(NamedTuple):
    """The packages of a project with their files and how they use each other. `owners` are places in `packages`."""

    detected: Detected
    files: tuple[FileSize, ...]
    owners: Mapping[FileId, int]
    links: tuple[Link, ...]
    cycles: tuple[tuple[int, ...], ...]

    @property
    def packages(self) -> tuple[Package, ...]:
        """All packages, by path."""
        return self.detected.packages

    def label(self, package: int) -> str:
        """What names a package and no other: its name, where another has the same its path, else its manifest."""
        each = self.packages[package]
        alike = [one for one in self.packages if one.name == each.name]
        members = [one for one in alike if one.workspace is not None]
        if len(alike) == 1 or members == [each]:
            return each.name
        is_alone = sum(one.path == each.path for one in self.packages) == 1
        return (each.path or ".") if is_alone else each.manifests[0]

    def findings(self) -> list[Link]:
        """Uses that no manifest declares, most first; with whoever brings it along where that is no excuse."""
        found = [
            each
            for each in self.links
            if each.standing == "undeclared"
            or (each.standing == "transitive" and self.packages[each.source].ecosystem in _STRICT)
        ]
        return sorted(
            found, key=lambda one: (not one.uses, -one.uses - one.test_uses, one.source, one.target)
        )

    def files_of(self, package: int) -> list[FileSize]:
        """The files that belong to a package, those of packages in its folder left out."""
        return [each for each in self.files if self.owners.get(each.id) == package]


class _Seen(NamedTuple):
    """Uses of one package by another: of product code, of tests, of product code at run time; the first place."""

    uses: int
    test_uses: int
    runtime_uses: int
    file: str
    line: int
    is_test: bool


def survey_packages(reader: IndexReader, root: Path) -> Landscape:
    """All packages of a project and how they use each other."""
    files = tuple(reader.packages.files())
    detected = detect_packages(root, (each.path for each in files if each.role != "vendored"))
    owners = assign_files(detected.packages, files)
    # Only packages of one ecosystem can import each other.
    are_related = len({each.ecosystem for each in detected.packages}) < len(detected.packages)
    seen = _seen_uses(reader, detected.packages, files, owners) if are_related else {}
    links = tuple(_links(detected, seen))
    return Landscape(detected, files, owners, links, _cycles(links))


def name_packages(reader: IndexReader, root: Path) -> list[str]:
    """What names each package of a project and no other, without asking who uses whom."""
    paths = (each.path for each in reader.packages.files() if each.role != "vendored")
    landscape = Landscape(detect_packages(root, paths), (), {}, (), ())
    return [landscape.label(number) for number in range(len(landscape.packages))]


def assign_files(packages: Sequence[Package], files: Sequence[FileSize]) -> dict[FileId, int]:
    """The package of each file: the nearest around it for its language, else the nearest, the larger of two."""
    at: dict[str, dict[str, int]] = {}
    for number, each in enumerate(packages):
        at.setdefault(each.path, {}).setdefault(each.ecosystem, number)

    @cache
    def around(folder: str) -> tuple[dict[str, int], ...]:
        inner = (at[folder],) if folder in at else ()
        return (*inner, *around(folder.rpartition("/")[0])) if folder else inner

    owners: dict[FileId, int] = {}
    sizes: Counter[int] = Counter()
    for file in files:
        ecosystem = ECOSYSTEMS.get(file.language or "")
        found = around(file.path.rpartition("/")[0])
        own = next((each[ecosystem] for each in found if ecosystem in each), None)
        if own is not None:
            owners[file.id] = own
            sizes[own] += 1
    for file in files:
        nearest = around(file.path.rpartition("/")[0])[:1]
        if file.id not in owners and nearest:
            owners[file.id] = max(nearest[0].values(), key=lambda number: sizes[number])
    return owners


def _seen_uses(
    reader: IndexReader,
    packages: Sequence[Package],
    files: Iterable[FileSize],
    owners: Mapping[FileId, int],
) -> dict[tuple[int, int], _Seen]:
    by_id = {each.id: each for each in files}
    seen: dict[tuple[int, int], _Seen] = {}
    for use in _uses(reader, packages, owners):
        source, target = owners.get(use.file), use.target
        if source is None or target is None or source == target:
            continue
        if packages[source].ecosystem == packages[target].ecosystem:
            seen[source, target] = _counted(seen.get((source, target)), by_id[use.file], use)
    return seen


def _uses(
    reader: IndexReader, packages: Sequence[Package], owners: Mapping[FileId, int]
) -> Iterable[PackageUse]:
    for found in reader.packages.imports_between_files():
        yield PackageUse(found.source, owners.get(found.target), found.line, found.times, found.for_types)
    if any(each.ecosystem == "dotnet" for each in packages):
        # Imports there name spaces, not files. Calls would not do: one to an interface leads to whoever implements it.
        for found in reader.packages.references_between_files(min_confidence=_SURE):
            owner = owners.get(found.target)
            if owner is not None and packages[owner].ecosystem == "dotnet":
                yield PackageUse(found.source, owner, found.line, found.times)
        # Extension methods stand in whatever namespace, and a call says nothing of the class that they are of.
        for found in reader.packages.extension_calls_between_files(min_confidence=_SURE):
            yield PackageUse(found.source, owners.get(found.target), found.line, found.times)
        yield from generated_uses(reader, packages)
    modules = {each.name: at for at, each in enumerate(packages) if each.ecosystem == "go"}
    for named in reader.packages.go_imports() if len(modules) > 1 else ():
        yield PackageUse(named.source, _module_of(named.name, modules), named.line, named.times)
    # Of two with one name it is the member of a workspace that others can import.
    ordered = sorted(enumerate(packages), key=lambda one: one[1].workspace is not None)
    names = {(each.ecosystem, plain_name(each.ecosystem, each.name)): at for at, each in ordered}
    others = (each.name for each in packages if each.ecosystem != "go")
    for named in reader.packages.imports_by_name(others):
        owner = owners.get(named.source)
        if owner is not None:
            ecosystem = packages[owner].ecosystem
            target = names.get((ecosystem, plain_name(ecosystem, named.name)))
            yield PackageUse(named.source, target, named.line, named.times)


def _module_of(imported: str, modules: Mapping[str, int]) -> int | None:
    """The module that has the imported folder: the one with the longest name that the path begins with."""
    while imported:
        if imported in modules:
            return modules[imported]
        imported = imported.rpartition("/")[0]
    return None


def _counted(before: _Seen | None, file: FileSize, use: PackageUse) -> _Seen:
    is_test = file.role == "test"
    product, tests = (0, use.times) if is_test else (use.times, 0)
    runtime = 0 if is_test else use.times - use.for_types
    if before is None:
        return _Seen(product, tests, runtime, file.path, use.line, is_test)
    place = (file.path, use.line, False) if before.is_test and not is_test else before[3:]
    return _Seen(before.uses + product, before.test_uses + tests, before.runtime_uses + runtime, *place)


def _links(detected: Detected, seen: Mapping[tuple[int, int], _Seen]) -> Iterable[Link]:
    declared = {(each.source, each.target): each for each in detected.declarations}
    brought: dict[int, list[int]] = defaultdict(list)
    for each in detected.declarations:
        if each.scope in _BROUGHT_ALONG:
            brought[each.source].append(each.target)
    for source, target in sorted({*declared, *seen}):
        declaration, found = declared.get((source, target)), seen.get((source, target))
        if found is None:
            yield Link(source, target, "unused", 0, 0, 0, None, None, declaration)
            continue
        standing, via = (
            ("used", None) if declaration else _standing(detected.packages, brought, source, target)
        )
        # What a project of .NET does not reference it cannot use: the name was taken for another's.
        if standing != "undeclared" or detected.packages[source].ecosystem != "dotnet":
            yield Link(source, target, standing, *found[:5], declaration, via)


def _standing(
    packages: Sequence[Package], brought: Mapping[int, Sequence[int]], source: int, target: int
) -> tuple[Standing, int | None]:
    """How a package stands to one that it uses and does not declare, and which of those it declares brings it."""
    inside, outside = packages[target].path, packages[source].path
    if not outside or inside.startswith(f"{outside}/"):
        return "contained", None
    open_ones = [(each, each) for each in brought.get(source, ())]
    known = {source}
    while open_ones:
        at, first = open_ones.pop(0)
        if at == target:
            return "transitive", first
        if at not in known:
            known.add(at)
            open_ones += [(each, first) for each in brought.get(at, ())]
    return "undeclared", None


def _cycles(links: Iterable[Link]) -> tuple[tuple[int, ...], ...]:
    """Packages whose product code leads back to them; what is declared for development alone is no product code."""
    targets: dict[int, list[int]] = defaultdict(list)
    for link in links:
        is_aside = link.declaration is not None and link.declaration.scope == "dev"
        if link.runtime_uses and link.standing != "contained" and not is_aside:
            targets[link.source].append(link.target)
    return tuple(sorted(tuple(sorted(group)) for group in strong_components(targets) if len(group) > 1))
