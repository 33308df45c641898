"""What runs in the place of what a field or a table is said to hold.

What it does: `self.field_class()` in a class makes what the class of the object gives `field_class`, not what the class
at hand gives it; `READERS[kind]()` makes the class that stands under the key that somebody says.
Why it matters: frameworks of classes are put together so, and no call in the text names what runs.
Known limits: Python alone; a key that is put together, or that stands in another line than its class, is not seen.
"""

import sys
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final

from drift.index.ids import SymbolId

if TYPE_CHECKING:
    from drift.index import IndexReader

MOST_OF_SEVERAL: Final = 0.5
"""A call of one of several is no surer."""
_RECEIVERS: Final = ("self", "cls")

Replacing = Mapping[SymbolId, Mapping[SymbolId, frozenset[SymbolId]]]
"""What may run, by the class of which an object is needed: who runs it then."""


def find_replacing(reader: "IndexReader") -> Replacing:
    """What runs where a field that a class below gives another value is called, or a table is read."""
    family = _Family(reader)
    found: dict[SymbolId, dict[SymbolId, set[SymbolId]]] = defaultdict(lambda: defaultdict(set))
    given = reader.objects.given_fields()
    callers = _callers_of_fields(reader, {name for _, name, _ in given})
    for owner, name, value in given:
        calling = callers.get(name, {})
        above = family.above(owner) if calling else ()
        users = {each for one in above for each in calling.get(one, ())}
        for run in family.made_by(value) if users else ():
            found[run][owner] |= users
    _add_tables(reader, family, found)
    return {
        run: {owner: frozenset(users) for owner, users in owners.items()} for run, owners in found.items()
    }


def find_under_keys(reader: "IndexReader") -> list[tuple[SymbolId, SymbolId, str]]:
    """The classes and functions that tables hold beside a text in one line: the table, what it holds, and the text."""
    named = reader.objects.named_at_top()
    holders = {holder for holder, _, _ in named}
    spans: dict[SymbolId, list[tuple[int, int, SymbolId]]] = defaultdict(list)
    for holder, variable, _, line, end_line in reader.objects.variables(holders):
        if end_line > line:
            spans[holder].append((line, end_line, variable))
    for some in spans.values():
        some.sort()
    texts: dict[tuple[SymbolId, int], list[str]] = defaultdict(list)
    for holder, line, text in reader.objects.texts_of(spans):
        texts[holder, line].append(text)
    found = []
    for holder, held, line in named:
        keys = texts.get((holder, line), ())
        at = bisect_right(spans[holder], (line, sys.maxsize)) - 1 if keys else -1
        if at >= 0 and line <= spans[holder][at][1]:
            found += [(spans[holder][at][2], held, key) for key in keys]
    return found


def _add_tables(
    reader: "IndexReader", family: "_Family", found: dict[SymbolId, dict[SymbolId, set[SymbolId]]]
) -> None:
    """Add what tables hold under keys that somebody says: it runs for who reads the table or calls one of several of it."""
    tables = find_under_keys(reader)
    said = {key for key, _ in reader.objects.saying({key for _, _, key in tables})} if tables else set()
    runs = [(table, held, run) for table, held, key in tables if key in said for run in family.made_by(held)]
    users: dict[SymbolId, set[SymbolId]] = defaultdict(set)
    for used, user in (
        *reader.objects.readers({table for table, _, _ in runs}),
        *reader.objects.choosing({run for _, _, run in runs}),
    ):
        users[used].add(user)
    for table, held, run in runs:
        if calling := users[run] | users[table]:
            found[run][held] |= calling


def _callers_of_fields(
    reader: "IndexReader", names: Iterable[str]
) -> Mapping[str, Mapping[SymbolId, set[SymbolId]]]:
    """By field and class, the methods that call what the field of their own object holds."""
    callers: dict[str, dict[SymbolId, set[SymbolId]]] = defaultdict(lambda: defaultdict(set))
    texts = {f"{receiver}.{name}" for name in names for receiver in _RECEIVERS}
    for text, method, owner in reader.objects.calling_own(texts) if texts else ():
        callers[text.partition(".")[2]][owner].add(method)
    return callers


class _Family:
    """Classes with those above them, and what runs when they are made."""

    def __init__(self, reader: "IndexReader") -> None:
        self._parents: dict[SymbolId, list[SymbolId]] = defaultdict(list)
        for child, parent, _ in reader.running.parents():
            if parent is not None:
                self._parents[child].append(parent)
        self._constructors = reader.running.constructors()
        self._classes = {number for number, _, _ in reader.objects.classes()}

    def above(self, one: SymbolId) -> list[SymbolId]:
        """The classes above one, nearest first, without it."""
        found, pending = [one], [one]
        while pending:
            following = [
                each for here in pending for each in self._parents.get(here, ()) if each not in found
            ]
            found += dict.fromkeys(following)
            pending = following
        return found[1:]

    def made_by(self, value: SymbolId) -> list[SymbolId]:
        """What runs when a value is called: a function itself, of a class its nearest constructor."""
        if value not in self._classes:
            return [value]
        for one in (value, *self.above(value)):
            if found := self._constructors.get(one):
                return list(found)
        return []
