"""Calls through a parent outside the project: the graph ends there, and what implements it may be what runs."""

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from drift.analyses.callables import CLASS_KINDS
from drift.analyses.definitions import find_declaration, owner_of
from drift.analyses.index_cache import PerState
from drift.analyses.unseen_calls import (
    Family,
    family_of,
    folder_calls,
    frameworks_shown,
    has_parts,
    is_accessor,
    is_dispatched_name,
    maker_of,
    named_by_folder,
    runner_of,
    traits_calling,
)
from drift.index import IndexReader
from drift.index.ids import SymbolId
from drift.index.records import CallRecord, SymbolRecord

_MOST_CALLS: Final = 1_000
_TEMPLATE: Final = re.compile(r"template\s{0,9}<([^<>]{1,300})>")
_OVERRIDING: Final = frozenset({"final", "override"})
# Everything descends from these, or is called like their members: such calls say nothing of one class.
_TOO_WIDE: Final = ("builtins.", "java.lang.", "System.")


class OutsideCalls(NamedTuple):
    """The calls of a method by the name it has in a parent outside the project."""

    name: str
    calls: tuple[CallRecord, ...]


def find_outside_calls(reader: IndexReader, method: SymbolRecord) -> tuple[OutsideCalls, ...]:
    """The calls that may run a method because its class implements something outside the project."""
    if method.kind != "method" or method.parent_id is None:
        return ()
    found = []
    asking = _traits_of(reader, method) if has_parts(method.language) else None
    for parent in reader.unused.parents_of([_owner(reader, method)]):
        name = f"{parent.external_name}.{method.name}"
        if parent.external_name is None or name.startswith(_TOO_WIDE):
            continue
        if asking is not None and parent.external_name not in asking:
            continue
        calls = [
            one
            for one in reader.calls.calls_to_method(name, limit=_MOST_CALLS)
            if _may_lead_below(one, method)
        ]
        if calls:
            found.append(OutsideCalls(name, tuple(calls)))
    return tuple(found)


def _may_lead_below(call: CallRecord, method: SymbolRecord) -> bool:
    """Whether a call of a parent's method may run one in its place; one of C++ that names the class runs that alone."""
    return method.language != "cpp" or f"::{method.name}" not in call.text


_CALLED: Final = frozenset({"method", "property"})


_used: Final[PerState[frozenset[str]]] = PerState()


def frameworks_used(reader: IndexReader) -> frozenset[str]:
    """The frameworks that look for names in folders of the project."""
    return _used.get(
        reader,
        lambda: frameworks_shown(
            reader.facts.external_packages(), (one.path for one in reader.files.stamps())
        ),
    )


def unseen_caller(reader: IndexReader, method: SymbolRecord) -> str | None:
    """What outside the project may call a symbol, by its file or the parents of its class; None where nothing may."""
    is_inner = method.kind == "function" and "." in method.qualname
    if not is_inner and (found := folder_calls(method, frameworks_used(reader))) is not None:
        return found.framework
    if method.kind == "constructor" or method.kind in CLASS_KINDS:
        return _unseen_maker(reader, method)
    if (found_by := runner_of(_marks(reader, method.id), method.language)) is not None:
        return found_by
    if method.kind not in _CALLED or method.parent_id is None:
        return None
    family = _family_around(reader, method)
    known = family.calls(method.name)
    if known is not None:
        return known
    if method.language == "cpp":
        outside = _parents_outside(reader, _owner(reader, method))
        is_theirs = bool(outside) and _overrides_outside(reader, method)
        return f"{outside[0]}, a parent outside the project," if is_theirs else None
    if is_accessor(method) and _has_field(reader, method):
        return "a form, mapper or serialiser, which know accessors by the name of their field,"
    return f"{family.unknown}, a parent outside the project," if family.unknown else None


def _unseen_maker(reader: IndexReader, made: SymbolRecord) -> str | None:
    """What outside makes objects of a class by itself: by what stands on it, or by its parents."""
    owner = made.parent_id if made.kind == "constructor" else made.id
    if owner is None:
        return None
    family = family_of(_parents_outside(reader, owner), made.language)
    return maker_of(_marks(reader, owner), made.language) or family.finder


def _marks(reader: IndexReader, symbol: SymbolId) -> list[str]:
    return [one.name for one in reader.symbols.decorators(symbol)]


def naming_folder(reader: IndexReader, symbol: SymbolRecord) -> str | None:
    """The framework that looks for just this name in the file of a symbol: `GET` in a route file of Next."""
    return named_by_folder(symbol, frameworks_used(reader))


