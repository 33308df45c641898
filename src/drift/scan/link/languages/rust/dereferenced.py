"""What an object of Rust has by `impl Deref`: the members of what it leads to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from drift.languages.kinds import CODE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.hierarchy import declared_members, line_of_descent
from drift.scan.link.values import BOUND, NOTHING, Values, is_instance, merge, symbol_of, tagged_value

_TRAITS: Final = frozenset({"Deref", "DerefMut"})
_TARGET: Final = "Target"


def dereferenced_members(analysis: Analysis, line: tuple[int | str, ...], name: str) -> Values:
    """The member of that name of what the first class in line that has one is dereferenced to."""
    waiting = [owner for owner in line if isinstance(owner, int)]
    seen = set(waiting)
    while waiting:
        for target in _targets(analysis, waiting.pop(0)):
            if target in seen:
                continue
            if found := _members(analysis, target, name):
                return found
            further = [one for one in line_of_descent(analysis, target) if isinstance(one, int)]
            seen.update(further)
            waiting += further
    return NOTHING


def _targets(analysis: Analysis, owner: int) -> Iterator[int]:
    """The types that an impl of `Deref` for a type names as what it leads to."""
    program = analysis.program
    bases = (base.text.partition("<")[0].rpartition("::")[2] for base in program.symbol(owner).bases)
    if _TRAITS.isdisjoint(bases):
        return
    for one in declared_members(analysis, owner, _TARGET):
        declared = analysis.evaluate(program.symbol(one).value_type, program.parent(one))
        yield from (symbol_of(value) for value in declared if is_instance(value))


def _members(analysis: Analysis, owner: int, name: str) -> Values:
    program = analysis.program
    found: list[Values] = []
    for one in declared_members(analysis, owner, name):
        symbol = program.symbol(one)
        is_method = symbol.kind in CODE_KINDS
        if is_method and "static" not in symbol.modifiers:
            found.append((tagged_value(one, BOUND),))
        elif not is_method:
            found.append(analysis.evaluate(symbol.value_type, program.parent(one)))
    return merge(found)
