"""Who runs whom in one state of an index: calls, functions passed on, and runs that no call in the text shows."""

import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.analyses.guarding import find_guarding
from drift.analyses.index_cache import PerState
from drift.analyses.running.admin_pages import admin_runs
from drift.analyses.running.bound import bound_runs
from drift.analyses.running.called_guards import called_guard_runs
from drift.analyses.running.computed import computed_runs
from drift.analyses.running.contained import contained_runs
from drift.analyses.running.decorated import decorated_runs
from drift.analyses.running.edges import Run
from drift.analyses.running.events import event_runs, sent_to
from drift.analyses.running.filled_pages import filled_page_runs
from drift.analyses.running.fixtures import fixture_runs
from drift.analyses.running.heirs import heir_runs
from drift.analyses.running.held import held_runs
from drift.analyses.running.hooks import hook_runs
from drift.analyses.running.library_calls import library_runs
from drift.analyses.running.names import name_runs
from drift.analyses.running.objects import Objects
from drift.analyses.running.observed import observed_runs
from drift.analyses.running.outside import outside_runs
from drift.analyses.running.packages import package_runs
from drift.analyses.running.page_names import page_symbols
from drift.analyses.running.pages import page_runs
from drift.analyses.running.registered import registered_runs
from drift.analyses.running.replaced import Replacing, find_replacing
from drift.analyses.running.requests import handed_runs, request_runs
from drift.analyses.running.sent import sent_runs
from drift.analyses.running.setups import setup_runs
from drift.analyses.running.shown import Naming, component_files, shown_runs, template_files
from drift.analyses.running.signals import signal_runs
from drift.analyses.running.spelled import find_spellings, spelled_runs
from drift.analyses.running.started import named_at_start, registered_at_start, started_runs
from drift.index.ids import SymbolId, file_of_symbol, file_symbol, is_file

if TYPE_CHECKING:
    from drift.index import IndexReader

Neighbours = tuple[tuple[SymbolId, float], ...]
"""Symbols next to one, each with how surely it runs it or is run by it."""

LEAST_CONFIDENCE: Final = 0.3
"""Of a whole way: below, the one more likely does not run the other."""
_AT_IMPORT: Final = 0.9  # a file that imports another at its top runs its top
_LATE_IMPORT: Final = 0.25  # so does a function only when it is the first
_IN_BODY: Final = 0.25  # the body of a class runs once, when its file is imported, and so does what registers
_AT_START: Final = (
    0.05  # a handler that a program registers while it starts, which every test of the application does
)


def import_runs(reader: "IndexReader") -> Iterator[Run]:
    """Which files and functions run the top of which files by importing them."""
    components, templates = component_files(reader), template_files(reader)
    for importer, target in reader.running.imported():
        if is_file(importer) and file_of_symbol(importer) in templates:
            continue  # a template belongs to its component, which is there before
        is_run = is_file(importer) and target not in components
        yield Run(importer, file_symbol(target), _AT_IMPORT if is_run else _LATE_IMPORT)


_SOURCES: Final[tuple[Callable[["IndexReader"], Iterator[Run]], ...]] = (
    fixture_runs,
    setup_runs,
    outside_runs,
    heir_runs,
    contained_runs,
    import_runs,
    package_runs,
    request_runs,
    handed_runs,
    called_guard_runs,
    sent_runs,
    signal_runs,
    library_runs,
    decorated_runs,
    event_runs,
    observed_runs,
    registered_runs,
    hook_runs,
    admin_runs,
    page_runs,
    shown_runs,
    filled_page_runs,
    name_runs,
    held_runs,
    computed_runs,
    spelled_runs,
    started_runs,
    bound_runs,
)


class Dispatch(NamedTuple):
    """Who calls a method that another may run in the place of, and the class whose objects it runs for.

    Of a function that a table holds it is the function itself, which who says its key has.
    """

    owner: SymbolId
    callers: frozenset[SymbolId]


