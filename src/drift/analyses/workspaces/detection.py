"""Finds every package and every workspace of a project, whatever managers they are for."""

import posixpath
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Final, NamedTuple

from drift.analyses.workspaces.declarations import find_declarations
from drift.analyses.workspaces.membership import expand_members
from drift.analyses.workspaces.shapes import Detected, Package, Workspace
from drift.manifests.contents import Described, Ecosystem, Manager
from drift.manifests.files import ManifestFiles
from drift.manifests.formats import APPLICATIONS, LOCKS, MANIFESTS, REQUIREMENTS, WORKSPACES, fits
from drift.manifests.rust import shared_cargo_version

_USUAL: Final[dict[Ecosystem, Manager]] = {"node": "npm", "python": "pip"}


class _Found(NamedTuple):
    """A manifest with what it says."""

    path: str
    folder: str
    ecosystem: Ecosystem
    said: Described


class _Held(NamedTuple):
    """A workspace with what is needed to give its members names."""

    workspace: Workspace
    ecosystem: Ecosystem
    names: frozenset[str]
    labels: dict[str, str]


def detect_packages(root: Path, indexed: Iterable[str]) -> Detected:
    """The packages in the folders of these files, which are those of the index: what is ignored has none."""
    paths = tuple(indexed)
    files = ManifestFiles(root, paths)
    held = _workspaces(files)
    groups: dict[tuple[str, str], list[_Found]] = {}
    said = [*_manifests(files), *_implied(files, held)]
    for each in (*said, *_applications(files, said, paths)):
        # Two projects of .NET may share a folder; of other kinds a second manifest is about the same package.
        key = each.path if each.ecosystem == "dotnet" else each.ecosystem
        groups.setdefault((each.folder, key), []).append(each)
    packages = [_package(root, files, group, held) for group in groups.values()]
    ordered = tuple(sorted(packages, key=lambda one: (one.path, one.name, one.ecosystem)))
    named = (_with_named_members(each, ordered) for each in held)
    # Settings that only name the root hold nothing together.
    workspaces = tuple(each for each in named if any(path != each.path for path in each.members))
    return Detected(ordered, tuple(find_declarations(ordered, files)), workspaces, tuple(files.problems))


def _with_named_members(held: _Held, packages: tuple[Package, ...]) -> Workspace:
    named = [each.path for each in packages if each.ecosystem == held.ecosystem and each.name in held.names]
    members = dict.fromkeys((*held.workspace.members, *named))
    return held.workspace._replace(members=tuple(members))


def _manifests(files: ManifestFiles) -> Iterable[_Found]:
    for form in MANIFESTS:
        for path in files.paths:
            folder, _, name = path.rpartition("/")
            if fits(form.pattern, name) and (said := files.read(path, form.describe)) is not None:
                yield _Found(path, folder, form.ecosystem, said)


def _applications(files: ManifestFiles, named: Iterable[_Found], paths: Collection[str]) -> Iterable[_Found]:
    """What asks for packages in folders that are in no package of the ecosystem, the outermost alone."""
    taken = {(each.ecosystem, each.folder) for each in named}
    chosen: set[tuple[Ecosystem, str]] = set()
    for each in sorted(_asking(files, paths), key=lambda one: len(_enclosing(one.folder))):
        around = [(each.ecosystem, folder) for folder in _enclosing(each.folder)]
        if taken.isdisjoint(around) and chosen.isdisjoint(around[1:]):
            chosen.add(around[0])
            yield each


def _asking(files: ManifestFiles, paths: Collection[str]) -> Iterable[_Found]:
    """The files that ask for packages, where there is code of their ecosystem below."""
    with_code = {
        form.endings: {around for path in paths if path.endswith(form.endings) for around in _enclosing(path)}
        for form in APPLICATIONS
    }
    for form in APPLICATIONS:
        for path in files.paths:
            folder, _, name = path.rpartition("/")
            if fits(form.pattern, name, folder) and (said := files.read(path, form.describe)) is not None:
                home = folder.removesuffix(REQUIREMENTS).rstrip("/") if "/" in form.pattern else folder
                if home in with_code[form.endings]:
                    yield _Found(path, home, form.ecosystem, said)


def _enclosing(folder: str) -> list[str]:
    """The folder and all around it, the root last."""
    found = [folder]
    while folder:
        folder = folder.rpartition("/")[0]
        found.append(folder)
    return found


