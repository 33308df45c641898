"""Where catalog work is done: reads see the files as they are, writes hold the one right to write."""

import hashlib
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

from drift.catalog.audit import Alteration, Audit
from drift.catalog.entry import Instruction
from drift.catalog.files import InstructionFiles, UnreadableFileError
from drift.catalog.freshness import Counters, Freshness
from drift.catalog.ids import ENDING
from drift.catalog.index import CatalogIndex, Reading, Seen
from drift.catalog.queries import select_entry
from drift.catalog.reading import Loaded, dump, load
from drift.catalog.refusals import refuse
from drift.catalog.settings import CatalogSettings
from drift.catalog.trust import Provenance
from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.stores import remove_store

_Result = TypeVar("_Result")
_BUSY: Final = ("SQLITE_BUSY", "SQLITE_LOCKED")


class Places(NamedTuple):
    """Where a catalog lies."""

    instructions: Path
    journal_db: Path
    index_db: Path
    feedback_db: Path


class Store:
    """The files, their index and the lock on both. For any number of threads; they take turns."""

    def __init__(
        self,
        places: Places,
        settings: CatalogSettings,
        *,
        audit: Audit,
        provenance: Provenance,
        now: Callable[[], datetime],
    ) -> None:
        self.places = places
        self.settings = settings
        self.audit = audit
        self.provenance = provenance
        self.now = now
        self.files = InstructionFiles(places.instructions, settings)
        self._lock = threading.RLock()
        self._index: CatalogIndex | None = None
        self._freshness: Freshness | None = None
        self._has_no_folder = False  # for the index, when it was opened
        self._counters = Counters()

    @property
    def counters(self) -> Counters:
        """What had to be mended since this process began."""
        return self._counters

    def read(
        self,
        action: Callable[[CatalogIndex], _Result],
        *,
        file: str | None = None,
        looks: bool = True,
    ) -> _Result:
        """What the action finds in the index, brought up to the files first unless the caller just did.

        `file` is looked at in any case. The action sees one state of the index; it may not change it.

        An index that turns out to be broken is made anew from the files.
        """

        def find(freshness: Freshness) -> _Result:
            if looks or not freshness.has_looked:
                freshness.refresh()
            if file is not None:
                freshness.refresh_file(file)
            with freshness.index.snapshot():
                return action(freshness.index)

        return self._work(find)

    def read_hashed(self, action: Callable[[CatalogIndex], _Result]) -> tuple[_Result, str]:
        """What the action finds in the index, and the hash of the catalog it was found in."""
        return self.read(lambda index: (action(index), index.hash_bodies()))

    def hash(self, *, looks: bool = True) -> str:
        """The hash of the whole catalog; without `looks` as it was when this was last used."""
        return self.read(CatalogIndex.hash_bodies, looks=looks)

    def look_again(self) -> None:
        """Look at every file now, however shortly ago that was done."""
        self._work(lambda freshness: freshness.refresh(is_forced=True))

    def read_file(self, name: str) -> None:
        """Read one file now, also if it looks unchanged."""
        self._work(lambda freshness: freshness.read_file(name))

    def reload(self) -> None:
        """Read every file again; an index that does not add up is made anew."""

        def read_everything(freshness: Freshness) -> None:
            if not _adds_up(freshness.index.connection):
                freshness.index.clear()
                freshness.use(freshness.index)
            freshness.read_everything()
            self._counters.reloads += 1

        self._work(read_everything)

    @contextmanager
    def writing(self) -> Iterator["Writer"]:
        """The right to write, with the index brought up to the files."""
        with self._lock, self.files.writing():
            self.read(lambda _: None)
            yield Writer(self)

    @contextmanager
    def foretelling(self) -> Iterator["Writer"]:
        """A writer for looking only: the index is brought up to the files, and nothing is locked or made."""
        with self._lock:
            self.read(lambda _: None)
            yield Writer(self)

    def note_written(self, readings: list[Reading], gone: Sequence[str], *, directory_ns: int | None) -> None:
        """Take over what a writer has done to the files."""
        self._work(lambda freshness: freshness.note_written(readings, gone, directory_ns=directory_ns))

    def close(self) -> None:
        """Give the index up; the next use opens it again."""
        with self._lock:
            if self._freshness is not None:
                self._freshness.close()
            if self._index is not None:
                self._index.close()
            self._index = self._freshness = None

    def _work(self, action: Callable[[Freshness], _Result]) -> _Result:
        """What the action gives; it is taken again with an index made anew if this one is broken."""
        with self._lock:
            try:
                return action(self._open())
            except sqlite3.Error as error:
                if getattr(error, "sqlite_errorname", "").startswith(_BUSY):
                    raise _busy(self.places.index_db) from error
            self._discard_index()
            try:
                return action(self._open())
            except sqlite3.Error as error:
                raise _busy(self.places.index_db) from error

    def _open(self) -> Freshness:
        path = self.places.index_db
        if self._has_no_folder and path.parent.is_dir():
            self.close()
        if self._freshness is None:
            # Who only reads leaves nothing in a project that has no state yet: writing makes the folder.
            self._has_no_folder = not path.parent.exists()
            self._index = CatalogIndex.in_memory() if self._has_no_folder else CatalogIndex.open(path)
            self._freshness = Freshness(self.files, self._index, self.settings, self._counters)
        return self._freshness

    def _discard_index(self) -> None:
        self.close()
        remove_store(self.places.index_db)


