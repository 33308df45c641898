"""What one definition of a name makes of it: a symbol with its decorators, or a value assigned to it."""

from __future__ import annotations

from drift.languages.expressions import Expression
from drift.languages.kinds import CODE_KINDS, SPACE_KINDS, TYPE_KINDS, VALUE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.hierarchy import line_of_descent
from drift.scan.link.named_containers import named_container
from drift.scan.link.namespaces import namespace_of
from drift.scan.link.own_types import own_values
from drift.scan.link.settled_types import is_settled
from drift.scan.link.tables import Definition, FileTable
from drift.scan.link.values import (
    NOTHING,
    SYMBOL_MASK,
    Arguments,
    Value,
    Values,
    instance_value,
    is_instance,
    is_internal,
    is_symbol,
    merge,
    symbol_of,
    symbol_value,
)


def is_plain_value(analysis: Analysis, number: int) -> bool:
    """Whether a symbol is known by its values alone; the members of an enum are objects of it."""
    program = analysis.program
    return (
        program.symbol(number).kind in VALUE_KINDS and program.symbol(program.parent(number)).kind != "enum"
    )


def assigned_values(analysis: Analysis, definition: Definition, scope: int, name: str) -> Values:
    """What an assignment gives a name."""
    value = definition.value
    if definition.type is not None and analysis.program.semantics_at(scope).has_settled_types:
        declared = analysis.evaluate(definition.type, scope)
        if is_settled(analysis, declared):
            return declared
    made = named_container(analysis, value, scope, key=(scope, name))
    if made is not None:
        values: Values = (made,)
        declared = analysis.evaluate(definition.type, scope)
        return merge([values, declared]) if declared else values
    values = analysis.evaluate(value, scope)
    if definition.type is None or any(map(is_internal, values)):
        # A lambda is also an object of the interface it is declared to be of.
        is_lambda = value is not None and value[0] == "symbol" and definition.type is not None
        if is_lambda:
            return merge([values, analysis.evaluate(definition.type, scope)])
        return _as_declared(analysis, values, definition.type, scope)
    return analysis.evaluate(definition.type, scope) or values


def _as_declared(analysis: Analysis, values: Values, declared: Expression, scope: int) -> Values:
    """What is assigned, which says more than the declared type unless it is of a class above that, such as a bound."""
    if declared is None or not all(map(is_instance, values)):
        return values
    wanted = analysis.evaluate(declared, scope)
    above = {
        instance_value(one)
        for value in wanted
        if is_instance(value)
        for one in line_of_descent(analysis, symbol_of(value))[1:]
        if isinstance(one, int)
    }
    return wanted if above and above.issuperset(values) else values


def symbol_values(analysis: Analysis, table: FileTable, number: int) -> Values:
    """What the name of a symbol stands for: itself, and what its decorators make of it."""
    symbol = analysis.program.symbol(table.first + number)
    value: Value = symbol_value(table.first + number)
    if symbol.kind in CODE_KINDS or symbol.kind in TYPE_KINDS:
        if symbol.kind == "type" and symbol.value_type is not None:
            return merge([(value,), _alias_values(analysis, symbol.value_type, table.first + symbol.parent)])
        made = _decorated_values(analysis, table, number)
        return merge([(value,), *made]) if made else (value,)
    if symbol.kind in SPACE_KINDS:
        package = _package_of(analysis, table, number) if symbol.kind == "namespace" else None
        return (value,) if package is None else (("package", table.facts.language, package),)
    parent = analysis.program.symbol(table.first + symbol.parent)
    if parent.kind == "enum" and symbol.kind == "constant":
        return (instance_value(table.first + symbol.parent),)
    return analysis.evaluate(symbol.value_type, table.first + symbol.parent)


def _package_of(analysis: Analysis, table: FileTable, number: int) -> str | None:
    """The package that a namespace of a file is, where other files open it too."""
    semantics = analysis.program.semantics(table)
    if semantics.has_open_namespaces:
        return namespace_of(analysis, table.first + number)
    return semantics.package_of_namespace(table.symbols[number].name)


def _decorated_values(analysis: Analysis, table: FileTable, number: int) -> list[Values]:
    """What the decorators of a symbol make of it, as far as it is of the project: the outermost that says anything."""
    if table.symbols[number].kind == "property":
        return []
    for call in table.decorations.get(number, ()):
        if made := _made_by(analysis, table, call):
            return [made]
    return []


def _made_by(analysis: Analysis, table: FileTable, call: int) -> Values:
    values = analysis.evaluate(("result", call), table.first + table.facts.calls[call].scope)
    return tuple(part for part in values if is_internal(part))


def decorated(analysis: Analysis, table: FileTable, number: int) -> Arguments:
    """What a decorator is given: what those below it made of the symbol, else the symbol itself."""
    arguments = table.facts.calls[number].arguments
    symbol = arguments[0][1] if arguments else None
    if symbol is None or symbol[0] != "symbol":
        return arguments
    decorations = table.decorations.get(symbol[1], [])
    below = decorations[decorations.index(number) + 1 :] if number in decorations else []
    for call in below:
        if _made_by(analysis, table, call):
            return ((None, ("result", call)), *arguments[1:])
    return arguments


def wrappers_of(analysis: Analysis, function: int) -> set[int]:
    """The functions that decorators put in the place of a function."""
    made = _decorated_values(analysis, analysis.program.table_of(function), function & SYMBOL_MASK)
    found = {symbol_of(value) for values in made for value in values if is_symbol(value)}
    return {one for one in found if analysis.program.symbol(one).kind in CODE_KINDS}


def _alias_values(analysis: Analysis, aliased: Expression, scope: int) -> Values:
    if aliased is not None and aliased[0] == "instance":
        return analysis.evaluate(aliased[1], scope)
    if aliased is not None and aliased[0] == "own":
        own = own_values(analysis, aliased[1], scope, as_types=True)
        return own or _alias_values(analysis, aliased[2], scope)
    if aliased is not None and aliased[0] in {"list", "dict"}:
        rules = analysis.program.semantics_at(scope)
        return analysis.evaluate(aliased, scope) if rules.has_container_aliases else NOTHING
    if aliased is not None and aliased[0] == "either":
        return merge(_alias_values(analysis, part, scope) for part in aliased[1:])
    return NOTHING
