"""Which files dotted names may mean: from the paths of a project and its source roots alone."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from drift.scan.link.folders import folder_of, stem_of

_MOST_KEPT: Final = 2  # projects: a server reads one text of a project after the other


class ModuleNames(NamedTuple):
    """The files and folders of each dotted name, and the packages; nobody changes them."""

    modules: dict[str, list[str]]
    folders: dict[str, set[str]]  # dotted names of folders, to the folders
    packages: set[str]
    files_in: dict[str, frozenset[str]]
    all_folders: set[str]


@lru_cache(maxsize=_MOST_KEPT)
def module_names(files: tuple[str, ...], roots: tuple[str, ...]) -> ModuleNames:
    """The names of these files, with the given source roots."""
    packages = {folder_of(path) for path in files if stem_of(path) == "__init__"}
    modules: dict[str, list[str]] = {}
    folders: dict[str, set[str]] = {}
    for path in files:
        for name in _names(path, packages, roots):
            modules.setdefault(name, []).append(path)
            _note_folders(folders, name, path)
    all_folders = packages.union(*folders.values())
    return ModuleNames(modules, folders, packages, _group_by_folder(files), all_folders)


def _names(path: str, packages: set[str], roots: tuple[str, ...]) -> list[str]:
    """The dotted names of a file: from the topmost package, and from each root it is under."""
    top = folder_of(path)
    while top and top in packages:
        top = folder_of(top)
    bases = [top, *(root for root in roots if not root or path.startswith(f"{root}/"))]
    return list(dict.fromkeys(_dotted(path, base) for base in bases))


def _note_folders(folders: dict[str, set[str]], name: str, path: str) -> None:
    parts, folder = name.split("."), folder_of(path)
    if stem_of(path) != "__init__":
        parts.pop()
    while parts and folder:
        folders.setdefault(".".join(parts), set()).add(folder)
        parts.pop()
        folder = folder_of(folder)


def _group_by_folder(files: tuple[str, ...]) -> dict[str, frozenset[str]]:
    grouped: dict[str, set[str]] = {}
    for path in files:
        grouped.setdefault(folder_of(path), set()).add(path)
    return {folder: frozenset(paths) for folder, paths in grouped.items()}


def _dotted(path: str, root: str) -> str:
    inner = path[len(root) + 1 :] if root else path
    name = inner.rpartition(".")[0].replace("/", ".")
    return name.removesuffix(".__init__")
