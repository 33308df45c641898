"""Primitives that a project calls through one wrapper of its own, and who calls them directly all the same."""

import re
from collections import defaultdict
from typing import Final, NamedTuple

from drift.analyses.wrappers.finding import Wrapper, Wrappers
from drift.index import FileId, IndexReader
from drift.index.ids import file_of_symbol
from drift.index.outside_queries import OutsideCall
from drift.kernel.words import split_words, stem

_LEAST_SHARE: Final = 0.6
_LEAST_THROUGH: Final = 5
_SHORT: Final = 2  # letters of words that say nothing, such as `to` and `is`
_FOR_TESTS: Final = frozenset({"test", "mock", "fake", "stub"})
# Words for the same: a function that is called `request` may well be what a project has for `fetch`.
_ALIKE: Final = {
    "fetch": "request",
    "http": "request",
    "ajax": "request",
    "api": "request",
    "axio": "request",
}


class Preference(NamedTuple):
    """A primitive and the wrapper most uses go through; the figures count calls in product code."""

    primitive: str
    wrapper: Wrapper
    through: int
    otherwise: int
    """Calls of other wrappers of the same primitive."""
    direct: tuple[OutsideCall, ...]
    """Calls of the primitive that stand in none of its wrappers."""

    @property
    def share(self) -> float:
        return self.through / (self.through + self.otherwise + len(self.direct))


def find_preferences(reader: IndexReader, wrappers: Wrappers) -> list[Preference]:
    """Primitives of which most uses go through one wrapper, those with most uses first."""
    product = _product_files(reader, wrappers)
    standing: dict[str, list[Wrapper]] = defaultdict(list)
    for wrapper in wrappers.found.values():
        if wrapper.purpose != "testing":
            for name in wrapper.direct:
                standing[name].append(wrapper)
    every = (_preference(name, before, wrappers, product) for name, before in standing.items())
    found = [
        one
        for one in every
        if one.through >= _LEAST_THROUGH
        and one.share >= _LEAST_SHARE
        and is_called_after(one.wrapper.symbol.qualname, one.primitive)
    ]
    return sorted(found, key=lambda one: (-one.through, one.primitive))


def is_called_after(wrapper: str, primitive: str) -> bool:
    """Whether a wrapper is there for the sake of a primitive, which its name then tells: `logError` of `console.error`.

    What checks a number and logs a warning is no way to log.
    """
    own = _words(wrapper)
    return bool(own & _words(primitive)) and own.isdisjoint(_FOR_TESTS)


def _words(name: str) -> set[str]:
    """The stems of the words of a name and of what it is a part of."""
    last_two = re.split(r"[./\\\s:]+", name)[-2:]
    stems = {stem(word.lower()) for part in last_two for word in split_words(part) if len(word) > _SHORT}
    return {_ALIKE.get(one, one) for one in stems}


def _preference(name: str, before: list[Wrapper], wrappers: Wrappers, product: set[FileId]) -> Preference:
    inside = {wrapper.symbol.id for wrapper in before}
    used = {
        wrapper.symbol.id: sum(
            file_of_symbol(one.caller_id) in product and one.caller_id not in inside for one in wrapper.users
        )
        for wrapper in before
    }
    best = min(before, key=lambda one: (-used[one.symbol.id], one.symbol.id))
    direct = tuple(
        call
        for call in wrappers.calls[name]
        if file_of_symbol(call.caller_id) in product and call.caller_id not in inside
    )
    through = used[best.symbol.id]
    return Preference(name, best, through, sum(used.values()) - through, direct)


def _product_files(reader: IndexReader, wrappers: Wrappers) -> set[FileId]:
    callers = {file_of_symbol(call.caller_id) for calls in wrappers.calls.values() for call in calls}
    users = {file_of_symbol(used.caller_id) for one in wrappers.found.values() for used in one.users}
    return {place.id for place in reader.graph.file_places(callers | users) if place.role == "source"}