class RunGraph:
    """Who runs whom, read as far as anyone walked. Threads may share it."""

    def __init__(self, reader: "IndexReader") -> None:
        self._lock = threading.Lock()
        self._unwritten_users: dict[SymbolId, dict[SymbolId, float]] = defaultdict(dict)
        self._unwritten_used: dict[SymbolId, dict[SymbolId, float]] = defaultdict(dict)
        # What registers middleware names it and does not run it: a request does. So does who sends an event.
        self._at_start = registered_at_start(reader)
        sent = sent_to(reader)
        self._called_back: dict[SymbolId, dict[SymbolId, set[SymbolId]]] = defaultdict(
            lambda: defaultdict(set)
        )
        self._naming: Final = Naming(reader)
        for source in _SOURCES:
            for user, used, sure, needed in source(reader):
                if needed is not None:
                    self._called_back[used][needed].add(user)
                limits = [self._naming.limit(user, used)]
                if source is outside_runs:
                    limits += [_IN_BODY] * (used in sent) + [_AT_START] * (used in self._at_start)
                confidence = min(sure, *limits)
                for table, key, other in (
                    (self._unwritten_users, used, user),
                    (self._unwritten_used, user, used),
                ):
                    table[key][other] = max(confidence, table[key].get(other, 0.0))
        self._bound: dict[SymbolId, list[SymbolId]] = defaultdict(list)
        for run in bound_runs(reader):
            self._bound[run.used].append(run.user)
        placed = {one.guard for one in find_guarding(reader) if one.is_middleware} | sent
        self._registering = frozenset(reader.guards.naming(placed) if placed else ()).union(
            named_at_start(reader)
        )
        self._bodies = frozenset(
            number for number, _, parent in reader.objects.classes_that_run() if is_file(parent)
        )
        self.pages: Final = page_symbols(reader)
        self.spelled: Final = find_spellings(reader)
        self.users_of: Final[dict[SymbolId, Neighbours]] = {}
        self.used_by: Final[dict[SymbolId, Neighbours]] = {}
        self.dispatch_of: Final[dict[SymbolId, tuple[Dispatch, ...]]] = {}
        self.having: Final[dict[SymbolId, Mapping[SymbolId, float]]] = {}
        self._objects: Objects | None = None
        self._replacing: Replacing | None = None

    def page_users(self) -> dict[SymbolId, list[SymbolId]]:
        """Who fills each page, takes it in or puts it around others."""
        return {
            page: [user for user, confidence in users.items() if confidence >= LEAST_CONFIDENCE]
            for page in self.pages
            if (users := self._unwritten_users.get(page))
        }

    def bound_users(self) -> Mapping[SymbolId, list[SymbolId]]:
        """Who calls an interface of a library that a class of the project is handed over for, by its methods."""
        return self._bound

    def read_users(self, reader: "IndexReader", symbols: Iterable[SymbolId]) -> Mapping[SymbolId, Neighbours]:
        """Make known who runs these symbols, and give all that is known."""
        with self._lock:
            self._read(self.users_of, self._unwritten_users, symbols, reader.testing.users)
        return self.users_of

    def read_used(self, reader: "IndexReader", symbols: Iterable[SymbolId]) -> Mapping[SymbolId, Neighbours]:
        """Make known what these symbols run, and give all that is known."""
        with self._lock:
            self._read(self.used_by, self._unwritten_used, symbols, reader.testing.used)
        return self.used_by

    def read_dispatch(self, reader: "IndexReader", symbols: Iterable[SymbolId]) -> list[Dispatch]:
        """Make known who calls what these may run in the place of, and who has objects of their classes."""
        with self._lock:
            asked = list(symbols)
            wanted = sorted(each for each in asked if each not in self.dispatch_of)
            if self._replacing is None:
                self._replacing = find_replacing(reader)
            callers: dict[SymbolId, dict[SymbolId, set[SymbolId]]] = defaultdict(lambda: defaultdict(set))
            for one in reader.objects.dispatched(wanted) if wanted else ():
                # Elsewhere nobody sees what a container makes.
                if one.is_python or one.owner in self._made_objects(reader).made_by_product:
                    callers[one.method][one.owner].add(one.caller)
            for each in wanted:
                for owner, users in self._replacing.get(each, {}).items():
                    callers[each][owner] |= users
                for owner, calling in self._called_back.get(each, {}).items():
                    # Of objects that nobody is seen to have a call outside tells nothing.
                    if self._made_objects(reader).having(owner):
                        callers[each][owner] |= calling
            new = {
                each: tuple(Dispatch(owner, frozenset(found)) for owner, found in owners.items())
                for each, owners in callers.items()
            }
            self.dispatch_of.update({each: new.get(each, ()) for each in wanted})
            for owner in {one.owner for some in new.values() for one in some} - self.having.keys():
                self.having[owner] = self._made_objects(reader).having(owner)
            return [one for each in asked for one in self.dispatch_of[each]]

    def _made_objects(self, reader: "IndexReader") -> Objects:
        if self._objects is None:
            self._objects = Objects(reader)
        return self._objects

    def _read(
        self,
        known: dict[SymbolId, Neighbours],
        unwritten: Mapping[SymbolId, dict[SymbolId, float]],
        symbols: Iterable[SymbolId],
        ask: Callable[[Iterable[SymbolId]], list[tuple[SymbolId, SymbolId, float]]],
    ) -> None:
        wanted = sorted(each for each in symbols if each not in known)
        if not wanted:
            return
        found = {each: dict(unwritten.get(each, {})) for each in wanted}
        for one, other, written in ask(wanted):
            near = found[one]
            user, used = (one, other) if known is self.used_by else (other, one)
            is_named = user in self._bodies or (user, used) in self._registering
            confidence = min(written, self._naming.limit(user, used), _IN_BODY if is_named else 1.0)
            if written <= _IN_BODY and used in self._at_start:
                confidence = _AT_START
            near[other] = max(confidence, near.get(other, 0.0))
        known.update((symbol, tuple(near.items())) for symbol, near in found.items())


_graphs: Final = PerState[RunGraph]()


def run_graph(reader: "IndexReader") -> RunGraph:
    """The graph of the state that the reader sees."""
    return _graphs.get(reader, lambda: RunGraph(reader))
