"""One project, opened: who it is, how it is configured, where its state lies."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path

from drift.kernel.errors import DriftError, ErrorCode
from drift.kernel.sharing import store_exists
from drift.kernel.text import shorten
from drift.project.config import load_config
from drift.project.identity import directory_name, project_id
from drift.project.roots import is_directory
from drift.project.settings import Config
from drift.project.state import StateDir
from drift.project.stores import Stores, find_stores


@dataclass(frozen=True, slots=True)
class Project:
    """A project as the rest of Drift sees it. `root` is its real path."""

    id: str
    name: str
    root: Path
    config: Config
    state: StateDir
    stores: Stores

    def goes_by(self, name: str) -> bool:
        """Whether a caller who says `name` means this project."""
        return name in (self.name, self.id, str(self.root))

    @property
    def has_memory(self) -> bool:
        """Whether there is a memory store that the settings let be used."""
        if self.config.cortex.enabled is False:
            return False
        return store_exists(self.memory_db)

    @property
    def memory_db(self) -> Path:
        """Where the memories are kept: among the project's stores, unless the user named a place.

        A repository's drift.toml must not choose which memories are believed, so a place named there is not followed.
        """
        named = self.config.cortex.db_path
        return self.root / named if named else self.stores.memory_db

    @property
    def notes(self) -> tuple[str, ...]:
        """What a person should know of where the memories are, and of what is not believed."""
        return (*self.stores.notes, *self.config.refused)

    def prepare(self) -> "Project":
        """The same, with its state directory and its stores ready to be written.

        Raises PROJECT_NOT_FOUND when the folder is no longer the one that was opened, PATH_OUTSIDE_PROJECT for a link
        that leads out of the project, and STORE_UNAVAILABLE when nothing can be written.
        """
        self.stores.check_root()
        try:
            self.state.ensure()
        finally:
            self.stores.settle()  # also where the project itself may not be written
        from drift.project.backups import back_up_soon  # brings SQLite, which whoever writes has loaded

        back_up_soon(self.stores)
        return self

    def path_of(self, key: str) -> Path:
        """The place a path setting such as `mcp.packs.custom_dir` names, from the root unless absolute.

        PATH_OUTSIDE_PROJECT when a link leads out of the project, unless the user named the place.
        """
        place = self.root / str(attrgetter(key)(self.config))
        is_from_user = self.config.sources[key].is_of_user
        return place if is_from_user else self.state.check(place)


def open_project(root: Path, environ: Mapping[str, str]) -> Project:
    """The project at `root`: its settings read, nothing scanned, nothing written.

    Raises PROJECT_NOT_FOUND when there is no such directory, CONFIG_INVALID for wrong settings.
    """
    if not is_directory(root):
        raise DriftError(
            ErrorCode.PROJECT_NOT_FOUND, f"There is no directory {shorten(ascii(str(root)), 200)}."
        )
    real = Path(os.path.realpath(root))
    config = load_config(real, environ)
    return Project(
        id=project_id(real),
        name=config.project.name.strip() or directory_name(real),
        root=real,
        config=config,
        state=StateDir(real),
        stores=find_stores(real, environ),
    )
