"""In which part of a project a convention may hold: the whole, a package, a folder up to two levels below its source."""

from collections.abc import Iterable, Mapping
from posixpath import commonpath, dirname
from typing import Final

from drift.index.site_records import SiteFile
from drift.manifests.formats import MANIFESTS, fits

WHOLE_PROJECT: Final = ""
_LEVELS: Final = 2


def scopes_of(files: Mapping[int, SiteFile], others: Iterable[str] = ()) -> dict[int, tuple[str, ...]]:
    """The scopes that each file is in, the widest first."""
    packages = _packages([*(each.path for each in files.values()), *others])
    homes = {each.id: _package_of(each.path, packages) for each in files.values()}
    anchors: dict[str, list[str]] = {}
    for each in files.values():
        if each.role == "source" and each.language:
            anchors.setdefault(homes[each.id], []).append(dirname(each.path))
    sources = {package: commonpath(folders) if all(folders) else "" for package, folders in anchors.items()}
    return {
        each.id: _chain(dirname(each.path), homes[each.id], sources.get(homes[each.id], homes[each.id]))
        for each in files.values()
    }


def _packages(paths: Iterable[str]) -> frozenset[str]:
    """Folders with a manifest of a package, but the root."""
    found = set()
    for path in paths:
        folder, _, name = path.rpartition("/")
        if folder and any(fits(each.pattern, name) for each in MANIFESTS):
            found.add(folder)
    return frozenset(found)


def _package_of(path: str, packages: frozenset[str]) -> str:
    folder = dirname(path)
    while folder and folder not in packages:
        folder = dirname(folder)
    return folder


def _chain(folder: str, package: str, source: str) -> tuple[str, ...]:
    chain = [WHOLE_PROJECT]
    if package:
        chain.append(package)
    start = source if folder == source or folder.startswith(f"{source}/") or not source else package
    below = folder[len(start) :].strip("/")
    for part in below.split("/")[:_LEVELS] if below else ():
        start = f"{start}/{part}" if start else part
        if start != package:
            chain.append(start)
    return tuple(chain)
