"""Whether the files have moved on since they were scanned, found out without reading or writing much."""

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from drift.index import IndexReader, read_index_state
from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.project import StateDir, load_config
from drift.project.settings import ScanSettings
from drift.scan.changes import find_changes
from drift.scan.choices import choose_files
from drift.scan.discover import discover
from drift.scan.discovery import Discovery, KnownFile
from drift.scan.known import known_files
from drift.scan.record import ScanRecord, read_record


class Detection(NamedTuple):
    """How the files differ from the index of this generation."""

    generation: int
    differing: int  # files that were added, changed, removed or renamed
    touched: int  # files with another time or role and the same content

    @property
    def is_current(self) -> bool:
        """Whether a scan would find nothing to do."""
        return not (self.differing or self.touched)


class Detector:
    """Compares a project's files with its index. What the index knows is read again only when it changes."""

    def __init__(self, root: Path, environ: Mapping[str, str]) -> None:
        self._root = root
        self._environ = environ
        self._state = StateDir(root)
        self._known: tuple[int, int, dict[str, KnownFile]] | None = None

    def detect(self) -> Detection:
        """How the files differ from the index now, by the settings now and the choices of the last scan.

        Raises SCAN_REQUIRED without an index, and what else keeps it from being found out.
        """
        generation, scanned_at_ns, known = self._read_known()
        record = read_record(self._state)
        discovery = self._discover(load_config(self._root, self._environ).scan, record, known)
        _check_source(record, generation, discovery)
        changes = find_changes(known, discovery, scanned_at_ns=scanned_at_ns)
        differing = sum(map(len, (changes.added, changes.changed, changes.removed, changes.renamed)))
        return Detection(generation, differing, len(changes.touched))

    def _discover(
        self, settings: ScanSettings, record: ScanRecord | None, known: Mapping[str, KnownFile]
    ) -> Discovery:
        wanted = choose_files(settings, record.choices) if record else choose_files(settings)
        return discover(self._root, wanted, known=known)

    def _read_known(self) -> tuple[int, int, dict[str, KnownFile]]:
        state = read_index_state(self._state.index_db)
        if self._known is None or self._known[0] != state.generation:
            with IndexReader(self._state.index_db) as reader, reader.snapshot():
                generation = reader.generation()
                known = known_files(reader.files.stamps())
            scanned_at = datetime.fromisoformat(state.scanned_at).timestamp() if state.scanned_at else 0.0
            self._known = (generation, int(scanned_at * 1_000_000_000), known)
        return self._known


def _check_source(record: ScanRecord | None, generation: int, discovery: Discovery) -> None:
    """Raise when git, which listed the files for the scan, no longer does: a walk may find others."""
    was_git = record is not None and record.generation == generation and record.source == "git"
    if was_git and discovery.source == "walk" and (discovery.root / ".git").exists():
        raise DriftError(
            ErrorCode.STORE_UNAVAILABLE,
            "git did not list the files, as it did for the last scan",
            Recovery(hint="See whether `git ls-files` works here; `drift scan` goes on without git."),
        )
