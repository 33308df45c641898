"""Calls through a parent outside the project: the graph ends there, and what implements it may be what runs."""

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
    while pending:
        parents = reader.unused.parents_of(sorted(pending))
        found += [one.external_name or one.text for one in parents if one.target_id is None]
        pending = {one.target_id for one in parents if one.target_id is not None} - seen
        seen |= pending
    return found
