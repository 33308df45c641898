"""What an index holds and how old it is, read without opening it for work."""

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from drift.index.failures import explain
from drift.index.layers import Layer
from drift.kernel.paths import is_inside
from drift.kernel.text import shorten

_META_QUERY = """
    SELECT key, value FROM meta
    WHERE key IN ('schema_version', 'generation', 'scanned_at', 'layers', 'file_count', 'nonce', 'seal', 'engine', 'rules')
    LIMIT 9
"""
_DESCRIBED = ("schema_version", "generation", "scanned_at", "layers", "file_count")
_MOST_STEPS = 100_000  # of SQLite's machine; the query takes about fifty
_MOST_VALUE_CHARACTERS = 1_000
_MOST_DIGITS = 18
# Clocks of file systems tick as slowly as this; a stamp younger than it may hide a second write.
_STAMP_TICK_NS = 2_000_000_000


@dataclass(frozen=True, slots=True)
class IndexState:
    """What is known of an index.

    `generation` is what answers are cached under: it grows with every change of the index, also over a
    rebuild, and is 0 without one. `problem` says in a sentence why the index cannot be used as it is.
    """

    exists: bool
    path: Path
    schema_version: int | None = None
    generation: int = 0
    scanned_at: str | None = None  # ISO 8601 in UTC
    layers: frozenset[Layer] = frozenset()
    file_count: int | None = None
    problem: str | None = None
    is_of_this_engine: bool = True
    rules: str = ""
    """The digest of the project's own dimensions whose sites were looked for; empty for none."""
    """Whether the code that finds facts is the same that built it; another may find others."""

    @property
    def is_usable(self) -> bool:
        """Whether there is an index and nothing is wrong with it."""
        return self.exists and self.problem is None


def read_index_state(db_path: Path) -> IndexState:
    """The state of the index at `db_path`. Never raises: what is wrong stands in `problem`."""
    # Imported here: a start on a project without an index needs no SQLite.
    import sqlite3

    try:
        if not db_path.exists():
            return IndexState(exists=False, path=db_path)
        # The root is two above: `.drift/drift.db`. A repository may bring a link to another project's index.
        if not is_inside(db_path.parent.parent, db_path):
            return _unusable(
                db_path, "The index is a link that leads outside the project. Delete it and scan again."
            )
        return _interpret(db_path, _read_meta(db_path))
    except sqlite3.DatabaseError as error:
        return _unusable(db_path, explain(error))
    except OSError as error:
        return _unusable(db_path, f"The index cannot be read ({error.strerror}).")
    except ValueError as error:  # a NUL in the path, or bytes that are no text
        return _unusable(db_path, f"The index cannot be read ({shorten(ascii(str(error)), 200)}).")


class _Stamp(NamedTuple):
    modified_ns: int
    size: int
    inode: int


_ABSENT = _Stamp(0, -1, 0)


class IndexWatch:
    """The state of one index, read again only when its file or its -wal file changed.

    A look costs two `stat` calls, so it may be taken before every call. For two seconds after a write
    every look reads, which costs about a millisecond.
    """

    def __init__(self, db_path: Path, now_ns: Callable[[], int] = time.time_ns) -> None:
        self._path = db_path
        # As text, joined once: building paths would cost more than the looks themselves.
        self._file, self._log = str(db_path), f"{db_path}-wal"
        self._now_ns = now_ns
        self._seen: tuple[tuple[_Stamp, _Stamp], IndexState] | None = None

    def state(self) -> IndexState:
        """The state as of now."""
        # Taken before reading: a write in between then shows at the next look.
        stamps = (_stamp(self._file), _log_stamp(self._log))
        seen = self._seen
        if seen is not None and seen[0] == stamps:
            return seen[1]
        state = read_index_state(self._path)
        is_settled = all(self._now_ns() - stamp.modified_ns > _STAMP_TICK_NS for stamp in stamps)
        self._seen = (stamps, state) if is_settled else None
        return state


