"""The user-wide list of projects, shared safely by every Drift process of the user.

It serves explicit names only. Which project a server answers for is decided by its own root, never by
which project happens to be active here.
"""

import os
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from drift.kernel.errors import DriftError, ErrorCode, Recovery, invalid
from drift.kernel.files import locked, write_atomically
from drift.kernel.similar import similar_names
from drift.kernel.text import shorten
from drift.project.home import drift_home
from drift.project.identity import check_name, directory_name, project_id
from drift.project.registry_file import MOST_BYTES, ProjectEntry, RegistryDocument
from drift.project.roots import is_directory

T = TypeVar("T")

_LOCK_TIMEOUT_SECONDS = 10.0
_MOST_SET_ASIDE = 1000
_LONG_AGO = datetime.min.replace(tzinfo=UTC)


def registry_path(environ: Mapping[str, str]) -> Path:
    """Where the list is kept: `projects.json` in DRIFT_HOME or `~/.drift`."""
    return drift_home(environ) / "projects.json"


class ProjectRegistry:
    """The projects a user has registered, kept in one JSON file.

    Every change is read, made and written under a lock between processes. A file that is no registry
    is set aside, never overwritten; `problems` tells of it.
    """

    def __init__(self, path: Path, clock: Callable[[], datetime]) -> None:
        self._home = path.absolute().parent
        # A symlinked file (dotfile collections do that) is replaced where it really lies.
        self._path = Path(os.path.realpath(path))
        self._clock = clock
        self._set_aside: list[str] = []
        self._left_out: tuple[str, ...] = ()

    @property
    def home(self) -> Path:
        """The folder of what belongs to the user rather than to a project; it need not exist yet."""
        return self._home

    @property
    def problems(self) -> tuple[str, ...]:
        """What was wrong with the file so far, in sentences for a person."""
        return (*self._set_aside, *self._left_out)

    def list(self) -> tuple[ProjectEntry, ...]:
        """All projects, by name."""
        return tuple(sorted(self._read().entries(), key=lambda entry: (entry.name.casefold(), entry.id)))

    def recent(self, limit: int = 10) -> tuple[ProjectEntry, ...]:
        """The projects used last, latest first."""
        if limit < 1:
            raise invalid("limit", "must be at least 1")
        by_name = self.list()
        return tuple(sorted(by_name, key=lambda each: each.last_accessed or _LONG_AGO, reverse=True)[:limit])

    def active_id(self) -> str | None:
        """The id of the project the user switched to last, if it is still registered."""
        return next((entry.id for entry in self._read().entries() if entry.is_active), None)

    def find(self, name: str) -> ProjectEntry | None:
        """The project of this exact name, else id, else absolute path, else name in any case.

        INVALID_ARGUMENT, listing the candidates, when several fit equally well.
        """
        return _find(self._read().entries(), name)

    def get(self, name: str) -> ProjectEntry:
        """The same as `find`, but PROJECT_NOT_FOUND with similar names when there is none."""
        return _require(self._read().entries(), name)

    def add(self, path: Path | str, name: str | None = None) -> ProjectEntry:
        """The project at `path`, registered if it was not; renamed if it was and a name is given.

        Without a name it gets its directory's, with a number if that is taken.
        """
        real = _existing_directory(path)
        identity = project_id(real)
        wanted = None if name is None else check_name(name)

        def change(document: RegistryDocument) -> ProjectEntry:
            entries = document.entries()
            if wanted is not None:
                _refuse_taken(entries, wanted, identity)
            now = self._now()
            if any(entry.id == identity for entry in entries):
                document.update(identity, lastAccessed=now, **({"name": wanted} if wanted else {}))
            else:
                free = wanted or _free_name(directory_name(real), {entry.name for entry in entries})
                record = {
                    "id": identity,
                    "name": free,
                    "path": str(real),
                    "addedAt": now,
                    "lastAccessed": now,
                }
                document.append(record)
            return _by_id(document, identity)

        return self._change(change)

    def remove(self, name: str) -> ProjectEntry:
        """The project taken off the list. Its files are not touched."""

        def change(document: RegistryDocument) -> ProjectEntry:
            entry = _require(document.entries(), name)
            document.drop(entry.id)
            return entry

        return self._change(change)

    def rename(self, name: str, new_name: str) -> ProjectEntry:
        """The project under its new name."""
        wanted = check_name(new_name)

        def change(document: RegistryDocument) -> ProjectEntry:
            entry = _require(document.entries(), name)
            _refuse_taken(document.entries(), wanted, entry.id)
            document.update(entry.id, name=wanted)
            return _by_id(document, entry.id)

        return self._change(change)

    def switch(self, name: str) -> ProjectEntry:
        """The project, now the active one."""

        def change(document: RegistryDocument) -> ProjectEntry:
            entry = _require(document.entries(), name)
            document.activate(entry.id)
            document.update(entry.id, lastAccessed=self._now())
            return _by_id(document, entry.id)

        return self._change(change)

    def touch(self, name: str) -> ProjectEntry:
        """The project, marked as used just now."""

        def change(document: RegistryDocument) -> ProjectEntry:
            entry = _require(document.entries(), name)
            document.update(entry.id, lastAccessed=self._now())
            return _by_id(document, entry.id)

        return self._change(change)

    def _now(self) -> str:
        return self._clock().astimezone(UTC).isoformat(timespec="milliseconds")

    def _change(self, change: Callable[[RegistryDocument], T]) -> T:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with locked(self._path, timeout_seconds=_LOCK_TIMEOUT_SECONDS):
                document = self._read_or_set_aside()
                result = change(document)
                write_atomically(self._path, document.render())
        except OSError as error:
            raise self._unavailable(error) from error
        self._left_out = document.problems()
        return result

    def _read(self) -> RegistryDocument:
        try:
            document = self._parse()
        except ValueError:
            document = self._set_aside_under_lock()
        except OSError as error:
            raise self._unavailable(error) from error
        self._left_out = document.problems()
        return document

    def _set_aside_under_lock(self) -> RegistryDocument:
        try:
            with locked(self._path, timeout_seconds=_LOCK_TIMEOUT_SECONDS):
                return self._read_or_set_aside()
        except OSError as error:
            raise self._unavailable(error) from error

    def _parse(self) -> RegistryDocument:
        try:
            with self._path.open("rb") as stream:
                return RegistryDocument.parse(stream.read(MOST_BYTES + 1))
        except FileNotFoundError:
            return RegistryDocument()

    def _read_or_set_aside(self) -> RegistryDocument:
        """The document; one that cannot be read is renamed first. Call it under the lock."""
        try:
            return self._parse()
        except ValueError as error:
            kept = self._free_corrupt_path()
            self._path.rename(kept)
            reason = shorten(ascii(str(error)), 200)
            self._set_aside.append(f"The project list could not be read ({reason}); it was kept as {kept}.")
            return RegistryDocument()

    def _free_corrupt_path(self) -> Path:
        for number in range(1, _MOST_SET_ASIDE + 1):
            candidate = self._path.with_name(f"{self._path.name}.corrupt-{number}")
            if not os.path.lexists(candidate):
                return candidate
        raise self._unavailable(None)

    def _unavailable(self, error: OSError | None) -> DriftError:
        problem = error.strerror if error else "too many damaged copies lie beside it"
        return DriftError(
            ErrorCode.STORE_UNAVAILABLE,
            f"The project list {self._path} cannot be used: {problem}.",
            Recovery(hint="Make it readable and writable, or set DRIFT_HOME to another directory."),
        )


