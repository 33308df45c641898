"""Methods that a class looks up by names it puts together: `getattr(self, f"_{kind}_{rule}")`.

What it does: a method that looks members up may run those of its class, and of classes below, that nobody calls and
whose names begin alike: `_validate_type`, `_validate_length`, `_validate_regex`.
Known limits: faint, as the name is not known; where it begins with a constant, linking has found the methods itself.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from drift.analyses.running.edges import Run
from drift.index.ids import SymbolId

if TYPE_CHECKING:
    from drift.index import IndexReader
    from drift.index.run_records import Member

_LOOKED_UP: Final = 0.25
_FEWEST_ALIKE: Final = 3  # fewer may be called alike by chance
_LOOKUPS: Final = ("builtins.getattr",)


def computed_runs(reader: "IndexReader") -> Iterator[Run]:
    """Which methods may run which others by names that are put together."""
    looking: dict[SymbolId, list[SymbolId]] = defaultdict(list)
    for method, owner in reader.objects.looking_up(_LOOKUPS):
        looking[owner].append(method)
    if not looking:
        return
    below: dict[SymbolId, list[SymbolId]] = defaultdict(list)
    for child, parent, _ in reader.running.parents():
        if parent is not None:
            below[parent].append(child)
    members: dict[SymbolId, list[Member]] = defaultdict(list)
    for member in reader.running.uncalled_members():
        members[member.parent_id].append(member)
    for owner, methods in looking.items():
        for one in _alike(members, owner, below):
            yield from (Run(method, one, _LOOKED_UP) for method in methods if method != one)


def _alike(
    members: dict[SymbolId, list["Member"]], owner: SymbolId, below: dict[SymbolId, list[SymbolId]]
) -> Iterable[SymbolId]:
    """The members of a class and those below it that are among several whose names begin with the same word."""
    found: dict[str, list[SymbolId]] = defaultdict(list)
    seen, pending = {owner}, [owner]
    while pending:
        here = pending.pop()
        for member in members.get(here, ()):
            if word := _first_word(member.name):
                found[word].append(member.id)
        following = [each for each in below.get(here, ()) if each not in seen]
        seen.update(following)
        pending += following
    return [one for alike in found.values() if len(alike) >= _FEWEST_ALIKE for one in alike]


def _first_word(name: str) -> str:
    """What a name of several words begins with, `validate` of `_validate_type`; nothing for what the language calls."""
    word, mark, rest = name.lstrip("_").partition("_")
    return word if mark and rest and not name.startswith("__") else ""
