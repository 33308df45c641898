"""Elements: of lists and dicts, of what generators yield, of objects that can be gone through."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from drift.scan.link.analysis import Analysis
from drift.scan.link.returns import returned_values, yielded_values
from drift.scan.link.values import BOUND, GENERATED, INSTANCE, NOTHING, SYMBOL, Value, Values, merge

_ITERATORS: Final = ("__iter__", "__aiter__")
_STEPS: Final = ("__next__", "__anext__")
# An annotation of these says what a value can do, nothing of what it is.
_SHAPELESS: Final = ("typing.", "typing_extensions.", "types.GenericAlias")

Members = Callable[[Analysis, Value, str], Values]


def keyed_values(analysis: Analysis, number: int, key: str) -> Values:
    """What a container holds under a constant key."""
    analysis.is_provisional = True
    held = analysis.containers[number].entries
    return merge(analysis.evaluate(value, scope) for name, value, scope in held if name == key)


def entry_values(analysis: Analysis, number: int) -> Values:
    """Everything a container holds."""
    return analysis.remember(("entries", number), _entry_values, number)


def _entry_values(analysis: Analysis, number: int) -> Values:
    analysis.is_provisional = True
    held = analysis.containers[number].entries
    return merge(analysis.evaluate(value, scope) for _, value, scope in held)


def element_values(analysis: Analysis, values: Values) -> Values:
    """An element of each of the values."""
    return merge(_elements_of(analysis, value) for value in values)


def _elements_of(analysis: Analysis, value: Value) -> Values:
    if isinstance(value, str):
        return NOTHING if value.startswith(_SHAPELESS) else (value,)
    if isinstance(value, tuple):
        return entry_values(analysis, value[1]) if value[0] == "container" else NOTHING
    number, tag = value >> 2, value & 3
    if tag == GENERATED:
        return yielded_values(analysis, number)
    if tag == INSTANCE:
        return _object_elements(analysis, value)
    if tag == SYMBOL:
        kind = analysis.program.symbol(number).kind
        # `Box[int]` is still Box; going through an enum gives its members.
        return (number << 2 | INSTANCE,) if kind == "enum" else (value,) if kind == "class" else NOTHING
    return NOTHING


def _object_elements(analysis: Analysis, value: int) -> Values:
    parts: list[Values] = [
        returned_values(analysis, method >> 2) for method in _methods(analysis, value, ("__getitem__",))
    ]
    for method in _methods(analysis, value, _ITERATORS):
        for iterator in returned_values(analysis, method >> 2):
            if isinstance(iterator, int) and iterator & 3 == INSTANCE:
                parts.extend(
                    returned_values(analysis, step >> 2) for step in _methods(analysis, iterator, _STEPS)
                )
            else:
                parts.append(_elements_of(analysis, iterator))
    return merge(parts)


def _methods(analysis: Analysis, value: int, names: tuple[str, ...]) -> list[int]:
    found = merge(analysis.evaluate(("of", value, name), value >> 2) for name in names)
    return [method for method in found if isinstance(method, int) and method & 3 in {BOUND, SYMBOL}]