def _find(entries: Iterable[ProjectEntry], name: str) -> ProjectEntry | None:
    known = tuple(entries)
    folded = name.casefold()
    ways: tuple[Callable[[ProjectEntry], bool], ...] = (
        lambda entry: entry.name == name,
        lambda entry: entry.id == name,
        lambda entry: _is_same_place(entry.path, name),
        lambda entry: entry.name.casefold() == folded,
    )
    for fits in ways:
        candidates = [entry for entry in known if fits(entry)]
        if len(candidates) > 1:
            listed = tuple(f"{entry.name} ({entry.id})" for entry in candidates)
            raise invalid(
                "project", f"several projects are called {name!r}", hint="Give the id.", similar=listed
            )
        if candidates:
            return candidates[0]
    return None


def _existing_directory(path: Path | str) -> Path:
    shown = shorten(ascii(str(path)), 200)
    if not Path(path).is_absolute():
        raise invalid("path", f"must be an absolute path, got {shown}")
    if not is_directory(Path(path)):
        raise invalid("path", f"there is no directory {shown}")
    return Path(os.path.realpath(path))


def _is_same_place(path: Path, text: str) -> bool:
    if "\0" in text or not Path(text).is_absolute():
        return False
    return project_id(Path(text)) == project_id(path)


def _require(entries: Iterable[ProjectEntry], name: str) -> ProjectEntry:
    known = tuple(entries)
    entry = _find(known, name)
    if entry is None:
        raise DriftError(
            ErrorCode.PROJECT_NOT_FOUND,
            f"No registered project has the name, id or path {shorten(ascii(name), 100)}.",
            Recovery(similar=similar_names(name, {each.name for each in known})),
        )
    return entry


def _refuse_taken(entries: Iterable[ProjectEntry], name: str, identity: str) -> None:
    if any(entry.name == name and entry.id != identity for entry in entries):
        raise invalid("name", f"another project is called {name!r}")


def _free_name(name: str, taken: set[str]) -> str:
    if name not in taken:
        return name
    number = next(number for number in range(2, len(taken) + 3) if f"{name}-{number}" not in taken)
    return f"{name}-{number}"


def _by_id(document: RegistryDocument, identity: str) -> ProjectEntry:
    return next(entry for entry in document.entries() if entry.id == identity)
