"""The store of memories: every change durable and in the log before its caller hears of it."""

import logging
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, Final

from drift.kernel.connections import Connection
from drift.kernel.errors import DriftError, ErrorCode, Recovery, invalid
from drift.kernel.similar import similar_names
from drift.memory.checks import MOST_TEXT, check_time, checked
from drift.memory.content import check_text
from drift.memory.dates import write_time
from drift.memory.ids import make_id
from drift.memory.records import Counts, Draft, FileLink, Memory
from drift.memory.storage import derived, rows
from drift.memory.storage.bulk import AddedMany, OnConflict, put_many
from drift.memory.storage.counting import count_all
from drift.memory.storage.damage import damaged_memory
from drift.memory.storage.edges import EdgeTable
from drift.memory.storage.history import History
from drift.memory.storage.life import open_life
from drift.memory.storage.listing import Listing, MemoryPage, read_page
from drift.memory.storage.log import append, state_patch
from drift.memory.storage.sessions import SessionTable
from drift.memory.storage.usage_counts import UsageCounts, add_usage

logger = logging.getLogger(__name__)

_DRAFT_FIELDS: Final = tuple(one.name for one in fields(Draft))
_UPDATABLE: Final = frozenset({*_DRAFT_FIELDS, "last_validated_ms"}) - {"created_by"}
_TAKEN: Final = "SELECT 1 FROM memories WHERE id = ?"


def clock_ms() -> int:
    """Now, in Unix milliseconds."""
    return time.time_ns() // 1_000_000


