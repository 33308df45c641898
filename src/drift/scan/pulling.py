"""A published index in the place of the present one, brought up to date."""

from dataclasses import replace
from pathlib import Path

from drift.scan.engine import ScanOptions, scan
from drift.scan.exchange import Snapshot, taken_snapshot
from drift.scan.report import Progress, ScanReport, tell_nobody
from drift.scan.snapshot_stores import SnapshotStore


def pull_index(
    root: Path, store: SnapshotStore, options: ScanOptions, *, progress: Progress = tell_nobody
) -> tuple[Snapshot, ScanReport]:
    """Start from the snapshot that is nearest to the commit checked out, and bring it up to date.

    FILE_NOT_FOUND where this engine has none there; STORE_UNAVAILABLE for one that is not to be believed.
    """
    with taken_snapshot(root, store) as (chosen, index):
        return chosen, scan(root, replace(options, start=index), progress=progress)
