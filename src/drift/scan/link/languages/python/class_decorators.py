"""What decorators of the project give to the classes they are put on: `klass.__new__ = …` in the decorator."""

from __future__ import annotations

from collections.abc import Iterator

from drift.languages.kinds import CODE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.hierarchy import line_of_descent, own_members
from drift.scan.link.values import NOTHING, SYMBOL_MASK, Values, is_reference, is_symbol, merge, symbol_of


def decorated_values(analysis: Analysis, owner: int, name: str) -> Values:
    """What a class is given under a name by its decorators."""
    if not analysis.program.symbol(owner).decorators:
        return NOTHING
    return analysis.memoised(("decorated", owner, name), _decorated_values, owner, name)


def _decorated_values(analysis: Analysis, owner: int, name: str) -> Values:
    program = analysis.program
    found: list[Values] = []
    for decorator in _decorators(analysis, owner):
        table = program.table_of(decorator)
        program.note_stores(table, name)
        taken = next((one.name for one in program.symbol(decorator).parameters), None)
        found += [
            analysis.evaluate(store.value, store.scope)
            for store in table.late_stores.get(name, ())
            if store.scope == decorator and store.receiver == ("name", taken)
        ]
    return merge(found)


def _decorators(analysis: Analysis, owner: int) -> Iterator[int]:
    """The functions that are given the class, each once."""
    table = analysis.program.table_of(owner)
    number = owner & SYMBOL_MASK
    scope = table.first + table.symbols[number].parent
    values = merge(
        analysis.evaluate(table.facts.calls[call].callee, scope) for call in table.decorations.get(number, ())
    )
    for value in values:
        if is_reference(value) and analysis.program.symbol(symbol_of(value)).kind in CODE_KINDS:
            yield symbol_of(value)


def decorated_makers(analysis: Analysis, owner: int, names: tuple[str, ...]) -> tuple[int, ...]:
    """The functions under these names that make objects of a class, where a decorator gives them to it or to an ancestor."""
    found: tuple[int, ...] = analysis.cached(("decorated makers", owner), _find_makers, owner, names)
    return found


def _find_makers(analysis: Analysis, owner: int, names: tuple[str, ...]) -> tuple[int, ...]:
    program = analysis.program
    found: dict[int, None] = {}
    for name in names:
        for ancestor in line_of_descent(analysis, owner):
            if isinstance(ancestor, str):
                continue
            given = decorated_values(analysis, ancestor, name)
            made = [symbol_of(one) for one in given if is_symbol(one)]
            found.update((one, None) for one in made if program.symbol(one).kind in CODE_KINDS)
            if made or own_members(analysis, ancestor, name):
                break
    return tuple(found)
