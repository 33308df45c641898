"""Members that a class of Python has not: reading one runs its `__getattr__`."""

from __future__ import annotations

from typing import Any, Final

from drift.languages.facts import SETTING, Access
from drift.languages.kinds import CODE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.hierarchy import declared_members, line_of_descent
from drift.scan.link.keys import method_key
from drift.scan.link.languages.python.mixins import is_known_whole
from drift.scan.link.shared_scopes import SharedScope
from drift.scan.link.tables import FileTable
from drift.scan.link.values import SYMBOL_MASK, is_instance, symbol_of

_ANSWERING: Final = "__getattr__"


class GetattrMembers:
    """What runs for members that nothing declares, in one file."""

    def __init__(self, analysis: Analysis, table: FileTable) -> None:
        self._analysis = analysis
        self._table = table
        # Receivers are found out only in a project that has such a method at all.
        self._may_be_asked = bool(analysis.program.providing(method_key(table.facts.language, _ANSWERING)))
        self._owners: dict[Any, tuple[int, ...]] = {}
        self._silent: set[Any] = set()

    def is_silent(self, access: Access) -> bool:
        """Whether what a member is read of is known to answer for none; most reads of a function are of few things."""
        return not self._may_be_asked or (access.scope, access.receiver) in self._silent

    def find(self, access: Access, shared_scope: SharedScope | None) -> tuple[int, ...]:
        """The methods that answer for a member that is read; operators are never asked for so."""
        name = access.name
        if not self._may_be_asked or name.startswith("__") or name.endswith(SETTING):
            return ()
        key = (shared_scope, access.receiver)
        owners = self._owners.get(key) if shared_scope is not None else None
        if owners is None:
            owners = self._owners[key] = self._answering(access)
        if not owners:
            self._silent.add((access.scope, access.receiver))
        if not owners or any(_has_member(self._analysis, owner, name) for owner in owners):
            return ()
        return tuple(dict.fromkeys(one for owner in owners for one in _answers_of(self._analysis, owner)))

    def _answering(self, access: Access) -> tuple[int, ...]:
        """The classes of what a member is read of, where all that each has is known and it answers for the rest."""
        values = self._analysis.evaluate(access.receiver, self._table.first + access.scope)
        owners = [symbol_of(value) for value in values if is_instance(value)]
        return tuple(owner for owner in owners if _answers_of(self._analysis, owner))


def _answers_of(analysis: Analysis, owner: int) -> tuple[int, ...]:
    found: tuple[int, ...] = analysis.cached(("answers", owner), _find_answers, owner)
    return found


def _find_answers(analysis: Analysis, owner: int) -> tuple[int, ...]:
    if not is_known_whole(line_of_descent(analysis, owner)):
        return ()
    found = declared_members(analysis, owner, _ANSWERING)
    return tuple(one for one in found if analysis.program.symbol(one).kind in CODE_KINDS)


def _has_member(analysis: Analysis, owner: int, name: str) -> bool:
    """Whether a class or an ancestor says anywhere that its objects have a member, whatever its value is."""
    program = analysis.program
    for ancestor in line_of_descent(analysis, owner):
        if isinstance(ancestor, str):
            continue
        table, number = program.table_of(ancestor), ancestor & SYMBOL_MASK
        program.note_stores(table, name)
        if (
            program.definitions(table, number, name) is not None
            or name in table.fields.get(number, ())
            or name in table.late_stores
        ):
            return True
    return False
