"""Calls through a parent outside the project: the graph ends there, and what implements it may be what runs."""

from typing import Final, NamedTuple

from drift.analyses.unseen_calls import family_of, folder_calls, is_accessor
from drift.index import IndexReader
from drift.index.ids import SymbolId
from drift.index.records import CallRecord, SymbolRecord

_MOST_CALLS: Final = 1_000
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
    for parent in reader.unused.parents_of([method.parent_id]):
        name = f"{parent.external_name}.{method.name}"
        if parent.external_name is None or name.startswith(_TOO_WIDE):
            continue
        calls = reader.calls.calls_to_external(name, limit=_MOST_CALLS)
        if calls:
            found.append(OutsideCalls(name, tuple(calls)))
    return tuple(found)


_CALLED: Final = frozenset({"method", "property"})


def unseen_caller(reader: IndexReader, method: SymbolRecord) -> str | None:
    """What outside the project may call a symbol, by its file or the parents of its class; None where nothing may."""
    is_inner = method.kind == "function" and "." in method.qualname
    if not is_inner and (found := folder_calls(method)) is not None:
        return found[0]
    if method.kind not in _CALLED or method.parent_id is None:
        return None
    family = family_of(_parents_outside(reader, method.parent_id), method.language)
    known = family.calls(method.name)
    if known is not None:
        return known
    if is_accessor(method) and _has_field(reader, method):
        return "a form, mapper or serialiser, which know accessors by the name of their field,"
    return f"{family.unknown}, a parent outside the project," if family.unknown else None


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
