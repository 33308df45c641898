"""Tests that call middleware themselves, by a method of its parent outside that calls back: `filter.doFilter(…)`."""

from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from drift.analyses.middleware import find_middleware_symbols
from drift.analyses.running.edges import Run
from drift.index.ids import FileId, SymbolId, file_of_symbol

if TYPE_CHECKING:
    from drift.index import IndexReader

_CALLED_BACK: Final = 0.8


def called_guard_runs(reader: "IndexReader") -> Iterator[Run]:
    """Who calls a parent's method of middleware that its file makes, and what of it nobody else calls."""
    outside: dict[SymbolId, set[str]] = defaultdict(set)
    for child, _, name in reader.running.parents():
        if name is not None:
            outside[child].add(name)
    names = {name for some in outside.values() for name in some}
    called = {word: name for word, name in reader.running.outside_names() if name.rpartition(".")[0] in names}
    guards = {one.id for one, _ in find_middleware_symbols(reader)} & outside.keys() if called else set()
    if not guards:
        return
    made: dict[FileId, set[SymbolId]] = defaultdict(set)
    constructors = reader.running.constructors()
    owners = {each: guard for guard in guards for each in (guard, *constructors.get(guard, ()))}
    for used, user, _ in reader.testing.users(owners):
        made[file_of_symbol(user)].add(owners[used])
    tests = {place.id for place in reader.graph.file_places(made) if place.role == "test"}
    members: dict[SymbolId, list[SymbolId]] = defaultdict(list)
    for guard, method in reader.guards.methods(guards):
        members[guard].append(method)
    seen = {used for used, *_ in reader.testing.users(each for some in members.values() for each in some)}
    for caller, word, _ in reader.running.callers_of_outside(called):
        file = file_of_symbol(caller)
        for guard in made.get(file, ()) if file in tests else ():
            if called[word].rpartition(".")[0] in outside[guard]:
                yield from (
                    Run(caller, each, _CALLED_BACK)
                    for each in members[guard]
                    if each not in seen and each not in owners
                )
