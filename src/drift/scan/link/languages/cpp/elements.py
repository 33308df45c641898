"""What an index or a loop gives of an object of C++."""

from __future__ import annotations

from drift.scan.link.analysis import Analysis
from drift.scan.link.containers import element_values, methods_named
from drift.scan.link.returns import returned_values
from drift.scan.link.values import Value, Values, is_instance, merge, symbol_of


def object_elements(analysis: Analysis, value: int) -> Values:
    """What the operator of the class gives, or an iterator; of a pointer the object."""
    if methods := methods_named(analysis, value, ("operator[]",)):
        return merge(returned_values(analysis, symbol_of(method)) for method in methods)
    methods = methods_named(analysis, value, ("begin",))
    if not methods:
        return (value,)
    iterators = merge(returned_values(analysis, symbol_of(method)) for method in methods)
    return merge(_pointed_at(analysis, one) for one in iterators)


def _pointed_at(analysis: Analysis, value: Value) -> Values:
    """What an iterator is at; a pointer, which is an iterator too, is what it points to."""
    if not is_instance(value):
        return element_values(analysis, (value,))
    methods = methods_named(analysis, value, ("operator*",))
    return merge(returned_values(analysis, symbol_of(one)) for one in methods) if methods else (value,)
