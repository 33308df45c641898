"""The texts of a project in memory: its code as the index knows it, and the pages, documents and settings beside it.

A process that is asked again reads only what has changed. What does not fit into the memory it may take is read at
every question, and what is more than one question may read is left out and counted.
"""

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from drift.analyses.prominence import rank_place
from drift.index.path_text import path_to_text, text_to_path
from drift.kernel.reading import ProjectFiles
from drift.scan.discovery import Discovery, FoundFile
from drift.scan.glance import Glance
from drift.scan.other_texts import MOST_TEXT_BYTES, TextKind, kind_of_text, list_texts
from drift.scan.roles import is_binary_head

if TYPE_CHECKING:
    from drift.index import FileId, IndexReader

Kind = Literal["code"] | TextKind

_MOST_KEPT_BYTES: Final = 64_000_000
_MOST_READ_BYTES: Final = 256_000_000
_MOST_CODE_BYTES: Final = 20_000_000  # of one file: what a scan may be set to read
_MOST_PROJECTS: Final = 2
_HEAD: Final = 8_192
# Texts that name no code, and hold keys if anything.
_KEY_FILES: Final = (".pem", ".key", ".crt")
# Behind all code, which has four ranks by itself, what runs with it before what speaks of it.
_RANKS: Final[dict[Kind, int]] = {"code": 0, "template": 4, "config": 8, "doc": 12, "other": 16}


class Text(NamedTuple):
    """A file and what stands in it."""

    path: str
    kind: Kind
    language: str | None
    role: str
    file_id: "FileId | None"
    rank: int
    content: bytes


class Listed(NamedTuple):
    """A file whose text can be had."""

    path: str
    kind: Kind
    language: str | None
    role: str
    file_id: "FileId | None"
    size: int
    mtime_ns: int
    rank: int  # how near it stands to the product: a limit cuts what is least likely to be asked about


class Texts:
    """The texts of one project, as they are now. `left_out` counts, once all were gone through, what was too much."""

    def __init__(self, root: Path, found: "_Found", kept: "_Kept") -> None:
        self._root = root
        self._listed = found.texts
        self._kept = kept
        self.left_out = 0
        self.key_files: tuple[FoundFile, ...] = found.key_files
        """Files beside these texts that name no code, and hold keys if anything."""

    def __iter__(self) -> Iterator[Text]:
        room = _MOST_READ_BYTES
        self.left_out = 0
        with ProjectFiles(self._root) as files:
            for one in self._listed:
                room -= one.size
                if room < 0:
                    self.left_out += 1
                    continue
                content = self._kept.content(files, one)
                if content:
                    yield _text(one, content)

    def stamp(self) -> int:
        """A number that stays while no text comes, goes or is written anew."""
        return hash((tuple(self._listed), self.key_files))

    def paths(self) -> Iterator[str]:
        """Where the texts stand, nearest to the product first."""
        return (one.path for one in self._listed)

    def keep(self, is_wanted: Callable[[Listed], bool]) -> None:
        """Leave out the texts that are not wanted, before any is read."""
        self._listed = [one for one in self._listed if is_wanted(one)]

    def read(self, path: str) -> Text | None:
        """One of the texts, by its path."""
        one = next((each for each in self._listed if each.path == path), None)
        if one is None:
            return None
        with ProjectFiles(self._root) as files:
            content = self._kept.content(files, one)
        return _text(one, content)


class _Found(NamedTuple):
    """The files of a project, nearest to the product first, and those that hold keys."""

    texts: list[Listed]
    key_files: tuple[FoundFile, ...]


