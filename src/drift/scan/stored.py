"""A project as linking sees it: facts just read at hand, all others in the index, unpacked when asked for."""

from __future__ import annotations

import logging
import os
from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from drift.index.ids import FileId, SymbolId
from drift.index.path_text import text_to_path
from drift.index.rows import FileRows
from drift.kernel.reading import read_text
from drift.languages.facts import FileFacts
from drift.scan.extractors import READABLE
from drift.scan.hashing import hash_content
from drift.scan.link import Place
from drift.scan.link.faults import FAULTS, stand_in
from drift.scan.link.traces import unpack_keys
from drift.scan.numbering import Identity, Numbers
from drift.scan.packing import Unpacked, unpack_facts

if TYPE_CHECKING:  # a process that links is handed all facts, and asks no index
    from drift.index import IndexReader
    from drift.index.file_queries import FileStamp

logger = logging.getLogger(__name__)

_WITH_FACTS: Final = frozenset({"ok", "partial"})
_DAMAGED: Final = "what the index holds of it is damaged; the next scan reads it anew"
_MOST_CONFIG_BYTES: Final = 1_000_000
_SYMBOL_MASK: Final = (1 << 16) - 1


class Held(NamedTuple):
    """What linking has of a file at hand, all else being rows of the index."""

    packed: bytes
    provides: bytes
    package: str


class StoredFacts:
    """The packed facts of all files. The index is read as it was before the scan under way."""

    def __init__(self, ids: dict[str, FileId], reader: IndexReader | None = None) -> None:
        self.ids = ids
        self.known = dict(ids) if reader is not None else {}
        self.reader = reader
        self.fresh: dict[str, Held] = {}
        # Those of the index that have facts, but failed to be linked.
        self.unlinked: frozenset[str] = frozenset()
        self._kept: set[str] = set()
        self._overriders: Mapping[SymbolId, list[SymbolId]] = {}

    @classmethod
    def of_index(cls, reader: IndexReader, stamps: Mapping[str, FileStamp]) -> StoredFacts:
        """The facts that an index holds."""
        facts = cls({path: stamp.id for path, stamp in stamps.items()}, reader)
        readable = {path: stamp for path, stamp in stamps.items() if stamp.language in READABLE}
        facts.unlinked = frozenset(
            path
            for path, stamp in readable.items()
            if stamp.status == "failed" and reader.files.packed_facts(stamp.id)
        )
        facts._kept = {path for path, stamp in readable.items() if stamp.status in _WITH_FACTS}
        facts._kept |= facts.unlinked
        return facts

    def note(self, rows: FileRows) -> None:
        """Take a file's new facts for its old ones."""
        path = rows.file.path
        self._kept.discard(path)
        self.fresh.pop(path, None)
        if rows.packed:
            self.fresh[path] = Held(rows.packed, rows.provides, rows.file.package or "")

    def hand_over(self, *, linked: Collection[str]) -> tuple[Any, ...]:
        """All that another process needs to link these files, as plain values."""
        packages, provides = self.packages(), self.provides()
        held = {
            path: (self.packed(path), provides.get(path, b""), packages.get(path, ""))
            for path in self.readable()
        }
        return self.ids, held, self._overriders_beside(linked)

    @classmethod
    def handed_over(cls, plain: tuple[Any, ...]) -> StoredFacts:
        """What another process has handed over."""
        ids, held, overriders = plain
        facts = cls(ids)
        facts.fresh = {path: Held._make(each) for path, each in held.items()}
        facts._overriders = overriders
        return facts

    def overriders(self, method: SymbolId) -> list[SymbolId]:
        """What the index says overrides a method."""
        return (
            self._overriders.get(method, []) if self.reader is None else self.reader.calls.overriders(method)
        )

    @property
    def has_overriders(self) -> bool:
        """Whether the index says of any method what overrides it."""
        return self.reader is not None or bool(self._overriders)

    def _overriders_beside(self, linked: Collection[str]) -> dict[SymbolId, list[SymbolId]]:
        """The methods of files that are not linked, by what they override."""
        files = {self.ids[path] for path in self._kept.difference(linked)}
        found: dict[SymbolId, list[SymbolId]] = {}
        if self.reader is not None and files:
            for overrider, method in self.reader.calls.overrides():
                if overrider >> 16 in files:
                    found.setdefault(method, []).append(overrider)
        return found

    def former(self, path: str) -> tuple[Identity, ...]:
        """The symbols a file had, so that they keep their numbers."""
        return self.reader.symbols.identities(self.ids[path]) if self.reader and path in self._kept else ()

    def forget(self, path: str) -> None:
        """Drop a file that is gone."""
        self._kept.discard(path)
        self.ids.pop(path, None)

    def readable(self) -> Collection[str]:
        """The files that have facts."""
        return self._kept | self.fresh.keys()

    def packed(self, path: str) -> bytes:
        """The packed facts of a file; nothing where the index has lost them."""
        if path in self.fresh:
            return self.fresh[path].packed
        found = self.reader.files.packed_facts(self.ids[path]) if self.reader else None
        return found or b""

    def former_facts(self, path: str) -> FileFacts | None:
        """The facts a file had before this scan; None where it had none. Raises ValueError where they are damaged."""
        file = self.known.get(path)
        packed = (
            self.reader.files.packed_facts(file) if self.reader is not None and file is not None else None
        )
        # A file that was left alone has a row of facts with nothing in it.
        return unpack_facts(packed).facts if packed else None

    def packages(self) -> dict[str, str]:
        """The package that each file declares."""
        kept = self.reader.files.paths_with_packages() if self.reader else []
        found = {text_to_path(path): package or "" for path, _, package in kept}
        found.update({path: held.package for path, held in self.fresh.items()})
        return found

    def provides(self) -> dict[str, bytes]:
        """The packed keys of what each file provides to the whole project."""
        found = {path: held.provides for path, held in self.fresh.items()}
        if self.reader is not None:
            paths = {self.ids[path]: path for path in self._kept}
            found.update({paths[file]: held for file, held in self.reader.files.provides() if file in paths})
        return found


