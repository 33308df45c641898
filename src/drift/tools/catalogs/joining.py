"""Instructions in the answers of other servers: where the project has some, and at no cost where it has none."""

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from drift.kernel.errors import DriftError
from drift.project import Project

if TYPE_CHECKING:
    from drift.catalog import Catalog

_NONE: Final = "-"


def find_catalog(project: Project, environ: Mapping[str, str]) -> "Catalog | None":
    """The project's catalog; None, and nothing loaded or made, where there are no instructions."""
    place = environ.get("INSTRUCTIONS_DIR") or os.fspath(project.state.instructions)
    try:
        with os.scandir(os.path.expanduser(place)) as found:  # noqa: PTH111 - before every answer, so without a Path
            if not any(each.name.endswith(".json") for each in found):
                return None
    except OSError:
        return None
    from drift.tools.catalogs.access import open_catalog  # brings SQLite and the schema

    return open_catalog(project, environ)


def stamp_instructions(project: Project, environ: Mapping[str, str]) -> str:
    """Another text for every change of the project's instructions, of what of them is accepted, or of the workspace."""
    try:
        catalog = find_catalog(project, environ)
        if catalog is None:
            return _NONE
        return f"{catalog.stamp()} {catalog.provenance.stamp()} {catalog.settings.workspace_id}"
    except DriftError as error:
        return f"{error.code} {error.message}"
