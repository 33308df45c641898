"""Reads the index: typed answers to every question the tools and analyses ask of it."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

from drift.index.binding import is_bound
from drift.index.call_queries import CallQueries
from drift.index.caller_queries import CallerQueries
from drift.index.connection import open_readonly
from drift.index.contract_queries import ContractQueries
from drift.index.coupling_queries import CouplingQueries
from drift.index.data_queries import DataQueries
from drift.index.dependency_queries import DependencyQueries
from drift.index.document_queries import DocumentQueries
from drift.index.error_queries import ErrorQueries
from drift.index.fact_queries import FactQueries
from drift.index.failures import foreign, missing, outdated, translated, unbound
from drift.index.file_queries import FileQueries
from drift.index.flow_queries import FlowQueries
from drift.index.function_queries import FunctionQueries
from drift.index.graph_queries import GraphQueries
from drift.index.guard_queries import GuardQueries
from drift.index.listing_queries import ListingQueries
from drift.index.literal_queries import LiteralQueries
from drift.index.markup_queries import MarkupQueries
from drift.index.measure_queries import MeasureQueries
from drift.index.meta import read_binding, read_surroundings
from drift.index.object_queries import ObjectQueries
from drift.index.outside_queries import OutsideQueries
from drift.index.package_queries import PackageQueries
from drift.index.page_queries import PageQueries
from drift.index.place_queries import PlaceQueries
from drift.index.profile_queries import ProfileQueries
from drift.index.queue_queries import QueueQueries
from drift.index.run_queries import RunQueries
from drift.index.schema import SCHEMA_VERSION, has_our_schema
from drift.index.selection import Selection
from drift.index.site_queries import SiteQueries
from drift.index.spelled_queries import SpelledQueries
from drift.index.start_queries import StartQueries
from drift.index.symbol_queries import SymbolQueries
from drift.index.test_queries import TestQueries
from drift.index.unresolved_queries import UnresolvedQueries
from drift.index.unused_queries import UnusedQueries
from drift.index.usage_queries import UsageQueries
from drift.index.use_queries import UseQueries

_GENERATION = "SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'generation'"


class IndexReader:
    """One read-only connection to an index, with its questions by subject. For one thread at a time.

    Every question sees the last complete state of the index; in a `snapshot()` all see the same.
    Raises SCAN_REQUIRED when there is no index or an old one, STORE_UNAVAILABLE when the file is
    damaged, of a newer Drift or not an index at all.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        with translated(path):
            self._connection = _open(path)
        selection = Selection(self._connection, path)
        self._selection = selection
        self.files = FileQueries(selection)
        self.symbols = SymbolQueries(selection)
        self.calls = CallQueries(selection)
        self.callers = CallerQueries(selection)
        self.facts = FactQueries(selection)
        self.errors = ErrorQueries(selection)
        self.functions = FunctionQueries(selection)
        self.places = PlaceQueries(selection)
        self.graph = GraphQueries(selection)
        self.dependencies = DependencyQueries(selection)
        self.contracts = ContractQueries(selection)
        self.coupling = CouplingQueries(selection)
        self.unresolved = UnresolvedQueries(selection, path, self.generation)
        self.unused = UnusedQueries(selection)
        self.usages = UsageQueries(selection)
        self.listings = ListingQueries(selection)
        self.literals = LiteralQueries(selection)
        self.packages = PackageQueries(selection)
        self.testing = TestQueries(selection)
        self.running = RunQueries(selection)
        self.spelled = SpelledQueries(selection)
        self.starts = StartQueries(selection)
        self.queues = QueueQueries(selection)
        self.pages = PageQueries(selection)
        self.guards = GuardQueries(selection)
        self.objects = ObjectQueries(selection)
        self.outside = OutsideQueries(selection)
        self.documents = DocumentQueries(selection)
        self.markup = MarkupQueries(selection)
        self.measures = MeasureQueries(selection)
        self.sites = SiteQueries(selection)
        self.uses = UseQueries(selection)
        self.profiles = ProfileQueries(selection)
        self.data = DataQueries(selection)
        self.flow = FlowQueries(selection)

    def generation(self) -> int:
        """The number of the state that is read: another one, another index."""
        row = self._selection.row(_GENERATION)
        return row[0] if row else 0

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """All questions in the block see one state, whatever is written meanwhile."""
        self._selection.rows("BEGIN")
        try:
            self.generation()  # the first read fixes the state
            yield
        finally:
            self._connection.rollback()

    def copy_to(self, target: sqlite3.Connection) -> None:
        """Put the state that is read into an empty database, whole, whatever is written meanwhile."""
        with translated(self.path):
            self._connection.backup(target)

    def surroundings(self) -> dict[str, str] | None:
        """What linking found of files that are not in the index, in the scan's own form; None where nobody knows."""
        with translated(self.path):
            return read_surroundings(self._connection)

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _open(path: Path) -> sqlite3.Connection:
    if not path.exists():
        raise missing(path)
    connection = open_readonly(path)
    try:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version != SCHEMA_VERSION:
            raise outdated(path, version, SCHEMA_VERSION)
        if not has_our_schema(connection):
            raise foreign(path)
        if not is_bound(path, read_binding(connection)):
            raise unbound(path)
    except BaseException:
        connection.close()
        raise
    return connection
