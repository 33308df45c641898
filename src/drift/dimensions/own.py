"""The dimensions of a project itself: TOML files in .drift/rules/ with a list of `sites`. They come from strangers."""

import hashlib
import tomllib
from functools import lru_cache
from typing import Final, NamedTuple

from drift.dimensions.form import Dimension
from drift.dimensions.library import shipped_dimensions
from drift.dimensions.reading import DimensionError, read_dimension
from drift.kernel.reading import list_files
from drift.project import StateDir

_MOST_BYTES: Final = 100_000
_MOST_FILES: Final = 200


class OwnDimensions(NamedTuple):
    """A project's dimensions, the texts of those that scans look for, and what is wrong with others."""

    dimensions: tuple[Dimension, ...] = ()
    scanned: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """Another text where a scan would find other sites; empty where it looks for none."""
        if not self.scanned:
            return ""
        return hashlib.blake2b("\0".join(self.scanned).encode(), digest_size=16).hexdigest()


def read_own_dimensions(state: StateDir) -> OwnDimensions:
    """What the files say now; those that cannot be read are named, and the others count."""
    try:
        names = list_files(state.root, state.rules.relative_to(state.root).as_posix())
    except OSError:
        return OwnDimensions()
    found: dict[str, Dimension] = {}
    scanned: list[str] = []
    problems: list[str] = []
    for name in sorted(each for each in names if each.endswith(".toml"))[:_MOST_FILES]:
        try:
            text = state.read(state.rules / name, _MOST_BYTES).decode("utf-8")
            dimension = _read(text)
            if dimension is None:
                continue
            if dimension.id in found or dimension.id in shipped_dimensions():
                raise DimensionError(f"id: there is a dimension {dimension.id} already")
        except (OSError, ValueError) as error:
            problems.append(f".drift/rules/{name}: {error}")
            continue
        found[dimension.id] = dimension
        if any(rule.query for rule in dimension.sites):
            scanned.append(text)
    return OwnDimensions(tuple(found.values()), tuple(scanned), tuple(problems))


@lru_cache(maxsize=256)
def _read(text: str) -> Dimension | None:
    """The dimension in a text; None where it is something else, such as a list of decisions."""
    try:
        is_dimension = "sites" in tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise DimensionError(f"it is no TOML: {error}") from error
    return read_dimension(text, is_own=True) if is_dimension else None
