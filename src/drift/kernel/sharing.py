"""Which stores a team shares: their files' paths stand for tables of a database.

Nothing of PostgreSQL is loaded here, nor where no store is shared.
"""

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from drift.kernel.errors import DriftError, ErrorCode, Recovery

_places: Final[dict[Path, "Place"]] = {}


@dataclass(frozen=True, slots=True)
class Place:
    """Where a team keeps a store of one project: a database, and the schema in it that is for this store alone."""

    address: str = field(repr=False)  # may hold a password
    schema: str
    store: str
    """Which of the stores: memory, catalog or state."""


def share(path: Path, place: Place) -> None:
    """Have the store at a path kept in a database, from now on and in all of this process."""
    _places[path] = place


def unshare(paths: Iterable[Path]) -> None:
    """Have stores kept in their files again."""
    for path in paths:
        _places.pop(path, None)


def place_of(path: Path) -> Place | None:
    """Where the store at a path is kept; None where that is its file."""
    return _places.get(path) if _places else None


def refuse_shared(path: Path, what: str) -> None:
    """Raise INVALID_ARGUMENT for what is done to files alone, where the store at a path is none."""
    if place_of(path) is not None:
        raise DriftError(
            ErrorCode.INVALID_ARGUMENT,
            f"{what} is for files, and this store is in the team's database",
            Recovery(hint="Backups and repair are PostgreSQL's own: pg_dump, pg_basebackup, pg_amcheck."),
        )


def store_exists(path: Path) -> bool:
    """Whether there is a store; of one that a team shares this is not known before it is asked, and taken for granted."""
    return place_of(path) is not None or os.path.exists(path)  # noqa: PTH110 - asked at every call, and Path takes twice as long
