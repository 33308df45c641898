"""Whether the package of one file depends on that of another, as a build would ask."""

from collections import defaultdict
from pathlib import Path
from typing import Final

from drift.analyses.workspaces.detection import detect_packages
from drift.analyses.workspaces.relations import assign_files
from drift.analyses.workspaces.shapes import Detected
from drift.index import FileId, IndexReader
from drift.index.package_queries import FileSize
from drift.manifests.contents import Ecosystem, Scope

# Where a build finds nothing of a package that is not declared; elsewhere a path is enough.
_ASKED: Final[frozenset[Ecosystem]] = frozenset({"node", "jvm", "dotnet", "rust"})
# Of these what is declared brings along what it needs itself; None is one that is taken by its path.
_HANDED_ON: Final[dict[Ecosystem, frozenset[Scope | None]]] = {
    "jvm": frozenset({"prod", "peer", None}),
    "dotnet": frozenset({"prod", "peer", None}),
}
_USER: Final = FileId(1)
_USED: Final = FileId(2)


def missing_need(reader: IndexReader, root: Path, user: str, used: str) -> str | None:
    """What to say where the package of a file does not depend on that of another; None where it may.

    The first file need not exist. Not said of packages inside each other.
    """
    if user.rpartition("/")[0] == used.rpartition("/")[0]:
        return None
    known = reader.files.at(used)
    paths = (each.path for each in reader.packages.files() if each.role != "vendored")
    detected = detect_packages(root, paths)
    language = known.language if known is not None else None
    owners = assign_files(
        detected.packages,
        [FileSize(file, path, language, "source", 0, None) for file, path in ((_USER, user), (_USED, used))],
    )
    source, target = owners.get(_USER), owners.get(_USED)
    if source is None or target is None or source == target:
        return None
    mine, other = detected.packages[source], detected.packages[target]
    is_inside = f"{mine.path}/".startswith(f"{other.path}/") or f"{other.path}/".startswith(f"{mine.path}/")
    if is_inside or not mine.path or not other.path or mine.ecosystem != other.ecosystem:
        return None
    if mine.ecosystem not in _ASKED or target in _needed(detected, source):
        return None
    return f"{mine.name} does not depend on {other.name}"


def _needed(detected: Detected, source: int) -> set[int]:
    """The packages that one can use: those it declares, those around it, and what these bring along."""
    packages = detected.packages
    own = packages[source]
    around = {
        number
        for number, each in enumerate(packages)
        if each.ecosystem == own.ecosystem and (not each.path or f"{own.path}/".startswith(f"{each.path}/"))
    }
    handed_on = _HANDED_ON.get(own.ecosystem, frozenset())
    declared: defaultdict[int, list[int]] = defaultdict(list)
    for each in detected.declarations:
        if each.source in around or each.scope in handed_on:
            declared[each.source].append(each.target)
    found: set[int] = set()
    waiting = sorted(around)
    while waiting:
        for target in declared[waiting.pop()]:
            if target not in found:
                found.add(target)
                waiting += [target] if handed_on else []
    return found