def _log_stamp(log_path: str) -> _Stamp:
    stamp = _stamp(log_path)
    # Merely reading makes an empty log, which says no more than none.
    return stamp if stamp.size > 0 else _ABSENT


def _stamp(path: str) -> _Stamp:
    try:
        status = os.stat(path)  # noqa: PTH116 - before every call, and half the time of Path.stat
    except (OSError, ValueError):
        return _ABSENT
    return _Stamp(status.st_mtime_ns, status.st_size, status.st_ino)


def _read_meta(db_path: Path) -> dict[str, str]:
    from contextlib import closing

    from drift.index.connection import open_readonly

    with closing(open_readonly(db_path)) as connection:
        # `meta` may be a view made to run forever.
        connection.set_progress_handler(lambda: 1, _MOST_STEPS)
        return {str(key): str(value) for key, value in connection.execute(_META_QUERY)}


def _interpret(db_path: Path, meta: Mapping[str, str]) -> IndexState:
    from drift.index.binding import is_bound  # not for a start without an index
    from drift.index.engine import engine_digest  # likewise
    from drift.index.schema import SCHEMA_VERSION  # with SQLite, which is loaded by now

    schema_version = _read_count(meta.get("schema_version"))
    if schema_version is not None and schema_version != SCHEMA_VERSION:
        # Nobody can read it, so it has no layers; the next scan builds it anew.
        age = "an earlier" if schema_version < SCHEMA_VERSION else "a later"
        problem = f"The index is of {age} version of Drift (schema {schema_version}, not {SCHEMA_VERSION}). Scan again."
        return IndexState(exists=True, path=db_path, schema_version=schema_version, problem=problem)
    gaps = [key for key in _DESCRIBED if key not in meta]
    if not gaps and not is_bound(db_path, meta):
        problem = "The index was not made at this place by you on this machine. Scan again."
        return IndexState(exists=True, path=db_path, schema_version=schema_version, problem=problem)
    generation = _read_count(meta.get("generation"))
    scanned_at = _read_time(meta.get("scanned_at"))
    layers = _read_layers(meta.get("layers"))
    file_count = _read_count(meta.get("file_count"))
    readings = {
        "schema_version": schema_version,
        "generation": generation,
        "scanned_at": scanned_at,
        "layers": layers,
        "file_count": file_count,
    }
    return IndexState(
        exists=True,
        path=db_path,
        schema_version=schema_version,
        generation=generation or 0,
        scanned_at=scanned_at,
        layers=layers or frozenset(),
        file_count=file_count,
        problem=_describe_gaps([key for key, reading in readings.items() if reading is None], meta),
        is_of_this_engine=meta.get("engine") == engine_digest(),
        rules=meta.get("rules", ""),
    )


def _describe_gaps(unread: list[str], meta: Mapping[str, str]) -> str | None:
    if not unread:
        return None
    shown = [f"{key}={shorten(ascii(meta[key]), 60)}" if key in meta else f"{key} missing" for key in unread]
    return f"The index does not describe itself properly: {', '.join(shown)}. Scan again."


def _read_count(value: str | None) -> int | None:
    is_number = value is not None and value.isascii() and value.isdigit() and len(value) <= _MOST_DIGITS
    return int(value) if value is not None and is_number else None


def _read_time(value: str | None) -> str | None:
    try:
        moment = datetime.fromisoformat(value or "")
        return moment.replace(tzinfo=moment.tzinfo or UTC).astimezone(UTC).isoformat()
    except (ValueError, OverflowError):  # no time, or one that no calendar in UTC has
        return None


def _read_layers(value: str | None) -> frozenset[Layer] | None:
    if value is None or len(value) > _MOST_VALUE_CHARACTERS:
        return None
    try:
        return frozenset(Layer(name.strip()) for name in value.split(",") if name.strip())
    except ValueError:
        return None


def _unusable(db_path: Path, problem: str) -> IndexState:
    return IndexState(exists=True, path=db_path, problem=problem)
