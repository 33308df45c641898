"""What runs with the requests of tests: handlers, and middleware, guards and filters that stand before them."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from drift.analyses.guarding import find_guarding
from drift.analyses.middleware import find_middleware_symbols
from drift.analyses.running.clients import client_runs
from drift.analyses.running.edges import Run
from drift.index.ids import SymbolId

if TYPE_CHECKING:
    from drift.index import IndexReader

_BEFORE: Final = 0.9  # what stands before a handler runs with it
_BEFORE_ANY: Final = 0.5  # which requests it stands before is not known
_BESIDE_HANDLERS: Final = ("ModelAttribute", "InitBinder")
"""Decorators of methods that run before all handlers of their class."""
_AROUND_ALL: Final = frozenset({"middleware", "filter", "interceptor", "guard"})
"""Words of frameworks for what may stand before all requests; the others run in cases of their own."""


def request_runs(reader: "IndexReader") -> Iterator[Run]:
    """Which tests run which handlers and commands, and what stands before the handlers."""
    before: Mapping[SymbolId, Mapping[SymbolId, float]] | None = None
    for run in client_runs(reader):
        yield run
        if before is None:
            before = _read_before(reader)
        for guard, confidence in before.get(run.used, {}).items():
            yield Run(run.user, guard, run.confidence * confidence)


def _read_before(reader: "IndexReader") -> Mapping[SymbolId, Mapping[SymbolId, float]]:
    """What stands before each handler: of a class also the methods that the framework can call."""
    guarding = find_guarding(reader)
    placed = {one.guard for one in guarding}
    around = {
        one.id: one.language
        for one, role in find_middleware_symbols(reader)
        if role in _AROUND_ALL and one.id not in placed
    }
    around = {each: around[each] for each in reader.guards.registered(around)}
    methods: dict[SymbolId, list[SymbolId]] = defaultdict(list)
    for owner, method in reader.guards.methods({*placed, *around}):
        methods[owner].append(method)
    before: dict[SymbolId, dict[SymbolId, float]] = defaultdict(dict)
    for handler, language in reader.guards.handlers() if around else ():
        for number, of in around.items():
            if of == language and number != handler:
                before[handler].update(dict.fromkeys((number, *methods[number]), _BEFORE_ANY))
    for one in guarding:
        before[one.handler].update(dict.fromkeys((one.guard, *methods[one.guard]), _BEFORE))
    for handler, companion in _companions(reader):
        before[handler][companion] = _BEFORE
    return before


def _companions(reader: "IndexReader") -> Iterator[tuple[SymbolId, SymbolId]]:
    """What runs of a class before each of its handlers: how it is made, and methods that say so by a decorator."""
    handlers = reader.symbols.many({handler for handler, _ in reader.guards.handlers()})
    owners = {one.parent_id for one in handlers if one.kind == "method" and one.parent_id is not None}
    beside: dict[SymbolId, list[SymbolId]] = defaultdict(list)
    for one in (each for name in _BESIDE_HANDLERS for each in reader.symbols.decorated_with(name)):
        if one.parent_id in owners and one.kind == "method":
            beside[one.parent_id].append(one.id)
    for owner in owners:
        beside[owner] += [one.id for one in reader.symbols.members(owner) if one.kind == "constructor"]
    for handler in handlers:
        for companion in beside.get(handler.parent_id, ()) if handler.parent_id is not None else ():
            if companion != handler.id:
                yield handler.id, companion
