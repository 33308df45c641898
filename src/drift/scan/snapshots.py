"""What a project was like on each day it was scanned: small files of counts, from which trends are made."""

import logging
import re
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Final, NamedTuple

from drift.index.census import Census
from drift.kernel.errors import DriftError
from drift.kernel.files import write_atomically
from drift.project import StateDir
from drift.scan.sealing import open_document, sealed_document

logger = logging.getLogger(__name__)

KEPT_SNAPSHOTS: Final = 90
_PURPOSE: Final = "snapshot {}"
_VERSION: Final = 1
_MOST_BYTES: Final = 200_000
_MOST_KEYS: Final = 500
_NAME: Final = re.compile(r"(\d{4}-\d{2}-\d{2})\.json", re.ASCII)
_READ: Final = frozenset({"ok", "partial"})


class LineCount(NamedTuple):
    """The files of one language and their lines."""

    files: int
    code: int
    comment: int
    blank: int


class Snapshot(NamedTuple):
    """The counts at the end of a day's last scan."""

    day: date
    generation: int
    files: int
    failures: int
    lines_by_language: Mapping[str, LineCount]
    symbols_by_kind: Mapping[str, int]
    calls_by_outcome: Mapping[str, int]
    functions_by_complexity: Mapping[int, int]
    """By cyclomatic complexity; the highest key stands for all from there on."""


def snapshot_of(census: Census, day: date) -> Snapshot:
    """A census as the snapshot of a day."""
    lines: dict[str, LineCount] = {}
    for each in census.files:
        if each.language is not None and each.status in _READ:
            before = lines.get(each.language, LineCount(0, 0, 0, 0))
            counted = (each.files, each.code_lines or 0, each.comment_lines or 0, each.blank_lines or 0)
            lines[each.language] = LineCount(*map(sum, zip(before, counted, strict=True)))
    return Snapshot(
        day=day,
        generation=census.generation,
        files=sum(each.files for each in census.files if each.status in _READ),
        failures=sum(each.files for each in census.files if each.status == "failed"),
        lines_by_language=dict(sorted(lines.items())),
        symbols_by_kind=census.symbols_by_kind,
        calls_by_outcome=census.calls_by_outcome,
        functions_by_complexity=census.functions_by_complexity,
    )


def keep_snapshot(state: StateDir, snapshot: Snapshot) -> None:
    """Put the snapshot in the place of an earlier one of its day; the oldest beyond the kept ones go.

    A scan is not worth less for want of its snapshot, so a disk that refuses it is a line in the log.
    """
    document = snapshot._asdict() | {
        "version": _VERSION,
        "lines_by_language": {name: each._asdict() for name, each in snapshot.lines_by_language.items()},
    }
    try:
        directory = state.check(state.snapshots)
        directory.mkdir(parents=True, exist_ok=True)
        path = directory / f"{snapshot.day.isoformat()}.json"
        if path.is_symlink():
            path.unlink()  # writing follows links, and one that came with the repository could name any file
        write_atomically(path, sealed_document(state, _PURPOSE.format(path.name), document))
        for old in _listed(directory)[:-KEPT_SNAPSHOTS]:
            old.unlink(missing_ok=True)
    except (DriftError, OSError) as error:
        logger.warning("the day's snapshot could not be kept: %s", error)


def read_snapshots(state: StateDir) -> list[Snapshot]:
    """The snapshots that are kept, oldest first. A file that is none, or damaged, is left out with a log line."""
    try:
        paths = _listed(state.check(state.snapshots))
    except (DriftError, OSError) as error:
        logger.warning("no snapshots can be read: %s", error)
        return []
    found = [(path, _read(state, path)) for path in paths[-KEPT_SNAPSHOTS:]]
    for path, snapshot in found:
        if snapshot is None:
            logger.warning("%s is no snapshot and is passed over", path.name)
    return [snapshot for _, snapshot in found if snapshot is not None]


def _listed(directory: Path) -> list[Path]:
    if not directory.is_dir():
        return []
    return sorted(path for path in directory.iterdir() if _NAME.fullmatch(path.name))


def _read(state: StateDir, path: Path) -> Snapshot | None:
    try:
        day = date.fromisoformat(path.stem)
        document = open_document(state, _PURPOSE.format(path.name), state.read(path, _MOST_BYTES))
        if document is None or document.get("version") != _VERSION:
            return None
        return Snapshot(
            day=day,
            generation=_count(document["generation"]),
            files=_count(document["files"]),
            failures=_count(document["failures"]),
            lines_by_language={
                name: LineCount(*(_count(each[field]) for field in LineCount._fields))
                for name, each in _table(document["lines_by_language"]).items()
            },
            symbols_by_kind=_counts(document["symbols_by_kind"]),
            calls_by_outcome=_counts(document["calls_by_outcome"]),
            functions_by_complexity={
                int(level): count for level, count in _counts(document["functions_by_complexity"]).items()
            },
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None  # of another version of Drift


def _table(value: object) -> dict[str, dict[str, object]]:
    if not isinstance(value, dict) or len(value) > _MOST_KEYS:
        raise TypeError
    return value


def _counts(value: object) -> dict[str, int]:
    return {name: _count(count) for name, count in _table(value).items()}


def _count(value: object) -> int:
    if type(value) is not int or value < 0:
        raise TypeError
    return value
