"""Requests that tests make and send to nobody: `http.NewRequest("GET", "/orders", nil)`, handed straight to a function.

What it does: such a request comes to a route where who makes it, what that calls among the tests or who calls it there
sends something to a server, a router or a client, which need not be known.
Known limits: who sends one request is taken to send all that it makes.
"""

import re
import tomllib
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from drift.index.ids import FileId, SymbolId, file_of_symbol

if TYPE_CHECKING:
    from drift.index import IndexReader

BUILT: Final = "built"
"""The word of a request that is made and sent to nobody, beside the methods of those that are sent."""
_STEPS: Final = 3  # from a test through what tests share to what sends

Said = Mapping[SymbolId, Mapping[int, set[str]]]
"""What symbols of tests ask for, by line."""


def building() -> re.Pattern[str]:
    """What calls are named that make a request."""
    return _rules()[0]


def settle(
    reader: "IndexReader",
    said: dict[SymbolId, dict[int, set[str]]],
    called: Callable[[Iterable[FileId], Mapping[str, re.Pattern[str]]], Said],
    sent_as: str,
) -> None:
    """Count what is made as a request, said so by `sent_as`, where it is sent; who makes it and sends nothing asks for nothing."""
    makers = {one for one, lines in said.items() if any(BUILT in some for some in lines.values())}
    sending = _sending(reader, makers, called) if makers else frozenset()
    for maker in makers - sending:
        del said[maker]  # header.Get("Location") beside it is no request either
    for maker in makers & sending:
        for some in said[maker].values():
            if BUILT in some:
                some.discard(BUILT)
                some.add(sent_as)


def _sending(
    reader: "IndexReader",
    makers: Collection[SymbolId],
    called: Callable[[Iterable[FileId], Mapping[str, re.Pattern[str]]], Said],
) -> frozenset[SymbolId]:
    """Those of the makers that send: by themselves, through what tests share, or through who calls them."""
    users = [(used, user) for used, user, _ in reader.testing.users(makers)]
    wanted = {*makers, *(user for _, user in users)}
    below: dict[SymbolId, set[SymbolId]] = {}
    front: set[SymbolId] = set(wanted)
    for _ in range(_STEPS):
        edges = reader.graph.edges_of(front)
        shared = _of_tests(reader, {edge.callee_id for edge in edges})
        for edge in edges:
            if edge.callee_id in shared:
                below.setdefault(edge.caller_id, set()).add(edge.callee_id)
        front = shared - below.keys()
        if not front:
            break
    every = wanted.union(*below.values())
    sending = set(called({file_of_symbol(one) for one in every}, {"send": _rules()[1]}))
    for _ in range(_STEPS):
        sending |= {one for one, some in below.items() if not sending.isdisjoint(some)}
    return frozenset(sending | {used for used, user in users if user in sending})


def _of_tests(reader: "IndexReader", symbols: Collection[SymbolId]) -> set[SymbolId]:
    places = reader.graph.file_places({file_of_symbol(one) for one in symbols})
    tests = {place.id for place in places if place.role == "test"}
    return {one for one in symbols if file_of_symbol(one) in tests}


@cache
def _rules() -> tuple[re.Pattern[str], re.Pattern[str]]:
    table = tomllib.loads(files("drift.analyses.running").joinpath("clients.toml").read_text("utf-8"))[
        "built"
    ]
    return re.compile(table["calls"]), re.compile(table["sends"])
