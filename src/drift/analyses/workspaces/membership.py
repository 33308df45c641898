"""Which folders the patterns of a workspace mean. None may lead out of the project."""

import posixpath
from collections.abc import Iterable
from typing import Final, NamedTuple

from drift.analyses.file_globs import PathGlob
from drift.manifests.contents import Membership

_MOST_ALTERNATIVES: Final = 64
# Patterns are matched below this, since one without a slash would be about names in any folder.
_TOP: Final = "root"


class Meant(NamedTuple):
    """The folders that belong, and the patterns that lead out of the project."""

    folders: tuple[str, ...]
    outside: tuple[str, ...]


def expand_members(base: str, said: Membership, folders: Iterable[str]) -> Meant:
    """The folders that a workspace in the folder `base` means; what it leaves out wins over what it takes."""
    known = list(dict.fromkeys(folders))
    outside: list[str] = []
    wanted: list[PathGlob] = []
    for pattern in said.patterns:
        place = _below(base, pattern)
        if place is None:
            outside.append(pattern)
        else:
            wanted += _globs(place)
    places = [place for pattern in said.excluded if (place := _below(base, pattern)) is not None]
    unwanted = [glob for place in places for glob in _globs(place)]
    found = [
        folder
        for folder in known
        if _fits(wanted, folder) and not any(_fits(unwanted, around) for around in _around(folder))
    ]
    return Meant(tuple(found), tuple(outside))


def _globs(place: str) -> list[PathGlob]:
    """The pattern as globs; one that ends in `**` means the folder before it, too."""
    patterns = [each for choice in _alternatives(place) for each in {choice, choice.removesuffix("**")}]
    return [PathGlob(f"{_TOP}/{each}".rstrip("/")) for each in patterns]


def _fits(globs: Iterable[PathGlob], folder: str) -> bool:
    path = f"{_TOP}/{folder}".rstrip("/")
    return any(glob.matches(path) for glob in globs)


def _around(folder: str) -> Iterable[str]:
    """The folder and those it lies in: what is left out is so with all that is in it."""
    while folder:
        yield folder
        folder = folder.rpartition("/")[0]


def _below(base: str, pattern: str) -> str | None:
    """The pattern from the project's root; None where it leads out of it."""
    text = pattern.replace("\\", "/")
    if text.startswith(("/", "~")) or ":" in text[:2]:
        return None
    place = posixpath.normpath(posixpath.join(base, text))
    if place == ".." or place.startswith("../"):
        return None
    return "" if place == "." else place


def _alternatives(pattern: str) -> list[str]:
    """`a/{b,c}` as `a/b` and `a/c`, up to a number no honest pattern has."""
    done: list[str] = []
    open_ones = [pattern]
    while open_ones and len(done) + len(open_ones) <= _MOST_ALTERNATIVES:
        each = open_ones.pop(0)
        before, brace, rest = each.partition("{")
        inner, closed, after = rest.partition("}")
        if not brace or not closed:
            done.append(each)
            continue
        open_ones += [f"{before}{choice}{after}" for choice in inner.split(",")]
    return done + open_ones
