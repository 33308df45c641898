"""PHP's magic methods: those that run where none is called, for properties, elements, in a loop, for missing methods."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

from drift.languages.facts import GOING_THROUGH, Access, Call
from drift.languages.kinds import CODE_KINDS, FIELD_KINDS, TYPE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.hierarchy import (
    base_values,
    class_around,
    declared_members,
    line_of_descent,
    own_members,
)
from drift.scan.link.implicit import implicit_link, without_abstract
from drift.scan.link.keys import method_key
from drift.scan.link.languages.php.implementations import (
    LANGUAGE,
    methods_below_outside,
)
from drift.scan.link.languages.php.records import ATTRIBUTE_METHODS, attribute_methods
from drift.scan.link.links import OUTSIDE_CONFIDENCE, CallLink, Outcome
from drift.scan.link.overriding import sharing_targets
from drift.scan.link.returns import returned_values
from drift.scan.link.values import NOTHING, SYMBOL_MASK, Values, is_instance, symbol_of

_OF_OBJECT: Final = "__call"
_OF_CLASS: Final = "__callStatic"
_GIVING: Final = "getIterator"
_STEPS: Final = ("rewind", "valid", "current", "next")
_WITH_FIELDS: Final = frozenset({"extends", "mixes"})  # of an interface no class gets any

_PROPERTY_METHODS: Final = frozenset({"__get", "__isset", "__set", "__unset"})
"""The methods that stand in for properties, which an access names by its receiver."""

_IMPLICIT_METHODS: Final = {GOING_THROUGH: (_GIVING, *_STEPS)}
"""The methods that an access runs which has not the name of one."""


class _Run(NamedTuple):
    """Methods of which one runs, and the classes of the object that it runs for."""

    methods: tuple[int, ...]
    owners: tuple[int, ...]


def may_run_magic(analysis: Analysis, name: str) -> bool:
    """Whether the project has a method that an access of such a name runs."""
    program = analysis.program
    return any(program.is_provided(method_key(LANGUAGE, asked)) for asked in _IMPLICIT_METHODS.get(name, ()))


def access_link(analysis: Analysis, access: Access, scope: int) -> CallLink | None:
    """What PHP runs for an object; a loop runs several methods of it, each for certain."""
    runs = [run for run in _runs(analysis, access, scope) if run.methods]
    links = [
        implicit_link(
            analysis,
            without_abstract(analysis, run.methods),
            is_virtual=True,
            owners=run.owners,
        )
        for run in runs
    ]
    if not links:
        return _outside_link(analysis, access, scope)
    targets = tuple(dict.fromkeys(target for link in links for target in link.targets))
    extra = tuple(dict.fromkeys(target for link in links for target in link.overriders))
    outcome: Outcome = "resolved" if all(link.outcome == "resolved" for link in links) else "ambiguous"
    return CallLink(outcome, targets, extra, reason="implicit")


def _outside_link(analysis: Analysis, access: Access, scope: int) -> CallLink | None:
    """What classes of the project have for an object that is declared to be of a type outside."""
    if not access.name.startswith("__") or access.name in _PROPERTY_METHODS:
        return None
    values = analysis.evaluate(access.receiver, scope)
    found = methods_below_outside(analysis, access.receiver, values, access.name)
    targets = sharing_targets(analysis, found, OUTSIDE_CONFIDENCE)
    return CallLink("ambiguous", (), targets, reason="override") if targets else None


def magic_call_values(analysis: Analysis, call: Call, scope: int) -> Values:
    """What runs for a method that no class in the line of the object has: `__call`, or `__callStatic` of a class."""
    callee = call.callee
    if callee is None or callee[0] != "member" or call.text.endswith(")"):
        return NOTHING  # `($this->callback)()` calls what a property holds
    owners = [value for value in analysis.evaluate(callee[1], scope) if isinstance(value, int)]
    is_object = bool(owners) and all(is_instance(value) for value in owners)
    return analysis.evaluate(("member", callee[1], _OF_OBJECT if is_object else _OF_CLASS), scope)


def _runs(analysis: Analysis, access: Access, scope: int) -> Iterator[_Run]:
    """All that an access runs, one after the other."""
    receiver = access.receiver
    assert receiver is not None
    if access.name in _PROPERTY_METHODS and receiver[0] == "member":
        owners = _classes(analysis, analysis.evaluate(receiver[1], scope))
        without = [
            owner
            for owner in owners
            if _stands_in(analysis, owner, receiver[2], method=access.name, scope=scope)
        ]
        yield _run(analysis, without, access.name)
        if access.name in ATTRIBUTE_METHODS:
            for owner in owners:
                found = attribute_methods(analysis, owner, receiver[2], is_set=access.name == "__set")
                yield _Run(tuple(found), (owner,))
        return
    owners = _classes(analysis, analysis.evaluate(receiver, scope))
    if access.name == GOING_THROUGH:
        yield from _gone_through(analysis, owners)
    else:
        yield _run(analysis, owners, access.name)


def _classes(analysis: Analysis, values: Values) -> list[int]:
    """The classes that objects are of."""
    found = [symbol_of(value) for value in values if is_instance(value)]
    return [one for one in found if analysis.program.symbol(one).kind in TYPE_KINDS]


def _methods(analysis: Analysis, owner: int, name: str) -> list[int]:
    found = declared_members(analysis, owner, name)
    return [one for one in found if analysis.program.symbol(one).kind in CODE_KINDS]


def _run(analysis: Analysis, owners: list[int], name: str) -> _Run:
    methods = dict.fromkeys(one for owner in owners for one in _methods(analysis, owner, name))
    return _Run(tuple(methods), tuple(owners))


def _gone_through(analysis: Analysis, owners: list[int]) -> Iterator[_Run]:
    """What a loop runs: what gives the iterator, and the steps of an iterator of the project."""
    giving = _run(analysis, owners, _GIVING)
    yield giving
    given = [
        one for method in giving.methods for one in _classes(analysis, returned_values(analysis, method))
    ]
    iterators = [one for one in (*owners, *given) if not _methods(analysis, one, _GIVING)]
    for step in _STEPS:
        yield _run(analysis, iterators, step)


def _stands_in(analysis: Analysis, owner: int, name: str, *, method: str, scope: int) -> bool:
    """Whether no property of that name is there for the code at hand, so that a method answers for it."""
    fields = _fields(analysis, owner, name)
    if fields:
        return not any(_is_seen(analysis, one, scope) for one in fields)
    if scope in _methods(analysis, owner, method):
        return False  # inside of it PHP takes the property as it is
    if _is_promised(analysis, owner, name):
        return True
    return not _has_parent_outside(analysis, owner) and not _is_made_later(analysis, owner, name)


def _fields(analysis: Analysis, owner: int, name: str) -> list[int]:
    """The property of the first class in line that declares one; methods of the name are something else."""
    for one in line_of_descent(analysis, owner):
        found = own_members(analysis, one, name) if isinstance(one, int) else ()
        fields = [member for member in found if analysis.program.symbol(member).kind in FIELD_KINDS]
        if fields:
            return fields
    return []


def _is_seen(analysis: Analysis, field: int, scope: int) -> bool:
    visibility = analysis.program.symbol(field).visibility
    if visibility == "public":
        return True
    asking, holder = class_around(analysis, scope), analysis.program.parent(field)
    if asking is None:
        return False
    if visibility == "protected" or analysis.program.symbol(holder).kind == "trait":
        return holder in line_of_descent(analysis, asking) or asking in line_of_descent(analysis, holder)
    return asking == holder


def _is_promised(analysis: Analysis, owner: int, name: str) -> bool:
    """Whether the comment of a class says that it answers for a property."""
    return any(scope == one for one, scope in _stored(analysis, owner, name))


def _is_made_later(analysis: Analysis, owner: int, name: str) -> bool:
    """Whether a method of a class that does not answer for setting makes the property by doing so."""
    if _methods(analysis, owner, "__set"):
        return False
    return any(scope != one for one, scope in _stored(analysis, owner, name))


def _stored(analysis: Analysis, owner: int, name: str) -> Iterator[tuple[int, int]]:
    """Each class in line that is given a property, with the scope in which it is."""
    for one in line_of_descent(analysis, owner):
        if isinstance(one, int):
            table, number = analysis.program.table_of(one), one & SYMBOL_MASK
            analysis.program.definitions(table, number, name)  # notes that the name was asked for
            stores = table.fields.get(number, {})
            for _, scope in stores.get(name, ()):
                yield one, scope


def _has_parent_outside(analysis: Analysis, owner: int) -> bool:
    """Whether a class gets fields that are not known."""
    found: bool = analysis.cached(("parent outside", owner), _find_parent_outside, owner)
    return found


def may_have_actions_outside(analysis: Analysis, owner: int) -> bool:
    """Whether a class may answer requests by methods that the project does not have: of a parent outside, or of `__call`."""
    without = _without_actions()
    program = analysis.program
    for one in line_of_descent(analysis, owner):
        if isinstance(one, str):
            if one.replace("\\", ".") not in without:
                return True
        elif _methods(analysis, one, _OF_OBJECT) or any(
            base.kind in _WITH_FIELDS and not base_values(analysis, one, position)
            for position, base in enumerate(program.symbol(one).bases)
        ):
            return True
    return False


@cache
def _without_actions() -> frozenset[str]:
    # Only projects with PHP pay for reading the words.
    from drift.languages.frameworks import load_frameworks

    return load_frameworks(LANGUAGE).names("routes", "without_actions")


def _find_parent_outside(analysis: Analysis, owner: int) -> bool:
    program = analysis.program
    return any(
        base.kind in _WITH_FIELDS
        and not any(isinstance(value, int) for value in base_values(analysis, one, position))
        for one in line_of_descent(analysis, owner)
        if isinstance(one, int) and program.symbol(one).kind != "interface"
        for position, base in enumerate(program.symbol(one).bases)
    )
