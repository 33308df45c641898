"""Which packages of the project ask for which others of it in their manifests."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from drift.analyses.workspaces.shapes import Declaration, Package
from drift.manifests.contents import Ecosystem, Scope, plain_name
from drift.manifests.documents import line_naming
from drift.manifests.files import ManifestFiles

_STRONGEST_FIRST: Final[tuple[Scope | None, ...]] = ("prod", "peer", "optional", "build", "dev", None)
_Names = Mapping[tuple[Ecosystem, str], list[int]]


class _Wish(NamedTuple):
    """What a manifest asks for; `word` is how the package is written there."""

    target: int
    scope: Scope | None
    version: str | None
    file: str
    word: str


def find_declarations(packages: Sequence[Package], files: ManifestFiles) -> Iterator[Declaration]:
    """What packages say of each other, by name or by path, once for each pair and with the strongest scope."""
    by_name: dict[tuple[Ecosystem, str], list[int]] = {}
    by_place: dict[str, list[int]] = {}
    for number, each in enumerate(packages):
        by_name.setdefault((each.ecosystem, plain_name(each.ecosystem, each.name)), []).append(number)
        for place in (each.path or ".", *each.manifests):
            by_place.setdefault(place, []).append(number)
    for source, package in enumerate(packages):
        found: dict[int, _Wish] = {}
        wishes = [*_by_name(packages, package, by_name), *_by_path(packages, package, by_place)]
        for wish in sorted(wishes, key=lambda one: _STRONGEST_FIRST.index(one.scope)):
            if wish.target != source:
                found.setdefault(wish.target, wish)
        for target, wish in sorted(found.items()):
            lines = (files.text(wish.file) or "").splitlines()
            line = line_naming(lines, wish.word)
            yield Declaration(source, target, wish.scope, wish.version, wish.file, line)


def _by_name(packages: Sequence[Package], asking: Package, known: _Names) -> Iterator[_Wish]:
    for each, file in asking.declared:
        candidates = known.get((asking.ecosystem, plain_name(asking.ecosystem, each.name)))
        if candidates:
            target = _likeliest(packages, asking, candidates)
            yield _Wish(target, each.scope, each.version, file, each.name)


def _by_path(packages: Sequence[Package], asking: Package, known: Mapping[str, list[int]]) -> Iterator[_Wish]:
    for place, file in asking.local_paths:
        alike = [number for number in known.get(place, ()) if packages[number].ecosystem == asking.ecosystem]
        for number in alike[:1]:
            yield _Wish(number, None, None, file, place.rpartition("/")[2])


def _likeliest(packages: Sequence[Package], asking: Package, candidates: Sequence[int]) -> int:
    """Of packages with one name a member of a workspace, the asking one's first, then the nearest."""

    def rank(number: int) -> tuple[bool, bool, bool, int]:
        each = packages[number]
        shared = len(each.path) if asking.path.startswith(each.path) else 0
        return each is asking, each.workspace is None, each.workspace != asking.workspace, -shared

    return min(candidates, key=rank)
