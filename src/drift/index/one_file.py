"""The facts of one file apart from any index, to be asked as those of an index are."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from drift.index.fact_queries import FactQueries
from drift.index.rows import FileRows, LinkRows
from drift.index.schema import create_indexes, create_tables
from drift.index.selection import Selection
from drift.index.site_queries import SiteQueries
from drift.index.transaction import IndexTransaction
from drift.index.use_queries import UseQueries


class FactsOfOne(NamedTuple):
    """What may be asked of one file as of an index."""

    sites: SiteQueries
    uses: UseQueries
    facts: FactQueries


@contextmanager
def facts_of_one(
    rows: FileRows, links: LinkRows, *, complete: Callable[[IndexTransaction], None]
) -> Iterator[FactsOfOne]:
    """The rows of one file in tables of the form of an index, in memory; `complete` may add what follows from them."""
    place = Path(rows.file.path)
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        create_tables(connection)
        transaction = IndexTransaction(connection, place, is_new=True)
        transaction.add_file(rows)
        transaction.set_links(links)
        complete(transaction)
        create_indexes(connection)  # some questions name the index that they go by
        selection = Selection(connection, place)
        yield FactsOfOne(SiteQueries(selection), UseQueries(selection), FactQueries(selection))
