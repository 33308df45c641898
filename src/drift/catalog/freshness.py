"""Keeps the index as the files are: before each answer it hears or looks what changed, and reads that.

Where the system tells of changes (see FolderWatch), every call knows each of them, at the cost of microseconds.
All files are looked at every ten seconds even so, for the few changes that nobody tells of.

Elsewhere, in a catalog of usual size every call looks at every file. Where that takes longer than a call may, the
directory itself and the file asked for are still looked at each time, which shows files that came, went or were
replaced; one changed in place shows within ten looks' time (about 0.3 s at 10,000 files).
"""

import hashlib
import logging
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from drift.catalog.files import InstructionFiles, Look, Stamp, UnreadableFileError
from drift.catalog.ids import is_instruction_file
from drift.catalog.index import CatalogIndex, Reading, Seen
from drift.catalog.reading import load
from drift.catalog.settings import CatalogSettings
from drift.kernel.folder_watch import FolderWatch

logger = logging.getLogger(__name__)

# A look that takes no longer than this is free: every call may take one.
_FREE_LOOK_NS: Final = 3_000_000
# A longer look is taken so seldom that it is at most a tenth of the time.
_LOOK_SHARE: Final = 9
# So many files take about as long to look at as it takes to load what listening needs.
_MANY_FILES: Final = 1_000
# What is heard is believed for so long.
_HEARSAY_NS: Final = 10_000_000_000
# Two changes in the same tick of the file system's clock have the same time; some count in whole seconds.
_TICK_NS: Final = 20_000_000
_COARSE_TICK_NS: Final = 2_000_000_000
_NS_PER_SECOND: Final = 1_000_000_000
# A broken file that was changed this shortly ago may be half written by its editor.
_HALF_WRITTEN_NS: Final = 1_000_000_000


@dataclass(slots=True)
class Counters:
    """How often something had to be mended, since this process began."""

    repairs: int = 0  # stored hashes and files put right
    repaired_visibility: int = 0  # instructions an expected id brought to light
    late_materialized: int = 0  # of these, taken from the file alone
    late_materialize_rejected: int = 0  # files that would not do even then
    rejected: int = 0  # files found broken
    reloads: int = 0


