"""What makes the values of parameters, where a framework is told so: functions and classes that FastAPI calls."""

from __future__ import annotations

from collections.abc import Iterator

from drift.languages.kinds import CODE_KINDS, TYPE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.hierarchy import constructors_of
from drift.scan.link.values import Value, Values, is_reference, symbol_of


def providers_of(analysis: Analysis, values: Values) -> tuple[int, ...]:
    """The functions that make objects of a type, as far as it names them; of a class its constructor, or itself."""
    made_by = (value[1] for value in values if isinstance(value, tuple) and value[0] == "partial")
    return tuple(dict.fromkeys(one for value in made_by for one in _code_of(analysis, value)))


def _code_of(analysis: Analysis, value: Value) -> Iterator[int]:
    if not is_reference(value):
        return
    number = symbol_of(value)
    kind = analysis.program.symbol(number).kind
    if kind in TYPE_KINDS:
        yield from constructors_of(analysis, number) or (number,)
    elif kind in CODE_KINDS:
        yield number
