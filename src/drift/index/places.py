"""Where this user's indexes are: a new copy of a project need not be read from nothing where a near one has been."""

import json
import os
from pathlib import Path
from typing import Final

from drift.kernel.errors import DriftError
from drift.kernel.files import locked, write_atomically
from drift.kernel.reading import read_file
from drift.project.home import drift_home

_KEPT_IN: Final = "indexes.json"
_MOST_PLACES: Final = 200
_MOST_BYTES: Final = 2_000_000
_LOCK_SECONDS: Final = 2.0


def known_roots() -> tuple[Path, ...]:
    """The folders of projects that have an index, those that came last first. Whether they still have one is not said."""
    try:
        listed = json.loads(read_file(drift_home(os.environ), _KEPT_IN, _MOST_BYTES))
    except (DriftError, OSError, ValueError, RecursionError):
        return ()
    texts = listed if isinstance(listed, list) else []
    return tuple(Path(each) for each in texts if isinstance(each, str) and "\0" not in each)


def note_root(root: Path) -> None:
    """Remember that the project has an index. Where that cannot be written, its copies are read from nothing."""
    place = Path(os.path.realpath(root))
    if place in known_roots():
        return
    try:
        home = drift_home(os.environ)
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        with locked(home / _KEPT_IN, timeout_seconds=_LOCK_SECONDS):
            others = [each for each in known_roots() if each != place and each.is_dir()]
            listed = [str(each) for each in (place, *others)][:_MOST_PLACES]
            write_atomically(home / _KEPT_IN, json.dumps(listed, indent=2) + "\n", mode=0o600)
    except (DriftError, OSError):
        return
