"""Link files of a project: all of them, or those that a change matters to."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import closing
from typing import NamedTuple, TypeVar

from drift.scan.link.analysis import Analysis, flatten
from drift.scan.link.evaluation import EVALUATORS
from drift.scan.link.exported_facts import digest
from drift.scan.link.faults import FAULTS, note_fault
from drift.scan.link.flows import given_arguments
from drift.scan.link.keys import override_key
from drift.scan.link.languages.table import semantics_for
from drift.scan.link.links import FileLinks, Place
from drift.scan.link.overriding import find_overrides
from drift.scan.link.program import Program
from drift.scan.link.rows import unlinked, write_links
from drift.scan.link.sources import MemorySources, Sources
from drift.scan.link.tables import FileTable
from drift.scan.link.traces import Trace, is_read_by, unpack_trace

_Offers = frozenset[tuple[int, int]]
_Found = TypeVar("_Found")


class Linked(NamedTuple):
    """What linking says of a file: its links, which methods its own override, and what all that rests on."""

    path: str
    links: FileLinks
    overrides: tuple[tuple[Place, Place], ...]  # (method, what overrides it)
    trace: Trace
    fault: str | None = None  # why nothing could be found out of it


class Overridden(NamedTuple):
    """What the methods of a file override. That of all files is found before the links of any."""

    pairs: tuple[tuple[Place, Place], ...]  # (method, what overrides it)
    offers: _Offers
    reads: array[int]  # packed: those of all files are kept until each is linked
    fault: str | None = None


class Linker:
    """Links files, each from its own facts and those it reads; what one file needed helps the next."""

    def __init__(
        self,
        sources: Sources,
        *,
        tables: Mapping[str, FileTable] | None = None,
        overridden: Mapping[str, Overridden] | None = None,
    ) -> None:
        """With tables that another linker made of the same facts, for files of the same numbers, and with what it believed."""
        self._sources = sources
        self._program = Program(sources, semantics_for, tables or {})
        self._analysis = Analysis(self._program, EVALUATORS, given_arguments)
        self._overridden = dict(overridden or {})
        self._fault: str | None = None  # of what was attempted last

    def link_all(self) -> Iterator[Linked]:
        """Every file of the project."""
        return self.link_changed(self._sources.paths(), set(), {})

    def link_changed(
        self,
        changed: Collection[str],
        keys: Collection[int],
        traces: Mapping[str, bytes],
        *,
        pairs: Collection[tuple[int, int]] = (),
    ) -> Iterator[Linked]:
        """The changed files, and those that `find_affected` adds.

        Exactly what `link_all` would say of them, and of all others nothing has changed.
        """
        return map(self.link, self.find_affected(changed, keys, traces, pairs=pairs))

    def find_affected(
        self,
        changed: Collection[str],
        keys: Collection[int],
        traces: Mapping[str, bytes],
        *,
        pairs: Collection[tuple[int, int]] = (),
    ) -> list[str]:
        """The changed files, and those whose traces (packed) have read one of the keys, or both of a pair.

        What they override is found by the way, so that each can be linked.
        """
        present = set(self._sources.paths())
        affected = (set(changed) & present) | self._readers(keys, traces, pairs)
        # What a file that is gone did override is overridden no more.
        moved = {key for path in set(changed) - present for key in self._former_offers(path, traces)}
        waiting = affected | self._readers(moved, traces)
        while waiting:
            affected |= waiting
            moved = set()
            for path in sorted(waiting):
                found = self.find_overrides(path)
                self.take_overrides(path, found)
                moved.update(key for key, _ in found.offers ^ unpack_trace(traces.get(path, b"")).offers)
            waiting = self._readers(moved, traces) - affected
        return sorted(affected)

    def find_overrides(self, path: str) -> Overridden:
        """What the methods of a file override."""
        self._analysis.begin_file()
        pairs, offers = self._attempt(path, self._overrides_of, otherwise=lambda _: ((), frozenset()))
        return Overridden(pairs, offers, array("I", flatten(self._program.reads)), self._fault)

    def take_overrides(self, path: str, found: Overridden) -> None:
        """Believe what was found of a file, here or by another linker of the same sources."""
        self._sources.set_overrides(path, found.pairs)
        self._overridden[path] = found

    @property
    def overridden(self) -> Mapping[str, Overridden]:
        """What is believed of files that are still to be linked, in the order it was taken."""
        return self._overridden

    def link(self, path: str) -> Linked:
        """A file, once it is known of all files that are linked what they override."""
        overridden = self._overridden.pop(path)
        self._analysis.begin_file()
        links = self._attempt(path, self._links_of, otherwise=self._unlinked)
        reads = frozenset(flatten(self._program.reads).union(overridden.reads))
        fault = self._program.faults.get(path) or self._fault or overridden.fault
        return Linked(path, links, overridden.pairs, Trace(reads, overridden.offers), fault)

    def let_go(self, path: str) -> None:
        """Take over what the sources still say of a file that is linked: less, once others alone ask for it."""
        if path not in self._program.faults:  # whose table has nothing in it, and is not to be given anything
            self._program.table(self._program.files[path]).facts = self._sources.facts_of(path)

    @property
    def analysis(self) -> Analysis:
        """What is known of the values in the files, for further questions."""
        return self._analysis

    def tables_of(self, paths: Collection[str]) -> dict[str, FileTable]:
        """The tables that were made of these files, as another linker may have them, whatever becomes of other files."""
        found = {table.path: table for table in self._program.made_tables() if table.path in paths}
        for table in found.values():
            table.forget_others()
        return found

    def close(self) -> None:
        """Let go of what was found out; nothing can be linked any more."""
        self._program.close()

    def _former_offers(self, path: str, traces: Mapping[str, bytes]) -> Iterator[int]:
        return (key for key, _ in unpack_trace(traces.get(path, b"")).offers)

    def _readers(
        self,
        keys: Collection[int],
        traces: Mapping[str, bytes],
        pairs: Collection[tuple[int, int]] = (),
    ) -> set[str]:
        if not keys and not pairs:
            return set()
        files, wanted = self._program.files, frozenset(keys)
        return {
            path for path, packed in traces.items() if path in files and is_read_by(packed, wanted, pairs)
        }

    def _overrides_of(self, path: str) -> tuple[tuple[tuple[Place, Place], ...], _Offers]:
        pairs = tuple(find_overrides(self._analysis, self._program.table(self._program.files[path])))
        offers = (
            (override_key(method.path, self._identity(method)), digest((path, self._identity(overrider))))
            for method, overrider in pairs
        )
        return pairs, frozenset(offers)

    def _identity(self, place: Place) -> str:
        return self._program.table(self._program.files[place.path]).identities[place.symbol]

    def _links_of(self, path: str) -> FileLinks:
        table = self._program.table(self._program.files[path])
        if path in self._program.faults:
            return self._unlinked(path)
        return write_links(self._analysis, table)

    def _unlinked(self, path: str) -> FileLinks:
        return unlinked(self._sources.facts_of(path))

    def _attempt(
        self, path: str, find: Callable[[str], _Found], *, otherwise: Callable[[str], _Found]
    ) -> _Found:
        """What is found of a file; something else where that ends in a fault of ours, which costs no other file."""
        self._fault = None
        try:
            return find(path)
        except FAULTS as error:
            self._fault = note_fault(path, error)
            return otherwise(path)


def link(sources: MemorySources) -> dict[str, FileLinks]:
    """The links of every file of a project that is at hand."""
    with closing(Linker(sources)) as linker:
        return {linked.path: linked.links for linked in linker.link_all()}
