"""Which database a project's stores are kept in, where its people share them."""

import os
from collections.abc import Iterable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from drift.kernel.errors import DriftError, ErrorCode, Recovery
from drift.kernel.reading import read_beginning
from drift.kernel.sharing import Place, place_of, share, unshare
from drift.project.home import USER_CONFIG_NAME

_VARIABLES: Final = "DRIFT_TEAM_"
_MOST_BYTES: Final = 65_536


def share_stores(
    root: Path, stores: Mapping[str, Path], environ: Mapping[str, str], *, home: Path | None, own: str
) -> None:
    """Have the stores, by their names, kept where the user's settings say; `own` names a project nobody named.

    Raises CONFIG_INVALID for settings that say two things.
    """
    if not _names_team(home, environ):
        _unshare(stores.values())
        return
    from drift.project.config import load_config  # takes 20 ms, so not for who shares nothing

    config = load_config(root, environ)
    if not config.team.database:
        _unshare(stores.values())
        return
    if config.cortex.db_path:
        raise DriftError(
            ErrorCode.CONFIG_INVALID,
            "cortex.db_path names a file for the memories, and team.database a database.",
            Recovery(hint="Take one of them out.", details={"key": "cortex.db_path"}),
        )
    if find_spec("psycopg") is None:
        raise DriftError(
            ErrorCode.CONFIG_INVALID,
            "team.database is set, and what speaks to PostgreSQL is not installed.",
            Recovery(command="pip install 'drift-mcp[team]'", details={"key": "team.database"}),
        )
    for name, path in stores.items():
        schema = f"drift_{config.team.name}_{config.team.project or own}_{name}"
        share(path, Place(config.team.database, schema, name))


def _unshare(paths: Iterable[Path]) -> None:
    unshare([path for path in paths if place_of(path) is not None])


def _names_team(home: Path | None, environ: Mapping[str, str]) -> bool:
    """Whether anything may be set about a team. Where settings cannot be read, reading them says why."""
    if any(name.startswith(_VARIABLES) for name in environ):
        return True
    if home is None:
        return False
    try:
        head = read_beginning(home, USER_CONFIG_NAME, _MOST_BYTES)
    except OSError:
        return os.path.lexists(home / USER_CONFIG_NAME)
    return b"team" in head or b"\\" in head or len(head) == _MOST_BYTES
