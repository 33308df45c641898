"""Members that a class of Python has not: reading one runs its `__getattr__`."""

from __future__ import annotations

from types import ModuleType
from typing import Any, Final

from drift.languages.facts import SETTING, Access
from drift.languages.kinds import CODE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.hierarchy import Line, line_of_descent
from drift.scan.link.keys import made_key, method_key, space_key
from drift.scan.link.languages.python.mixins import is_known_whole
from drift.scan.link.members import member_values
from drift.scan.link.names import definition_values, module_member
from drift.scan.link.shared_scopes import SharedScope
from drift.scan.link.tables import FileTable
from drift.scan.link.values import (
    NOTHING,
    SYMBOL_MASK,
    Values,
    is_instance,
    is_symbol,
    merge,
    symbol_of,
)

_ANSWERING: Final = "__getattr__"
_HANDING: Final = ("name", "getattr")
_OF_MODULES: Final = frozenset({*dir(ModuleType("")), "__file__", "__path__", "__all__", "__builtins__"})
_INTERCEPTING: Final = "__getattribute__"  # it runs whether there is such a member or not


class GetattrMembers:
    """What runs for members that nothing declares, and before any of those that are intercepted, in one file."""

    def __init__(self, analysis: Analysis, table: FileTable) -> None:
        self._analysis = analysis
        self._table = table
        # Receivers are found out only in a project that has such a method at all.
        self._may_be_asked = may_answer(analysis, table.facts.language)
        self._has_modules = analysis.program.is_provided(_module_key(table.facts.language))
        self._may_be_asked |= self._has_modules
        self._answering: dict[Any, tuple[tuple[int, ...], tuple[int, ...]]] = {}
        self._silent: set[Any] = set()

    def is_silent(self, access: Access) -> bool:
        """Whether what a member is read of is known to answer for none; most reads of a function are of few things."""
        return not self._may_be_asked or (access.scope, access.receiver) in self._silent

    def find(self, access: Access, shared_scope: SharedScope | None) -> tuple[int, ...]:
        """The methods that answer for a member that is read; operators are never asked for so."""
        name = access.name
        if not self._may_be_asked or name.endswith(SETTING):
            return ()
        key = (shared_scope, access.receiver)
        known = self._answering.get(key) if shared_scope is not None else None
        if known is None:
            values = self._analysis.evaluate(access.receiver, self._table.first + access.scope)
            known = (self._modules_among(values), _answering(self._analysis, values))
            self._answering[key] = known
        modules, owners = known
        if not owners and not modules:
            self._silent.add((access.scope, access.receiver))
            return ()
        found = _module_answers(self._analysis, modules, name)
        return found or (_answers_for(self._analysis, owners, name) if not name.startswith("__") else ())

    def _modules_among(self, values: Values) -> tuple[int, ...]:
        """The modules among what a member is read of that answer for names they have not."""
        if not self._has_modules:
            return ()
        symbols = (symbol_of(value) for value in values if is_symbol(value))
        modules = (one for one in symbols if not one & SYMBOL_MASK)
        return tuple(one for one in modules if self._is_answering(one))

    def _is_answering(self, module: int) -> bool:
        program = self._analysis.program
        written = program.definitions(program.table_of(module), 0, _ANSWERING) or ()
        return any(one.kind == "symbol" for one in written)


def _module_key(language: str) -> int:
    """The modules that answer for names they have not."""
    return space_key(language, "", _ANSWERING)


def _module_answers(analysis: Analysis, modules: tuple[int, ...], name: str) -> tuple[int, ...]:
    """What modules run that are asked for a name that they have not; every module has a few of its own."""
    program, found = analysis.program, list[int]()
    for module in modules if name not in _OF_MODULES else ():
        table = program.table_of(module)
        written = program.definitions(table, 0, _ANSWERING) or ()
        functions = [table.first + one.number for one in written if one.kind == "symbol"]
        if functions and not module_member(analysis, module, name):
            found += functions if program.definitions(table, 0, name) is None else []
    return tuple(found)


