"""Texts that are not on disk, read and linked as if they stood in the project: nothing is written.

What linking has read of the index is kept between calls for the state of the index it was read from, since a project
is asked about again and again while it is written. All but the drafts themselves is what the index holds.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Final, NamedTuple

from drift.index import IndexReader
from drift.index.file_queries import FileStamp
from drift.index.ids import FileId, SymbolId
from drift.index.path_text import text_to_path
from drift.index.rows import FileRows, LinkRows
from drift.languages.facts import FileFacts
from drift.languages.table import language_of
from drift.scan.describing import Task
from drift.scan.extractors import READABLE
from drift.scan.garbage import garbage_left_alone
from drift.scan.link import FileLinks, Linker, Place
from drift.scan.link.faults import stand_in
from drift.scan.link.tables import FileTable
from drift.scan.link.traces import unpack_keys
from drift.scan.linking import link_rows
from drift.scan.numbering import Numbers
from drift.scan.packing import Unpacked, unpack_facts
from drift.scan.pool import read_files
from drift.scan.roles import role_rules
from drift.scan.stored import StoredFacts, StoredSources

Texts = Mapping[str, bytes | None]
"""The texts by path; None for a file that is to be gone."""

_SYMBOL_MASK: Final = (1 << 16) - 1
_MOST_KEPT: Final = 2  # projects; what is kept of one may be a hundred megabytes
_MOST_TABLES: Final = 600  # files; a text reads some fifty


class Draft(NamedTuple):
    """A text as the index would hold it. `numbers` are those of its symbols; None where they are the order of its facts."""

    path: str
    content: bytes
    language: str | None
    is_new: bool
    rows: FileRows
    facts: FileFacts
    numbers: Numbers | None
    links: FileLinks = FileLinks()
    fault: str | None = None
    """Why nothing could be read of it, or found out."""


class _Kept:
    """What was read of one state of the index."""

    def __init__(self, root: Path, reader: IndexReader) -> None:
        stamps = {text_to_path(stamp.path): stamp for stamp in reader.files.stamps()}
        self.stamps: dict[str, FileStamp] = stamps
        self.stored = StoredFacts.of_index(reader, stamps)
        self.sources = StoredSources(root, self.stored)
        self.tables: dict[str, FileTable] = {}

    def read_through(self, reader: IndexReader) -> None:
        """Read what is not at hand through this connection: each call has its own."""
        self.stored.reader = reader


class DraftSources:
    """The files of an index with drafts in the place of some, or beside them."""

    def __init__(
        self, kept: StoredSources, stored: StoredFacts, drafts: Mapping[str, Draft], gone: Iterable[str]
    ) -> None:
        self._kept = kept
        self._stored = stored
        self._drafts = {path: draft for path, draft in drafts.items() if draft.language in READABLE}
        self._texts = {path: draft.content for path, draft in drafts.items()}
        self._gone = frozenset(gone)
        known = kept.paths()
        # New ones stand at the end, so that all others keep the numbers that what is kept of them goes by.
        self._paths = (
            *(path for path in known if path not in self._gone),
            *sorted(self._drafts.keys() - set(known)),
        )  # fmt: skip
        self._provided = {
            path: frozenset(unpack_keys(draft.rows.provides)) for path, draft in self._drafts.items()
        }
        self._overriders: dict[Place, list[Place]] = {}
        self._are_told: set[str] = {*self._drafts, *self._gone}

    def paths(self) -> tuple[str, ...]:
        return self._paths

    def facts_of(self, path: str) -> FileFacts:
        draft = self._drafts.get(path)
        return draft.facts if draft is not None else self._kept.facts_of(path)

    def numbers_of(self, path: str) -> Numbers | None:
        draft = self._drafts.get(path)
        return draft.numbers if draft is not None else self._kept.numbers_of(path)

    def text_of(self, path: str) -> str | None:
        if path in self._gone:
            return None
        content = self._texts.get(path)
        return content.decode("utf-8", "replace") if content is not None else self._kept.text_of(path)

    def has_text(self, path: str) -> bool:
        return path not in self._gone and (path in self._texts or self._kept.has_text(path))

    def package_of(self, path: str) -> str:
        draft = self._drafts.get(path)
        return draft.facts.package if draft is not None else self._kept.package_of(path)

    def providing(self, key: int) -> tuple[str, ...]:
        found = [path for path in self._kept.providing(key) if path not in self._are_told]
        drafts = [path for path, keys in self._provided.items() if key in keys]
        return tuple(sorted((*found, *drafts)) if drafts else found)

    def overriders(self, place: Place, *, most: int) -> tuple[Place, ...] | None:
        found = (*self._known_overriders(place), *self._overriders.get(place, ()))
        return found if len(found) <= most else None

    def set_overrides(self, path: str, pairs: Iterable[tuple[Place, Place]]) -> None:  # noqa: ARG002 - drafts alone are told of, once
        for method, overrider in pairs:
            self._overriders.setdefault(method, []).append(overrider)

    def known_file(self, path: str) -> FileId | None:
        """The number of a file in the index."""
        return self._stored.known.get(path)

    def kept_place(self, symbol: SymbolId) -> Place | None:
        """Where a symbol of the index stands, drafts or not."""
        return self._kept.place_of(symbol)

    def _known_overriders(self, place: Place) -> Iterator[Place]:
        reader, file = self._stored.reader, self._stored.known.get(place.path)
        if reader is None or file is None:
            return
        numbers = self.numbers_of(place.path)
        number = numbers[place.symbol] if numbers is not None else place.symbol
        for symbol in reader.calls.overriders(SymbolId(file << 16 | number)):
            found = self._kept.place_of(symbol)
            if found is not None and found.path not in self._are_told:
                yield found


class Linking:
    """Drafts that are linked, and what one may ask of them as long as it is open."""

    def __init__(
        self, drafts: Mapping[str, Draft], gone: frozenset[str], sources: DraftSources, linker: Linker
    ) -> None:
        self.drafts = drafts
        self.gone = gone
        self.sources = sources
        self.linker = linker

    def place_of(self, symbol: SymbolId) -> Place | None:
        """Where a symbol of the index stands; None where its file is gone, or a draft."""
        place = self.sources.kept_place(symbol)
        return None if place is None or place.path in self.drafts or place.path in self.gone else place

    def symbol_id(self, place: Place) -> SymbolId | None:
        """The id of a symbol in the index; None for one that is only in a draft."""
        file = self.sources.known_file(place.path)
        if file is None:
            return None
        numbers = self.sources.numbers_of(place.path)
        return SymbolId(file << 16 | (numbers[place.symbol] if numbers is not None else place.symbol))

    def rows_of(self, path: str) -> LinkRows:
        """Where the imports, parents and calls of a draft lead, as rows of an index."""
        draft = self.drafts[path]
        file = draft.rows.file.id
        if draft.fault is not None or draft.language not in READABLE:
            return LinkRows(file)
        ids = {**self.sources._stored.known}  # noqa: SLF001 - both are of this module
        ids |= {each.path: each.rows.file.id for each in self.drafts.values()}
        return link_rows(path, draft.facts, draft.links, ids=ids, numbers_of=self.sources.numbers_of)


@contextmanager
def linked_drafts(root: Path, reader: IndexReader, texts: Texts) -> Iterator[Linking]:
    """The texts, read in a process of their own and linked against the index as it is."""
    gone = frozenset(path for path, content in texts.items() if content is None)
    with _kept_of(root, reader) as kept:
        drafts = _read(root, kept, {path: text for path, text in texts.items() if text is not None})
        sources = DraftSources(kept.sources, kept.stored, drafts, gone)
        # Where files are gone, numbers are others than before.
        tables = {} if gone & set(kept.sources.paths()) else kept.tables
        linker = Linker(sources, tables={path: each for path, each in tables.items() if path not in drafts})
        readable = [
            path for path, draft in drafts.items() if draft.language in READABLE and draft.fault is None
        ]
        with garbage_left_alone():
            for linked in linker.link_changed(readable, (), {}):
                draft = drafts[linked.path]
                drafts[linked.path] = draft._replace(links=linked.links, fault=linked.fault)
        try:
            yield Linking(drafts, gone, sources, linker)
        finally:
            if not gone:
                kept.tables = linker.tables_of(set(kept.sources.paths()) - drafts.keys())
            linker.close()


def _read(root: Path, kept: _Kept, texts: Mapping[str, bytes]) -> dict[str, Draft]:
    tasks = _tasks(kept, texts)
    paths = {task.file_id: task.path for task in tasks}
    drafts = {}
    for rows in read_files(root, tasks, jobs=1):
        path = paths[rows.file.id]
        fault = rows.file.problem if rows.file.status == "failed" else None
        # A language that is not read, or a file that gave nothing, has no facts.
        unpacked = unpack_facts(rows.packed) if rows.packed else Unpacked(stand_in(), None)
        drafts[path] = Draft(
            path, texts[path], rows.file.language, path not in kept.stamps, rows, *unpacked, fault=fault
        )  # fmt: skip
    return drafts


def _tasks(kept: _Kept, texts: Mapping[str, bytes]) -> Sequence[Task]:
    following = max(kept.stored.ids.values(), default=0) + 1
    tasks = []
    for number, (path, content) in enumerate(sorted(texts.items()), following):
        stamp = kept.stamps.get(path)
        directory, _, name = path.rpartition("/")
        language = stamp.language if stamp is not None else language_of(name)
        role = stamp.role if stamp is not None else role_rules().role_of(directory, name, language)
        file = stamp.id if stamp is not None else FileId(number)
        former = kept.stored.former(path)
        tasks.append(Task(file, path, language, role, len(content), 0, former, content=content))
    return tasks


_cache: dict[tuple[Path, Path, int], _Kept] = {}
_lock: Final = Lock()


@contextmanager
def _kept_of(root: Path, reader: IndexReader) -> Iterator[_Kept]:
    """What is kept of this state of the index, for one call at a time; another one at the same time has its own."""
    key = (root, reader.path, reader.generation())
    with _lock:
        kept = _cache.pop(key, None)
    if kept is None:
        kept = _Kept(root, reader)
    kept.read_through(reader)
    try:
        yield kept
    finally:
        if len(kept.tables) > _MOST_TABLES:
            kept = None
        with _lock:
            for older in [each for each in _cache if each[:2] == key[:2]]:
                del _cache[older]
            while len(_cache) >= _MOST_KEPT:
                del _cache[next(iter(_cache))]
            if kept is not None:
                _cache[key] = kept
