"""Where an expression could stand as well and mean the same, so that what many places say is found out once.

`self.assertEqual` is the same in all methods of a class, and `reverse` in all functions of a file that imports
it. Of the calls of a large project more than half have been asked about before, in that sense.
"""

from __future__ import annotations

from typing import Any

from drift.languages.expressions import Expression
from drift.languages.kinds import TYPE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.hierarchy import class_around
from drift.scan.link.tables import FileTable, is_outside_method

SharedScope = tuple[Any, ...]


class SharedScopes:
    """The shared scopes of the names and members in one file."""

    def __init__(self, analysis: Analysis, table: FileTable) -> None:
        self._analysis = analysis
        self._table = table
        self._has_implicit_this = analysis.program.semantics(table).has_implicit_this
        self._has_names_by_class = analysis.program.semantics(table).has_names_by_class
        self._objects: dict[int, SharedScope] = {}

    def find(self, expression: Expression, scope: int) -> SharedScope | None:
        """What stands for all scopes of the file in which the expression means the same; None for other forms."""
        root: Any = expression
        while root is not None and root[0] == "member":
            root = root[1]
        if root is None:
            return None
        if root[0] == "name":
            return self._of_name(root[1], scope)
        return self._of_object(scope) if root[0] in {"this", "super"} else None

    def _of_name(self, name: str, scope: int) -> SharedScope:
        names, symbols = self._table.names, self._table.symbols
        number = scope
        if self._has_implicit_this:
            # There a name may be a member of any class around, inherited ones too, and of the object as such.
            while number and name not in names[number] and not self._is_of_class(number):
                number = symbols[number].parent
            return (number, number == scope, *(self._of_object(scope) if number else ()))
        while number and name not in names[number]:
            number = symbols[number].parent
        if self._has_names_by_class:
            return number, number == scope, self._table.class_around(scope)
        # What the body of a class defines is seen in the body itself, and not in its methods.
        return number, number == scope

    def _is_of_class(self, number: int) -> bool:
        return self._table.symbols[number].kind in TYPE_KINDS or is_outside_method(self._table.facts, number)

    def _of_object(self, scope: int) -> SharedScope:
        known = self._objects.get(scope)
        if known is None:
            place = self._table.first + scope
            values = self._analysis.evaluate(("this",), place)
            known = self._objects[scope] = (values, class_around(self._analysis, place))
        return known
