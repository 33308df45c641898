"""Where a project keeps what cannot be derived anew: in Drift's home, by an id that stays when the folder moves.

`git clean` does not reach there, and nothing that came with a repository lies there. Where there is no home that can
be written, a folder in `.drift` takes its place, under a name that a repository cannot know.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Final

from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.text import shorten
from drift.project.home import drift_home
from drift.project.identity import project_id
from drift.project.leftovers import NO_LEFTOVERS, Leftovers, look_after
from drift.project.machine import machine_key, seal
from drift.project.pointer import Pointer, note_root, read_pointer, read_roots, write_pointer
from drift.project.state import StateDir
from drift.project.team import share_stores

_PURPOSE: Final = "stores in the project"
_TEAM_PURPOSE: Final = "name in a team's database"
_ID_DIGITS: Final = 32
_TEAM_DIGITS: Final = 24

_settled: Final[set[tuple[Path, Path]]] = set()


@dataclass(frozen=True, slots=True)
class Stores:
    """The precious stores of the project at `root`, all in `folder`; what is in them is the user's alone."""

    id: str
    root: Path
    folder: Path
    home: Path | None = None
    """Drift's home, where the folder is in it."""
    copied_from: str | None = None
    """The project whose pointer a copy of its folder has brought along; it keeps its stores for itself."""
    leftovers: Leftovers = NO_LEFTOVERS
    stood: tuple[int, int] | None = None
    """Which folder the root was when the project was opened."""
    key: bytes = field(default=b"", repr=False)

    @property
    def memory_db(self) -> Path:
        """The memories, where settings name no other place."""
        return self.folder / "memory" / "cortex.db"

    @property
    def catalog_db(self) -> Path:
        """What the catalog counts and hears back."""
        return self.folder / "catalog.db"

    @property
    def state_db(self) -> Path:
        """What was seen and decided over time."""
        return self.folder / "state.db"

    @property
    def catalog_index_db(self) -> Path:
        """What the catalog read from its files: derived, and here because all of it is believed."""
        return self.folder / "catalog-index.db"

    @property
    def cache_db(self) -> Path:
        """Answers kept across restarts: derived, and here for the same reason."""
        return self.folder / "cache.db"

    @property
    def sites(self) -> Path:
        """Where the project decides something, as it was gathered last: derived, and here for the same reason."""
        return self.folder / "sites"

    @property
    def usage_db(self) -> Path:
        """How tools were used."""
        return self.folder / "usage.db"

    @property
    def backups(self) -> Path:
        return self.folder / "backups"

    @property
    def precious(self) -> dict[str, Path]:
        """The stores that are backed up, by their names."""
        return {"memory": self.memory_db, "catalog": self.catalog_db, "state": self.state_db}

    @property
    def notes(self) -> tuple[str, ...]:
        """What a person should know of where the stores are and of what was not believed."""
        return tuple(self._notes())

    def _notes(self) -> "list[str]":
        notes = [self.leftovers.problem] if self.leftovers.problem else []
        if self.home is None:
            notes.append(
                f"There is no home to write to, so memories are kept in {self.folder}, where git clean deletes them. "
                "Set DRIFT_HOME to a directory Drift may write to."
            )
        if self.copied_from is not None:
            notes.append(
                f"This folder is a copy of {shorten(ascii(self.copied_from), 200)}, which keeps its memories: "
                "this one has its own."
            )
        if self.leftovers.quarantined:
            listed = ", ".join(os.fspath(path.relative_to(self.root)) for path in self.leftovers.quarantined)
            notes.append(
                f"Not read, because it was not made here by you: {shorten(ascii(listed), 300)}. "
                "Look at it, then take it in or dismiss it: drift memory accept"
            )
        return notes

    def settle(self) -> None:
        """Make ready for writing: the folder is there, and the project can be found again from it and by it.

        Raises PROJECT_NOT_FOUND when the project's folder is no longer the one that was opened, and
        STORE_UNAVAILABLE when nothing can be written.
        """
        self.check_root()
        pointer = StateDir(self.root).pointer
        if (self.root, self.folder) in _settled and os.path.lexists(pointer) and os.path.isdir(self.folder):  # noqa: PTH112 - before every change, and half the time
            return
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise _unwritable(self.folder, error) from error
        if self.home is not None:
            note_root(self.home, self.id, str(self.root))
            self._point_here()
        _settled.add((self.root, self.folder))

    def check_root(self) -> None:
        """Raise PROJECT_NOT_FOUND when another folder, or none, is where the project was when it was opened."""
        if self.stood is not None and _identity_of(self.root) != self.stood:
            raise DriftError(
                ErrorCode.PROJECT_NOT_FOUND,
                f"The folder {shorten(ascii(str(self.root)), 200)} was moved, deleted or replaced since it was opened",
                Recovery(
                    hint="Nothing was written. Start again where the project is now: its memories follow it."
                ),
            )

    def _point_here(self) -> None:
        state, pointer = StateDir(self.root), Pointer(self.id, str(self.root), _folder_text(self.stood))
        # Without one the project is found by its root: enough where the project itself may not be written.
        if read_pointer(state, self.key) == pointer or not os.access(state.path, os.W_OK):
            return
        write_pointer(state, self.key, pointer)


