"""Indexes of earlier states of a project, set aside when many files change at once.

Whoever checks out another branch mostly comes back. Then the index of that branch is brought up to date, which costs what
differs, and not the present one, of which a third may have to be linked anew.
"""

import logging
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from drift.index import IndexReader, Layer
from drift.index.connection import open_for_build
from drift.kernel.errors import DriftError
from drift.kernel.stores import remove_store
from drift.project import StateDir
from drift.scan.changes import Changes
from drift.scan.discovery import Discovery
from drift.scan.nearest import count_shared, is_fit

logger = logging.getLogger(__name__)

_FEWEST_CHANGED: Final = 40  # with less an update takes no longer than to copy an index
_MOST_KEPT: Final = 2  # each takes the space of an index
_LEAST_NEARER: Final = 2  # so many times fewer bytes must differ
_NAMES: Final = "earlier-*.db"


def are_many(changes: Changes) -> bool:
    """Whether so much has changed that the index of the state before is worth its space."""
    read = len(changes.added) + len(changes.changed) + len(changes.renamed)
    return read + len(changes.removed) > _FEWEST_CHANGED


def find_nearer(
    state: StateDir, discovery: Discovery, *, layers: frozenset[Layer], rules: str
) -> Path | None:
    """The index that was set aside and differs much less from the files found than the present one; None for none."""
    sizes = {file.path: file.size for file in discovery.files}
    whole = sum(sizes.values())
    best, least = None, (whole - count_shared(state.index_db, sizes)) // _LEAST_NEARER
    for index in _set_aside(state)[: _MOST_KEPT + 1]:
        if is_fit(index, len(sizes), layers=layers, rules=rules):
            differing = whole - count_shared(index, sizes)
            if differing < least:
                best, least = index, differing
    return best


def set_aside(state: StateDir, present: IndexReader) -> None:
    """Keep a copy of the present index. That there is no space for it is no failure."""
    building = state.path / "earlier.building"
    try:
        remove_store(building)
        with closing(open_for_build(building)) as connection:
            present.copy_to(connection)
        building.replace(state.path / f"earlier-{present.generation()}.db")
    except (OSError, sqlite3.Error, DriftError) as error:
        logger.warning("the index of the state before is not kept: %s", error)
        with suppress(OSError):
            remove_store(building)


def drop_used(state: StateDir, used: Path | None) -> None:
    """Remove an index that the present one has come from, and the oldest where there are too many."""
    left = [index for index in _set_aside(state) if index != used]
    for index in (*left[_MOST_KEPT:], *([used] if used else [])):
        remove_store(index)


def _set_aside(state: StateDir) -> list[Path]:
    """The indexes set aside, the newest first: generations are times."""
    found = [path for path in state.path.glob(_NAMES) if path.is_file() and not path.is_symlink()]
    return sorted(found, key=lambda path: (len(path.name), path.name), reverse=True)