class MemoryStore:
    """The memories in one file, or in a database that a team shares. Making one touches no disk; each use opens the file if it must.

    Every method may raise CORTEX_UNAVAILABLE with what is wrong and what to do, and can be called again after
    that. `actor` is who makes a change, for the log. Threads may share a store; processes each make their own.
    """

    def __init__(self, path: Path, *, now_ms: Callable[[], int] = clock_ms) -> None:
        self._file = open_life(path)
        self._now_ms = now_ms
        self._usage = UsageCounts()
        self.edges = EdgeTable(self._file, now_ms)
        self.sessions = SessionTable(self._file)
        self.history = History(self._file)

    @classmethod
    def open(cls, path: Path, *, now_ms: Callable[[], int] = clock_ms) -> "MemoryStore":
        """The store, opened now and made if there is none: whatever is wrong with it is raised here."""
        store = cls(path, now_ms=now_ms)
        with store.transaction():
            return store

    @property
    def path(self) -> Path:
        return self._file.path

    def prepare_with(self, before_writing: Callable[[], object]) -> None:
        """Have this run before each change, unless something does already."""
        self._file.before_writing = self._file.before_writing or before_writing

    @property
    def is_present(self) -> bool:
        """Whether anything is there, or that cannot be seen; reading what is no store raises CORTEX_UNAVAILABLE."""
        return self._file.is_present

    def reading(self) -> AbstractContextManager[Connection]:
        """A connection that sees one state of the store while the block runs, for SQL of the memory room."""
        return self._file.reading()

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """Make all changes of the block one: kept together or not at all."""
        waiting = self._usage.take()
        try:
            with self._file.writing() as connection:
                add_usage(connection, waiting)
                yield connection
        except BaseException:
            self._usage.put_back(waiting)
            raise

    def close(self) -> None:
        """Write the counts that wait and let go of the file."""
        try:
            if not self._usage.is_empty and self.is_present:
                self.flush_usage()
        except DriftError as error:
            logger.warning("uses of memories were not counted: %s", error.message)
        finally:
            self._file.close()

    def add(self, draft: Draft, *, actor: str) -> Memory:
        """Keep a new memory; it comes back with its id. Raises INVALID_ARGUMENT naming what is wrong."""
        complete = checked(draft)
        with self.transaction() as connection:
            now_ms = self._now_ms()
            values = {name: getattr(complete, name) for name in _DRAFT_FIELDS}
            memory_id = _free_id(connection, now_ms)
            memory = Memory(**values, id=memory_id, recorded_at_ms=now_ms, updated_at_ms=now_ms)
            number = rows.insert(connection, memory)
            patch = state_patch(None, memory)
            append(connection, number, at_ms=now_ms, actor=actor, action="add", patch=patch)
        return memory

    def add_many(
        self, memories: Iterable[Memory], *, actor: str, on_conflict: OnConflict = OnConflict.REFUSE
    ) -> AddedMany:
        """Take in whole memories, with the ids and times they bring; all of them or none.

        The memories may be a generator: they are taken in as they come. An id that is there already is
        refused, skipped or replaced, as `on_conflict` says. Other processes read meanwhile, and wait to write.
        """
        with self.transaction() as connection:
            return put_many(
                connection, memories, at_ms=self._now_ms(), actor=actor, on_conflict=OnConflict(on_conflict)
            )

    def get(self, memory_id: str) -> Memory:
        """The memory, also when it is archived or purged. Raises RESOURCE_NOT_FOUND."""
        found = self.get_many([memory_id]).get(memory_id)
        if found is None:
            raise damaged_memory(memory_id) if memory_id in self.damaged else _unknown(memory_id)
        return found

    @property
    def damaged(self) -> tuple[str, ...]:
        """The ids of memories that were found damaged since the file was opened, and left out."""
        return self._file.damaged

    def check(self) -> tuple[str, ...]:
        """Look at every memory; the ids of those that are damaged."""
        with self.reading() as connection:
            return rows.check_all(connection)

    def find_short(self) -> tuple[str, ...]:
        """Which indexes lead to more or fewer memories than there are."""
        with self.reading() as connection:
            return derived.find_short(connection)

    def mend_indexes(self) -> bool:
        """Make the indexes anew where they do not say what the rows say; whether that was needed."""
        with self.transaction() as connection:
            if derived.are_sound(connection):
                return False
            derived.rebuild(connection)
            return True

    def get_many(self, ids: Iterable[str]) -> dict[str, Memory]:
        """The memories there are of these ids, in the order of the ids."""
        wanted = list(dict.fromkeys(ids))
        with self.reading() as connection:
            found = rows.read_by_id(connection, wanted)
            # Honest callers ask for what there is, so that this is rare; it reads every row.
            rows.note_unindexed(connection, [each for each in wanted if each not in found])
        return {memory_id: found[memory_id][1] for memory_id in wanted if memory_id in found}

    def list(self, listing: Listing = Listing(), *, after: str | None = None, limit: int = 50) -> MemoryPage:  # noqa: B008 - it is frozen
        """Memories by the time they were recorded, newest first; `after` is the last id of the page before."""
        with self.reading() as connection:
            return read_page(connection, listing, after=after, limit=limit)

    def update(
        self, memory_id: str, changes: Mapping[str, Any], *, actor: str, unchanged_since_ms: int | None = None
    ) -> Memory:
        """Set fields of a memory, by the names of Draft or `last_validated_ms`; the rest stays as it is.

        Raises CONFLICT where it was changed after `unchanged_since_ms`, so that nobody overwrites what they have not seen.
        """
        for name in changes:
            if name not in _UPDATABLE:
                raise invalid(name[:60], "cannot be set", similar=similar_names(name, _UPDATABLE))
        check_time(changes.get("last_validated_ms"), "last_validated_ms")

        def change(one: Memory) -> Memory:
            if unchanged_since_ms is not None and one.updated_at_ms > unchanged_since_ms:
                raise _changed(one)
            return checked(replace(one, **changes))

        (memory,) = self._change([memory_id], "update", actor, change)
        return memory

    def archive(self, ids: Sequence[str], *, reason: str, actor: str) -> tuple[Memory, ...]:
        """Take memories out of what is recalled by default, for a reason."""
        check_text(reason, "reason", most=MOST_TEXT)
        return self._change(
            ids, "archive", actor, lambda one: replace(one, archived=True, archive_reason=reason)
        )

    def unarchive(self, ids: Sequence[str], *, actor: str) -> tuple[Memory, ...]:
        """Undo `archive`."""
        return self._change(
            ids, "unarchive", actor, lambda one: replace(one, archived=False, archive_reason=None)
        )

    def purge(self, ids: Sequence[str], *, actor: str) -> tuple[Memory, ...]:
        """Hide memories from everything that does not ask for purged ones; they are kept."""
        now_ms = self._now_ms()
        return self._change(
            ids, "purge", actor, lambda one: one if one.is_purged else replace(one, deleted_at_ms=now_ms)
        )

    def restore(self, ids: Sequence[str], *, actor: str) -> tuple[Memory, ...]:
        """Undo `purge`."""
        return self._change(ids, "restore", actor, lambda one: replace(one, deleted_at_ms=None))

    def supersede(self, old: str, new: str, *, actor: str) -> Memory:
        """Say that `new` holds in the place of `old`, which comes back. Neither changes otherwise."""
        with self.transaction() as connection:
            _check_succession(connection, old, new)
            (memory,) = self._change([old], "supersede", actor, lambda one: replace(one, superseded_by=new))
        return memory

    def link(
        self,
        memory_id: str,
        *,
        actor: str,
        files: Iterable[FileLink] = (),
        functions: Iterable[str] = (),
        patterns: Iterable[str] = (),
        constraints: Iterable[str] = (),
        tags: Iterable[str] = (),
    ) -> Memory:
        """Add links and tags to those there are; a file's lines that are linked already get the new hash."""
        added = {
            "files": tuple(files),
            "functions": tuple(functions),
            "patterns": tuple(patterns),
            "constraints": tuple(constraints),
            "tags": tuple(tags),
        }

        def change(one: Memory) -> Memory:
            merged: dict[str, Any] = {name: (*getattr(one, name), *more) for name, more in added.items()}
            return checked(replace(one, **merged))

        (memory,) = self._change([memory_id], "link", actor, change)
        return memory

    def unlink(
        self,
        memory_id: str,
        *,
        actor: str,
        files: Iterable[str] = (),
        functions: Iterable[str] = (),
        patterns: Iterable[str] = (),
        constraints: Iterable[str] = (),
        tags: Iterable[str] = (),
    ) -> Memory:
        """Take links and tags away; a file by its path, with all its lines. What is not there is no error."""
        paths = frozenset(files)
        removed = {
            "functions": frozenset(functions),
            "patterns": frozenset(patterns),
            "constraints": frozenset(constraints),
            "tags": frozenset(tags),
        }

        def change(one: Memory) -> Memory:
            kept: dict[str, Any] = {
                name: tuple(target for target in getattr(one, name) if target not in gone)
                for name, gone in removed.items()
            }
            return replace(one, **kept, files=tuple(link for link in one.files if link.path not in paths))

        (memory,) = self._change([memory_id], "unlink", actor, change)
        return memory

    def touch(self, ids: Iterable[str]) -> None:
        """Count one use of each memory. Written later, with the next change or when many wait.

        Never fails: what was read stays read when its count cannot be written.
        """
        self._usage.count(ids, now_ms=self._now_ms())
        if self._usage.is_due:
            try:
                self.flush_usage()
            except DriftError as error:
                logger.warning("uses of memories are not counted yet: %s", error.message)

    def flush_usage(self) -> None:
        """Write the counts that wait."""
        with self.transaction():
            pass

    def counts(self) -> Counts:
        """How many memories there are, of which types and in which states."""
        with self.reading() as connection:
            return count_all(connection)

    def _change(
        self, ids: Sequence[str], action: str, actor: str, change: Callable[[Memory], Memory]
    ) -> tuple[Memory, ...]:
        """Change memories, all or none; those that stay as they are leave no trace in the log."""
        with self.transaction() as connection:
            now_ms = self._now_ms()
            found = rows.read_by_id(connection, ids)
            missing = [memory_id for memory_id in ids if memory_id not in found]
            if missing:
                broken = next((each for each in missing if each in self.damaged), None)
                raise _unknown(*missing) if broken is None else damaged_memory(broken)
            for memory_id, (number, before) in found.items():
                after = change(before)
                if after == before:
                    continue
                after = replace(after, updated_at_ms=now_ms)
                rows.update(connection, number, before=before, after=after)
                patch = state_patch(before, after)
                append(connection, number, at_ms=now_ms, actor=actor, action=action, patch=patch)
                found[memory_id] = (number, after)
        return tuple(found[memory_id][1] for memory_id in dict.fromkeys(ids))


def _free_id(connection: Connection, now_ms: int) -> str:
    while connection.execute(_TAKEN, (memory_id := make_id(now_ms),)).fetchone():
        pass
    return memory_id


def _check_succession(connection: Connection, old: str, new: str) -> None:
    seen = {old}
    step: str | None = new
    while step is not None:
        if step in seen:
            raise invalid("supersede", f"{new} is itself superseded by {old}, or is the same")
        seen.add(step)
        found = rows.read_by_id(connection, [step]).get(step)
        if found is None:
            raise _unknown(step)
        step = found[1].superseded_by


def _changed(memory: Memory) -> DriftError:
    return DriftError(
        ErrorCode.CONFLICT,
        f"{memory.id} was changed at {write_time(memory.updated_at_ms)}, after it was read",
        Recovery(hint="Nothing was changed. Read it again, then decide whether your change still holds."),
    )


def _unknown(*ids: str) -> DriftError:
    named = ", ".join(memory_id[:100] for memory_id in ids[:10])
    return DriftError(
        ErrorCode.RESOURCE_NOT_FOUND,
        f"There is no memory {named}",
        Recovery(hint="Search or list the memories to see their ids. Nothing was changed."),
    )
