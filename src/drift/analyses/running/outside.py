"""Methods and functions that run though no call in the text leads to them: what comes back from outside.

What a class has that somebody else calls runs for those who make or name the class: methods of a parent outside the
project, methods that the language calls, and methods that stand in for those of a parent. Where a method of such a
parent is called, what overrides its others runs, too. An inner function that nobody calls by name is handed out by
what it stands in, and who uses a variable runs what the object in it has.
"""

import json
import re
import tomllib
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.analyses.middleware import find_middleware_symbols
from drift.analyses.running.asked import asked_classes
from drift.analyses.running.called_back import calls_back, classes_by_name, read_family
from drift.analyses.running.edges import Run
from drift.analyses.running.setups import opened_by_frameworks
from drift.analyses.running.views import MEMBERS
from drift.analyses.unseen_calls import Family, family_of
from drift.index.ids import SymbolId

if TYPE_CHECKING:
    from drift.index import IndexReader
    from drift.index.run_records import Member

# How likely what is used runs with its user; measured with benchmarks/affected_tests.py on five projects.
_HANDED_OUT: Final = 0.9  # an inner function that nobody calls by name
_CALLED_BY_NAME: Final = (
    0.2  # a method of what a function makes, of a name that is called elsewhere: there it runs
)
_IN_OBJECT: Final = 0.7  # what the body of a class holds for its objects
_ASKED: Final = 0.4  # the same, where requests to the class are known to run this and that of it
_RAISED: Final = 0.9  # an error that is raised by its name
_OF_PARENT: Final = 0.9  # what runs for a class runs for its children
_IN_VARIABLE: Final = 0.9  # of the object in a variable
_STANDING_IN: Final = 0.6  # overrides a method of the project
_WITH_PARENT: Final = 0.7  # calls the method of its parent outside, so it overrides it
_BY_LANGUAGE: Final = 0.25  # __iter__, __repr__ and the like
_BY_PARENT: Final = 0.25  # may override a method of a parent outside
_BY_FRAMEWORK: Final = 0.6  # of a parent outside that is known to call just this one
_FOR_SURE: Final = 0.8  # the same, of any object that it is handed
_LISTED: Final = 0.6  # a method that a class lists as what listens to an event
_ON_CLASS: Final = 0.9  # a method that a class has from outside is called on it
_BY_RECEIVER: Final = 0.2  # of an object that the product alone makes: what it is handed to may call it
_NAMED: Final = 0.5  # the same, of what names the class without making it: a check, a catch, a registration
_ENTERED: Final = 0.8  # an application, by what sends it a request
_AMONG_MANY: Final = 0.2  # the same, where many take requests
_FEW: Final = 3


def outside_runs(reader: "IndexReader") -> Iterator[Run]:
    """What runs for those who make, name or hold a class, and inner functions for what they stand in."""
    opened = opened_by_frameworks()
    yield from (
        Run(one.outer, one.inner, _CALLED_BY_NAME if one.is_called_by_name else _HANDED_OUT)
        for one in reader.running.handed_out()
        if one.name not in opened  # who runs it is told by where it stands: see `Suites`
    )
    yield from (Run(variable, made, _IN_VARIABLE) for variable, made in reader.running.held_objects())
    family = read_family(reader)
    members: dict[SymbolId, list[Member]] = defaultdict(list)
    for member in reader.running.uncalled_members():
        members[member.parent_id].append(member)
    constructors = reader.running.constructors()
    handed_out = reader.running.made_by_product()
    # Requests run what a route leads to, and are told by their path.
    answering = {one.symbol_id for one in reader.graph.product_entries() if one.kind == "http"}
    listening = {one.symbol_id for one in reader.graph.product_entries() if one.kind == "event"}
    # Who makes or registers what stands before routes runs nothing of it; requests do, and tests that call it.
    before = {one.id for one, _ in find_middleware_symbols(reader)}
    overriding: dict[str, list[Member]] = defaultdict(list)
    applications: list[Member] = []
    families: dict[SymbolId, Family] = {}
    sure: dict[SymbolId, list[SymbolId]] = defaultdict(list)
    for owner in {*members, *family.parents, *family.outside}:
        # A call of a class leads to its constructor, another use of it to the class.
        inits = constructors.get(owner, ())
        for parent in family.parents.get(owner, ()):
            yield from (Run(maker, parent, _OF_PARENT) for maker in (owner, *inits))
        foreign = family.foreign(owner)
        calling = _family_of(frozenset(foreign)) if foreign else None
        if calling is not None:
            families[owner] = calling
        for member in members.get(owner, ()):
            if _is_application(member):
                applications.append(member)
            asking = None if member.id in answering else calling
            # What runs for each object that there is is told by its class.
            if member.calls_parent and not (asking and asking.calls_for_sure(member.name)):
                for each in foreign:
                    overriding[each].append(member)
            if asking is not None and asking.calls_for_sure(member.name):
                sure[owner].append(member.id)
            confidence = _confidence(
                member, asking, is_handed_out=owner in handed_out, is_answering=owner in answering
            )
            confidence = max(confidence, _LISTED if calling and member.id in listening else 0.0)
            confidence = confidence if member.is_python or owner not in before else 0.0
            yield from _of_object(owner, inits, member.id, confidence)
    yield from _given(reader, sure)
    yield from _on_classes(reader)
    yield from _of_traits(reader, members.values())
    yield from _in_bodies(reader, families)
    kept = {owner for owner, asked in families.items() if asked.is_related}
    yield from calls_back(reader, overriding, family, kept)
    yield from _enters(reader, applications)
    yield from _raised(reader, constructors)


