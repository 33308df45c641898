"""Classes whose constructor nobody writes: its arguments are the fields, in the order they are declared."""

from __future__ import annotations

from drift.languages.expressions import Expression
from drift.languages.facts import Call, Symbol
from drift.scan.link.analysis import MOST_GIVEN, Analysis
from drift.scan.link.hierarchy import line_of_descent
from drift.scan.link.values import NOTHING, SYMBOL_MASK, Values, merge, symbol_value

_RECORDS = frozenset({"typing.NamedTuple", "typing_extensions.NamedTuple", "pydantic.BaseModel"})


def field_values(analysis: Analysis, owner: int, name: str) -> Values:
    """What calls in the class's own file give for a field whose declared type says nothing (a callable, say)."""
    program = analysis.program
    table = program.table_of(owner)
    definitions = program.definitions(table, owner & SYMBOL_MASK, name) or ()
    is_open = any(
        one.kind == "symbol" and _is_open_field(program.symbol(table.first + one.number))
        for one in definitions
    )
    if not is_open or not is_data(analysis, owner):
        return NOTHING
    return analysis.memoised(("field", owner, name), _field_values, owner, name)


def _field_values(analysis: Analysis, owner: int, name: str) -> Values:
    table = analysis.program.table_of(owner)
    class_name = analysis.program.symbol(owner).name
    analysis.program.note_calls(table, class_name)
    fields = _fields_of(analysis, owner)
    parts = []
    for number in table.calls_of.get(class_name, ())[:MOST_GIVEN]:
        call = table.facts.calls[number]
        scope = table.first + call.scope
        value = _given(call, fields, name)
        if value is None or value[0] == "literal":
            continue
        if symbol_value(owner) in analysis.evaluate(call.callee, scope):
            parts.append(analysis.evaluate(value, scope))
    return merge(parts)


def _given(call: Call, fields: list[str], name: str) -> Expression:
    """The argument that fills a field."""
    at = 0
    for keyword, value in call.arguments:
        if keyword is None:
            if at < len(fields) and fields[at] == name:
                return value
            at += 1
        elif keyword == name:
            return value
    return None


def is_data(analysis: Analysis, owner: int) -> bool:
    """Whether objects of a class are made by giving its fields."""
    line = line_of_descent(analysis, owner)
    return any(
        ancestor in _RECORDS
        if isinstance(ancestor, str)
        else "data" in analysis.program.symbol(ancestor).modifiers
        for ancestor in line
    )


def _fields_of(analysis: Analysis, owner: int) -> list[str]:
    """The names of the fields, those of the farthest ancestor first."""
    names: dict[str, None] = {}
    for ancestor in reversed(line_of_descent(analysis, owner)):
        if isinstance(ancestor, str):
            continue
        table = analysis.program.table_of(ancestor)
        number = ancestor & SYMBOL_MASK
        analysis.program.note_members(table, number)
        for own, symbol in enumerate(table.symbols[number + 1 :], number + 1):
            if symbol.parent == number and _is_field(analysis.program.symbol(table.first + own)):
                names[symbol.name] = None
    return list(names)


def _is_field(symbol: Symbol) -> bool:
    return symbol.kind in {"field", "constant"} and (
        symbol.value_type is not None or ":" in symbol.signature.partition("=")[0]
    )


def _is_open_field(symbol: Symbol) -> bool:
    return symbol.kind in {"field", "constant"} and symbol.value_type is None
