"""The dimensions of a project itself: TOML files in .drift/rules/ with a list of `sites`. They come from strangers."""

import hashlib
from functools import lru_cache
from typing import Final, NamedTuple

from drift.dimensions.form import Dimension
from drift.dimensions.library import shipped_dimensions
from drift.dimensions.reading import DimensionError, read_dimension
from drift.dimensions.rule_queries import query_dimensions
from drift.project import StateDir
from drift.project.rule_files import RuleFile, read_rule_files

_MOST_CHARACTERS: Final = 100_000


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
    found: dict[str, Dimension] = {}
    scanned: list[str] = []
    problems: list[str] = []
    for file in read_rule_files(state):
        scanned += query_dimensions(file.tables)
        if file.problem is None and "sites" not in file.tables:
            continue  # something else, such as a list of decisions
        try:
            dimension = _read(file)
            if dimension.id in found or dimension.id in shipped_dimensions():
                raise DimensionError(f"id: there is a dimension {dimension.id} already")
        except ValueError as error:
            problems.append(f"{file.place}: {error}")
            continue
        found[dimension.id] = dimension
        if any(rule.query for rule in dimension.sites):
            scanned.append(file.text)
    return OwnDimensions(tuple(found.values()), tuple(scanned), tuple(problems))


def _read(file: RuleFile) -> Dimension:
    if file.problem is not None:
        raise DimensionError(file.problem)
    if len(file.text) > _MOST_CHARACTERS:
        raise DimensionError(f"it is longer than {_MOST_CHARACTERS:,} characters")
    return _read_text(file.text)


@lru_cache(maxsize=256)
def _read_text(text: str) -> Dimension:
    return read_dimension(text, is_own=True)
