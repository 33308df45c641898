"""What an index or a loop gives of an object of C++."""

from __future__ import annotations

from drift.scan.link.analysis import Analysis
from drift.scan.link.containers import element_values, methods_named
from drift.scan.link.returns import returned_values
from drift.scan.link.values import NOTHING, SYMBOL_MASK, Value, Values, is_instance, merge, symbol_of


def object_elements(analysis: Analysis, value: int) -> Values:
    """What the operator of the class gives, or an iterator; of a pointer the object."""
    if methods := methods_named(analysis, value, ("operator[]",)):
        return merge(returned_values(analysis, symbol_of(method)) for method in methods)
    methods = methods_named(analysis, value, ("begin",))
    if not methods:
        return (value,)
    iterators = merge(returned_values(analysis, symbol_of(method)) for method in methods)
    return merge(_pointed_at(analysis, one) for one in iterators)


def object_part(analysis: Analysis, value: int, key: str) -> Values:
    """The field of an object that `auto [a, b] = object` takes at a place."""
    place = int(key[1:-1])
    program = analysis.program
    owner = symbol_of(value)
    table = program.table_of(owner)
    program.note_members(table, owner & SYMBOL_MASK)
    inside = (number for number, symbol in enumerate(table.symbols) if symbol.parent == owner & SYMBOL_MASK)
    fields = [one for one in inside if table.symbols[one].kind == "field"]
    if place >= len(fields):
        return NOTHING
    return analysis.evaluate(("of", value, table.symbols[fields[place]].name), owner)


def _pointed_at(analysis: Analysis, value: Value) -> Values:
    """What an iterator is at; a pointer, which is an iterator too, is what it points to."""
    if not is_instance(value):
        return element_values(analysis, (value,))
    methods = methods_named(analysis, value, ("operator*",))
    return merge(returned_values(analysis, symbol_of(one)) for one in methods) if methods else (value,)
