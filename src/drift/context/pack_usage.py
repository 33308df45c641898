"""How often each pack was run on which day, in a small file of the project that never leaves the machine."""

import os
from collections import Counter
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any, Final

import orjson

from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.files import locked, write_atomically
from drift.project import StateDir

KEPT_DAYS: Final = 30
_FILE_NAME: Final = "pack-runs.json"
_MOST_BYTES: Final = 1_000_000
_MOST_RUNS: Final = 1_000_000_000
_LOCK_TIMEOUT_SECONDS: Final = 2.0

Days = dict[str, dict[str, int]]


def count_run(state: StateDir, pack: str, today: date) -> None:
    """Add one run of a pack, and forget the days that are too long ago."""
    path = state.ensure().check(state.path / _FILE_NAME)
    with locked(path, timeout_seconds=_LOCK_TIMEOUT_SECONDS):
        days = _read(state)
        runs = days.setdefault(today.isoformat(), {})
        runs[pack] = runs.get(pack, 0) + 1
        write_atomically(path, orjson.dumps(_kept(days, today)))


def read_runs(state: StateDir, today: date) -> Mapping[str, int]:
    """The runs of each pack over the kept days. STORE_UNAVAILABLE when the file is not one of ours."""
    total: Counter[str] = Counter()
    for runs in _kept(_read(state), today).values():
        total.update(runs)
    return total


def _kept(days: Days, today: date) -> Days:
    oldest = (today - timedelta(days=KEPT_DAYS)).isoformat()
    return {day: runs for day, runs in days.items() if day > oldest}


def _read(state: StateDir) -> Days:
    path = state.check(state.path / _FILE_NAME)
    if not os.path.lexists(path):
        return {}
    try:
        return _checked(orjson.loads(state.read(path, _MOST_BYTES)))
    except (OSError, ValueError) as error:
        raise DriftError(
            ErrorCode.STORE_UNAVAILABLE,
            f"The counts of packs in {path} cannot be used: {error}",
            Recovery(hint="Delete the file to start counting anew."),
        ) from error


def _checked(document: Any) -> Days:
    """The document, if it has the form it is written in: a repository may bring any file of this name."""
    if not isinstance(document, dict):
        raise ValueError("it is not an object of days")  # noqa: TRY004 - a wrong file, not a wrong call
    for day, runs in document.items():
        date.fromisoformat(day)
        if not isinstance(runs, dict) or not all(
            type(number) is int and 0 <= number <= _MOST_RUNS for number in runs.values()
        ):
            raise ValueError(f"{day} does not count runs by pack")
    return document