def may_answer(analysis: Analysis, language: str) -> bool:
    """Whether anything in the project answers for members that it has not."""
    found: tuple[bool, ...] = analysis.cached(("may answer", language), _may_answer, language)
    return bool(found) and found[0]  # nothing is found where one asks too deep


def _may_answer(analysis: Analysis, language: str) -> tuple[bool, ...]:
    keys = [key(language, name) for name in (_ANSWERING, _INTERCEPTING) for key in (method_key, made_key)]
    # Each is noted, also behind one that is there.
    are_there = [analysis.program.is_provided(key) for key in keys]
    return (any(are_there),)


def handed_on(analysis: Analysis, line: Line, name: str) -> Values:
    """The member of the object that a class hands questions on to: `return getattr(self._inner, name)`."""
    if name.startswith("__") or not line or isinstance(line[0], str):
        return NOTHING
    if not may_answer(analysis, analysis.program.table_of(line[0]).facts.language):
        return NOTHING
    program = analysis.program
    inner: list[Values] = []
    for answering in _answers_of(analysis, line[0])[0]:
        table, asked = program.table_of(answering), [one.name for one in program.symbol(answering).parameters]
        program.note_body(answering)
        for form in table.returns.get(answering & SYMBOL_MASK, ()):
            call = table.facts.calls[form[1]] if form is not None and form[0] == "result" else None
            given = call.arguments if call is not None and call.callee == _HANDING else ()
            if len(given) > 1 and given[1][1] == ("name", asked[-1]):
                inner.append(analysis.evaluate(given[0][1], answering))
    return member_values(analysis, merge(inner), name) if inner else NOTHING


def answers_for(analysis: Analysis, values: Values, name: str) -> tuple[int, ...]:
    """The methods that answer for a member of what has one of these values."""
    return _answers_for(analysis, _answering(analysis, values), name) if not name.startswith("__") else ()


def _answering(analysis: Analysis, values: Values) -> tuple[int, ...]:
    """The classes of what a member is read of, where all that each has is known and it answers for the rest."""
    found = []
    for value in values:  # plainly: it is asked for every call and for most members that are read
        if is_instance(value):
            answering, intercepting = _answers_of(analysis, symbol_of(value))
            if answering or intercepting:
                found.append(symbol_of(value))
    return tuple(found)


def _answers_for(analysis: Analysis, owners: tuple[int, ...], name: str) -> tuple[int, ...]:
    if not owners:
        return ()
    is_declared = any(_has_member(analysis, owner, name) for owner in owners)
    found = [_answers_of(analysis, owner) for owner in owners]
    undeclared = () if is_declared else (one for answering, _ in found for one in answering)
    return tuple(dict.fromkeys((*(one for _, intercepting in found for one in intercepting), *undeclared)))


def _answers_of(analysis: Analysis, owner: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """What answers for members that a class has not, and what intercepts all."""
    found: tuple[tuple[int, ...], ...] = analysis.cached(("answers", owner), _find_answers, owner)
    return (found[0], found[1]) if found else ((), ())  # nothing is found where one asks too deep


def _find_answers(analysis: Analysis, owner: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    line = line_of_descent(analysis, owner)
    answering = _methods_of(analysis, line, _ANSWERING) if is_known_whole(line) else ()
    return answering, _methods_of(analysis, line, _INTERCEPTING)


def _methods_of(analysis: Analysis, line: Line, name: str) -> tuple[int, ...]:
    """The functions that the first class in line has under a name: written there, or given to it."""
    program = analysis.program
    for ancestor in line:
        if isinstance(ancestor, str):
            continue
        if program.definitions(program.table_of(ancestor), ancestor & SYMBOL_MASK, name) is not None:
            values = definition_values(analysis, ancestor, name)
            found = [symbol_of(one) for one in values if is_symbol(one)]
            return tuple(one for one in found if program.symbol(one).kind in CODE_KINDS)
    return ()


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
