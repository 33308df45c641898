"""What the index says about itself, and the number that tells one state of it from the next."""

import json
import sqlite3
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Final

from drift.index.binding import KEYS
from drift.index.layers import Layer
from drift.index.schema import SCHEMA_VERSION

# A hostile or broken index may claim any generation; from here on counting up would leave SQLite's range.
_HIGHEST_TRUSTED: Final = 10**17
_SURROUNDINGS: Final = "surroundings"
_BINDING: Final = f"SELECT key, value FROM meta WHERE key IN ({','.join('?' * len(KEYS))})"  # noqa: S608 - marks only


def next_generation(previous: int, now_ns: int) -> int:
    """A number above every earlier one.

    Milliseconds of the clock, or one more than the last where the clock stands still or went back: so it
    also grows when the last index is gone.
    """
    by_clock = now_ns // 1_000_000
    return max(previous + 1, by_clock) if previous < _HIGHEST_TRUSTED else by_clock


def write_meta(
    connection: sqlite3.Connection,
    generation: int,
    *,
    layers: Iterable[Layer],
    scanned_at_ns: int,
    binding: Mapping[str, str],
    engine: str | None,
    rules: str = "",
) -> None:
    """Let the index describe itself as it is now, and say who made it.

    `engine` is what built all of it; none where only a part is new, for the rest is still the work of another. So it
    is with `rules`, the digest of what the project itself had looked for.
    """
    (file_count,) = connection.execute("SELECT count(*) FROM files").fetchone()
    described = {
        "schema_version": str(SCHEMA_VERSION),
        "generation": str(generation),
        "scanned_at": datetime.fromtimestamp(scanned_at_ns / 1e9, UTC).isoformat(timespec="milliseconds"),
        "layers": ",".join(sorted(layers)),
        "file_count": str(file_count),
        **binding,
        **({"engine": engine, "rules": rules} if engine is not None else {}),
    }
    connection.executemany("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", described.items())
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")  # cannot be bound


def read_binding(connection: sqlite3.Connection) -> dict[str, str]:
    """What the index says of who made it."""
    return dict(connection.execute(_BINDING, KEYS))


def write_surroundings(connection: sqlite3.Connection, found: Mapping[str, str]) -> None:
    """Keep what linking found of files that are not in the index."""
    values = (_SURROUNDINGS, json.dumps(found, sort_keys=True))
    connection.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", values)


def read_surroundings(connection: sqlite3.Connection) -> dict[str, str] | None:
    """What was kept of them; None where that is not known, as of an index that has not been linked."""
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (_SURROUNDINGS,)).fetchone()
    try:
        found = json.loads(row[0]) if row else None
    except ValueError:
        return None
    return found if isinstance(found, dict) else None
