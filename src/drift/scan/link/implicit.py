"""Members that run without a call in the text: properties that are read, operators, iteration, `with`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from drift.languages.facts import BASE_CONSTRUCTING, CONSTRUCTING, MAKING, SETTING, Access
from drift.languages.kinds import CODE_KINDS, TYPE_KINDS
from drift.scan.link.analysis import Analysis
from drift.scan.link.hierarchy import declared_members
from drift.scan.link.keys import made_key, method_key, space_key
from drift.scan.link.languages.cpp.implicit_calls import implicit_calls
from drift.scan.link.languages.php.implementations import methods_below_outside
from drift.scan.link.languages.php.magic_methods import IMPLICIT_METHODS, PROPERTY_METHODS, implicit_runs
from drift.scan.link.languages.python.descriptors import READING, WRITING, accessors
from drift.scan.link.languages.python.exact_receivers import is_exact
from drift.scan.link.languages.python.getattr_members import GetattrMembers
from drift.scan.link.links import ABSTRACT_CONFIDENCE, OUTSIDE_CONFIDENCE, CallLink, Outcome, Target
from drift.scan.link.members import value_member
from drift.scan.link.metaclasses import makers_of_class, members_of_class
from drift.scan.link.overriding import override_targets, sharing_targets
from drift.scan.link.shared_scopes import SharedScopes
from drift.scan.link.subclass_members import members_below
from drift.scan.link.tables import FileTable
from drift.scan.link.values import GENERATED, INSTANCE, SYMBOL, Value, Values

_PROPERTIES = frozenset({"property"})
_NOT_READING = frozenset({"deleter", "setter"})
_RESUMING = frozenset({"__next__", "__anext__"})  # what runs the body of a generator on to its next yield
# Languages whose files import each other.
_MIXED = dict.fromkeys(("javascript", "typescript"), ("typescript", "javascript"))
_WITH_MEMBERS = frozenset({INSTANCE, SYMBOL})


def implicit_links(
    analysis: Analysis, table: FileTable, shared_scopes: SharedScopes
) -> Iterator[tuple[int, CallLink]]:
    """What the accesses of a file run, by their number; those that run nothing of the project are left out."""
    language = table.facts.language
    known = {MAKING: True, BASE_CONSTRUCTING: True}
    found: dict[Any, CallLink | None] = {}
    asked = GetattrMembers(analysis, table)
    for number, access in enumerate(table.facts.accesses):
        name = access.name
        # Nearly all accesses are of plain fields; asking for the name first spares finding out what they are of.
        if name not in known:
            known[name] = _may_run(analysis, language, name)
        if not known[name] and asked.is_silent(access):
            continue
        shared_scope = shared_scopes.find(access.receiver, access.scope)
        key = (shared_scope, access.receiver, name)
        if shared_scope is None or key not in found:
            link = _access_link(analysis, table, access) if known[name] else None
            is_found = link is not None or asked.is_silent(access)
            answering = () if is_found else asked.find(access, shared_scope)
            found[key] = _link(analysis, answering, is_virtual=False) if answering else link
        link = found[key]
        if link is not None:
            yield number, link


def _may_run(analysis: Analysis, language: str, name: str) -> bool:
    """Whether a member of that name may be code: a method, a property, or something made by a call."""
    program = analysis.program
    if name.startswith(CONSTRUCTING):
        return True
    if any(program.providing(method_key(one, name)) for one in _MIXED.get(language, (language,))):
        return True
    if language == "cpp":
        return bool(program.providing(space_key(language, "", name)))
    if language == "php":
        return any(program.providing(method_key(language, asked)) for asked in IMPLICIT_METHODS.get(name, ()))
    if language != "python":
        return False
    return name in _RESUMING or bool(program.providing(made_key(language, name.removesuffix(SETTING))))


def _access_link(analysis: Analysis, table: FileTable, access: Access) -> CallLink | None:
    if access.name == MAKING:
        assert access.receiver is not None
        assert access.receiver[0] == "symbol"
        return _making_link(analysis, table.first + access.receiver[1])
    if table.facts.language == "cpp":
        return _unwritten_link(analysis, access, table.first + access.scope)
    if table.facts.language == "php":
        return _php_link(analysis, access, table.first + access.scope)
    values = analysis.evaluate(access.receiver, table.first + access.scope)
    if access.name in _RESUMING:
        values = _without_called(analysis, table, access, values=values)
    found = dict.fromkeys(one for value in values for one in _running(analysis, value, access.name))
    is_python = table.facts.language == "python"
    described = _described(analysis, values, access.name) if is_python else ()
    if not found:
        return (
            _link(analysis, described, is_virtual=False)
            if described
            else _below_link(analysis, values, access.name)
        )
    # A class is asked through its metaclass: what classes below their own metaclass have is not meant.
    is_of_object = any(isinstance(value, int) and value & 3 == INSTANCE for value in values)
    link = _link(analysis, _without_abstract(analysis, tuple(found)), is_virtual=is_of_object)
    if link.overriders and is_python and is_exact(analysis, access.receiver, table.first + access.scope):
        link = link._replace(overriders=())
    # The descriptor that a decorator made of a property runs it: both run.
    beside = [analysis.program.place(one) for one in described if one not in found]
    return link._replace(targets=(*link.targets, *(Target(place, 1.0, "implicit") for place in beside)))


def _below_link(analysis: Analysis, values: Values, name: str) -> CallLink | None:
    """What an operator runs of an abstract class that leaves it to those below."""
    if not name.startswith("__"):
        return None
    owners = [value >> 2 for value in values if isinstance(value, int) and value & 3 == INSTANCE]
    below = dict.fromkeys(one for owner in owners for one in members_below(analysis, owner, name))
    targets = sharing_targets(analysis, tuple(below), ABSTRACT_CONFIDENCE)
    return CallLink("ambiguous", (), targets, reason="override") if targets else None


def _without_called(analysis: Analysis, table: FileTable, access: Access, *, values: Values) -> Values:
    """Without generators that are made by a call right here, which leads to them already."""
    receiver = access.receiver
    if receiver is None or receiver[0] != "result":
        return values
    callee = analysis.evaluate(table.facts.calls[receiver[1]].callee, table.first + access.scope)
    called = {value >> 2 << 2 | GENERATED for value in callee if isinstance(value, int)}
    return tuple(value for value in values if value not in called)


def _described(analysis: Analysis, values: Values, name: str) -> tuple[int, ...]:
    """What descriptors run where a member is read or set; a class itself is asked by reading alone."""
    method = WRITING if name.endswith(SETTING) else READING
    tags = {INSTANCE} if method == WRITING else _WITH_MEMBERS
    owners = [value >> 2 for value in values if isinstance(value, int) and value & 3 in tags]
    found = (
        accessors(analysis, owner, name.removesuffix(SETTING), method=method)
        for owner in owners
        if analysis.program.symbol(owner).kind in TYPE_KINDS
    )
    return tuple(dict.fromkeys(one for some in found for one in some))


def _unwritten_link(analysis: Analysis, access: Access, scope: int) -> CallLink | None:
    """What C++ runs where the text calls nothing; of several bases each has its constructor."""
    found: dict[int, float] = {}
    for candidates in implicit_calls(analysis, access, scope):
        found.update((one, 1 / len(candidates)) for one in candidates)
    targets = tuple(Target(analysis.program.place(one), share, "implicit") for one, share in found.items())
    if not targets:
        return None
    is_certain = all(share == 1 for share in found.values())
    return CallLink("resolved" if is_certain else "ambiguous", targets, reason="implicit")


def _php_link(analysis: Analysis, access: Access, scope: int) -> CallLink | None:
    """What PHP runs for an object; a loop runs several methods of it, each for certain."""
    runs = [run for run in implicit_runs(analysis, access, scope) if run.methods]
    links = [
        _link(analysis, _without_abstract(analysis, run.methods), is_virtual=True, owners=run.owners)
        for run in runs
    ]
    if not links:
        return _outside_php_link(analysis, access, scope)
    targets = tuple(dict.fromkeys(target for link in links for target in link.targets))
    extra = tuple(dict.fromkeys(target for link in links for target in link.overriders))
    outcome: Outcome = "resolved" if all(link.outcome == "resolved" for link in links) else "ambiguous"
    return CallLink(outcome, targets, extra, reason="implicit")


def _outside_php_link(analysis: Analysis, access: Access, scope: int) -> CallLink | None:
    """What classes of the project have for an object that is declared to be of a type outside."""
    if not access.name.startswith("__") or access.name in PROPERTY_METHODS:
        return None
    values = analysis.evaluate(access.receiver, scope)
    found = methods_below_outside(analysis, access.receiver, values, access.name)
    targets = sharing_targets(analysis, found, OUTSIDE_CONFIDENCE)
    return CallLink("ambiguous", (), targets, reason="override") if targets else None


def _making_link(analysis: Analysis, made: int) -> CallLink | None:
    """What makes a class runs all of it, one after the other."""
    places = [analysis.program.place(one) for one in makers_of_class(analysis, made)]
    targets = tuple(Target(place, 1.0, "implicit") for place in places)
    return CallLink("resolved", targets, reason="implicit") if targets else None


def _without_abstract(analysis: Analysis, found: tuple[int, ...]) -> tuple[int, ...]:
    """Without what has no code of its own, where something else has."""
    written = tuple(one for one in found if "abstract" not in analysis.program.symbol(one).modifiers)
    return written or found


def _running(analysis: Analysis, value: Value, name: str) -> list[int]:
    """The code that runs for a member of an object: of the first class in its line that has the member."""
    program = analysis.program
    if not isinstance(value, int):
        is_container = isinstance(value, tuple) and value[0] == "container"
        return _written_getters(analysis, value, name) if is_container else []
    if value & 3 == GENERATED and name in _RESUMING:
        return [value >> 2]
    if value & 3 not in _WITH_MEMBERS:
        return []
    kind = program.symbol(value >> 2).kind
    if kind not in TYPE_KINDS:
        return _written_getters(analysis, value, name) if kind == "module" else []
    kinds = CODE_KINDS if name.startswith("__") else _PROPERTIES
    is_object, is_script = value & 3 == INSTANCE, _is_of_script(analysis, value >> 2)
    find = declared_members if is_object or is_script else members_of_class
    members = find(analysis, value >> 2, name.removesuffix(SETTING))
    symbols = ((member, program.symbol(member)) for member in members)
    found = [(member, symbol.modifiers) for member, symbol in symbols if symbol.kind in kinds]
    if is_script:
        found = [one for one in found if ("static" in one[1]) != is_object]
    return _of_that_use(found, name)


def _written_getters(analysis: Analysis, value: Value, name: str) -> list[int]:
    """The code that runs for a member of an object that a script writes out, be it all that a file exports."""
    if isinstance(value, str) or (isinstance(value, tuple) and value[0] != "container"):
        return []
    scope = value >> 2 if isinstance(value, int) else analysis.containers[value[1]].scope
    if not _is_of_script(analysis, scope):
        return []
    held = value_member(analysis, value, name.removesuffix(SETTING))
    symbols = [one >> 2 for one in held if isinstance(one, int) and one & 3 == SYMBOL]
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


def _link(
    analysis: Analysis, found: tuple[int, ...], *, is_virtual: bool, owners: tuple[int, ...] = ()
) -> CallLink:
    outcome: Outcome = "resolved" if len(found) == 1 else "ambiguous"
    share = 1 / len(found)
    places = (analysis.program.place(symbol) for symbol in found)
    targets = tuple(Target(place, share, "implicit") for place in places)
    extra = override_targets(analysis, found, owners=owners) if is_virtual else ()
    return CallLink(outcome, targets, extra, reason="implicit")
