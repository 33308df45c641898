"""Tests that start their application, and what of it runs while it starts.

What it does: leads from a class of tests to what a framework runs by itself at the start: methods that make objects,
constructors of what it makes, what runs after that, listeners to the start, runners and hosted services, programs.
Why it matters: no call in the text leads there, yet each of these tests runs it.
Known limits: what conditions and profiles leave out counts half; which objects are made lazily is told by their class.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING, Final

from drift.analyses.running.edges import Run
from drift.analyses.running.modules import Modules
from drift.analyses.running.started_parts import Part, hosts_of, lazy_runs, parts_of, parts_of_hosts
from drift.analyses.running.started_rules import Annotated, Hosted, annotated_rules, hosted_rules
from drift.analyses.running.starting_tests import (
    Starting,
    annotated_tests,
    fixture_pairs,
    hosted_tests,
    imported_names,
)
from drift.index.ids import SymbolId, file_of_symbol
from drift.kernel.words import split_words

if TYPE_CHECKING:
    from drift.index import IndexReader
    from drift.index.records import SymbolRecord

_MOST_RUNS: Final = 200_000
_STARTED: Final = 0.9  # a program, by what says that it starts it
_LIKELY: Final = 0.6  # the same, by its name alone
_MOST_LIKELY: Final = 2  # programs: one of more is anyone's guess
_STEPS_OF_MAKERS: Final = 2  # calls from a maker to what registers for it
_GIVEN: Final = 0.9  # what a framework makes for a class of tests


def started_runs(reader: "IndexReader") -> Iterator[Run]:
    """Which classes of tests run what by starting an application."""
    for rules in annotated_rules():
        yield from _annotated_runs(reader, rules)
    languages = set(reader.listings.languages())
    for hosted in hosted_rules():
        if hosted.language in languages:
            yield from _hosted_runs(reader, hosted)


def registered_at_start(reader: "IndexReader") -> frozenset[SymbolId]:
    """Handlers and other functions that a program registers while it starts, and which requests run."""
    languages = {hosted.language for hosted in hosted_rules()}
    handlers = {handler for handler, language in reader.guards.handlers() if language in languages}
    known = languages.intersection(reader.listings.languages())
    programs = (
        host for hosted in hosted_rules() if hosted.language in known for host in hosts_of(reader, hosted)
    )
    # What configures runs, what it hands on runs with requests: `options => options.OnError = context => …`.
    for file in {file_of_symbol(host.id) for host in programs}:
        symbols = {one.id: one for one in reader.symbols.of_file(file)}
        for one in symbols.values():
            above = symbols.get(one.parent_id) if one.parent_id is not None else None
            if above is not None and one.name.startswith("<") and above.name.startswith("<"):
                handlers.add(one.id)
    return frozenset(handlers)


def named_at_start(reader: "IndexReader") -> Iterator[tuple[SymbolId, SymbolId]]:
    """What makers of objects, and what they call, name without calling it: handlers that they register."""
    level = {one.symbol_id for rules in annotated_rules() for one in reader.running.decorated(rules.making)}
    makers: set[SymbolId] = set()
    for _ in range(_STEPS_OF_MAKERS):
        makers |= level
        level = {edge.callee_id for edge in reader.graph.edges_of(level)} - makers if level else set()
    makers |= level
    named = {used for _, used, _ in reader.testing.used(makers)} if makers else set()
    pairs = [pair for pair in (reader.guards.naming(named) if named else ()) if pair[0] in makers]
    owners = {one.id: one.parent_id for one in reader.symbols.many({each for pair in pairs for each in pair})}
    # `this::handle` is kept for later, `map(Order::id)` runs at once.
    yield from (pair for pair in pairs if owners.get(pair[0]) == owners.get(pair[1]))


def _annotated_runs(reader: "IndexReader", rules: Annotated) -> Iterator[Run]:
    starts = annotated_tests(reader, rules)
    if not starts:
        return
    yield from lazy_runs(reader, rules)
    parts = parts_of(reader, rules)
    modules = Modules(reader)
    of_owner: dict[SymbolId, list[Part]] = defaultdict(list)
    for part in parts:
        of_owner[part.owner].append(part)
    classes = _Classes(reader, rules)
    left = _MOST_RUNS
    for start in starts:
        file = file_of_symbol(start.tests)
        named, is_whole = classes.named(start)
        found = parts if is_whole else [part for each in named for part in of_owner.get(each, ())]
        for part in found:
            if modules.has(file, file_of_symbol(part.symbol)):
                left -= 1
                yield Run(start.tests, part.symbol, part.confidence)
        if left < 0:
            return


class _Classes:
    """The classes that start with others, by annotations that name them."""

    def __init__(self, reader: "IndexReader", rules: Annotated) -> None:
        self._reader = reader
        self._whole = {one.symbol_id for one in reader.running.decorated(rules.whole)}
        self._applications = [one.id for one in reader.symbols.many(self._whole) if one.role == "source"]
        self._imported = imported_names(reader, rules)

    def named(self, start: Starting) -> tuple[Collection[SymbolId], bool]:
        """The classes that one starts with, and whether all others start as well."""
        found: dict[SymbolId, None] = {}
        pending = sorted(start.named)
        for name in pending:  # grows while it is gone through
            for one in self._reader.symbols.named(name):
                if one.kind == "class" and one.id not in found:
                    found[one.id] = None
                    pending += sorted(self._imported.get(one.id, set()).difference(pending))
        if not found:
            return self._applications, start.is_whole
        return found, not found.keys().isdisjoint(self._whole)


def _hosted_runs(reader: "IndexReader", rules: Hosted) -> Iterator[Run]:
    methods = _Methods(reader)
    for tests, given in fixture_pairs(reader, rules):
        if tests == given:
            continue
        yield Run(tests, given, _GIVEN)
        yield from (Run(tests, each, _GIVEN) for each in methods.of(given, rules.made | {*rules.before}))
    starts = hosted_tests(reader, rules)
    hosts = hosts_of(reader, rules) if starts else []
    if not hosts:
        return
    modules = Modules(reader)
    parts = parts_of_hosts(reader, rules)
    for start in starts:
        # A fixture is made by its constructor, and is one of a class.
        users = (start.tests, *methods.of(start.tests, ()))
        for host, sure in _meant(reader, modules, hosts, start, program=rules.program):
            file = file_of_symbol(host.id)
            found = [part for part in parts if modules.has(file, file_of_symbol(part.symbol))]
            for user in users:
                yield Run(user, host.id, sure)
                yield from (Run(user, part.symbol, min(sure, part.confidence)) for part in found)


def _meant(
    reader: "IndexReader", modules: Modules, hosts: Iterable["SymbolRecord"], start: Starting, *, program: str
) -> Iterator[tuple["SymbolRecord", float]]:
    """The programs that a start is of: those that have the class it names, else the one most alike by its path."""
    # The class of a program is mostly made by the compiler, and others of its name are of other programs.
    names = start.named - {program}
    named = [one for name in names for one in reader.symbols.named(name) if one.role != "test"]
    files = {file_of_symbol(one.id) for one in named}
    sure = [one for one in hosts if any(modules.has(file_of_symbol(one.id), file) for file in files)]
    (tests,) = reader.symbols.many([start.tests])
    near = {one.id: _alike(one.path, f"{start.spaces} {tests.path}") for one in hosts}
    likest = max(near[one.id] for one in sure or hosts)
    likely = [one for one in sure or hosts if near[one.id] == likest]
    yield from (
        (one, _STARTED if len(sure) == 1 else _LIKELY) for one in (sure if len(sure) == 1 else likely)
    )


def _alike(path: str, other: str) -> int:
    """How many words the folder of a path shares with that of another, and with what stands before it."""
    return len(set(split_words(path.rpartition("/")[0])) & set(split_words(other.rpartition("/")[0])))


class _Methods:
    """The members of classes by name, read once each."""

    def __init__(self, reader: "IndexReader") -> None:
        self._reader = reader
        self._known: dict[SymbolId, list[SymbolRecord]] = {}

    def of(self, owner: SymbolId, names: Collection[str]) -> list[SymbolId]:
        """The constructors of a class, and its methods of these names."""
        if owner not in self._known:
            self._known[owner] = self._reader.symbols.members(owner)
        return [one.id for one in self._known[owner] if one.kind == "constructor" or one.name in names]