def hooking_caller(reader: IndexReader, method: SymbolRecord) -> str | None:
    """The framework outside the project that calls a method by its name, whoever else does so."""
    if method.kind not in _CALLED or method.parent_id is None:
        return None
    family = _family_around(reader, method)
    return family.calls_by_name(method.name)


def _owner(reader: IndexReader, method: SymbolRecord) -> SymbolId:
    """The class of a method, also where it stands outside of that."""
    return owner_of(reader, method) or method.parent_id or method.id


def _overrides_outside(reader: IndexReader, method: SymbolRecord) -> bool:
    """Whether a method of C++ says that it overrides one that the project does not have."""
    declared = find_declaration(reader, method) or method
    if _OVERRIDING.isdisjoint(declared.modifiers):
        return False
    above = {one for one, below in reader.graph.overrides_of([declared.id]) if below == declared.id}
    return not above or any(
        not _OVERRIDING.isdisjoint(one.modifiers) for one in reader.symbols.many(sorted(above))
    )


def dispatcher_of(reader: IndexReader, method: SymbolRecord) -> str | None:
    """The framework whose requests alone run a method; None for one that calls may mean by its name."""
    if method.kind != "method" or method.parent_id is None or not is_dispatched_name(method.name):
        return None
    return family_of(_parents_outside(reader, method.parent_id), method.language).dispatches(method.name)


def _family_around(reader: IndexReader, method: SymbolRecord) -> Family:
    """What the parents outside of a method's class mean for it; where each has a part of its own, that of its part."""
    if has_parts(method.language):
        return family_of(_traits_of(reader, method), method.language)
    return family_of(_parents_outside(reader, _owner(reader, method)), method.language)


def _traits_of(reader: IndexReader, method: SymbolRecord) -> list[str]:
    """The traits outside that may have asked for a method: it is public without saying so, and none of the project has it."""
    if method.visibility != "public" or "exported" in method.modifiers or reader.calls.overridden(method.id):
        return []
    around = [] if method.parent_id is None else reader.unused.parents_of([method.parent_id])
    parents = [one for one in around if one.kind == "implements"]
    outside = [one.external_name or one.text for one in parents if one.target_id is None]
    return traits_calling(method.name, outside, method.language or "")


def _has_field(reader: IndexReader, accessor: SymbolRecord) -> bool:
    """Whether the class of an accessor has a field of its name: getTotal total, isPaid paid."""
    held = {
        one.name.lstrip("$_").lower() for one in reader.symbols.members(accessor.parent_id or accessor.id)
    }
    return any(accessor.name[start:].lower() in held for start in (2, 3, 4))


def _parents_outside(reader: IndexReader, owner: SymbolId) -> list[str]:
    found: list[str] = []
    pending, seen = {owner}, {owner}
    named: dict[SymbolId, str] = {}  # how a class below names a template
    while pending:
        parents = reader.unused.parents_of(sorted(pending))
        heads = {one.id: one.signature for one in reader.symbols.many(sorted(pending & named.keys()))}
        for one in parents:
            if one.target_id is None:
                head = heads.get(one.symbol_id, "")
                found.append(type_given(one.external_name or one.text, head, named.get(one.symbol_id, "")))
            else:
                named.setdefault(one.target_id, one.text)
        pending = {one.target_id for one in parents if one.target_id is not None} - seen
        seen |= pending
    return found


def type_given(name: str, head: str, written: str) -> str:
    """What a parameter of a template stands for where the template is named so; any other name is itself."""
    listed = _TEMPLATE.match(head)
    parameters = [part.split()[-1:] for part in listed[1].split(",")] if listed is not None else []
    given = written.partition("<")[2].rpartition(">")[0].split(",")
    place = parameters.index([name]) if [name] in parameters else len(given)
    return given[place].strip() if place < len(given) and given[place].strip() else name


class ParentLines(NamedTuple):
    """The parents of classes, in the project and outside, how each is named, and how templates among them begin."""

    above: Mapping[SymbolId, list[SymbolId]]
    outside: Mapping[SymbolId, list[str]]
    named: Mapping[tuple[SymbolId, SymbolId], str]
    heads: Mapping[SymbolId, str]


def foreign_parents(owner: SymbolId, lines: ParentLines) -> list[str]:
    """The parents outside of a class and of those above it, a parameter of a template as what it stands for."""
    found: list[str] = []
    seen, pending = {owner}, [(owner, "")]
    while pending:
        one, written = pending.pop()
        head = lines.heads.get(one, "")
        found += [type_given(name, head, written) for name in lines.outside.get(one, ())]
        fresh = [each for each in lines.above.get(one, ()) if each not in seen]
        seen.update(fresh)
        pending += [(each, lines.named[one, each]) for each in fresh]
    return found
