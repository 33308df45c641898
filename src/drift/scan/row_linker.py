"""Files of a scan linked into rows of the index, in whichever process."""

from collections.abc import Collection
from pathlib import Path
from typing import NamedTuple

from drift.index.ids import symbol_id
from drift.index.rows import LinkRows
from drift.scan.link import Linked, Linker, Place
from drift.scan.link.faults import FAULTS, note_fault
from drift.scan.link.traces import pack_trace
from drift.scan.linking import link_rows
from drift.scan.stored import StoredFacts, StoredSources


class LinkedRows(NamedTuple):
    """The rows of a file's links, and why there are none where nothing could be found out."""

    path: str
    rows: LinkRows
    fault: str | None = None


class RowLinker:
    """A linker of stored facts, and the numbers that the index has for what it finds."""

    def __init__(self, root: Path, facts: StoredFacts) -> None:
        self.sources = StoredSources(root, facts)
        self.linker = Linker(self.sources)
        self._facts = facts

    def link(self, path: str) -> LinkedRows:
        """The rows of a file, once it is known what all files override; then what no other file asks for is let go."""
        linked = self.linker.link(path)
        try:
            found = LinkedRows(path, self._rows(linked), linked.fault)
        except FAULTS as error:
            found = LinkedRows(path, LinkRows(self._facts.ids[path]), note_fault(path, error))
        self.sources.let_go(path)
        self.linker.let_go(path)
        return found

    def let_all_go(self) -> None:
        """Keep nothing but what files override: others link them, or this one finds the rest anew."""
        overridden = self.linker.overridden
        self.linker.close()
        self.sources.let_all_go()
        self.linker = Linker(self.sources, overridden=overridden)

    def close(self) -> None:
        self.linker.close()

    def find_all(self) -> Collection[str]:
        """All files, with what they override found, so that each can be linked."""
        return self.linker.find_affected(self.sources.paths(), (), {})

    def _rows(self, linked: Linked) -> LinkRows:
        path, sources = linked.path, self.sources
        rows = link_rows(
            path,
            sources.facts_of(path),
            linked.links,
            ids=self._facts.ids,
            numbers_of=sources.numbers_of,
        )

        def number(place: Place) -> int:
            numbers = sources.numbers_of(place.path)
            own = place.symbol if numbers is None else numbers[place.symbol]
            return symbol_id(self._facts.ids[place.path], own)

        overrides = tuple((number(overrider), number(method)) for method, overrider in linked.overrides)
        return rows._replace(overrides=overrides, traces=pack_trace(linked.trace))