class _Kept:
    """What is held of one project."""

    def __init__(self) -> None:
        self._lock = threading.Lock()  # calls of several clients run side by side
        self._contents: dict[str, tuple[int, int, bytes]] = {}
        self._bytes = 0
        self._every: tuple[list[Listed], tuple[FoundFile, ...], _Found] | None = None
        self._of_index: tuple[int, frozenset[str], list[Listed]] | None = None
        self._glance: Glance | None = None
        self._others: tuple[FoundFile, ...] = ()
        self._known: frozenset[str] = frozenset()

    def content(self, files: ProjectFiles, one: Listed) -> bytes:
        held = self._contents.get(one.path)
        if held is not None and held[:2] == (one.size, one.mtime_ns):
            return held[2]
        content = _read(files, one)
        with self._lock:
            former = self._contents.pop(one.path, None)
            self._bytes -= len(former[2]) if former else 0
            if self._bytes + len(content) <= _MOST_KEPT_BYTES:
                self._contents[one.path] = (one.size, one.mtime_ns, content)
                self._bytes += len(content)
        return content

    def found(self, reader: "IndexReader", root: Path) -> _Found:
        """All files with a text; put in order again only where they have changed."""
        with self._lock:
            known, of_index = self._files_of_index(reader)
            others = self._files_beside(root, known)
            if self._every is None or self._every[0] is not of_index or self._every[1] is not others:
                key_files = tuple(one for one in others if one.path.lower().endswith(_KEY_FILES))
                held = {one.path for one in key_files}
                beside = (
                    _listed(path_to_text(one.path), None, one.role, None, one.size, one.mtime_ns)
                    for one in others
                    if one.path not in held
                )
                ordered = sorted([*of_index, *beside], key=lambda one: (one.rank, one.path))
                self._every = of_index, others, _Found(ordered, key_files)
            return self._every[2]

    def _files_of_index(self, reader: "IndexReader") -> tuple[frozenset[str], list[Listed]]:
        """The files that the index has, by their paths and to be read; worked out once for each of its states."""
        generation = reader.generation()
        if self._of_index is None or self._of_index[0] != generation:
            listed = [
                _listed(one.path, one.language, one.role, one.id, one.size, one.mtime_ns)
                for one in reader.files.stamps()
                if one.status != "skipped"
            ]
            self._of_index = generation, frozenset(text_to_path(one.path) for one in listed), listed
        return self._of_index[1:]

    def _files_beside(self, root: Path, known: frozenset[str]) -> tuple[FoundFile, ...]:
        """The files beside the known ones, looked for anew where a glance shows that there may be others."""
        if self._glance is not None and (known is self._known or known == self._known):
            seen = self._glance.look()
            if not seen.may_have_others:
                return seen.discovery.files
        began = time.time_ns()
        self._others = list_texts(root, known, also=_KEY_FILES)
        self._known = known
        folders = {path.rpartition("/")[0] for path in known}
        discovery = Discovery(root, "walk", self._others, ())
        self._glance = Glance(discovery, found_from_ns=began, also=folders)
        return self._others


_kept: dict[Path, _Kept] = {}


def project_texts(reader: "IndexReader", root: Path) -> Texts:
    """The texts of the project at a root, of which the reader has the index."""
    kept = _kept.pop(root, None) or _Kept()
    while len(_kept) >= _MOST_PROJECTS:
        _kept.pop(next(iter(_kept)), None)
    _kept[root] = kept  # the last asked for is the last to go
    return Texts(root, kept.found(reader, root), kept)


def _listed(
    path: str, language: str | None, role: str, file_id: "FileId | None", size: int, mtime_ns: int
) -> Listed:
    kind: Kind = "code" if language else kind_of_text(path)
    return Listed(path, kind, language, role, file_id, size, mtime_ns, rank_place(path, role) + _RANKS[kind])


def _text(one: Listed, content: bytes) -> Text:
    return Text(one.path, one.kind, one.language, one.role, one.file_id, one.rank, content)


def _read(files: ProjectFiles, one: Listed) -> bytes:
    """The content; nothing for what is gone, leads outside, is no text or too long."""
    most = _MOST_CODE_BYTES if one.kind == "code" else MOST_TEXT_BYTES
    try:
        content = files.read(text_to_path(one.path), most, follow_links=False)
    except OSError:
        return b""
    return b"" if is_binary_head(content[:_HEAD]) else content
