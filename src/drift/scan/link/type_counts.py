"""How many type parameters a declaration has and how many arguments a name is given, by their texts."""

from __future__ import annotations

from typing import Final

from drift.languages.expressions import Expression
from drift.languages.facts import Symbol

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
