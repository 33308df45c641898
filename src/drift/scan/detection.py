"""Whether the files have moved on since they were scanned, found out without reading or writing much."""

import time
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Final, NamedTuple

from drift.index import IndexReader, IndexWatch
from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.folder_watch import FolderWatch
from drift.project import StateDir, load_config
from drift.scan.changes import find_changes
from drift.scan.choices import NO_CHOICES, choose_files
from drift.scan.discover import discover_listed
from drift.scan.discovery import Discovery, KnownFile
from drift.scan.git_listing import GitListing, list_with_git
from drift.scan.glance import Glance, Seen
from drift.scan.known import known_files
from drift.scan.record import ScanRecord, kept_choices, read_record

# A new file in a folder that had none of interest is seen only when all are found again.
_GLANCES_HOLD_SECONDS: Final = 10.0


class Detection(NamedTuple):
    """How the files differ from the index of this generation."""

    generation: int
    differing: int  # files that were added, changed, removed or renamed
    touched: int  # files with another time or role and the same content, or newly left alone
    discovery: Discovery  # the files as they are, so that a scan need not find them again

    @property
    def is_current(self) -> bool:
        """Whether a scan would find nothing to do."""
        return not (self.differing or self.touched)


class Detector:
    """Compares a project's files with its index. What the index knows is read again only when it changes."""

    def __init__(
        self, root: Path, environ: Mapping[str, str], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._root = root
        self._environ = environ
        self._state = StateDir(root)
        self._clock = clock
        self._index = IndexWatch(self._state.index_db)
        self._known: tuple[int, int, dict[str, KnownFile]] | None = None
        self._glance: Glance | None = None
        self._watch: FolderWatch | None = None
        self._watched: Glance | None = None  # whose folders are being watched
        self._glance_from = 0.0
        self._listing: GitListing | None = None
        self._last: Detection | None = None
        self._choices = NO_CHOICES

    def detect(self) -> Detection:
        """How the files differ from the index now, by the settings now and the choices of the last scan.

        Most looks are a glance at the files that were found before. Raises SCAN_REQUIRED without an index, and
        what else keeps it from being found out.
        """
        generation, scanned_at_ns, known = self._read_known()
        is_known = self._last is not None and self._last.generation == generation
        if not is_known and kept_choices(self._state) != self._choices:
            self._glance = None  # a scan has asked for other files
        seen = self._look()
        if seen is not None and seen.is_same and self._last is not None and is_known:
            return self._last
        self._last = None  # what fails below is tried again
        discovery = seen.discovery if seen is not None else self._find(generation, known)
        changes = find_changes(known, discovery, scanned_at_ns=scanned_at_ns)
        differing = sum(map(len, (changes.added, changes.changed, changes.removed, changes.renamed)))
        touched = len(changes.touched) + len(changes.left)
        self._last = found = Detection(generation, differing, touched, discovery)
        return found

    def recall(self) -> Detection | None:
        """What was last detected, if it certainly holds: known in microseconds. None calls for `detect`."""
        last = self._last
        if last is None or self._index.state().generation != last.generation:
            return None
        return last if self._holds() and self._recall_glance() is not None else None

    @property
    def is_listening(self) -> bool:
        """Whether changes are heard of, so that `recall` gives nothing only where there may be something to see."""
        watched = self._watched
        is_on = self._watch is not None and not self._watch.is_off
        return is_on and watched is not None and not watched.has_linked_files

    def _look(self) -> Seen | None:
        """What a glance shows; None where all files must be found again."""
        if self._glance is None:
            return None
        if self._holds():
            seen = self._recall_glance() or self._look_anew(self._glance)
        elif self._is_listed_as_before():
            # A real look, for the sake of the few changes that nobody tells of.
            self._glance_from = self._clock()
            seen = self._look_anew(self._glance)
        else:
            return None
        if seen.may_have_others:
            self._glance = None  # it has noted what it saw, and would not tell of it again
            return None
        return seen

    def _is_listed_as_before(self) -> bool:
        """Whether git lists the same files still: then a glance at them shows all there is."""
        return self._listing is not None and list_with_git(self._root) == self._listing

    def _holds(self) -> bool:
        return self._clock() - self._glance_from <= _GLANCES_HOLD_SECONDS

    def _recall_glance(self) -> Seen | None:
        """What the last look showed, if nothing can have happened since."""
        glance, watch = self._glance, self._watch
        if glance is None or glance is not self._watched or watch is None or not watch.is_quiet():
            return None
        return glance.recall()

    def _look_anew(self, glance: Glance) -> Seen:
        # With the second look: most commands take one and end.
        self._watch = self._watch or FolderWatch(self._root)
        self._watch.listen(glance.folders)
        self._watched = glance
        return glance.look()

    def _find(self, generation: int, known: Mapping[str, KnownFile]) -> Discovery:
        record = read_record(self._state)
        self._choices = record.choices if record is not None else NO_CHOICES
        began_ns = time.time_ns()
        wanted = choose_files(load_config(self._root, self._environ).scan, self._choices)
        self._listing = list_with_git(self._root)
        discovery = discover_listed(self._root, self._listing, wanted, known=known)
        _check_source(record, generation, discovery)
        before = self._watched.folders if self._watched is not None else ()
        self._glance = Glance(discovery, found_from_ns=began_ns, also=before)
        self._glance_from = self._clock()
        return discovery

    def _read_known(self) -> tuple[int, int, dict[str, KnownFile]]:
        state = self._index.state()
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