def _implied(files: ManifestFiles, held: list[_Held]) -> Iterable[_Found]:
    """Projects that Gradle's settings name, which need no build file of their own."""
    built = {
        path.rpartition("/")[0] for path in files.paths if path.rpartition("/")[2].startswith("build.gradle")
    }
    for each in held:
        if each.workspace.manager == "gradle":
            for folder in each.labels:
                if folder not in built:
                    yield _Found(each.workspace.file, folder, "jvm", Described(manager="gradle"))


def _workspaces(files: ManifestFiles) -> list[_Held]:
    folders = [path.rpartition("/")[0] for path in files.paths]
    found: list[_Held] = []
    for form in WORKSPACES:
        for path in files.paths:
            base, _, name = path.rpartition("/")
            said = files.read(path, form.members) if fits(form.pattern, name) else None
            if said is None:
                continue
            labelled = {
                posixpath.normpath(posixpath.join(base, folder)).removeprefix("."): label
                for folder, label in said.labels
            }
            meant = expand_members(base, said, (*folders, *(each for each in labelled if each)))
            files.problems += [
                f"{path}: {each} leads out of the project and is left out" for each in meant.outside
            ]
            is_undecided = form.ecosystem == "node" and said.manager == "npm"
            manager = _by_lock(files, base, form.ecosystem) or said.manager if is_undecided else said.manager
            members = tuple(each for each in meant.folders if each != base or said.manager != "gradle")
            inside = {folder: label for folder, label in labelled.items() if folder in {*members, base}}
            workspace = Workspace(manager, base, path, members)
            found.append(_Held(workspace, form.ecosystem, said.names, inside))
    return found


def _package(root: Path, files: ManifestFiles, group: list[_Found], held: list[_Held]) -> Package:
    folder, ecosystem = group[0].folder, group[0].ecosystem
    said = [each.said for each in group]
    name = next((each.name for each in said if each.name), None) or _given_name(group[0], held)
    around = [
        each
        for each in held
        if each.ecosystem == ecosystem and (folder in each.workspace.members or (name or "") in each.names)
    ]
    outer = next((each.workspace for each in around), None)
    own = [each.workspace for each in held if each.ecosystem == ecosystem and each.workspace.path == folder]
    leading = outer or next((each for each in own if any(path != folder for path in each.members)), None)
    asked = next((each.manager for each in said if each.manager), None)
    locked = _by_lock(files, folder, ecosystem) if asked in {None, "pip"} else None
    manager = leading.manager if leading else locked or asked or _USUAL[ecosystem]
    # Java has builds for two managers side by side; elsewhere a second manifest serves the same one.
    built_by = [each.manager for each in said if each.manager] if ecosystem == "jvm" else []
    version = next((each.version for each in said if each.version), None)
    if version is None and outer is not None and ecosystem == "rust":
        version = files.read(outer.file, shared_cargo_version)
    return Package(
        name=name or (folder.rpartition("/")[2] if folder else root.name),
        path=folder,
        manager=manager,
        ecosystem=ecosystem,
        manifests=tuple(dict.fromkeys(each.path for each in group)),
        version=version,
        description=next((each.description for each in said if each.description), None),
        is_root=not folder or bool(own),
        workspace=outer.file if outer else None,
        is_named=name is not None,
        managers=tuple(dict.fromkeys((manager, *built_by))),
        declared=tuple((dependency, each.path) for each in group for dependency in each.said.declared),
        local_paths=tuple(
            (place, each.path)
            for each in group
            for path in each.said.local_paths
            if not (place := posixpath.normpath(posixpath.join(folder, path))).startswith("../")
        ),
    )


def _given_name(found: _Found, held: list[_Held]) -> str | None:
    """The name that is not in the manifest: of the file for .NET, of the settings for Gradle."""
    if found.ecosystem == "dotnet":
        return found.path.rpartition("/")[2].rpartition(".")[0]
    if found.ecosystem != "jvm":
        return None
    return next((each.labels[found.folder] for each in held if found.folder in each.labels), None)


def _by_lock(files: ManifestFiles, folder: str, ecosystem: Ecosystem) -> Manager | None:
    """The manager whose lock lies nearest, in the folder or around it."""
    for around in _enclosing(folder):
        for path in files.paths:
            at, _, name = path.rpartition("/")
            if at == around and name in LOCKS and LOCKS[name][0] == ecosystem:
                return LOCKS[name][1]
    return None