def _of_object(
    owner: SymbolId, inits: Collection[SymbolId], member: SymbolId, confidence: float
) -> Iterator[Run]:
    """A member of a class, for who makes an object of it and for who names it, as to a framework that makes it."""
    if confidence:
        is_sure = confidence >= _FOR_SURE
        yield Run(owner, member, confidence * (_NAMED if inits and not is_sure else 1))
        yield from (Run(init, member, confidence) for init in inits)


def _given(reader: "IndexReader", sure: Mapping[SymbolId, list[SymbolId]]) -> Iterator[Run]:
    """What a framework calls of the object that the handler of a route takes by its type: a request with its rules."""
    routed = [one for one in reader.graph.product_entries() if one.kind == "http"] if sure else []
    handlers = {one.member_id if one.member_id is not None else one.symbol_id for one in routed}
    for taken, user in reader.graph.type_users(sure) if sure else ():
        if user in handlers:
            yield from (Run(user, member, _FOR_SURE) for member in sure[taken])


def _on_classes(reader: "IndexReader") -> Iterator[Run]:
    """Who calls on a class, by its name, what that has from a parent outside, uses the class: `User::factory()`."""
    words = [word for word, _ in reader.running.outside_names()]
    sites = reader.objects.calls_on_classes(words) if words else []
    classes = classes_by_name(reader) if sites else {}
    for caller, name in sorted({(caller, name) for caller, _, name in sites if name}):
        named = classes.get(name, ())
        if len(named) == 1:
            yield Run(caller, named[0], _ON_CLASS)


def _of_traits(reader: "IndexReader", members: Iterable[list["Member"]]) -> Iterator[Run]:
    """What a framework calls of a trait with each class that has it, by the name of both: `bootSearchable`."""
    starting = _rules().starting
    named = [one for some in members for one in some if one.name.startswith(starting)]
    traits = {
        one.id: one.name
        for one in reader.symbols.many({one.parent_id for one in named})
        if one.kind == "trait"
    }
    for one in named:
        if one.parent_id in traits and any(one.name == f"{word}{traits[one.parent_id]}" for word in starting):
            yield Run(one.parent_id, one.id, _FOR_SURE)


def _in_bodies(reader: "IndexReader", families: Mapping[SymbolId, Family]) -> Iterator[Run]:
    """The fields, defaults and checks in the bodies of classes whose objects a framework asks for them."""
    holding = [owner for owner, family in families.items() if family.holds]
    asked = asked_classes(reader) if holding else frozenset()
    for owner, held, kind in reader.objects.in_bodies(holding) if holding else ():
        family = families.get(held) if kind == "class" else None
        if family is None or not family.is_related:
            yield Run(owner, held, _ASKED if (owner, held) in asked else _IN_OBJECT)


@lru_cache(maxsize=4096)
def _family_of(parents: frozenset[str]) -> Family:
    return family_of(sorted(parents))


def _raised(reader: "IndexReader", constructors: Mapping[SymbolId, list[SymbolId]]) -> Iterator[Run]:
    """`raise E` makes an error without a call in the text."""
    classes = classes_by_name(reader)
    for raising, types in reader.running.thrown():
        for written in types:
            named = classes.get(written.rpartition(".")[2], ())
            if len(named) == 1:
                yield from (Run(raising, init, _RAISED) for init in constructors.get(named[0], ()))


def _enters(reader: "IndexReader", applications: "list[Member]") -> Iterator[Run]:
    """The applications that take the requests which calls send."""
    if not applications:
        return
    entering = _ENTERED if len(applications) <= _FEW else _AMONG_MANY
    wanted = [
        word
        for word, name in reader.running.outside_names()
        if any(pattern.fullmatch(name) for pattern in _rules().senders)
    ]
    for caller, _, _ in reader.running.callers_of_outside(wanted) if wanted else ():
        yield from (Run(caller, each.id, entering) for each in applications)


def _confidence(
    member: "Member", calling: Family | None, *, is_handed_out: bool, is_answering: bool
) -> float:
    if is_answering and calling is not None and calling.dispatches(member.name):
        return 0.0  # one of several answers a request, and its method says which
    is_called = member.is_python and calling is not None and calling.calls_by_name(member.name) is not None
    if member.is_overriding:
        # It runs where the other is called and an object is there: see `objects`.
        return _BY_PARENT if member.is_python or member.may_be_called else _STANDING_IN
    if calling is not None and calling.calls_for_sure(member.name):
        return _FOR_SURE
    if is_called and member.name not in MEMBERS:  # of a view one of several answers, and its route says which
        return _BY_FRAMEWORK
    if member.calls_parent:  # a mixin has no parent of its own to show
        return _WITH_PARENT
    if member.name.startswith("__") and member.name.endswith("__"):
        return _BY_LANGUAGE
    if calling is not None:
        return _BY_PARENT
    return _BY_RECEIVER if is_handed_out and member.is_python else 0.0


class _Rules(NamedTuple):
    method: str
    parameters: frozenset[tuple[str, ...]]
    senders: tuple[re.Pattern[str], ...]
    starting: tuple[str, ...]


@cache
def _rules() -> _Rules:
    text = files("drift.analyses.running").joinpath("clients.toml").read_text("utf-8")
    tables = tomllib.loads(text)
    table = tables["applications"]
    return _Rules(
        table["method"],
        frozenset(map(tuple, table["parameters"])),
        tuple(map(re.compile, table["senders"])),
        tuple(tables["traits"]["starting"]),
    )


def _is_application(member: "Member") -> bool:
    rules = _rules()
    return member.name == rules.method and _names(json.loads(member.parameters)) in rules.parameters


def _names(parameters: Iterable[list[str]]) -> tuple[str, ...]:
    return tuple(each[0] for each in parameters if each[0] != "self")
