"""Of which classes there are objects where code runs: who makes them, names them, or uses what holds them.

What it does: a method that stands in for another runs where the other is called and an object of its class is there.
Who makes the class has one; so has who uses a variable that holds one, or a class whose body or parents hold one.
Why it matters: `field.serialize()` may run forty methods, of which a test runs those of the fields it makes.
Known limits: outside Python only classes count of which the product makes objects by their name, since nobody sees what a
container makes; which object is given to which call is not looked at.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from drift.analyses.running.replaced import MOST_OF_SEVERAL, find_under_keys
from drift.index.ids import SymbolId, file_of_symbol, is_file

if TYPE_CHECKING:
    from drift.index import IndexReader
    from drift.index.object_queries import Made

_NAMED: Final = 0.8  # the class is used as a value, which may be to make an object of it
_NAMED_IN_BODY: Final = 0.25  # the same, in the body of a class or a file: a table of classes, say
_SAID: Final = 0.8  # the key of a table that holds the class
_HELD: Final = 0.9  # of what holds an object
_LEAST: Final = 0.3
_STEP: Final = re.compile(r"[.:\\]+")
_MAKING: Final = ".new"
_CODE: Final = frozenset({"function", "method", "constructor", "property"})

_Makers = dict[SymbolId, dict[SymbolId, float]]
"""By class or variable: who makes or uses it, and how surely that gives an object."""


class Objects:
    """Who has objects of which class, in one state of an index."""

    def __init__(self, reader: "IndexReader") -> None:
        self._makers: _Makers = defaultdict(dict)
        self._parents: dict[SymbolId, list[SymbolId]] = defaultdict(list)
        self._children: dict[SymbolId, list[SymbolId]] = defaultdict(list)
        for child, parent, _ in reader.running.parents():
            if parent is not None:
                self._parents[child].append(parent)
                self._children[parent].append(child)
        named = reader.objects.named()
        made = reader.objects.made()
        tests = reader.pages.test_paths()
        by_product: set[SymbolId] = set()
        self._holders = _Holders(reader, {each for each, *_ in named} | {one.maker for one in made})
        classes = MadeClasses(reader, self._parents, self._holders.aliases(named))
        said = list(_said_by_key(reader))
        by_key = {meant for meant, _ in said}
        for one in made:
            for meant in classes.meant(one):
                if file_of_symbol(one.maker) not in tests:
                    by_product.add(meant)
                # One of several of a table: who says its key has it.
                if one.confidence > MOST_OF_SEVERAL or meant not in by_key:
                    self._add(meant, one.maker, one.line, one.confidence)
        for user, target, line in named:
            self._add(target, user, line, _NAMED if self._holders.is_code(user) else _NAMED_IN_BODY)
        for meant, user in said:
            self._put(meant, user, _SAID)
        holding = self._holders.known & self._users()
        for variable, user in reader.objects.readers(holding):
            self._put(variable, user, _HELD)
        self._holders.learn(reader, self._users())
        self.made_by_product: Final = frozenset(by_product)

    def _users(self) -> set[SymbolId]:
        return {user for users in self._makers.values() for user in users}

    def _add(self, made: SymbolId, user: SymbolId, line: int, confidence: float) -> None:
        """Note who makes something, and the variable of a file or class it is put into."""
        for holder in self._holders.at(user, line):
            self._put(made, holder, confidence)
        if not is_file(user):
            self._put(made, user, confidence)

    def _put(self, made: SymbolId, user: SymbolId, confidence: float) -> None:
        near = self._makers[made]
        near[user] = max(confidence, near.get(user, 0.0))

    def having(self, owner: SymbolId) -> Mapping[SymbolId, float]:
        """The functions that come to have an object of a class or of one below it, and how surely."""
        found: dict[SymbolId, float] = {}
        best = {owner: 1.0}
        pending = [owner]
        while pending:
            here = pending.pop()
            sureness = best[here]
            following = [(each, 1.0) for each in self._children.get(here, ())]
            for user, confidence in (*self._makers.get(here, {}).items(), *following):
                whole = sureness * confidence
                if whole < _LEAST or whole <= best.get(user, 0.0):
                    continue
                best[user] = whole
                pending.append(user)
                runner = self._holders.runner(user)
                if runner is not None:
                    found[runner] = max(whole, found.get(runner, 0.0))
        return found


def _said_by_key(reader: "IndexReader") -> Iterator[tuple[SymbolId, SymbolId]]:
    """The classes that tables hold, and who says the key of one, which is to have an object of it."""
    by_key: dict[str, set[SymbolId]] = defaultdict(set)
    for _, held, key in find_under_keys(reader):
        by_key[key].add(held)
    for key, user in reader.objects.saying(by_key) if by_key else ():
        yield from ((held, user) for held in by_key[key])


class _Holders:
    """What the symbols that make objects are, and the variables in them."""

    def __init__(self, reader: "IndexReader", users: Iterable[SymbolId]) -> None:
        self._kinds: dict[SymbolId, tuple[str, SymbolId | None]] = {}
        self._variables: dict[SymbolId, list[tuple[SymbolId, str, int, int]]] = defaultdict(list)
        self.known: Final[set[SymbolId]] = set()
        self.learn(reader, users)
        for holder, variable, name, line, end_line in reader.objects.variables(
            each for each, (kind, _) in self._kinds.items() if kind not in _CODE
        ):
            self._variables[holder].append((variable, name, line, end_line))
            self.known.add(variable)

    def learn(self, reader: "IndexReader", symbols: Iterable[SymbolId]) -> None:
        """Make known what these are, and what they stand in."""
        wanted = {each for each in symbols if each not in self._kinds}
        while wanted:
            found = reader.objects.kinds(wanted)
            self._kinds.update((number, (kind, parent)) for number, kind, parent in found)
            wanted = {parent for _, kind, parent in found if kind == "class" and parent is not None}
            wanted -= self._kinds.keys()

    def is_code(self, symbol: SymbolId) -> bool:
        """Whether it is a function, which runs."""
        return self._kinds.get(symbol, ("", None))[0] in _CODE

    def runner(self, symbol: SymbolId) -> SymbolId | None:
        """The function that something is or, as a class, stands in: what comes to run it."""
        here: SymbolId | None = symbol
        while here is not None and here in self._kinds:
            kind, parent = self._kinds[here]
            if kind in _CODE:
                return here
            if kind != "class" or parent == here:
                return None
            here = parent
        return None

    def at(self, holder: SymbolId, line: int) -> Iterator[SymbolId]:
        """The variables of a file or class that are given what stands in a line."""
        for variable, _, first, last in self._variables.get(holder, ()):
            if first <= line <= last:
                yield variable

    def aliases(self, named: Iterable[tuple[SymbolId, SymbolId, int]]) -> dict[str, list[SymbolId]]:
        """Classes by the other names that variables give them: Str = String."""
        found: dict[str, list[SymbolId]] = defaultdict(list)
        for user, target, line in named:
            for _, name, first, last in self._variables.get(user, ()):
                if first == line == last:
                    found[name].append(target)
        return found


def called_class(text: str) -> str:
    """The name of the class in a call that makes one, as it is written: `shop.Order`, `Shop::Order.new`."""
    return _STEP.split(text.removesuffix(_MAKING))[-1]


class MadeClasses:
    """Which class a call means, by what is written."""

    def __init__(
        self,
        reader: "IndexReader",
        parents: Mapping[SymbolId, list[SymbolId]],
        aliases: Mapping[str, list[SymbolId]] = MappingProxyType({}),
    ) -> None:
        self._parents = parents
        self._by_name: dict[str, list[SymbolId]] = defaultdict(list)
        self._outer: dict[SymbolId, SymbolId] = {}
        for number, name, parent in reader.objects.classes():
            self._by_name[name].append(number)
            self._outer[number] = parent
        for name, classes in aliases.items():
            self._by_name[name] += classes

    def meant(self, call: "Made") -> list[SymbolId]:
        """The nearest classes of the name that is called, of those whose constructor is the one that runs."""
        name = called_class(call.text)
        below = [each for each in self._by_name.get(name, ()) if self._is_below(each, call.owner)]
        inside = [each for each in below if self._outer.get(each) == call.maker]
        beside = [each for each in below if file_of_symbol(each) == file_of_symbol(call.maker)]
        return inside or beside or below or [call.owner]

    def _is_below(self, one: SymbolId, other: SymbolId) -> bool:
        seen = {one}
        pending = [one]
        while pending:
            here = pending.pop()
            if here == other:
                return True
            above = [each for each in self._parents.get(here, ()) if each not in seen]
            seen.update(above)
            pending += above
        return False
