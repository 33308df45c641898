"""Members that run without a call in the text: properties that are read, operators, iteration, `with`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from drift.languages.expressions import MemberForm
from drift.languages.facts import (
    BASE_CONSTRUCTING,
    COMPUTED,
    CONSTRUCTING,
    MAKING,
    MAPPED,
    SETTING,
    Access,
    Call,
)
from drift.languages.kinds import CODE_KINDS, TYPE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.hierarchy import declared_members
from drift.scan.link.keys import method_key
from drift.scan.link.links import ABSTRACT_CONFIDENCE, CallLink, Outcome, Target
from drift.scan.link.members import value_member
from drift.scan.link.metaclasses import makers_of_class, members_of_class
from drift.scan.link.overriding import override_targets, overriders_of, sharing_targets
from drift.scan.link.semantics import Semantics
from drift.scan.link.shared_scopes import SharedScopes
from drift.scan.link.subclass_members import members_below
from drift.scan.link.tables import FileTable
from drift.scan.link.type_reading import PROPERTY
from drift.scan.link.values import (
    INSTANCE,
    SYMBOL,
    Value,
    Values,
    generated_value,
    is_generated,
    is_instance,
    is_symbol,
    symbol_of,
    tag_of,
)

_PROPERTIES = frozenset({"property"})
_NOT_READING = frozenset({"deleter", "setter"})
RESUMING: Final = frozenset({"__next__", "__anext__"})
"""What runs the body of a generator on to its next yield."""

_WITH_MEMBERS = frozenset({INSTANCE, SYMBOL})


def implicit_links(
    analysis: Analysis, table: FileTable, shared_scopes: SharedScopes
) -> Iterator[tuple[int, CallLink]]:
    """What the accesses of a file run, by their number; those that run nothing of the project are left out."""
    semantics = analysis.program.semantics(table)
    known = {MAKING: True, BASE_CONSTRUCTING: True}
    found: dict[Any, CallLink | None] = {}
    undeclared = semantics.undeclared_members(analysis, table)
    for number, access in enumerate(table.facts.accesses):
        name = access.name
        # Nearly all accesses are of plain fields; asking for the name first spares finding out what they are of.
        if name not in known:
            known[name] = _may_run(analysis, semantics, name)
        may_run = known[name]
        if not may_run and (undeclared is None or undeclared.is_silent(access)):
            continue
        shared_scope = shared_scopes.find(access.receiver, access.scope)
        key = (shared_scope, access.receiver, name)
        if shared_scope is None or key not in found:
            link = _access_link(analysis, table, access) if may_run else None
            is_found = link is not None or undeclared is None or undeclared.is_silent(access)
            answering = () if is_found or undeclared is None else undeclared.find(access, shared_scope)
            found[key] = implicit_link(analysis, answering, is_virtual=False) if answering else link
        link = found[key]
        if link is not None and name == MAPPED:  # all of them run, as by calls of their own
            yield from ((number, link._replace(targets=(one,))) for one in link.targets)
        elif link is not None:
            yield number, link


def _may_run(analysis: Analysis, semantics: Semantics, name: str) -> bool:
    """Whether a member of that name may be code: a method, a property, or something made by a call."""
    program = analysis.program
    if name.startswith(CONSTRUCTING):
        return True
    names = dict.fromkeys(
        (name, semantics.stand_ins.get(name, name))
    )  # in one order: what is read depends on it
    if any(
        program.is_provided(method_key(one, each)) for one in reversed(semantics.languages) for each in names
    ):
        return True
    return semantics.may_run(analysis, name)


def _access_link(analysis: Analysis, table: FileTable, access: Access) -> CallLink | None:
    if access.name == MAKING:
        assert access.receiver is not None
        assert access.receiver[0] == "symbol"
        return _making_link(analysis, table.first + access.receiver[1])
    semantics, scope = analysis.program.semantics(table), table.first + access.scope
    if semantics.has_own_accesses:
        return semantics.access_link(analysis, access, scope)
    values = analysis.evaluate(access.receiver, scope)
    if access.name in RESUMING:
        values = _without_called(analysis, table, access, values=values)
    found = dict.fromkeys(one for value in values for one in _running(analysis, value, access.name))
    described = semantics.described(analysis, values, access.name)
    if not found:
        return (
            implicit_link(analysis, described, is_virtual=False)
            if described
            else _below_link(analysis, values, access.name)
        )
    # A class is asked through its metaclass: what classes below their own metaclass have is not meant.
    is_of_object = any(is_instance(value) for value in values)
    link = implicit_link(analysis, without_abstract(analysis, tuple(found)), is_virtual=is_of_object)
    if link.overriders and semantics.is_exact(analysis, access.receiver, scope):
        link = link._replace(overriders=())
    # The descriptor that a decorator made of a property runs it: both run.
    beside = [analysis.program.place(one) for one in described if one not in found]
    return link._replace(targets=(*link.targets, *(Target(place, 1.0, "implicit") for place in beside)))


def with_members_run(analysis: Analysis, call: Call, scope: int, *, link: CallLink) -> CallLink:
    """What is said of a call with what reading its callee runs: what hands it on, and the property that gives it."""
    program, callee = analysis.program, call.callee
    methods = [program.number(one.place) for one in link.targets]
    semantics = program.semantics_at(scope)
    found = semantics.conversions(analysis, call, scope, methods) if methods else ()
    if callee is None or callee[0] != "member":
        return _with_beside(analysis, link, found)
    found = (*found, *semantics.forwarding_methods(analysis, callee, scope, methods))
    link = _with_beside(analysis, link, found)
    # Nearly all calls are of methods: what was found by that name is what is called, and nothing is read before.
    if not semantics.calls_properties or any(program.symbol(one).name == callee[2] for one in methods):
        return link
    if not program.is_provided(method_key(semantics.language, callee[2])):
        return link
    return _with_property(analysis, callee, scope, link=link)


def _with_beside(analysis: Analysis, link: CallLink, found: tuple[int, ...]) -> CallLink:
    """What is said of a call with what runs beside it, which takes no share of what is called."""
    if not found:
        return link
    beside = tuple(Target(analysis.program.place(one), 1.0, "implicit") for one in found)
    return link._replace(overriders=(*link.overriders, *beside))


def _with_property(analysis: Analysis, callee: MemberForm, scope: int, *, link: CallLink) -> CallLink:
    """What is said of a call with the property that gives what is called: `self.make_error("x")` may read it first."""
    program, name = analysis.program, callee[2]
    values = analysis.evaluate(callee[1], scope)
    found = dict.fromkeys(one for value in values for one in _running(analysis, value, name))
    read = [one for one in found if program.symbol(one).kind == "property"]
    if not read:
        return link
    getter = implicit_link(analysis, without_abstract(analysis, tuple(read)), is_virtual=True)
    if not link.targets:
        return getter
    # It runs beside what is called and takes no share of it.
    return link._replace(overriders=(*link.overriders, *getter.targets, *getter.overriders))


def _below_link(analysis: Analysis, values: Values, name: str) -> CallLink | None:
    """What an operator runs of an abstract class that leaves it to those below."""
    if not name.startswith("__"):
        return _implementing_link(analysis, values, name)
    owners = [symbol_of(value) for value in values if is_instance(value)]
    below = dict.fromkeys(one for owner in owners for one in members_below(analysis, owner, name))
    targets = sharing_targets(analysis, tuple(below), ABSTRACT_CONFIDENCE)
    return CallLink("ambiguous", (), targets, reason="override") if targets else None


def _implementing_link(analysis: Analysis, values: Values, name: str) -> CallLink | None:
    """What reading or setting a property runs that a class leaves, or promises, to those below."""
    members = [
        member
        for value in values
        if is_instance(value)
        for member in declared_members(analysis, symbol_of(value), name)
        if PROPERTY in analysis.program.symbol(member).modifiers
    ]
    below = dict.fromkeys(one for member in members for one in overriders_of(analysis, member))
    computed = [one for one in below if COMPUTED in analysis.program.symbol(one).modifiers]
    share = ABSTRACT_CONFIDENCE / len(below) if below else 0.0
    targets = tuple(Target(analysis.program.place(one), share, "override") for one in computed)
    return CallLink("ambiguous", (), targets, reason="override") if targets else None


def _without_called(analysis: Analysis, table: FileTable, access: Access, *, values: Values) -> Values:
    """Without generators that are made by a call right here, which leads to them already."""
    receiver = access.receiver
    if receiver is None or receiver[0] != "result":
        return values
    callee = analysis.evaluate(table.facts.calls[receiver[1]].callee, table.first + access.scope)
    called = {generated_value(symbol_of(value)) for value in callee if isinstance(value, int)}
    return tuple(value for value in values if value not in called)


def _making_link(analysis: Analysis, made: int) -> CallLink | None:
    """What makes a class runs all of it, one after the other."""
    places = [analysis.program.place(one) for one in makers_of_class(analysis, made)]
    targets = tuple(Target(place, 1.0, "implicit") for place in places)
    return CallLink("resolved", targets, reason="implicit") if targets else None


def without_abstract(analysis: Analysis, found: tuple[int, ...]) -> tuple[int, ...]:
    """Without what has no code of its own, where something else has."""
    written = tuple(one for one in found if "abstract" not in analysis.program.symbol(one).modifiers)
    return written or found


def _running(analysis: Analysis, value: Value, name: str) -> list[int]:
    """The code that runs for a member of an object: of the first class in its line that has the member."""
    program = analysis.program
    if not isinstance(value, int):
        is_container = isinstance(value, tuple) and value[0] == "container"
        return _written_getters(analysis, value, name) if is_container else []
    if is_generated(value) and name in RESUMING:
        return [symbol_of(value)]
    if tag_of(value) not in _WITH_MEMBERS:
        return []
    kind = program.symbol(symbol_of(value)).kind
    if kind not in TYPE_KINDS:
        return _written_getters(analysis, value, name) if kind == "module" else []
    kinds = CODE_KINDS if name.startswith("__") else _PROPERTIES
    is_object, is_script = is_instance(value), _is_of_script(analysis, symbol_of(value))
    find = declared_members if is_object or is_script else members_of_class
    members = find(analysis, symbol_of(value), name.removesuffix(SETTING))
    if not members and name in (stand_ins := program.semantics_at(symbol_of(value)).stand_ins):
        members = find(analysis, symbol_of(value), stand_ins[name])
    symbols = ((member, program.symbol(member)) for member in members)
    found = [
        (member, symbol.modifiers)
        for member, symbol in symbols
        if symbol.kind in kinds or COMPUTED in symbol.modifiers
    ]
    if is_script:
        found = [one for one in found if ("static" in one[1]) != is_object]
    return _of_that_use(found, name)


def _written_getters(analysis: Analysis, value: Value, name: str) -> list[int]:
    """The code that runs for a member of an object that a script writes out, be it all that a file exports."""
    if isinstance(value, str) or (isinstance(value, tuple) and value[0] != "container"):
        return []
    scope = symbol_of(value) if isinstance(value, int) else analysis.containers[value[1]].scope
    if not _is_of_script(analysis, scope):
        return []
    held = value_member(analysis, value, name.removesuffix(SETTING))
    symbols = [symbol_of(one) for one in held if is_symbol(one)]
    found = [(one, analysis.program.symbol(one)) for one in symbols]
    return _of_that_use([(one, symbol.modifiers) for one, symbol in found if symbol.kind == "property"], name)


def _is_of_script(analysis: Analysis, number: int) -> bool:
    """Whether a symbol is of a language in which classes and object literals have members of their own."""
    return analysis.program.semantics(analysis.program.table_of(number)).has_object_literals


def _of_that_use(found: list[tuple[int, tuple[str, ...]]], name: str) -> list[int]:
    """Those of the members that run where it is set, or where it is read."""
    if name.endswith(SETTING):
        return [member for member, modifiers in found if "setter" in modifiers]
    return [member for member, modifiers in found if _NOT_READING.isdisjoint(modifiers)]


def implicit_link(
    analysis: Analysis, found: tuple[int, ...], *, is_virtual: bool, owners: tuple[int, ...] = ()
) -> CallLink:
    """What is said of an access that runs one of these methods."""
    outcome: Outcome = "resolved" if len(found) == 1 else "ambiguous"
    share = 1 / len(found)
    places = (analysis.program.place(symbol) for symbol in found)
    targets = tuple(Target(place, share, "implicit") for place in places)
    extra = override_targets(analysis, found, owners=owners) if is_virtual else ()
    return CallLink(outcome, targets, extra, reason="implicit")
