"""Whether a store was written to since, without opening it."""

from pathlib import Path

from drift.kernel.sharing import place_of


def store_stamp(path: Path) -> str:
    """Another text whenever something was written to a store."""
    place = place_of(path)
    if place is not None:
        from drift.kernel.postgres.store import read_changes  # only where a team shares stores

        return read_changes(place)
    found = []
    for each in (path, path.with_name(f"{path.name}-wal")):
        try:
            status = each.stat()
        except OSError:
            continue  # a store that nobody made yet, or no log beside it
        found.append(f"{status.st_mtime_ns}:{status.st_size}")
    return " ".join(found)
