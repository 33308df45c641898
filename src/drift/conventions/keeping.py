"""Sites as they were gathered, kept for the next process: a file in Drift's home, derived, and believed since it is there.

The sites of a project are numbers in columns, and words by their place in a list. What is kept may be older than the index: each file
says of which state it is, and those that have changed since are looked at again.
"""

import hashlib
import json
import sys
from array import array
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final, get_args

from drift.conventions.finders.form import Rests
from drift.conventions.gathering import Found, Gathered
from drift.dimensions import Dimension
from drift.index.engine import stamp_code
from drift.index.site_records import SiteFile
from drift.kernel.files import write_atomically
from drift.kernel.reading import read_file

_PACKAGE: Final = Path(__file__).parent.parent
_ROOMS: Final = ("conventions", "dimensions")
_MOST_BYTES: Final = 200_000_000
_COLUMNS: Final = len(Found._fields)
_CODE: Final = "I"


class KeptSites:
    """The file of one project."""

    def __init__(self, path: Path, dimensions: Iterable[Dimension]) -> None:
        self._path = path
        self._key = sites_key(dimensions)

    def read(self) -> Gathered | None:
        return read_sites(self._path, self._key)

    def keep(self, gathered: Gathered) -> None:
        keep_sites(self._path, self._key, gathered)


def sites_key(dimensions: Iterable[Dimension]) -> str:
    """Another text whenever the same files would have other sites."""
    own = [each for each in dimensions if each.is_own]
    stamp = stamp_code(_PACKAGE, _ROOMS, None)
    return hashlib.blake2b(repr((stamp, sys.byteorder, own)).encode(), digest_size=16).hexdigest()


def read_sites(path: Path, key: str) -> Gathered | None:
    """What was kept under the key; None where there is nothing, or nothing that can be read."""
    try:
        head, _, body = read_file(path.parent, path.name, _MOST_BYTES).partition(b"\n")
        return _from_bytes(json.loads(head), body, key)
    except (OSError, ValueError, TypeError, KeyError, IndexError):
        return None


def keep_sites(path: Path, key: str, gathered: Gathered) -> None:
    """Keep them, unless the place cannot be written to: the next process then gathers for itself."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_atomically(path, _to_bytes(gathered, key))
    except OSError:
        return


def _to_bytes(gathered: Gathered, key: str) -> bytes:
    words: dict[str, int] = {}
    body = bytearray()
    sizes: dict[str, int] = {}
    for part, by_file in gathered.parts.items():
        sites = [site for found in by_file.values() for site in found]
        sizes[part] = len(sites)
        numbers = ((*site[:3], *(words.setdefault(word, len(words)) for word in site[3:])) for site in sites)
        for column in zip(*numbers, strict=True) if sites else ():
            body += array(_CODE, column).tobytes()
    head = {
        "key": key,
        "generation": gathered.generation,
        "sizes": sizes,
        "files": list(gathered.files.values()),
        "words": list(words),
    }
    return json.dumps(head).encode() + b"\n" + bytes(body)


def _from_bytes(head: dict[str, Any], body: bytes, key: str) -> Gathered | None:
    if head["key"] != key:
        return None
    numbers = array(_CODE)
    numbers.frombytes(body)
    words = head["words"]
    parts: dict[Rests, dict[int, tuple[Found, ...]]] = {}
    start = 0
    for part in get_args(Rests):
        size = head["sizes"][part]
        end = start + size * _COLUMNS
        if end > len(numbers):
            raise ValueError("fewer sites than the head says")
        columns = [numbers[at : at + size] for at in range(start, end, size)] if size else []
        parts[part] = dict(_grouped(columns, words))
        start = end
    files = {each[0]: SiteFile(*each) for each in head["files"]}
    return Gathered(int(head["generation"]), files, parts)


def _grouped(columns: list[Any], words: list[str]) -> Iterator[tuple[int, tuple[Found, ...]]]:
    """The sites by file; those of one stand together, as they were written."""
    if not columns:
        return
    file_ids, lines, ends, dimensions, variants = columns
    text = words.__getitem__
    sites = list(map(Found, file_ids, lines, ends, map(text, dimensions), map(text, variants)))
    start = 0
    for at in range(1, len(sites) + 1):
        if at == len(sites) or sites[at].file_id != sites[start].file_id:
            yield sites[start].file_id, tuple(sites[start:at])
            start = at
