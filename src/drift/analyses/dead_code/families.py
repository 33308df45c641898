"""What classes descend from outside the project, themselves or where they are mixed with others."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Final

from drift.analyses.outside_parents import ParentLines, foreign_parents
from drift.analyses.unseen_calls import Family, family_of
from drift.index import IndexReader
from drift.index.ids import SymbolId

_MOST_STEPS: Final = 8  # from a mixin down to the classes that have it
_MOST_HEIRS: Final = 200
_ALONE: Final = Family((), None)


class Families:
    """What the parents outside the project mean for classes, read for all of them at once."""

    def __init__(self, reader: IndexReader, classes: Iterable[SymbolId]) -> None:
        self._reader = reader
        wanted = sorted(set(classes))
        lines = self._read_above(wanted)
        self.own_parents: Final = {one: frozenset(lines.above.get(one, ())) for one in wanted}
        foreign = {one: foreign_parents(one, lines) for one in wanted}
        mixed = self._mixed_with([one for one in wanted if not foreign[one]])
        self._mixed = frozenset(mixed)
        self._known = {one: family_of(foreign[one]) for one in wanted}
        self._of_members = {one: family_of(names) for one, names in mixed.items()}

    def of(self, owner: SymbolId | None) -> Family:
        """The family of a class; one without parents for anything else."""
        return self._known.get(owner, _ALONE) if owner is not None else _ALONE

    def of_members(self, owner: SymbolId | None) -> Family:
        """The same for the members of a class, which of a mixin may be called as those of what it is mixed with."""
        found = self._of_members.get(owner) if owner is not None else None
        return found if found is not None else self.of(owner)

    def is_mixed(self, owner: SymbolId) -> bool:
        """Whether it is not the class itself that has parents outside, but what it is mixed with."""
        return owner in self._mixed

    def _read_above(self, classes: Iterable[SymbolId]) -> ParentLines:
        above: dict[SymbolId, list[SymbolId]] = defaultdict(list)
        outside: dict[SymbolId, list[str]] = defaultdict(list)
        named: dict[tuple[SymbolId, SymbolId], str] = {}
        pending = set(classes)
        seen = set(pending)
        while pending:
            following: set[SymbolId] = set()
            for one in self._reader.unused.parents_of(sorted(pending)):
                if one.target_id is None:
                    outside[one.symbol_id].append(one.external_name or one.text)
                else:
                    above[one.symbol_id].append(one.target_id)
                    named[one.symbol_id, one.target_id] = one.text
                    following.add(one.target_id)
            pending = following - seen
            seen |= pending
        templates = {parent for (_, parent), text in named.items() if "<" in text} & outside.keys()
        heads = {one.id: one.signature for one in self._reader.symbols.many(sorted(templates))}
        return ParentLines(above, outside, named, heads)

    def _mixed_with(self, mixins: Iterable[SymbolId]) -> Mapping[SymbolId, list[str]]:
        """By classes without parents outside: those that the classes below them have by other parents."""
        below: dict[SymbolId, set[SymbolId]] = defaultdict(set)
        pending = set(mixins)
        roots = sorted(pending)
        seen = set(pending)
        for _ in range(_MOST_STEPS):
            following: set[SymbolId] = set()
            for heir, parent in self._reader.usages.heirs(sorted(pending)) if pending else ():
                below[parent].add(heir)
                following.add(heir)
            pending = following - seen
            seen |= pending
        lines = self._read_above(seen.difference(roots))
        found: dict[SymbolId, list[str]] = {}
        for one in roots:
            heirs = sorted(_reached(one, below))[:_MOST_HEIRS]
            foreign = dict.fromkeys(name for heir in heirs for name in foreign_parents(heir, lines))
            if foreign:
                found[one] = list(foreign)
        return found


def _reached(start: SymbolId, below: Mapping[SymbolId, set[SymbolId]]) -> set[SymbolId]:
    found: set[SymbolId] = set()
    pending = [start]
    while pending:
        fresh = below.get(pending.pop(), set()) - found
        found |= fresh
        pending += fresh
    return found
