"""Late static binding: methods that give an object of the class they are called on, which may be one below their own.

`return new static`, and the same by a class's name in a variable: `$class = get_called_class(); return new $class`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from drift.languages.expressions import Expression
    from drift.languages.php.walk import PhpWalk

_CALLED_CLASS: Final[Expression] = ("this",)
_NAMING: Final = frozenset({"get_called_class", "get_class"})  # functions that give the name of a class


def named_by_function(php: PhpWalk, name: str) -> Expression:
    """The class whose name `get_called_class()` gives, or `get_class($this)`; None for other functions."""
    if name not in _NAMING or php.class_number is None:
        return None
    given = [value for _, value in php.calls[-1].arguments]
    return _CALLED_CLASS if all(value == ("this",) for value in given) else None


class Body:
    """What is in the body of a method, of which nothing is known before it is read."""

    def __init__(self, php: PhpWalk, number: int) -> None:
        self._php = php
        self._number = number
        self._firsts = len(php.returns), len(php.bindings), len(php.stores)

    def note_called_class(self) -> None:
        """Note that a method without a declared result gives objects of the class it is called on, if that is all."""
        symbol = self._php.symbols[self._number]
        if symbol.return_type is not None or symbol.kind != "method":
            return
        returned = self._php.returns[self._firsts[0] :]
        given = [one.value for one in returned if one.scope == self._number and one.value is not None]
        if given and all(map(self._is_of_called_class, given)):
            self._php.symbols[self._number] = symbol._replace(return_type=_CALLED_CLASS)

    def _is_of_called_class(self, value: Expression) -> bool:
        if value is not None and value[0] == "name":
            bound = self._bound(value[1])
            return bool(bound) and all(map(self._is_made, bound))
        if value is not None and value[0] == "item" and value[1] is not None and value[1][0] == "member":
            return self._is_kept(value[1][2])
        return self._is_made(value)

    def _is_made(self, value: Expression) -> bool:
        """Whether a value is `new static`, or new of the class that a variable names."""
        if value is None or value[0] != "result":
            return False
        call = self._php.calls[value[1]]
        if call.kind != "new" or call.callee is None:
            return False
        named = self._bound(call.callee[1]) if call.callee[0] == "name" else []
        return call.text.lower() == "static" or (bool(named) and set(named) == {_CALLED_CLASS})

    def _is_kept(self, name: str) -> bool:
        """Whether a member keeps one object for each class: `self::$made[$class] = new $class`."""
        stores = self._php.stores[self._firsts[2] :]
        kept = [one.value for one in stores if one.scope == self._number and one.name == name]
        return bool(kept) and all(
            one is not None and one[0] == "list" and len(one) > 1 and self._is_made(one[1]) for one in kept
        )

    def _bound(self, variable: str) -> list[Expression]:
        bindings = self._php.bindings[self._firsts[1] :]
        return [one.value for one in bindings if one.scope == self._number and one.name == variable]
