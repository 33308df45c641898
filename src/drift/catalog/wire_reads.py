"""The catalog's hot reads with instructions as they stand on the wire: an answer needs nothing made of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from drift.catalog.ids import ENDING, check_id
from drift.catalog.index import CatalogIndex
from drift.catalog.queries import BY_PRIORITY, Filters, Position, Sort, find_page, find_row, find_rows
from drift.catalog.search import RankedRow, rank_words
from drift.catalog.store import Store
from drift.kernel.wire import PlainRows

WireEntry = dict[str, Any]


@dataclass(frozen=True, slots=True)
class WireListing:
    """Instructions, and how many there are in all."""

    hash: str
    count: int
    items: PlainRows


@dataclass(frozen=True, slots=True)
class WireFound:
    """What a search found, each with its rank, and how much there is in all."""

    hash: str
    count: int
    items: PlainRows
    ranks: Sequence[RankedRow]


@dataclass(frozen=True, slots=True)
class WirePage:
    """A page, how much fits in all, and the position the next page starts after."""

    items: PlainRows
    total: int
    next: Position | None


class WireReads:
    """Reads like those of the Catalog of the same names. The objects they give are kept at hand: change none."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def list_entries(self, *, category: str | None, limit: int, offset: int) -> WireListing:
        """Instructions in the order of their ids."""

        def select(index: CatalogIndex) -> tuple[PlainRows, int]:
            rows, total = find_rows(index, category=category, limit=limit, offset=offset)
            return index.wires(rows), total

        (items, total), digest = self._store.read_hashed(select)
        return WireListing(digest, total, items)

    def get(self, instruction_id: str) -> tuple[WireEntry | None, str]:
        """The instruction of an id as its file is now, or None; and the hash of the catalog it was looked for in."""
        known_id = check_id(instruction_id)

        def select(index: CatalogIndex) -> tuple[WireEntry | None, str]:
            row = find_row(index, known_id)
            return None if row is None else index.wires([row])[0], index.hash_bodies()

        return self._store.read(select, file=known_id + ENDING)

    def search(self, text: str, *, limit: int, offset: int) -> WireFound:
        """Instructions with the words of a text in title, body, categories or tags, the best first."""

        def select(index: CatalogIndex) -> tuple[PlainRows, Sequence[RankedRow], int]:
            ranks, total = rank_words(index, text, limit=limit, offset=offset)
            return index.wires([each.row for each in ranks]), ranks, total

        (items, ranks, total), digest = self._store.read_hashed(select)
        return WireFound(digest, total, items, ranks)

    def query(
        self, filters: Filters, *, sort: Sort = BY_PRIORITY, limit: int = 50, after: Position | None = None
    ) -> WirePage:
        """A page of the instructions that fit all filters, sorted, from after a position on."""

        def select(index: CatalogIndex) -> WirePage:
            rows, total, following = find_page(index, filters, sort=sort, limit=limit, after=after)
            return WirePage(index.wires(rows), total, following)

        return self._store.read(select)
