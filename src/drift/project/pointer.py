"""Which stores are a project's: a sealed pointer in its `.drift`, and in Drift's home the root each id was last seen at."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from drift.kernel.files import locked, write_atomically
from drift.project.machine import is_sealed, seal
from drift.project.state import StateDir

_PURPOSE: Final = "pointer"
_MOST_BYTES: Final = 20_000
_LOCK_SECONDS: Final = 10.0
_LONGEST_ID: Final = 64
_ID_CHARACTERS: Final = frozenset("0123456789abcdef")


@dataclass(frozen=True, slots=True)
class Pointer:
    """The id of a project's stores, and the root it was written for, which another folder may have copied.

    `folder` is that root's device and number on the disk: a folder that is moved keeps them, a copy has others.
    """

    id: str
    root: str
    folder: str


def read_pointer(state: StateDir, key: bytes) -> Pointer | None:
    """The pointer in a project, if this user wrote it on this machine, for this root or for another."""
    try:
        document = json.loads(state.read(state.pointer, _MOST_BYTES))
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(document, dict):
        return None
    parts = [document.get(name) for name in ("id", "root", "folder")]
    texts = [part for part in parts if isinstance(part, str)]
    if len(texts) < len(parts) or not is_id(texts[0]):
        return None
    return Pointer(*texts) if is_sealed(key, document.get("seal"), _PURPOSE, *texts) else None


def write_pointer(state: StateDir, key: bytes, pointer: Pointer) -> None:
    """Put the pointer into the project."""
    parts = asdict(pointer)
    document = {**parts, "seal": seal(key, _PURPOSE, *parts.values())}
    path = state.check(state.pointer)
    if path.is_symlink():
        path.unlink()  # writing follows links
    write_atomically(path, json.dumps(document, indent=2) + "\n")


def is_id(text: str) -> bool:
    """Whether a text is one that names a folder of stores, and no way to another."""
    return 0 < len(text) <= _LONGEST_ID and _ID_CHARACTERS.issuperset(text)


def read_roots(home: Path) -> dict[str, str]:
    """The root at which each id was last seen. Empty where that is not known."""
    try:
        document = json.loads(_roots_path(home).read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    roots = document.get("roots") if isinstance(document, dict) else None
    if not isinstance(roots, dict):
        return {}
    return {each: root for each, root in roots.items() if is_id(each) and isinstance(root, str)}


def note_root(home: Path, identity: str, root: str) -> None:
    """Remember that the project of this id is at this root now."""
    path = _roots_path(home)
    with locked(path, timeout_seconds=_LOCK_SECONDS):
        roots = read_roots(home)
        if roots.get(identity) != root:
            _write_roots(path, {**roots, identity: root})


def _write_roots(path: Path, roots: Mapping[str, str]) -> None:
    write_atomically(path, json.dumps({"version": 1, "roots": roots}, indent=2) + "\n")


def _roots_path(home: Path) -> Path:
    return home / "roots.json"
