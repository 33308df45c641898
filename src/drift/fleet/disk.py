"""Room on the disk: copies of repositories are a cache, and go when they take more than they may, the oldest first.

Their indexes are published; one that is needed again is fetched without its history and starts from its own snapshot.
"""

import os
from pathlib import Path
from typing import Final

from drift.kernel.files import write_atomically
from drift.kernel.reading import read_text
from drift.project.git_mirror import drop_mirror

_MB: Final = 1_000_000
_BLOCK: Final = 512
_MOST_DIGITS: Final = 20
_NOTE: Final = ".size"


def note_size(copies: Path, name: str) -> None:
    """Write down how much a copy takes: to look through all of them after each would take longer than to scan."""
    total = 0
    for place, _, names in os.walk(copies / name):
        for each in names:
            try:
                total += os.lstat(f"{place}/{each}").st_blocks * _BLOCK
            except OSError:
                continue  # gone since it was listed
    write_atomically(copies / f".{name}{_NOTE}", str(total))


def make_room(copies: Path, most_mb: int) -> int:
    """Drop copies that were brought up to date longest ago until the rest fits; how many. None that is under way goes."""
    noted = [
        (entry.stat().st_mtime, entry.name[1 : -len(_NOTE)])
        for entry in os.scandir(copies)
        if entry.name.startswith(".") and entry.name.endswith(_NOTE)
    ]
    sizes = {name: _noted_size(copies, name) for _, name in noted}
    total, dropped = sum(sizes.values()), 0
    for _, name in sorted(noted):
        if total <= most_mb * _MB:
            break
        if (copies / f".{name}.trying").exists():
            continue
        drop_mirror(copies / name)
        (copies / f".{name}{_NOTE}").unlink(missing_ok=True)
        total -= sizes[name]
        dropped += 1
    return dropped


def _noted_size(copies: Path, name: str) -> int:
    try:
        return int(read_text(copies, f".{name}{_NOTE}", _MOST_DIGITS))
    except (OSError, ValueError):
        return 0  # another worker has just dropped it
