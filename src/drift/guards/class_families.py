"""Classes above and below others, and the methods that a class only documents."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from drift.guards.outside_members import members_outside
from drift.guards.overlay import OverlaidCall, Overlay
from drift.guards.slips import is_slip
from drift.index.ids import SymbolId
from drift.languages.facts import FileFacts
from drift.languages.kinds import TYPE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.hierarchy import base_values, class_around
from drift.scan.link.links import Place
from drift.scan.link.values import Value, as_instance, symbol_of
from drift.scan.link.wholeness import ANSWERING, is_whole

_MOST_BELOW: Final = 60  # classes below one that are looked at
_LEAST_CALLERS: Final = 2
_SHORTEST_HELPER: Final = 5  # letters: parents have short names with words behind them
_DOCUMENTED: Final = re.compile(r"@method [^\n(]{0,300}?\b(\w{1,200})\s{0,5}\(")


def parents_for_super(analysis: Analysis, values: Sequence[Value]) -> Sequence[Value]:
    """The values, with the parents of a class in the place of what stands for them."""
    found: list[Value] = []
    for one in values:
        if not isinstance(one, tuple) or one[0] != "super" or not isinstance(one[1], int):
            found.append(one)
            continue
        for position in range(len(analysis.program.symbol(one[1]).bases)):
            bases = base_values(analysis, one[1], position)
            found.extend(as_instance(base) if isinstance(base, int) else base for base in bases)
    return found


def classes_around(analysis: Analysis, scope: int) -> Iterator[int]:
    """The class that a scope stands in, and those around that: of all of them bare names may be."""
    around = class_around(analysis, scope)
    while around is not None:
        yield around
        around = class_around(analysis, analysis.program.parent(around))


def is_override(facts: FileFacts, number: int) -> bool:
    """Whether a function stands in the place of one that a parent has: it says so, or calls that."""
    symbol = facts.symbols[number]
    if "override" in symbol.modifiers or any(
        one.name.lower().endswith("override") for one in symbol.decorators
    ):
        return True
    return any(
        call.scope == number and call.callee is not None and call.callee[0] == "member"
        and call.callee[1] == ("super",) and call.callee[2] == symbol.name
        for call in facts.calls
    )  # fmt: skip


def all_below(overlay: Overlay, owners: Sequence[Value]) -> Iterator[int]:
    """The classes below some others, as many as are looked at."""
    waiting = [symbol_of(one) for one in owners if isinstance(one, int)]
    seen = set(waiting)
    while waiting and len(seen) <= _MOST_BELOW:
        new = [below for below in _derived(overlay, waiting.pop()) if below not in seen]
        seen |= set(new)
        waiting += new
        yield from new


def is_open_below(overlay: Overlay, owner: int) -> bool:
    """Whether a class below may have what this one lacks: one that is not known whole, or of many."""
    analysis = overlay.linking.linker.analysis
    for count, below in enumerate(all_below(overlay, (owner << 2,))):
        if count >= _MOST_BELOW or not is_whole(analysis, below << 2, members_outside):
            return True
    return False


def _derived(overlay: Overlay, owner: int) -> Iterator[int]:
    program = overlay.linking.linker.analysis.program
    symbol = overlay.symbol_id(program.place(owner))
    for record in overlay.reader.symbols.derived(symbol) if symbol is not None else ():
        place = overlay.linking.place_of(SymbolId(record.id))
        if place is not None:
            yield program.number(place)
    for draft in overlay.files.values():
        for link in draft.draft.links.bases:
            if any(program.number(target) == owner for target in link.targets):
                yield (program.files[draft.path] << 16) + link.symbol


def is_helper(overlay: Overlay, place: Place | None) -> bool:
    """Whether the project itself calls a method, in several places: hooks of a parent are called by the parent."""
    symbol = overlay.symbol_id(place) if place is not None else None
    if place is None or symbol is None or len(overlay.symbol(place).name) < _SHORTEST_HELPER:
        return False
    facts = overlay.files[place.path].facts if place.path in overlay.files else None
    if facts is not None and is_override(facts, place.symbol):
        return False
    callers = {each.symbol.id for each in overlay.reader.calls.callers(symbol, limit=20)}
    return len(callers) >= _LEAST_CALLERS and not overlay.reader.calls.overridden(symbol)


def is_slip_of_method(analysis: Analysis, scope: int, name: str) -> bool:
    """Whether a name that is called on a parent is nearly that of the method around: that is what is called there."""
    while analysis.program.symbol(scope).kind not in {"module", *TYPE_KINDS}:
        symbol, parent = analysis.program.symbol(scope), analysis.program.parent(scope)
        if analysis.program.symbol(parent).kind in TYPE_KINDS:
            return symbol.name != name and is_slip(name, symbol.name)
        scope = parent
    return False


def is_answered_at_most(overlay: Overlay, found: OverlaidCall, name: str) -> bool:
    """Whether a call leads nowhere, or to a method that answers for any name, though the names are documented."""
    for target in found.link.targets:
        if overlay.symbol(target.place).name not in ANSWERING:
            return False
        documented = documented_at(overlay, target.place)
        if not documented or name in documented:
            return False
    return True


def documented_at(overlay: Overlay, place: Place) -> frozenset[str]:
    """The methods that the file of a symbol lists in its documentation."""
    return documented_methods(overlay.linking.sources.text_of(place.path) or "")


def documented_methods(text: str) -> frozenset[str]:
    """The methods that a file lists in its documentation, which may stand nowhere in its code."""
    return frozenset(_DOCUMENTED.findall(text))
