"""Which engine an index is the work of: a digest of the code that finds facts and links them, grammars included.

Two engines of one schema may find different facts, so an index says which one built it. The code is read once; until a
file of it is written again, a short list of names, sizes and times stands for it.
"""

import hashlib
import os
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from drift import __version__
from drift.kernel.errors import DriftError
from drift.kernel.files import write_atomically
from drift.kernel.reading import read_file
from drift.project.home import drift_home

_ROOMS: Final = ("dimensions", "documents", "index", "languages", "manifests", "scan")
"""The folders of the package whose code decides what an index holds."""
_PACKAGE: Final = Path(__file__).parent.parent
_GRAMMARS: Final = "tree_sitter"
_DIGEST_BYTES: Final = 16
_KEPT_IN: Final = "engines"
_MOST_KEPT: Final = 8
_MOST_BYTES: Final = 10_000
_MOST_FILE_BYTES: Final = 10_000_000


@cache
def engine_digest() -> str:
    """The digest of the engine of this process, which stays the same as long as it runs."""
    grammars = _find_grammars()
    stamp = stamp_code(_PACKAGE, _ROOMS, grammars)
    known = _read_known()
    if stamp in known:
        return known[stamp]
    digest = digest_code(_PACKAGE, _ROOMS, grammars)
    _keep({**dict(list(known.items())[1 - _MOST_KEPT :]), stamp: digest})
    return digest


def stamp_code(package: Path, rooms: tuple[str, ...], grammars: Path | None) -> str:
    """What changes when the files are written again, found without reading them."""
    installed = package.parent
    # An installer puts this folder there and takes it away, so the time of the folder around it tells of all files.
    is_settled = (installed / f"drift_mcp-{__version__}.dist-info").is_dir()
    files = [] if is_settled else sorted(_list_files(package, rooms))
    times = [each.stat().st_mtime_ns for each in (installed, grammars) if each is not None]
    return _hash(repr((str(package), __version__, times if is_settled else times[1:], files)).encode())


def digest_code(package: Path, rooms: tuple[str, ...], grammars: Path | None) -> str:
    """The digest of what the files say, wherever and whenever they were installed."""
    state = hashlib.blake2b(digest_size=_DIGEST_BYTES)
    for path, *_ in sorted(_list_files(package, rooms)):
        content = read_file(package, path, _MOST_FILE_BYTES)
        state.update(b"%b\0%d\0" % (os.fsencode(path), len(content)))
        state.update(content)
    installed = [each.name for each in grammars.iterdir()] if grammars is not None else []
    # Folders such as tree_sitter_python-0.25.0.dist-info.
    state.update(repr(sorted(each for each in installed if each.startswith(_GRAMMARS))).encode())
    return state.hexdigest()


def _list_files(package: Path, rooms: tuple[str, ...]) -> Iterator[tuple[str, int, int]]:
    """The files of the rooms with their sizes and times; what Python compiled of them left out."""
    skipped = len(os.fspath(package)) + 1
    pending = [os.fspath(package / room) for room in rooms]
    while pending:
        with os.scandir(pending.pop()) as entries:
            for entry in entries:
                if entry.name == "__pycache__":
                    continue
                if entry.is_dir():
                    pending.append(entry.path)
                else:
                    found = entry.stat()
                    yield entry.path[skipped:], found.st_size, found.st_mtime_ns


def _find_grammars() -> Path | None:
    """The folder that grammars are installed in."""
    spec = find_spec(_GRAMMARS)
    return Path(spec.origin).parent.parent if spec is not None and spec.origin else None


def _hash(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=_DIGEST_BYTES).hexdigest()


def _read_known() -> dict[str, str]:
    try:
        text = read_file(drift_home(os.environ), _KEPT_IN, _MOST_BYTES).decode("ascii")
    except (DriftError, OSError, ValueError):
        return {}
    pairs = (line.partition(" ") for line in text.splitlines())
    return {stamp: digest for stamp, _, digest in pairs if digest}


def _keep(known: dict[str, str]) -> None:
    try:
        home = drift_home(os.environ)
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_atomically(home / _KEPT_IN, "".join(f"{stamp} {digest}\n" for stamp, digest in known.items()))
    except (DriftError, OSError):
        return  # the code is read again by the next process