class Writer:
    """Changes files while the right to do so is held. Every change is noted before it is made."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def put(
        self,
        instructions: Sequence[Instruction],
        *,
        action: str,
        actor: str,
        note: str | None = None,
        is_given: bool = False,
    ) -> None:
        """Write instructions and read them back. Raises STORE_UNAVAILABLE or an integrity error.

        `is_given` says that the caller gave them whole. A change of one that came with the repository leaves it that.
        """
        if not instructions:
            return
        self._store.provenance.note_written(
            each for each in instructions if is_given or self._is_own(each.id)
        )
        files, directory_ns = self._store.files, self._store.files.changed_ns()
        contents = [dump(instruction) for instruction in instructions]
        planned = [
            Alteration(each.id, self._hash_now(each.id), _digest(content), note)
            for each, content in zip(instructions, contents, strict=True)
        ]
        self._store.audit.record(actor, action, planned)
        readings: list[Reading] = []
        try:
            for instruction, content in zip(instructions, contents, strict=True):
                files.write(instruction.id, content)
                readings.append(self._read_back(instruction))
        except DriftError as error:
            failed = planned[len(readings) :]
            self._store.audit.record(
                actor, f"{action}-failed", [each._replace(note=error.message) for each in failed]
            )
            raise
        finally:
            self._store.note_written(readings, (), directory_ns=directory_ns)

    def remove(self, ids: Sequence[str], *, action: str, actor: str, note: str | None = None) -> list[str]:
        """Delete instructions; those that were there."""
        if not ids:
            return []
        files, directory_ns = self._store.files, self._store.files.changed_ns()
        planned = [Alteration(each, self._hash_now(each), None, note) for each in ids]
        self._store.audit.record(actor, action, planned)
        removed: list[str] = []
        try:
            # Not built at once: after a failure it holds those that are gone.
            removed.extend(each for each in ids if files.delete(each))
        except DriftError as error:
            failed = planned[len(removed) :]
            self._store.audit.record(
                actor, f"{action}-failed", [each._replace(note=error.message) for each in failed]
            )
            raise
        finally:
            files.settle()
            self._store.note_written([], [each + ENDING for each in removed], directory_ns=directory_ns)
        return removed

    def get(self, instruction_id: str) -> Instruction | None:
        """The instruction as its file has it now."""
        return self._store.read(
            lambda found: select_entry(found, instruction_id), file=instruction_id + ENDING, looks=False
        )

    def load(self, instruction_id: str) -> Loaded | None:
        """The file's own object beside the instruction, or None if it is broken or not there."""
        name = instruction_id + ENDING
        try:
            return load(name, self._store.files.read(name)[0])
        except (FileNotFoundError, UnreadableFileError):
            return None

    def _is_own(self, instruction_id: str) -> bool:
        found = self.get(instruction_id)
        return found is None or self._store.provenance.is_local(found)

    def _hash_now(self, instruction_id: str) -> str | None:
        found = self.get(instruction_id)
        return None if found is None else _digest(dump(found))

    def _read_back(self, instruction: Instruction) -> Reading:
        name = instruction.id + ENDING
        try:
            content, stamp = self._store.files.read(name)
            loaded = load(name, content)
        except (FileNotFoundError, UnreadableFileError) as error:
            raise _unverified(instruction.id, str(error)) from error
        if loaded.instruction != instruction:
            raise _unverified(instruction.id, "it is another than was written")
        digest = hashlib.blake2b(content, digest_size=16).hexdigest()
        return Reading(name, Seen(stamp, time.time_ns(), digest), loaded)


def _adds_up(connection: sqlite3.Connection) -> bool:
    good, files, linked, filled = connection.execute(
        "SELECT (SELECT count(*) FROM instruction), (SELECT count(*) FROM file WHERE problem IS NULL),"
        " (SELECT count(*) FROM instruction JOIN file ON file.name = instruction.id || '.json'),"
        " (SELECT count(*) FROM instruction JOIN content USING (rowid))"
    ).fetchone()
    return bool(good == files == linked == filled)


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _unverified(instruction_id: str, problem: str) -> DriftError:
    return refuse(
        "entry",
        f"read-back of {instruction_id} failed: {problem}",
        fault="integrity",
        code=ErrorCode.STORE_UNAVAILABLE,
        hint="Something else writes into the directory. Look at the file, then call again.",
    )


def _busy(path: Path) -> DriftError:
    return DriftError(
        ErrorCode.STORE_UNAVAILABLE,
        f"The catalog's index {path} cannot be used now",
        Recovery(hint="Call again; it is made anew from the files.", retry_after_ms=2_000),
    )
