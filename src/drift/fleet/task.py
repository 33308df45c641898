"""What a worker does for one repository: fetch it, bring its index up to date, publish it, and hand back the facts."""

import os
import shutil
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

from drift.fleet.disk import make_room, note_size
from drift.fleet.facts import gather_facts, pack
from drift.index import IndexReader
from drift.index.engine import engine_digest
from drift.kernel.errors import DriftError
from drift.kernel.text import shorten
from drift.project import open_project
from drift.project.git_mirror import Bounds, Source, ask_commit, fetch_mirror
from drift.project.home import HOME_VARIABLE
from drift.scan import ScanOptions, scan
from drift.scan.exchange import publish_index
from drift.scan.report import ScanReport
from drift.scan.snapshot_stores import open_store

COPIES: Final = "copies"
_OWN_HOME: Final = "drift-home"
_LONGEST_REASON: Final = 500


class Task(NamedTuple):
    """One repository, and what the worker needs to know of the fleet; plain values, for the way to another machine."""

    name: str
    source: Source
    home: str
    store: str
    bounds: Bounds
    keep_snapshots: int
    max_disk_mb: int
    known_commit: str | None
    """At which everything is published by this engine, so that there is nothing to do while it stays."""


class Outcome(NamedTuple):
    """What came of it. `reason` is why nothing did; without facts all is as it was."""

    name: str
    reason: str | None = None
    commit: str | None = None
    engine: str | None = None
    snapshot: str | None = None
    snapshot_bytes: int | None = None
    files: int | None = None
    symbols: int | None = None
    mode: str | None = None
    facts: bytes | None = None
    cut: str = ""
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    attempts: int = 1


def bring_up(task: Task) -> Outcome:
    """Bring one repository up to date. Whatever is wrong with it is its own failure, and told."""
    began, cpu = time.monotonic(), _cpu_seconds()
    note = Path(task.home) / COPIES / f".{task.name}.trying"
    try:
        attempts = _note_attempt(note)
        outcome = _bring_up(task)._replace(attempts=attempts)
        note.unlink(missing_ok=True)
        make_room(Path(task.home) / COPIES, task.max_disk_mb)
    except DriftError as error:
        outcome = Outcome(task.name, reason=shorten(f"{error.code}: {error.message}", _LONGEST_REASON))
    except Exception as error:  # noqa: BLE001 - one repository must not end the fleet, and its reason is kept
        outcome = Outcome(task.name, reason=shorten(f"{type(error).__name__}: {error}", _LONGEST_REASON))
    return outcome._replace(
        seconds=round(time.monotonic() - began, 3), cpu_seconds=round(_cpu_seconds() - cpu, 3)
    )


def _note_attempt(note: Path) -> int:
    """How often this was begun without coming to an end: a worker that is lost leaves its note behind."""
    note.parent.mkdir(parents=True, exist_ok=True)
    before = note.stat().st_size if note.is_file() else 0
    note.write_bytes(b"." * (before + 1))
    return before + 1


def _bring_up(task: Task) -> Outcome:
    home = Path(task.home)
    # What Drift keeps of projects would else fill the home of whoever runs the workers.
    os.environ[HOME_VARIABLE] = str(home / _OWN_HOME)
    commit = ask_commit(task.source, task.bounds, os.environ)
    if commit == task.known_commit:
        return Outcome(task.name, commit=commit, engine=engine_digest(), mode="none")
    root = home / COPIES / task.name
    commit = fetch_mirror(root, task.source, task.bounds, os.environ)
    store = f"{task.store.rstrip('/')}/{task.name}"
    # One process for each repository: the fleet has as many at once as it has workers.
    report = scan(root, ScanOptions(jobs=0, snapshots=store, wait_seconds=60.0))
    note_size(home / COPIES, task.name)
    snapshot = publish_index(root, open_store(store, home), keep=task.keep_snapshots)
    return _told(task, commit, report)._replace(snapshot=snapshot.name, snapshot_bytes=snapshot.size)


def _told(task: Task, commit: str, report: ScanReport) -> Outcome:
    project = open_project(Path(task.home) / COPIES / task.name, os.environ)
    with IndexReader(project.state.index_db) as reader, reader.snapshot():
        facts = gather_facts(project, reader, datetime.now(UTC).date())
    shutil.rmtree(project.stores.folder, ignore_errors=True)  # kept for questions that nobody asks here
    return Outcome(
        task.name,
        commit=commit,
        engine=engine_digest(),
        files=report.files,
        symbols=report.symbols,
        mode=report.mode,
        facts=pack(facts),
        cut=" ".join(facts.cut),
    )


def _cpu_seconds() -> float:
    """What this process and its children that have ended took."""
    return sum(os.times()[:4])