def find_stores(root: Path, environ: Mapping[str, str]) -> Stores:
    """The stores of the project at `root`. Only the key is made; stores of an earlier version are moved there."""
    root = Path(os.path.realpath(root))
    state, stood = StateDir(root), _identity_of(root)
    try:
        home = drift_home(environ)
    except DriftError:
        home = None
    key = machine_key(environ, may_make=False)
    roots = read_roots(home) if home is not None else {}
    identity, copied_from = _identify(state, read_pointer(state, key), roots, folder=_folder_text(stood))
    if home is None or not _is_usable(home / "projects", identity):
        # Made now: whoever does not have the key cannot guess the folder's name.
        name = seal(machine_key(environ), _PURPOSE, str(root))[:_ID_DIGITS]
        folder = state.path / f"stores-{name}"
        leftovers = look_after(state, folder, None)
        return _shared(Stores(name, root, folder, None, copied_from, leftovers, stood, key), environ, home)
    folder = home / "projects" / identity
    is_new = str(root) not in roots.values()
    leftovers = look_after(state, folder, home if is_new else None)
    key = machine_key(environ)
    return _shared(Stores(identity, root, folder, home, copied_from, leftovers, stood, key), environ, home)


def _shared(stores: Stores, environ: Mapping[str, str], home: Path | None) -> Stores:
    """The same, kept in a team's database where the user's settings say so."""
    # With the key: on two machines, other projects may be at the same place.
    own = seal(stores.key, _TEAM_PURPOSE, stores.id)[:_TEAM_DIGITS]
    share_stores(stores.root, stores.precious, environ, home=home, own=own)
    return stores


def stores_in(folder: Path, root: Path) -> Stores:
    """Stores that lie in a folder of Drift's own, such as those of the person."""
    return Stores(folder.name, root, folder, home=folder)


def _identify(
    state: StateDir, pointer: Pointer | None, roots: Mapping[str, str], *, folder: str
) -> tuple[str, str | None]:
    """The id of the stores of the project, and where it was copied from if it was."""
    here = str(state.root)
    if pointer is not None and pointer.root == here:
        return pointer.id, None
    known = next((each for each, root in roots.items() if root == here), None)
    if known is not None:
        return known, None
    if pointer is None:
        return _free_id(state.root, roots), None
    last = roots.get(pointer.id, pointer.root)
    # The same folder under another name was moved, whatever has taken its place since.
    if pointer.folder != folder and os.path.isdir(last):  # noqa: PTH112 - a text
        return _free_id(state.root, roots), last
    return (_free_id(state.root, roots) if _is_tracked(state) else pointer.id), None


def _is_tracked(state: StateDir) -> bool:
    """Whether the pointer came with a repository, whose author may have it from a project that was published whole."""
    from drift.project.git import is_tracked  # only where a project was moved

    return is_tracked(state.root, ".drift/project.json")


def _free_id(root: Path, roots: Mapping[str, str]) -> str:
    """An id for the root, the same each time, that no project has which was here before and moved away."""
    own = project_id(root)
    if own not in roots:
        return own
    return next(each for number in count(2) if (each := project_id(root / f"\n{number}")) not in roots)


def _is_usable(projects: Path, identity: str) -> bool:
    """Whether the stores are there, or can be made."""
    if (projects / identity).is_dir():
        return True
    nearest = next(each for each in (projects, *projects.parents) if os.path.lexists(each))
    return nearest.is_dir() and os.access(nearest, os.W_OK | os.X_OK)


def _identity_of(root: Path) -> tuple[int, int] | None:
    try:
        found = os.stat(root)  # noqa: PTH116 - before every change, and half the time of Path.stat
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _folder_text(identity: tuple[int, int] | None) -> str:
    return ":".join(map(str, identity or ()))


def _unwritable(folder: Path, error: OSError) -> DriftError:
    return DriftError(
        ErrorCode.STORE_UNAVAILABLE,
        f"Drift cannot keep memories in {folder}: {error.strerror or error}.",
        Recovery(hint="Make it writable, or set DRIFT_HOME to another directory."),
    )