def read_configuration(root: Path, path: str) -> str | None:
    """The text of a file beside the code, as linking reads it."""
    try:
        return read_text(root, path, _MOST_CONFIG_BYTES, follow_links=False)
    except (OSError, ValueError):
        return None


def hash_text(text: str | None) -> str:
    """What tells two texts apart; empty for none."""
    return "" if text is None else hash_content(text.encode("utf-8", "surrogatepass"))


def has_same_surroundings(root: Path, found: Mapping[str, str]) -> bool:
    """Whether the files that linking asked for and that no index has say the same below this root."""
    return all(hash_text(read_configuration(root, path)) == said for path, said in found.items())


class StoredSources:
    """The files of a scan under way."""

    def __init__(self, root: Path, facts: StoredFacts) -> None:
        self._root = root
        self._base = os.fspath(root)
        self._facts = facts
        self._paths = tuple(sorted(facts.readable()))
        self._unpacked: dict[str, Unpacked] = {}
        self.damaged: dict[str, str] = {}  # files whose facts cannot be read, with what to say of them
        self._overriders: dict[Place, list[Place]] = {}
        self._is_told: set[str] = set()  # files whose overrides the index no longer speaks for
        self.surroundings: dict[str, str] = {}
        """Files that linking asked for and the index has not, each with the hash of its text; empty for none."""

    def paths(self) -> tuple[str, ...]:
        return self._paths

    def facts_of(self, path: str) -> FileFacts:
        return self._unpack(path).facts

    def let_go(self, path: str) -> None:
        """Keep of a file that is linked what others ask of it."""
        unpacked = self._unpack(path)
        self._unpacked[path] = unpacked._replace(facts=unpacked.facts._replace(accesses=(), references=()))

    def let_all_go(self) -> None:
        """Keep no facts unpacked; they are when asked for again."""
        self._unpacked.clear()

    def numbers_of(self, path: str) -> Numbers | None:
        """The numbers of a file's symbols in the index; None where they are the order of its facts."""
        return self._unpack(path).numbers

    def _unpack(self, path: str) -> Unpacked:
        # Rules ask for some files again and again, and linking holds them all anyway.
        if path not in self._unpacked:
            try:
                self._unpacked[path] = unpack_facts(self._facts.packed(path))
            except FAULTS as error:
                logger.warning("%s is linked as if nothing were in it: %s", path, error)
                self.damaged[path] = _DAMAGED
                self._unpacked[path] = Unpacked(stand_in(), None)
        return self._unpacked[path]

    def text_of(self, path: str) -> str | None:
        """A configuration file's text; None for one that is absent, too large, a link, or outside the project."""
        text = read_configuration(self._root, path)
        if path not in self._facts.ids:
            self.surroundings[path] = hash_text(text)
        return text

    def has_text(self, path: str) -> bool:
        is_there = os.path.isfile(f"{self._base}/{path}")  # noqa: PTH113 - asked of every folder: a Path each takes five times as long
        if path not in self._facts.ids and path not in self.surroundings:
            self.surroundings[path] = hash_text(read_configuration(self._root, path) if is_there else None)
        return is_there

    def package_of(self, path: str) -> str:
        return self._packages.get(path, "")

    def providing(self, key: int) -> tuple[str, ...]:
        return tuple(self._providers.get(key, ()))

    def overriders(self, place: Place, *, most: int) -> tuple[Place, ...] | None:
        known, told = self._known_overriders(place), self._overriders.get(place, ())
        # Counted first: to say where each stands its file's facts are needed.
        if len(known) + len(told) > most:
            return None
        return (*filter(None, map(self.place_of, known)), *told)

    def set_overrides(self, path: str, pairs: Iterable[tuple[Place, Place]]) -> None:
        self._is_told.add(path)
        for method, overrider in pairs:
            self._overriders.setdefault(method, []).append(overrider)

    def _known_overriders(self, place: Place) -> list[SymbolId]:
        """What the index says overrides a method, and still holds."""
        if not self._facts.has_overriders:
            return []
        file, numbers = self._facts.ids[place.path], self.numbers_of(place.path)
        number = numbers[place.symbol] if numbers is not None else place.symbol
        paths, is_told = self._paths_by_id, self._is_told
        return [
            found
            for found in self._facts.overriders(SymbolId(file << 16 | number))
            if (path := paths.get(FileId(found >> 16))) is not None and path not in is_told
        ]

    def place_of(self, symbol: SymbolId) -> Place | None:
        """Where a symbol stands; None where its file has no facts, or damaged ones."""
        path = self._paths_by_id.get(FileId(symbol >> 16))
        if path is None:
            return None
        order, own = self.numbers_of(path), symbol & _SYMBOL_MASK
        if path in self.damaged:
            return None
        return Place(path, own if order is None else order.index(own))

    @cached_property
    def _paths_by_id(self) -> dict[FileId, str]:
        return {self._facts.ids[path]: path for path in self._paths}

    @cached_property
    def _packages(self) -> dict[str, str]:
        return self._facts.packages()

    @cached_property
    def _providers(self) -> dict[int, list[str]]:
        found: dict[int, list[str]] = {}
        provides = self._facts.provides()
        for path in self._paths:
            try:
                keys = unpack_keys(provides.get(path, b""))
            except ValueError as error:
                logger.warning("%s is linked as if it offered nothing to others: %s", path, error)
                self.damaged[path] = _DAMAGED
                continue
            for key in keys:
                found.setdefault(key, []).append(path)
        return found
