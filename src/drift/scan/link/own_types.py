"""Types of the project that have the name of one of a library, which then is not the one that is meant."""

from __future__ import annotations

from drift.languages.expressions import Expression
from drift.languages.kinds import CLASS_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.arities import is_other_class
from drift.scan.link.keys import type_key
from drift.scan.link.values import NOTHING, Value, Values, is_symbol, symbol_of


def own_values(analysis: Analysis, named: Expression, scope: int, *, as_types: bool = False) -> Values:
    """What a type means that is named like one of a library, its objects where they are asked for; nothing if it is that one.

    A name that only stands for another type (`type Result<T> = …`) is read as what it is named after.
    """
    bare = named[1] if named is not None and named[0] == "instance" else named
    path = bare[1] if bare is not None and bare[0] == "generic" else bare
    if bare is None or path is None or (path[0] != "name" and path[0] != "member"):
        return NOTHING
    semantics = analysis.program.semantics_at(scope)
    # Most projects have no such type at all, which costs less to find out than what the name means.
    if not any(
        analysis.program.is_provided(type_key(language, path[-1])) for language in semantics.languages
    ):
        return NOTHING
    count = bare[2] if bare[0] == "generic" else None
    values = analysis.evaluate(bare, scope)
    if not any(_is_own(analysis, value, count) for value in values):
        return NOTHING
    return values if as_types else analysis.evaluate(named, scope)


def _is_own(analysis: Analysis, value: Value, count: int | None) -> bool:
    if not is_symbol(value) or analysis.program.symbol(symbol_of(value)).kind not in CLASS_KINDS:
        return False
    return count is None or not is_other_class(analysis, value, count)
