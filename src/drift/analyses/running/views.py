"""Views that are classes: which of their methods a request runs, those of their parents among them."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Final

from drift.analyses.running.edges import reached_from
from drift.analyses.unseen_calls import Family, family_of
from drift.index.graph_queries import EntryRow
from drift.index.ids import SymbolId
from drift.index.records import SymbolRecord

if TYPE_CHECKING:
    from drift.index import IndexReader

VERBS: Final = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"})
MEMBERS: Final[dict[str, tuple[str, bool | None]]] = {
    **{verb.lower(): (verb, None) for verb in VERBS},
    "list": ("GET", False),
    "create": ("POST", False),
    "retrieve": ("GET", True),
    "update": ("PUT", True),
    "partial_update": ("PATCH", True),
    "destroy": ("DELETE", True),
}
"""Members of views of Django and its REST framework: the method they answer to, and whether to the path of one object."""
_ANSWERING: Final = "get"  # a member by which frameworks of views are known


class ViewFamilies:
    """What frameworks ask of the classes that routes lead to, where that is known."""

    def __init__(self, reader: "IndexReader") -> None:
        self._parents: dict[SymbolId, list[SymbolId]] = defaultdict(list)
        self._outside: dict[SymbolId, list[str]] = defaultdict(list)
        self._known: dict[SymbolId, Family] = {}
        for child, parent, name in reader.running.parents():
            if parent is not None:
                self._parents[child].append(parent)
            elif name is not None:
                self._outside[child].append(name)

    def dispatches(self, owner: SymbolId, name: str) -> bool:
        """Whether a member of a class is one that requests alone run, whoever calls others of its name."""
        return self._family(owner).dispatches(name) is not None

    def may_ask(self, owner: SymbolId, name: str) -> bool:
        """Whether a request may run a member of a class: any, unless its framework is known to ask for others alone."""
        family = self._family(owner)
        if family.calls_by_name(_ANSWERING) is None:
            return True
        return not name.startswith("_") and family.calls_by_name(name) is not None

    def _family(self, owner: SymbolId) -> Family:
        if owner not in self._known:
            line = reached_from(owner, self._parents)
            self._known[owner] = family_of(
                sorted(one for each in line for one in self._outside.get(each, ()))
            )
        return self._known[owner]


def through_parents(reader: "IndexReader", entries: Iterable[EntryRow]) -> list[EntryRow]:
    """The same ways in, for each method of parents in the project that answers in the place of one of the class."""
    above: dict[SymbolId, list[SymbolId]] = defaultdict(list)
    for child, parent, _ in reader.running.parents():
        above[child] += [parent] if parent is not None else []
    ways = {(one.symbol_id, one.detail): one for one in entries if one.symbol_id in above}
    known: dict[SymbolId, list[SymbolRecord]] = {}
    for owner in {one.symbol_id for one in ways.values()}:
        own = {member.name for member in reader.symbols.members(owner)}
        known[owner] = [
            member for member, _ in answering_members(reader, above[owner], above) if member.name not in own
        ]
    return [one._replace(member_id=member.id) for one in ways.values() for member in known[one.symbol_id]]


def answering_members(
    reader: "IndexReader", views: Iterable[SymbolId], above: Mapping[SymbolId, list[SymbolId]]
) -> Iterator[tuple[SymbolRecord, str]]:
    """The methods of classes and of those above them that answer to requests, each with the method of the request."""
    seen: set[str] = set()
    classes = list(views)
    for one in classes:  # grows while it is gone through
        classes += [parent for parent in above.get(one, ()) if parent not in classes]
        for member in reader.symbols.members(one):
            if member.name in MEMBERS and member.kind == "method" and member.name not in seen:
                seen.add(member.name)
                yield member, MEMBERS[member.name][0]
