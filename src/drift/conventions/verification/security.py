"""Whether an entry point comes to run something, and what stands before it.

What the index sees is calls and guards of routes, not which values flow: a way that is not seen is denied only where
no call on it leads nobody knows where.
"""

import re
from typing import Final

from drift.analyses.callees import standing_in
from drift.analyses.lookup import find_symbols
from drift.analyses.reachability import Reach, walk_forward
from drift.conventions.verification.form import ClaimObject, Told, VerifiedClaim
from drift.conventions.verification.names import find_routes, place_of
from drift.index import IndexReader
from drift.index.ids import SymbolId
from drift.index.records import EntryPointRecord, SymbolRecord
from drift.kernel.errors import invalid, needed
from drift.kernel.similar import similar_names
from drift.kernel.text import plural

_MOST_DEPTH: Final = 12
_MOST: Final = 5
_MOST_ROUTES: Final = 400
_NAME: Final = re.compile(r"[\w$]{1,200}")


def verify_security(claim: ClaimObject, reader: IndexReader) -> VerifiedClaim:
    """A way from an entry point to some code, or what guards the entry point."""
    entry = needed("entryPoint", claim.entry_point, when="kind=security")
    if claim.reaches is None and claim.guarded_by is None:
        raise invalid(
            "claims", "a claim of security says what the entry point reaches, or what it is guardedBy"
        )
    said = f"reaches {claim.reaches}" if claim.reaches is not None else f"is guarded by {claim.guarded_by}"
    told = Told("security", f"{entry} {said}")
    routes = find_routes(reader, entry) if "/" in entry else None
    if routes is not None and not routes.known:
        return told.is_open("the index knows no routes here")
    answering = routes.answering if routes is not None else ()
    if routes is not None and not answering:
        shown = tuple(f"{place_of(one)} answers {one.detail}" for one in routes.fitting[:_MOST])
        return told.is_not(
            "mapping" if shown else "naming",
            *(shown or ("no route is like this",)),
            similar=similar_names(entry, routes.known),
        )
    found = find_symbols(reader, entry) if routes is None else None
    if found is not None and not found.symbols:
        return told.is_not("naming", f"no symbol is called {entry}", similar=found.similar)
    handlers = tuple(one.symbol for one in answering) or (found.symbols if found is not None else ())
    if claim.reaches is not None:
        way = _verify_way(told, handlers[0], claim.reaches, reader)
        if claim.guarded_by is None or way.verified is not True:
            return way
    entries = answering or tuple(reader.facts.entry_points_at(handlers[0].id))
    return _verify_guard(told, entries, str(claim.guarded_by), reader)


def _verify_way(told: Told, start: SymbolRecord, target: str, reader: IndexReader) -> VerifiedClaim:
    starts = standing_in(reader, start)
    targets = find_symbols(reader, target)
    for one in targets.symbols[:_MOST]:
        for each in starts:
            for path in reader.calls.shortest_paths(each, one.id, max_depth=_MOST_DEPTH, limit=1):
                names = {symbol.id: symbol.qualname for symbol in reader.symbols.many(path)}
                return told.is_so(" -> ".join(names[step] for step in path), _place(one))
    reach = walk_forward(reader, starts, max_depth=_MOST_DEPTH)
    likely = next((one for one in targets.symbols if one.id in reach.depths), None)
    if likely is not None:
        return told.is_open("a call on the way is told by its name alone, or by what may run", _place(likely))
    outside = _find_outside(starts, reach, target, reader=reader)
    if outside is not None:
        return (
            told.is_so(outside[0])
            if outside[1]
            else told.is_open("a call on the way may lead elsewhere", outside[0])
        )
    if reach.unresolved_calls:
        calls = plural(reach.unresolved_calls, "call")
        return told.is_open(f"no way is seen, but {calls} on the way may lead anywhere")
    if reach.closure.is_cut:
        return told.is_open("no way is seen within what can be followed")
    if not targets.symbols:
        return told.is_not("naming", f"nothing is called {target}", similar=targets.similar)
    return told.is_not("logic", f"nothing that {start.qualname} runs leads to {_place(targets.symbols[0])}")


def _find_outside(
    starts: list[SymbolId], reach: Reach, target: str, *, reader: IndexReader
) -> tuple[str, bool] | None:
    """Where something outside is called on the way, and whether every call up to there is known to lead there."""
    sure = {
        *starts,
        *(one.symbol_id for one in reader.calls.closure(starts, "callees", max_depth=_MOST_DEPTH).reached),
    }
    uses = [use for use in reader.graph.external_uses(reach.depths) if _fits(use.name, target)]
    for use in sorted(uses, key=lambda one: one.caller_id not in sure):
        at = reader.symbols.get(use.caller_id)
        return f"{at.path if at else ''}:{use.line} calls {use.name}", use.caller_id in sure
    return None


def _verify_guard(
    told: Told, entries: tuple[EntryPointRecord, ...], guard: str, reader: IndexReader
) -> VerifiedClaim:
    if not entries:
        return told.is_open("it is no entry point that the index knows")
    bare: list[str] = []
    for entry in entries:
        guards = reader.facts.guards_of(entry)
        fitting = next((one for one in guards if _fits(one.text, guard)), None)
        if fitting is None:
            before = ", ".join(one.text for one in guards[:_MOST]) or "nothing that is known"
            bare.append(f"{place_of(entry)} {entry.detail} has before it: {before}")
    if not bare:
        return told.is_so(*(f"{place_of(one)} {one.detail}" for one in entries[:_MOST]))
    if not _is_known(guard, reader):
        return told.is_open(
            f"no route is known to be guarded by {guard}; it may be set for all at once", *bare[:_MOST]
        )
    return told.is_not("logic", *bare[:_MOST])


def _is_known(guard: str, reader: IndexReader) -> bool:
    """Whether the guard stands before some other route: then it would be seen before this one."""
    routes = reader.facts.entry_points("http", limit=_MOST_ROUTES)
    return any(_fits(one.text, guard) for route in routes for one in reader.facts.guards_of(route))


def _fits(text: str, wanted: str) -> bool:
    """Whether the words of the wanted name stand one after the other in a text."""
    own, asked = _NAME.findall(text), _NAME.findall(wanted)
    width = len(asked)
    return bool(asked) and any(own[at : at + width] == asked for at in range(len(own) - width + 1))


def _place(symbol: SymbolRecord) -> str:
    return f"{symbol.path}:{symbol.line} {symbol.qualname}"
