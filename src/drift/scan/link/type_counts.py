"""Which type parameters a declaration has and which arguments a name is given, and how many, by their texts."""

from __future__ import annotations

from typing import Final

from drift.languages.expressions import Expression
from drift.languages.facts import Symbol

_OPENING: Final = "<(["
_CLOSING: Final = ">)]"
_BRACKETS: Final = ("<", "[")  # what type arguments stand in
_ARROWS: Final = "=-"  # before a sign that then closes nothing


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


def split_arguments(text: str) -> list[str]:
    """What stands between commas up to the closing bracket, the opening one being read; nothing where none closes it."""
    level, found, begin = 0, [], 0
    for place, sign in enumerate(text):
        if sign in _OPENING:
            level += 1
        elif sign in _CLOSING and text[max(place - 1, 0)] not in _ARROWS:
            level -= 1
            if level < 0:
                found.append(text[begin:place].strip())
                return [one for one in found if one]
        elif sign == "," and not level:
            found.append(text[begin:place].strip())
            begin = place + 1
    return []


def arguments_of(text: str, name: str) -> list[str]:
    """The type arguments that a name is given somewhere in a text: `Order` of `Box` in `Promise<Box<Order>>`."""
    place = text.find(name)
    while place >= 0:
        behind = text[place + len(name) :]
        if not _is_letter(text[place - 1 : place]) and behind[:1] in _BRACKETS:
            return split_arguments(behind[1:])
        place = text.find(name, place + len(name))
    return []


def _is_letter(sign: str) -> bool:
    return sign.isalnum() or sign == "_"


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
