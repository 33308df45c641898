"""Methods that calls of a parent outside lead back to, and the classes below such parents.

Example: `serializer.is_valid()` runs `validate` of the class of the serializer. Which that is tells who makes or names a class
of the family where the call stands: the caller, or else its class with those above and below it.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.analyses.running.edges import Run, reached_from
from drift.analyses.running.objects import MadeClasses
from drift.index.ids import SymbolId

if TYPE_CHECKING:
    from drift.index import IndexReader
    from drift.index.run_records import Member

_WITH_PARENT: Final = 0.7  # calls the method of its parent outside, so it overrides it
_AMONG_MANY: Final = 0.2
_AMONG_SEVERAL: Final = 0.5  # methods below one parent outside, of which the object at hand tells
_MOST_OVERRIDING: Final = 8  # of more a call comes back to any
_MOST_CALLED_BACK: Final = 60
# Parents that call nothing of their children.
_PLAIN: Final = frozenset(
    {
        "builtins.object", "typing.Generic", "typing.Protocol", "abc.ABC", "enum.Enum", "builtins.Exception",
        "builtins.ValueError", "builtins.RuntimeError", "builtins.TypeError", "typing.NamedTuple", "typing.TypedDict",
    }
)  # fmt: skip


class ClassFamily(NamedTuple):
    """Who is a parent of whom, and the parents outside the project."""

    parents: Mapping[SymbolId, list[SymbolId]]
    outside: Mapping[SymbolId, list[str]]

    def is_in_line(self, one: SymbolId, other: SymbolId) -> bool:
        """Whether one of two classes is the other, or below it."""
        return one in reached_from(other, self.parents) or other in reached_from(one, self.parents)

    def foreign(self, owner: SymbolId) -> set[str]:
        """The parents outside of a class and of its parents."""
        found: set[str] = set()
        seen, pending = {owner}, [owner]
        while pending:
            one = pending.pop()
            found.update(self.outside.get(one, ()))
            above = [each for each in self.parents.get(one, ()) if each not in seen]
            seen.update(above)
            pending += above
        return found


def calls_back(
    reader: "IndexReader", overriding: Mapping[str, "list[Member]"], family: ClassFamily, kept: set[SymbolId]
) -> Iterator[Run]:
    """The methods that calls of a parent outside lead back to: those that override one of it and call that.

    Where a method calls such a thing on its own object, that is of its class; else the object at hand tells which run,
    unless a mapper makes it, which nobody sees (`kept`).
    """
    wanted: dict[int, list[Member]] = {}
    for word, name in reader.running.outside_names() if overriding else ():
        if below := overriding.get(name.rpartition(".")[0]):
            wanted[word] = below
    on_own = reader.objects.callers_on_own(wanted) if wanted else {}
    calls = [one for one in reader.running.callers_of_outside(wanted) if not one[2]] if wanted else []
    on_classes = _called_on(reader, wanted)
    at_hand = _AtHand(reader, family, {caller for caller, _, _ in calls})
    # `super().get()` has an object of its own class, which no override of a sibling runs for.
    for caller, word, _ in calls:
        owner = on_own.get((caller, word))
        below = wanted[word]
        if owner is not None:
            below = [one for one in below if family.is_in_line(owner, one.parent_id)]
        elif (said := on_classes.get((caller, word))) is not None:
            below = [one for one in below if any(family.is_in_line(each, one.parent_id) for each in said)]
        else:
            below = at_hand.among(caller, below, kept)
        confidence = _AMONG_SEVERAL if len(below) <= _MOST_OVERRIDING else _AMONG_MANY
        for one in below if len(below) <= _MOST_CALLED_BACK else ():
            if one.parent_id not in kept:
                yield Run(caller, one.id, confidence, one.parent_id)
            elif len(below) <= _MOST_OVERRIDING:
                yield Run(caller, one.id, _WITH_PARENT)


def _called_on(
    reader: "IndexReader", words: Collection[int]
) -> Mapping[tuple[SymbolId, int], Collection[SymbolId]]:
    """Who calls these things outside on classes alone, `User::factory()`, by word, with the classes."""
    names: dict[tuple[SymbolId, int], set[str]] = defaultdict(set)
    for caller, word, name in reader.objects.calls_on_classes(words) if words else ():
        names[caller, word].add(name)
    classes = classes_by_name(reader) if names else {}
    return {
        site: {each for name in said for each in classes.get(name, ())}
        for site, said in names.items()
        if "" not in said
    }


def classes_by_name(reader: "IndexReader") -> Mapping[str, list[SymbolId]]:
    """The classes of the product by name."""
    classes: dict[str, list[SymbolId]] = defaultdict(list)
    for number, name in reader.running.classes():
        classes[name].append(number)
    return classes


class _AtHand:
    """The classes that callers make or name, themselves or by what their class has."""

    def __init__(self, reader: "IndexReader", family: ClassFamily, callers: Collection[SymbolId]) -> None:
        self._family = family
        self._named: dict[SymbolId, set[SymbolId]] = defaultdict(set)
        self._by_owner: dict[SymbolId, set[SymbolId]] = defaultdict(set)
        self._below: dict[SymbolId, list[SymbolId]] = defaultdict(list)
        self._known: dict[SymbolId, frozenset[SymbolId]] = {}
        self._lines: dict[SymbolId, frozenset[SymbolId]] = {}
        self._owners: dict[SymbolId, SymbolId | None] = {}
        if not callers:
            return
        for child, parents in family.parents.items():
            for parent in parents:
                self._below[parent].append(child)
        meant = MadeClasses(reader, family.parents)
        for one in reader.objects.made():
            self._named[one.maker].update(meant.meant(one))
        for user, target, _ in reader.objects.named():
            self._named[user].add(target)
        self._owners = _owners_of(reader, {*callers, *self._named})
        for user, classes in self._named.items():
            owner = self._owners.get(user)
            if owner is not None:
                self._by_owner[owner] |= classes

    def among(self, caller: SymbolId, members: "list[Member]", kept: Collection[SymbolId]) -> "list[Member]":
        """Those of the members that objects at hand have; all, where none of their classes is seen to be at hand.

        What a mapper makes may come from anywhere in the class of the caller.
        """
        owner = self._owners.get(caller)
        around = self._around(owner) if owner is not None else frozenset()
        named = self._named.get(caller, set())
        for classes in (
            (named | around,) if any(one.parent_id in kept for one in members) else (named, around)
        ):
            having = set().union(*map(self._line, classes))
            if found := [one for one in members if one.parent_id in having]:
                return found
        return members

    def _line(self, one: SymbolId) -> frozenset[SymbolId]:
        """A class and those above it."""
        if one not in self._lines:
            self._lines[one] = frozenset(reached_from(one, self._family.parents))
        return self._lines[one]

    def _around(self, owner: SymbolId) -> frozenset[SymbolId]:
        """What a class, those above and those below it make or name."""
        if owner not in self._known:
            line = reached_from(owner, self._family.parents) | reached_from(owner, self._below)
            self._known[owner] = frozenset(each for one in line for each in self._by_owner.get(one, ()))
        return self._known[owner]


def _owners_of(reader: "IndexReader", symbols: Collection[SymbolId]) -> dict[SymbolId, SymbolId | None]:
    """The class that each of these is, or stands in at any depth."""
    kinds: dict[SymbolId, tuple[str, SymbolId | None]] = {}
    wanted = set(symbols)
    while wanted:
        found = reader.objects.kinds(wanted)
        kinds.update((number, (kind, parent)) for number, kind, parent in found)
        wanted = {
            parent for _, kind, parent in found if kind != "class" and parent is not None
        } - kinds.keys()
    owners: dict[SymbolId, SymbolId | None] = {}
    for symbol in symbols:
        here: SymbolId | None = symbol
        while here is not None and here in kinds and kinds[here][0] != "class":
            here = kinds[here][1] if kinds[here][1] != here else None
        owners[symbol] = here if here in kinds else None
    return owners


def read_family(reader: "IndexReader") -> ClassFamily:
    """All parents of classes."""
    parents: dict[SymbolId, list[SymbolId]] = defaultdict(list)
    outside: dict[SymbolId, list[str]] = defaultdict(list)
    for child, parent, name in reader.running.parents():
        if parent is not None:
            parents[child].append(parent)
        elif name is not None and name not in _PLAIN:
            outside[child].append(name)
    return ClassFamily(parents, outside)
