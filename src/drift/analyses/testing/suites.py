"""The test cases of a project with what stands in and around them, read file by file when first asked for."""

import re
import threading
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.analyses.index_cache import PerState
from drift.analyses.testing.signs import load_signs
from drift.index.ids import FileId, SymbolId, file_of_symbol

if TYPE_CHECKING:
    from drift.index import IndexReader
    from drift.index.test_queries import CaseRecord, ScopeRecord

_MOST_NESTING: Final = 200
_CODE_KINDS: Final = frozenset({"function", "method", "constructor"})
_GO_CLOSURE: Final = re.compile(r"func\d+")
_FIELD_KINDS: Final = frozenset({"field", "property", "variable", "constant"})


class Case(NamedTuple):
    """A test. `title` is what its framework calls it; `detail` the framework's word the index has for it."""

    id: SymbolId
    file_id: FileId
    title: str
    name: str
    owner: str
    path: str
    line: int
    end_line: int
    language: str
    detail: str


class Suites:
    """Cases, the symbols that belong to one, and those that run around several; for one state of an index.

    Threads may share it. Whoever goes through all cases reads all files before.
    """

    def __init__(self, reader: "IndexReader") -> None:
        self._lock = threading.Lock()
        self._read: set[FileId] = set()
        self.files: Final = frozenset(reader.testing.test_files())
        self.unlinked = 0  # tests whose function is not known
        self.cases: Final[dict[SymbolId, Case]] = {}
        self.case_of: Final[dict[SymbolId, SymbolId]] = {}  # what stands in a case, and the case itself
        self.runs_for: Final[dict[SymbolId, tuple[SymbolId, ...]]] = {}  # what runs around cases
        self.setups_of: Final[dict[SymbolId, list[SymbolId]]] = defaultdict(list)  # set-up methods of a case

    def read(self, reader: "IndexReader", files: Iterable[FileId]) -> None:
        """Make what these files have known; files that are no tests have nothing."""
        with self._lock:
            wanted = (set(files) & self.files) - self._read
            if not wanted:
                return
            found: dict[FileId, list[CaseRecord]] = defaultdict(list)
            for record in reader.testing.cases(sorted(wanted)):
                found[record.file_id].append(record)
            scopes: dict[FileId, list[ScopeRecord]] = defaultdict(list)
            for scope in reader.testing.scopes(sorted(found)):
                scopes[file_of_symbol(scope.id)].append(scope)
            for file, records in found.items():
                self._add(records, scopes[file])
            self._read |= wanted

    def read_all(self, reader: "IndexReader") -> None:
        """Make the cases of all files known."""
        self.read(reader, self.files)

    def of_symbols(self, reader: "IndexReader", symbols: Iterable[SymbolId]) -> None:
        """Make the files of these symbols known."""
        self.read(reader, {file_of_symbol(each) for each in symbols})

    def count_all(self, reader: "IndexReader") -> int:
        """How many tests the project has, those whose function is not known among them."""
        self.read_all(reader)
        return len(self.cases) + self.unlinked

    def of_file(self, file: FileId) -> tuple[Case, ...]:
        """The cases of a file that is known."""
        with self._lock:  # cases of other files may be added meanwhile
            return tuple(case for case in self.cases.values() if case.file_id == file)

    def starts(self) -> set[SymbolId]:
        """Every symbol that runs when all known cases run, before any call."""
        return {*self.case_of, *self.runs_for}

    def _add(self, records: "list[CaseRecord]", scopes: "list[ScopeRecord]") -> None:
        parents = {each.id: each.parent_id for each in scopes}
        tests = [one for one in records if one.is_case and not _is_benchmark(one)]
        wanted = {one.id: one for one in tests if not _is_scope(one)}
        self.unlinked += sum(map(_is_scope, tests))
        # A test inside a test (t.Run in Go) is part of the outer, which is what can be run by name.
        outer = [
            number for number in wanted if not any(each in wanted for each in _ancestor_ids(number, parents))
        ]
        for number in outer:
            self.cases[number] = _case(wanted[number])
        self._add_around(records, scopes, parents)

    def _add_around(
        self,
        records: "list[CaseRecord]",
        scopes: "list[ScopeRecord]",
        parents: dict[SymbolId, SymbolId | None],
    ) -> None:
        names = load_signs().setup_names
        fixtures = {record.id for record in records if not record.is_case}
        held: dict[SymbolId, list[SymbolId]] = defaultdict(list)
        own = {each.id for each in scopes} & self.cases.keys()
        for case in sorted(own):
            for holder in _ancestor_ids(case, parents):
                held[holder].append(case)
        inside = {holder: tuple(cases) for holder, cases in held.items()}
        nearest: dict[SymbolId, SymbolId | None] = {case: case for case in own}
        for scope in scopes:
            around = _nearest_case(scope.id, parents, nearest)
            if around is not None:
                self.case_of[scope.id] = around
                continue
            parent = scope.parent_id
            is_setup = scope.id in fixtures or scope.name in names or scope.kind == "constructor"
            # What a field is given, a mock say, is there for every test of its class.
            is_around = is_setup or scope.kind in _FIELD_KINDS
            served = inside.get(scope.id) or (
                inside.get(parent) if is_around and parent is not None else None
            )
            if served:
                self.runs_for[scope.id] = served
            if served and is_setup:
                for each in served:
                    self.setups_of[each].append(scope.id)


_suites: Final = PerState[Suites]()


def suites_of(reader: "IndexReader") -> Suites:
    """The test cases of the state the reader sees, as far as anyone read them."""
    return _suites.get(reader, lambda: Suites(reader))


def _ancestor_ids(symbol: SymbolId, parents: dict[SymbolId, SymbolId | None]) -> Iterator[SymbolId]:
    here = symbol
    for _ in range(_MOST_NESTING):
        above = parents.get(here)
        if above is None or above == here:  # a file may be its own parent
            return
        yield above
        here = above


def _nearest_case(
    symbol: SymbolId, parents: dict[SymbolId, SymbolId | None], nearest: dict[SymbolId, SymbolId | None]
) -> SymbolId | None:
    """The case a symbol stands in; `nearest` knows the cases themselves and learns all that is asked."""
    asked: list[SymbolId] = []
    for here in (symbol, *_ancestor_ids(symbol, parents)) if symbol not in nearest else (symbol,):
        if here in nearest:
            found = nearest[here]
            break
        asked.append(here)
    else:
        found = None
    nearest.update(dict.fromkeys(asked, found))
    return found


def _is_benchmark(record: "CaseRecord") -> bool:
    """Whether it measures and checks nothing; a run of the tests leaves it out."""
    is_named = record.language == "go" and record.name.startswith("Benchmark")
    return is_named or (record.language == "rust" and record.detail.rpartition("::")[2] == "bench")


def _is_scope(record: "CaseRecord") -> bool:
    """Whether the index has the place that registers a test in place of the test, whose function it did not find."""
    is_inside = record.line < record.registered_line <= record.end_line
    return record.kind not in _CODE_KINDS or is_inside


def _case(record: "CaseRecord") -> Case:
    is_anonymous = record.name.startswith(("<", "{")) or (
        record.language == "go" and _GO_CLOSURE.fullmatch(record.name) is not None
    )
    owner = record.qualname.rpartition(".")[0] if not is_anonymous else ""
    return Case(
        record.id,
        record.file_id,
        record.detail if is_anonymous else record.qualname,
        record.detail.rpartition(" > ")[2] if is_anonymous else record.name,
        owner,
        record.path,
        record.registered_line if is_anonymous else record.line,
        record.end_line,
        record.language or "",
        record.detail,
    )
