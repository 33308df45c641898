"""One project, opened: who it is, how it is configured, where its state lies."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path

from drift.kernel.errors import DriftError, ErrorCode
from drift.kernel.text import shorten
from drift.project.config import load_config
from drift.project.identity import directory_name, project_id
from drift.project.roots import is_directory
from drift.project.settings import Config
from drift.project.state import StateDir


@dataclass(frozen=True, slots=True)
class Project:
    """A project as the rest of Drift sees it. `root` is its real path."""

    id: str
    name: str
    root: Path
    config: Config
    state: StateDir

    def goes_by(self, name: str) -> bool:
        """Whether a caller who says `name` means this project."""
        return name in (self.name, self.id, str(self.root))

    @property
    def has_memory(self) -> bool:
        """Whether there is a memory store that the settings let be used."""
        if self.config.cortex.enabled is False:
            return False
        try:
            return self.path_of("cortex.db_path").exists()
        except (DriftError, OSError):  # a link that leads out, or a folder that may not be read
            return False

    def path_of(self, key: str) -> Path:
        """The place a path setting such as `cortex.db_path` names, from the root unless absolute.

        PATH_OUTSIDE_PROJECT when a link leads out of the project, unless the user named the place by a
        variable.
        """
        place = self.root / str(attrgetter(key)(self.config))
        is_from_user = self.config.sources[key].kind == "environment"
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
    )
