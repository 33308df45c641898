"""What a call makes by giving a function template a class: `bind<Store, MemoryStore>()` makes a MemoryStore."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from drift.languages.cpp.type_texts import template_variables
from drift.languages.expressions import Expression
from drift.languages.facts import Access
from drift.scan.link.analysis import Analysis
from drift.scan.link.bodies import bodies_of
from drift.scan.link.hierarchy import constructors_of
from drift.scan.link.links import CallLink, Target
from drift.scan.link.values import is_reference, is_symbol, symbol_of

_MADE: Final = 0.9  # by some call of the template: which constructor runs is up to what it is given there
_CLASSES: Final = frozenset({"class", "struct"})


def made_link(analysis: Analysis, access: Access, scope: int) -> CallLink | None:
    """The constructors of the classes that a call gives a template for variables that it makes objects of."""
    listed = access.receiver
    assert listed is not None
    assert listed[0] == "list"
    callee, *types = listed[1:]
    program = analysis.program
    found: dict[int, float] = {}
    functions = [symbol_of(value) for value in analysis.evaluate(callee, scope) if is_reference(value)]
    for place in sorted({place for one in functions for place in _made_places(analysis, one)}):
        if place < len(types):
            for owner in _classes(analysis, types[place], scope):
                made = [body for one in constructors_of(analysis, owner) for body in bodies_of(analysis, one)]
                made = list(dict.fromkeys(made)) or [owner]
                found.update((one, _MADE / len(made)) for one in made)
    targets = tuple(Target(program.place(one), share, "implicit") for one, share in found.items())
    return (
        CallLink("resolved" if len(targets) == 1 else "ambiguous", targets, reason="implicit")
        if targets
        else None
    )


def _made_places(analysis: Analysis, function: int) -> Iterator[int]:
    """The places, among the variables of a template, of those that it makes objects of."""
    symbol = analysis.program.symbol(function)
    made = symbol.value_type[1] if symbol.value_type and symbol.value_type[0] == "partial" else None
    if made is None or made[0] != "list" or symbol.kind == "macro":
        return
    variables = template_variables(symbol.signature)
    for one in made[1:]:
        if one is not None and one[0] == "name" and one[1] in variables:
            yield variables.index(one[1])


def _classes(analysis: Analysis, named: Expression, scope: int) -> list[int]:
    values = analysis.evaluate(named, scope)
    owners = [symbol_of(value) for value in values if is_symbol(value)]
    return [one for one in owners if analysis.program.symbol(one).kind in _CLASSES]