class Freshness:
    """What is known of the files, and the way to know it again. Not for several threads at once."""

    def __init__(
        self, files: InstructionFiles, index: CatalogIndex, settings: CatalogSettings, counters: Counters
    ) -> None:
        self.counters = counters
        self._files = files
        self._settings = settings
        self._watch: FolderWatch | None = None
        self.use(index)

    def use(self, index: CatalogIndex) -> None:
        """Go on with this index, knowing what it knows."""
        self.index = index
        self._foreign_version = index.foreign_version()
        self._generation = index.generation()
        self._known = index.seen_since(-1)
        self._linked: frozenset[str] = frozenset()
        self._directory_ns: int | None = -1
        self._looked_ns = 0
        self._look_cost_ns = 0
        self._is_look_missing = True

    @property
    def has_looked(self) -> bool:
        """Whether it has ever brought the index up to the files."""
        return self._looked_ns > 0

    def refresh(self, *, is_forced: bool = False) -> bool:
        """Bring the index up to the files; whether it changed."""
        self._take_over_foreign()
        heard = None if is_forced else self._hear(time.monotonic_ns())
        if heard is None:
            return self._look()
        if not heard and not self._linked:
            return False
        # What was heard is not told again: until all of it is taken over, only a look will do.
        self._is_look_missing = True
        has_changed = self._read_heard(heard)
        self._is_look_missing = False
        return has_changed

    def close(self) -> None:
        """Stop listening."""
        if self._watch is not None:
            self._watch.close()
            self._watch = None

    def refresh_file(self, name: str) -> bool:
        """Bring the index up to one file; whether it changed."""
        stamp = self._files.stamp(name)
        if stamp is None:
            return self._read((), {name} & self._known.keys()) if name in self._known else False
        return self._read([name], ()) if self._may_differ(name, stamp) else False

    def read_file(self, name: str) -> bool:
        """Read one file, also if it looks unchanged; whether the index changed."""
        return self._read([name], ())

    def read_everything(self) -> None:
        """Read every file, also those that look unchanged."""
        self._take_over_foreign()
        self._is_look_missing = True
        self._listen()
        found = self._take_look()
        self._read(sorted(found.stamps), (self._known.keys() | self.index.names()) - found.stamps.keys())
        self._is_look_missing = False

    def note_written(self, readings: list[Reading], gone: Iterable[str], *, directory_ns: int | None) -> None:
        """Take over what this process wrote. `directory_ns` is the directory's time from before it did."""
        gone = list(gone)
        self._apply(readings, gone)
        if directory_ns == self._directory_ns:
            self._directory_ns = self._files.changed_ns()

    def _hear(self, now_ns: int) -> set[str] | None:
        """The files something happened to since they were last read; None when all are to be looked at."""
        if self._is_look_missing:
            return None
        if self._watch is not None and self._watch.is_listening:
            heard = self._watch.hear() if now_ns - self._looked_ns < _HEARSAY_NS else None
            return None if heard is None else {name for name in heard if is_instruction_file(name)}
        if self._files.changed_ns() != self._directory_ns or self._is_look_due(now_ns):
            return None
        return set()

    def _read_heard(self, heard: set[str]) -> bool:
        stamps = {name: self._files.stamp(name) for name in heard | self._linked}
        # What was heard of is read whatever its stamp: two changes may have the same one.
        changed = [
            name
            for name, stamp in stamps.items()
            if stamp and (name in heard or self._may_differ(name, stamp))
        ]
        gone = [name for name, stamp in stamps.items() if stamp is None and name in self._known]
        return self._read(changed, gone, settles=False) if changed or gone else False

    def _look(self) -> bool:
        # Most commands look once and end; whoever looks again listens from then on, and has to look for that.
        # Where that second look would take longer than to learn to listen, listening comes first.
        listens = self.has_looked or len(self._known) > _MANY_FILES
        self._is_look_missing = True
        if listens:
            self._listen()
        found = self._take_look()
        # In order, so that what is listed together lies together in the index.
        changed = sorted(name for name, stamp in found.stamps.items() if self._may_differ(name, stamp))
        gone = self._known.keys() - found.stamps.keys()
        has_changed = self._read(changed, gone) if changed or gone else False
        self._is_look_missing = not listens
        return has_changed

    def _listen(self) -> None:
        """Hear of every change from now on, if that can be; look afterwards."""
        watch = self._watch
        if watch is not None and not watch.is_off and not watch.is_listening:
            # The folder may be another one by now, perhaps on another file system.
            watch.close()
            watch = None
        if watch is None and self._files.changed_ns() is not None:
            watch = FolderWatch(self._files.directory)
        if watch is not None:
            watch.listen([""])
        self._watch = watch

    def _take_look(self) -> Look:
        started_ns = time.monotonic_ns()
        directory_ns = self._files.changed_ns()
        found = self._files.look()
        self._directory_ns, self._linked = directory_ns, found.linked
        self._looked_ns = time.monotonic_ns()
        self._look_cost_ns = self._looked_ns - started_ns
        return found

    def _take_over_foreign(self) -> None:
        """Learn what another process has put into the index."""
        version = self.index.foreign_version()
        if version != self._foreign_version:
            self._foreign_version = version
            self._known |= self.index.seen_since(self._generation)
            self._generation = self.index.generation()

    def _is_look_due(self, now_ns: int) -> bool:
        cost = self._look_cost_ns
        return cost <= _FREE_LOOK_NS or now_ns - self._looked_ns >= cost * _LOOK_SHARE

    def _may_differ(self, name: str, stamp: Stamp) -> bool:
        known = self._known.get(name)
        if known is None or known.stamp != stamp:
            return True
        tick_ns = _TICK_NS if stamp.mtime_ns % _NS_PER_SECOND else _COARSE_TICK_NS
        return known.read_at_ns - stamp.mtime_ns < tick_ns

    def _read(self, names: Iterable[str], gone: Iterable[str], *, settles: bool = True) -> bool:
        """Read files; those with the same bytes as before keep their rows. Whether anything is another now.

        With `settles`, the index notes of those that their stamps can be relied upon by now.
        """
        missing = set(gone)
        readings: list[Reading] = []
        same: list[tuple[str, Seen]] = []
        for name in names:
            try:
                content, stamp = self._files.read(name)
                digest = hashlib.blake2b(content, digest_size=16).hexdigest()
            except FileNotFoundError:
                missing.add(name)
                continue
            except UnreadableFileError as error:
                readings.append(self._refuse(name, error))
                continue
            known = self._known.get(name)
            seen = Seen(stamp, time.time_ns(), digest)
            if known is not None and known.digest == digest:
                same.append((name, seen))
            else:
                readings.append(self._load(name, content, seen))
        self._note_same(same, settles=settles)
        if readings or missing:
            self._apply(readings, missing)
        return bool(readings or missing)

    def _note_same(self, same: list[tuple[str, Seen]], *, settles: bool) -> None:
        moved = [
            (name, seen)
            for name, seen in same
            if self._known[name].stamp != seen.stamp or (settles and self._may_differ(name, seen.stamp))
        ]
        self._known |= dict(same)
        if moved:
            self._generation = self.index.restamp(moved)

    def _load(self, name: str, content: bytes, seen: Seen) -> Reading:
        attempts = self._settings.read_retries
        for attempt in range(attempts + 1):
            try:
                return Reading(name, seen, load(name, content))
            except UnreadableFileError as error:
                is_fresh = time.time_ns() - seen.stamp.mtime_ns < _HALF_WRITTEN_NS
                if attempt == attempts or not is_fresh:
                    self.counters.rejected += 1
                    return Reading(name, seen, None, error.reason, error.line)
            time.sleep(self._settings.read_backoff_ms / 1000)
            try:
                content, stamp = self._files.read(name)
            except (FileNotFoundError, UnreadableFileError) as error:
                reason = (
                    error.reason
                    if isinstance(error, UnreadableFileError)
                    else "was removed while it was read"
                )
                return Reading(name, seen, None, reason)
            seen = Seen(stamp, time.time_ns(), hashlib.blake2b(content, digest_size=16).hexdigest())
        raise AssertionError("the last attempt returns")

    def _refuse(self, name: str, error: UnreadableFileError) -> Reading:
        self.counters.rejected += 1
        stamp = self._files.stamp(name) or Stamp(0, 0, 0, 0)
        return Reading(name, Seen(stamp, time.time_ns(), ""), None, error.reason, error.line)

    def _apply(self, readings: list[Reading], gone: Iterable[str]) -> None:
        gone = list(gone)
        self._generation = self.index.apply(readings, gone)
        for reading in readings:
            logger.debug("%s: %s", reading.name, reading.problem or "read")
        for name in gone:
            self._known.pop(name, None)
        self._known |= {reading.name: reading.seen for reading in readings}
