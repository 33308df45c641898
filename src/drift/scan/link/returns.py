"""What functions give back and generators yield."""

from __future__ import annotations

import re
from typing import Final

from drift.languages.expressions import Expression
from drift.scan.link.analysis import Analysis
from drift.scan.link.hierarchy import line_of_descent
from drift.scan.link.settled_types import is_settled
from drift.scan.link.values import (
    NOTHING,
    SYMBOL_MASK,
    Value,
    Values,
    as_instance,
    generated_value,
    is_generated,
    is_instance,
    is_internal,
    is_symbol,
    merge,
    symbol_of,
)

_OF_ONE: Final = 2  # the word and one type
_LAZY: Final = re.compile(r"^[\"']?(?:\w+\.)*(?:Async)?(?:Iterator|Iterable|Generator)\b")


def returned_values(analysis: Analysis, function: int) -> Values:
    """What calling a function of the project gives."""
    return analysis.memoised(("returned", function), _returned_values, function)


def _returned_values(analysis: Analysis, function: int) -> Values:
    program = analysis.program
    table = program.table_of(function)
    number = function & SYMBOL_MASK
    symbol = program.symbol(function)
    program.note_body(function)
    declared = _declared_values(analysis, function)
    if number in table.yields or "generator" in symbol.modifiers:
        return merge([(generated_value(function),), declared])
    is_whole = not _is_open(symbol.return_type)
    rules = program.semantics(table)
    is_outside = rules.follows_results_outside and any(isinstance(one, str) for one in declared)
    if declared and is_whole and not is_outside and not is_abstract(analysis, declared):
        return merge([*_generators(analysis, function), declared])
    if rules.has_settled_types and is_settled(analysis, declared) and not _is_hidden(symbol.return_type):
        return declared
    inferred = merge(analysis.evaluate(value, function) for value in table.returns.get(number, ()))
    if declared and not is_whole:
        return merge([declared, inferred])
    if declared and rules.has_nominal_results:
        inferred = tuple(value for value in inferred if _is_of(analysis, value, declared))
    if not declared and not inferred and "abstract" in symbol.modifiers:
        return merge(returned_values(analysis, one) for one in rules.methods_below(analysis, function))
    # What is given back says more than the declared type only where it is of a class that has objects.
    if declared and not any(_is_known(one) and not is_abstract(analysis, (one,)) for one in inferred):
        # An object of a script that is written out has the code of what the declared type only names.
        made = tuple(one for one in inferred if _is_written_out(analysis, one))
        return merge([made, declared])
    if declared and (is_outside or rules.prefers_declared_to_many) and _are_many(inferred):
        return declared
    return inferred


def _is_hidden(declared: Expression) -> bool:
    """Whether a type is one that has what is named and is not said: `impl Trait`, which is one of one."""
    return declared is not None and declared[0] == "either" and len(declared) == _OF_ONE


def _are_many(values: Values) -> bool:
    """Whether objects of several classes of the project are given back, of which any one is unlikely to be meant."""
    return sum(is_instance(value) for value in values) > 1


def _generators(analysis: Analysis, function: int) -> list[Values]:
    """The generators that a function gives back which is declared to give something to go through: that runs them."""
    program = analysis.program
    if not program.semantics_at(function).has_lazy_results:
        return []
    if not _LAZY.search(program.symbol(function).return_text or ""):
        return []
    returned = program.table_of(function).returns.get(function & SYMBOL_MASK, ())
    found = merge(analysis.evaluate(value, function) for value in returned)
    return [tuple(value for value in found if is_generated(value))]


def _is_written_out(analysis: Analysis, value: Value) -> bool:
    """Whether a value is an object literal of a language in which that has members."""
    if not isinstance(value, tuple) or value[0] != "container":
        return False
    container = analysis.containers[value[1]]
    rules = analysis.program.semantics(analysis.program.table_of(container.scope))
    return container.kind == "dict" and rules.has_object_literals


def _is_known(value: Value) -> bool:
    """Whether a value is a thing of the project, or something that calls one."""
    return is_internal(value) or (isinstance(value, tuple) and value[0] == "partial")


def _is_open(declared: Expression) -> bool:
    """Whether a type is one of several of which not all are known, or of parts that it does not say: functions, say."""
    if declared is None:
        return False
    match declared[0]:
        case "either":
            return declared[-1] is None
        case "list":
            return len(declared) > _OF_ONE and None in declared
        case "dict":
            return any(part is None for _, part in declared[1:])
    return False


def gives_itself(analysis: Analysis, method: int) -> bool:
    """Whether a method gives back the object it is called on, which may be of a class below its own."""
    program = analysis.program
    program.note_body(method)
    found = program.table_of(method).returns.get(method & SYMBOL_MASK, ())
    return ("this",) in found or program.symbol(method).return_type == ("this",)


def gives_only_itself(analysis: Analysis, method: int) -> bool:
    """Whether a method gives back nothing but the object it is called on, or a copy of it."""
    table = analysis.program.table_of(method)
    if analysis.program.symbol(method).return_type == ("this",):
        return True
    gives_copies = analysis.program.semantics(table).gives_copies_of_itself
    return gives_copies and set(table.returns.get(method & SYMBOL_MASK, ())) == {("this",)}


def _declared_values(analysis: Analysis, function: int) -> Values:
    program = analysis.program
    symbol = program.symbol(function)
    declared = symbol.return_type if symbol.return_type is not None else symbol.value_type
    if declared is None:
        return NOTHING
    if declared != ("this",):
        return analysis.evaluate(declared, program.parent(function))
    # "Self" is the class the method was called on, an object of it even from a class method.
    values = analysis.evaluate(declared, function)
    return tuple(as_instance(value) if is_symbol(value) else value for value in values)


def is_abstract(analysis: Analysis, values: Values) -> bool:
    """Whether the values are of classes that have no objects of their own."""
    for value in values:
        if not isinstance(value, int) or not (is_instance(value) or _is_protocol(analysis, value)):
            return False
        symbol = analysis.program.symbol(symbol_of(value))
        if symbol.kind == "type" and _is_of_script(analysis, value):
            continue
        if symbol.kind not in {"interface", "trait"} and "abstract" not in symbol.modifiers:
            return False
    return True


def _is_protocol(analysis: Analysis, value: int) -> bool:
    """Whether a value is a protocol itself (`type[Shape]`), in whose place another class is given."""
    return (
        is_symbol(value)
        and analysis.program.semantics_at(symbol_of(value)).has_class_protocols
        and analysis.program.symbol(symbol_of(value)).kind == "interface"
    )


def _is_of_script(analysis: Analysis, value: int) -> bool:
    """Whether a value is of a language whose types are shapes that other things have."""
    return analysis.program.semantics(analysis.program.table_of(symbol_of(value))).has_object_literals


def _is_of(analysis: Analysis, value: Value, declared: Values) -> bool:
    """Whether a value is an object of one of the declared classes; another was mistaken for a result."""
    if not is_instance(value):
        return False
    line = line_of_descent(analysis, symbol_of(value))
    return any((symbol_of(one) if isinstance(one, int) else one) in line for one in declared)


def yielded_values(analysis: Analysis, function: int) -> Values:
    """What going through the result of a generator function gives."""
    return analysis.memoised(("yielded", function), _yielded_values, function)


def _yielded_values(analysis: Analysis, function: int) -> Values:
    table = analysis.program.table_of(function)
    analysis.program.note_body(function)
    values = table.yields.get(function & SYMBOL_MASK, ())
    return merge(analysis.evaluate(value, function) for value in values)
