"""The package that a text means: by name, by path, by the last part of a name, or by a file in it."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from drift.analyses.workspaces.listing import MOST_CANDIDATES
from drift.analyses.workspaces.relations import Landscape
from drift.kernel.errors import DriftError, Recovery, invalid
from drift.kernel.similar import similar_names


class Choice(NamedTuple):
    """The packages that a text may mean, and names like it where there is none."""

    packages: tuple[int, ...]
    similar: tuple[str, ...] = ()


def choose_package(landscape: Landscape, wanted: str) -> Choice:
    """The packages a text means. More than one only where they lie in several folders."""
    place = wanted.replace("\\", "/").removeprefix("./").strip("/")
    numbered = list(enumerate(landscape.packages))
    for found in (
        [number for number, each in numbered if each.name == wanted],
        [number for number, each in numbered if place in each.manifests],
        [number for number, each in numbered if (each.path or ".") == (place or ".")],
        [number for number, each in numbered if each.name.lower() == wanted.lower()],
        [number for number, each in numbered if _last_part(each.name) == wanted.lower()],
        [number for number, each in numbered if _last_part(each.path) == wanted.lower()],
        [
            owner
            for file in landscape.files
            if file.path == place and (owner := landscape.owners.get(file.id)) is not None
        ],
    ):
        if found:
            return Choice(_likeliest(landscape, found))
    known = {name for number, each in numbered for name in (landscape.label(number), each.path) if name}
    return Choice((), similar_names(wanted, known, limit=5))


def _likeliest(landscape: Landscape, found: Sequence[int]) -> tuple[int, ...]:
    """The only member of a workspace; of several in one folder the one with the most files; else all."""
    members = [number for number in found if landscape.packages[number].workspace is not None]
    if len(members) == 1:
        return tuple(members)
    if len({landscape.packages[number].path for number in found}) == 1:
        sizes = Counter(landscape.owners.values())
        return (max(found, key=lambda number: (sizes[number], -number)),)
    return tuple(found)


def _last_part(name: str) -> str:
    return name.replace(":", "/").rpartition("/")[2].lower()


def require_package(landscape: Landscape, wanted: str) -> int:
    found = choose_package(landscape, wanted)
    if len(found.packages) == 1:
        return found.packages[0]
    if not found.packages:
        raise invalid(
            "package",
            f"the project has no package {wanted!r}",
            hint="Call with list=true for all packages.",
            similar=found.similar,
        )
    candidates = [landscape.label(each) for each in found.packages]
    error = invalid("package", f"{wanted!r} means {len(candidates)} packages", hint="Give one of these.")
    recovery = Recovery(
        error.recovery.hint,
        similar=tuple(candidates[:MOST_CANDIDATES]),
        details={**error.recovery.details, "count": len(candidates)},
    )
    raise DriftError(error.code, error.message, recovery)
