"""Classes of one name told apart by how many type arguments they take: C# has `Task` beside `Task<T>`."""

from __future__ import annotations

from typing import Final

from drift.languages.facts import Expression, Symbol
from drift.scan.link.analysis import Analysis
from drift.scan.link.tables import CLASS_KINDS
from drift.scan.link.values import SYMBOL, Value, Values

_OPENING: Final = "<(["
_CLOSING: Final = ">)]"


def arity_of(symbol: Symbol) -> int:
    """How many type parameters a class or function declares."""
    return count_arguments(symbol.signature.partition(f"{symbol.name}<")[2])


def count_arguments(text: str) -> int:
    """How many parts stand between commas up to the closing bracket, the opening one being read; 0 without text."""
    if not text:
        return 0
    level, count = 0, 1
    for sign in text:
        if sign in _OPENING:
            level += 1
        elif sign in _CLOSING:
            level -= 1
            if level < 0:
                break
        elif sign == "," and not level:
            count += 1
    return count


def arguments_behind(text: str) -> int:
    """How many type arguments a name is given at the end of what is written: two in `Map<K, List<V>>`."""
    if not text.endswith(">"):
        return 0
    level = 0
    for place in range(len(text) - 1, -1, -1):
        level += (text[place] in _CLOSING) - (text[place] in _OPENING)
        if not level:
            return count_arguments(text[place + 1 :])
    return 0


def with_arguments(named: Expression, text: str) -> Expression:
    """What names a class, with the number of type arguments that are written behind it."""
    count = arguments_behind(text)
    is_name = named is not None and named[0] in {"name", "member"}
    return ("generic", named, count) if count and is_name else named


def is_other_class(analysis: Analysis, value: Value, count: int) -> bool:
    """Whether a value is a class that takes another number of type arguments."""
    if not isinstance(value, int) or value & 3 != SYMBOL:
        return False
    symbol = analysis.program.symbol(value >> 2)
    return symbol.kind in CLASS_KINDS and arity_of(symbol) != count


def classes_taking(analysis: Analysis, values: Values, count: int) -> Values:
    """The values without the classes that take another number of type arguments, where one takes that many."""
    program = analysis.program
    found = {
        value: arity_of(program.symbol(value >> 2))
        for value in values
        if isinstance(value, int) and value & 3 == SYMBOL and program.symbol(value >> 2).kind in CLASS_KINDS
    }
    if count not in found.values():
        return values
    return tuple(value for value in values if not isinstance(value, int) or found.get(value, count) == count)
