"""Tests that ask for a route by its name, and that hand requests to the class of a view themselves."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from drift.analyses.running.asked import Asked
from drift.analyses.running.client_calls import called_name, calls_by_line, client_rules, requests_by_line
from drift.analyses.running.edges import Run
from drift.analyses.running.named_requests import NamedRequests
from drift.analyses.running.route_names import named_routes
from drift.analyses.running.routes import ANY, Route, Routes
from drift.analyses.running.set_up_names import asking_tests
from drift.analyses.running.views import answering_members
from drift.index.ids import SymbolId, file_of_symbol
from drift.languages.facts import CallTrait
from drift.languages.limits import CONSTANT_LENGTHS

if TYPE_CHECKING:
    from drift.index import IndexReader
    from drift.index.run_records import NamingCall

_NAMED: Final = 0.7  # the name is that of the route
_PATH: Final = 0.7
_VIEWED: Final = 0.9  # the test makes a request of the method, and hands it to the class


def name_runs(reader: "IndexReader", routes: Routes, of_views: Asked) -> Iterator[Run]:
    """reverse("orders"), route('orders.index'): who asks for a route by its name."""
    named = named_routes(reader, routes)
    texts = reader.running.names_in_tests(named, CONSTANT_LENGTHS.start)
    stored = reader.running.users_of_named(named)
    symbols = {one.symbol_id for one in texts}.union(user for *_, user, _ in stored if user is not None)
    requests = _named_requests(reader, symbols)
    users = _users_of_fields(reader, stored, requests)
    for one in texts:
        for line in requests.lines_of(one.symbol_id, one.line, one.value):
            alone = [(one.symbol_id, *each) for each in requests.of(one.symbol_id, line)]
            for user, methods, sureness in users.get((one.symbol_id, line), alone):
                for route in _in_space(named, one.value):
                    if route.answers(methods):
                        yield from of_views.runs(user, route.handler, methods, _NAMED * sureness)
    for owner, name, field in reader.objects.names_of_classes(named):
        if client_rules().fields.fullmatch(field.lower()):  # what its tests inherit asks for it
            for route in _in_space(named, name):
                yield from of_views.runs(owner, route.handler, {ANY}, _NAMED)


_Asking = tuple[SymbolId, Collection[str], float]
"""Who asks with which methods for a route, and how surely."""


def _users_of_fields(
    reader: "IndexReader",
    stored: Sequence[tuple[SymbolId, int, SymbolId | None, int | None]],
    requests: NamedRequests,
) -> Mapping[tuple[SymbolId, int], Sequence[_Asking]]:
    """self.url = reverse("orders"): not what says it asks, but who uses the field, or else who asks through what a parent has."""
    used = {(said_in, line) for said_in, line, user, _ in stored if user is not None}
    asking = asking_tests(
        reader, {said_in for said_in, _, user, _ in stored if user is None and not requests.sends(said_in)}
    )
    users: dict[tuple[SymbolId, int], list[_Asking]] = defaultdict(list)
    for said_in, line, user, at in stored:
        if user is not None:
            users[said_in, line] += [(user, *each) for each in requests.of_user(user, at)]
        elif requests.sends(said_in):
            users[said_in, line] += [(said_in, *each) for each in requests.of_user(said_in, None)]
        elif (said_in, line) not in used:
            users[said_in, line] += [
                (test, methods, 1.0) for test, methods in asking.get(said_in, {}).items()
            ]
    return users


def _named_requests(reader: "IndexReader", asking: Collection[SymbolId]) -> NamedRequests:
    files = {file_of_symbol(one) for one in asking}
    naming, words = client_rules().naming, reader.testing.call_texts(files) if files else {}
    namings: dict[SymbolId, list[NamingCall]] = defaultdict(list)
    meant = [word for word, text in words.items() if naming.fullmatch(called_name(text))]
    for call in reader.testing.calls_naming(files, meant, CallTrait.BOUND) if meant else ():
        namings[call.caller_id].append(call)
    own = calls_by_line(reader, files, client_rules().verbs)
    shared = requests_by_line(reader, asking)
    return NamedRequests(namings, client_rules().expecting, own=own, shared=shared, unsaid=ANY)


def view_runs(reader: "IndexReader", of_views: Asked) -> Iterator[Run]:
    """`OrderView.as_view()(request)`: who hands requests to a class without a client."""
    making = client_rules().viewing
    words = {
        word for word, name in reader.running.outside_names() if making.fullmatch(name.rpartition(".")[2])
    }
    makers = {caller for caller, _, _ in reader.running.callers_of_outside(words)} if words else set()
    tests = reader.running.python_test_files().keys() & {file_of_symbol(one) for one in makers}
    if not tests:
        return
    made = calls_by_line(reader, tests, {"view": making})
    asked = calls_by_line(reader, tests, client_rules().verbs)
    above: dict[SymbolId, list[SymbolId]] = defaultdict(list)
    for child, parent, _ in reader.running.parents():
        above[child] += [parent] if parent is not None else []
    for maker, view, line in reader.objects.named():
        if line not in made.get(maker, {}):
            continue
        verbs = {each for some in asked.get(maker, {}).values() for each in some}
        for member, verb in answering_members(reader, (view,), above):
            if verb in verbs or not verbs - {ANY}:
                yield Run(maker, member.id, _VIEWED if verb in verbs else _PATH)
        yield from of_views.runs(maker, view, verbs or {ANY}, _VIEWED)


def _in_space(named: Mapping[str, list[Route]], asked: str) -> list[Route]:
    """The routes of a name, as far as a namespace before it tells them apart: most are the first part of a path."""
    space, _, name = asked.rpartition(":")
    found = named[name]
    words = set(space.lower().split(":"))
    inside = [route for route in found if not words.isdisjoint(part for part in route.parts if part)]
    return inside or found
