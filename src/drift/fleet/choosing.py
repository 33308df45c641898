"""Which fleet is meant: the one that the user's settings name, read once for as long as its list stays as it is."""

from functools import lru_cache
from pathlib import Path

from drift.fleet.listing import Fleet, read_fleet
from drift.project import Project


def find_fleet(project: Project) -> Fleet | None:
    """The fleet, None where none is named. CONFIG_INVALID and FILE_NOT_FOUND for a list that cannot be used."""
    if not project.config.fleet.file:
        return None
    file = project.path_of("fleet.file")
    return _read_once(file, stamp_of(file))


@lru_cache(maxsize=4)  # a list of thousands takes longer to read than to ask
def _read_once(file: Path, _stamped: tuple[int, int]) -> Fleet:
    return read_fleet(file)


def stamp_of(path: Path) -> tuple[int, int]:
    """Other numbers for every change of a file or folder."""
    try:
        found = path.stat()
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_size
