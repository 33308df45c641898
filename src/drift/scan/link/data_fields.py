"""Classes whose constructor nobody writes: its arguments are the fields, in the order they are declared."""

from __future__ import annotations

from drift.languages.facts import Call, Symbol
from drift.scan.link.analysis import Analysis
from drift.scan.link.hierarchy import line_of_descent
from drift.scan.link.values import SYMBOL_MASK

_RECORDS = frozenset({"typing.NamedTuple", "typing_extensions.NamedTuple", "pydantic.BaseModel"})


def fill_fields(analysis: Analysis, owner: int, call: Call, scope: int) -> None:
    """Let the arguments of a call flow into the fields of the class it makes an object of.

    Only into fields whose declared type says nothing (a callable, say): of others the type is known.
    """
    fields = _fields_of(analysis, owner)
    at = 0
    for keyword, value in call.arguments:
        name = keyword
        if keyword is None:
            name = fields[at] if at < len(fields) else None
            at += 1
        if name in fields and value is not None and value[0] != "literal":
            holder = _holder_of(analysis, owner, name)
            if holder is not None:
                analysis.add_member(holder, name, (value, scope))


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
        for symbol in table.symbols[number + 1 :]:
            if symbol.parent == number and _is_field(symbol):
                names[symbol.name] = None
    return list(names)


def _is_field(symbol: Symbol) -> bool:
    return symbol.kind in {"field", "constant"} and ":" in symbol.signature.partition("=")[0]


def _holder_of(analysis: Analysis, owner: int, name: str) -> int | None:
    """The class that declares a field, where its type leaves open what it holds."""
    for ancestor in line_of_descent(analysis, owner):
        if isinstance(ancestor, str):
            continue
        table = analysis.program.table_of(ancestor)
        for definition in table.names[ancestor & SYMBOL_MASK].get(name, ()):
            if definition.kind == "symbol":
                return ancestor if table.symbols[definition.number].value_type is None else None
    return None
