"""Calls around one symbol: who calls it and what it calls, with the place and the reason of each."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from drift.analyses.callables import CallTarget, call_target, public_evidence
from drift.analyses.callees import Callee, find_callees, find_calls, find_far_callees
from drift.analyses.callers import (
    DirectCallers,
    FarKey,
    FarWalk,
    describe_far,
    find_direct_callers,
    find_far_callers,
    find_references,
    place_key,
)
from drift.analyses.graph_rows import (
    FarRow,
    SymbolRow,
    name_path,
    place_of,
    shown_name,
    silence_warnings,
    suggest_impact,
    symbol_row,
)
from drift.analyses.symbol_choice import choose_symbol
from drift.analyses.test_titles import find_test_titles
from drift.index import IndexReader, Layer
from drift.index.caller_queries import CallPlace, CallSite
from drift.index.records import CallRecord, SymbolRecord
from drift.kernel.answer import Answer, Pagination
from drift.kernel.errors import invalid
from drift.kernel.text import plural
from drift.registry import Call, Page, Range, tool
from drift.registry.indexes import opened_index
from drift.tools.listing import Sort, sort_page

_MOST_REFERENCES = 10
_MOST_CANDIDATES = 5
_USUAL_STEPS = 3
_CALLER_SORTS = ("relevance", "file", "confidence")
_CALLEE_SORTS: dict[str, Sort[CallRecord]] = {
    "line": Sort(lambda one: (one.id,)),
    "name": Sort(lambda one: (one.text.lower(),)),
    "outcome": Sort(lambda one: (one.outcome,)),
}
_FAR_SORTS: dict[str, Sort[FarKey]] = {
    "relevance": Sort(lambda key: key, "desc"),
    "file": Sort(lambda key: key[2:]),
}


@dataclass(frozen=True, slots=True)
class CallerRow:
    """A place that calls the target: the symbol it stands in, what is written there, how the link was found.

    `candidates`: the call may lead to so many symbols, of which the target is one.
    """

    symbol: str
    file: str
    line: int
    call: str
    confidence: float
    reason: str
    candidates: int | None = None
    is_test: bool | None = None


@dataclass(frozen=True, slots=True)
class ReferenceRow:
    """A place that names the target without calling it: passed on as a value, or used as a type."""

    file: str
    line: int
    kind: str
    reason: str


@dataclass(frozen=True, slots=True)
class Flag:
    """Something that makes changes of the target weigh more, and how that is known."""

    flag: str
    evidence: str


@dataclass(frozen=True, slots=True)
class CallerCounts:
    """All there are, also those not listed."""

    places: int
    callers: int
    callers_outside_tests: int
    references: int
    transitive: int | None = None


@dataclass(frozen=True, slots=True)
class CallersData:
    """Who calls the target. Product before tests before examples, the surest first; `transitive` only where asked for."""

    target: SymbolRow
    counts: CallerCounts
    flags: tuple[Flag, ...]
    callers: tuple[CallerRow, ...]
    references: tuple[ReferenceRow, ...]
    transitive: tuple[FarRow, ...] | None = None


@dataclass(frozen=True, slots=True)
class CandidateRow:
    """A symbol that a call may lead to, and how that was found."""

    symbol: str
    at: str
    confidence: float
    reason: str


@dataclass(frozen=True, slots=True)
class CalleeRow:
    """A call: what is written, and where it most likely leads. `external` names something outside the project.

    Where a call may lead to several symbols, `candidates` has the surest of them.
    """

    line: int
    call: str
    outcome: str
    to: str | None = None
    at: str | None = None
    confidence: float | None = None
    reason: str | None = None
    external: str | None = None
    candidates: tuple[CandidateRow, ...] | None = None


@dataclass(frozen=True, slots=True)
class CalleesData:
    """What the target calls, in the order of the text, and how many calls there are of each outcome."""

    target: SymbolRow
    outcomes: dict[str, int]
    callees: tuple[CalleeRow, ...]
    transitive: tuple[FarRow, ...] | None = None


@tool(
    category="surgical",
    title="Find callers",
    tokens=(150, 900),
    needs=Layer.CALLS,
    examples=({"symbol": "total"}, {"symbol": "shop/pricing.py:35", "transitive": True}),
)
def drift_callers(
    call: Call,
    symbol: Annotated[str, "Name, Class.method or path:line"],
    file: Annotated[str | None, "Only in this file"] = None,
    transitive: Annotated[bool, "Also through others"] = False,
    max_depth: Annotated[int | None, Range(1, 20), "Steps; transitive 3"] = None,
    page: Page = Page(limit=20, sorts=_CALLER_SORTS),
) -> Answer[CallersData]:
    """Who calls a symbol, with the place of each call. References that are no calls stand apart."""
    depth = _steps(max_depth, transitive=transitive)
    with opened_index(call) as reader:
        target, warnings = choose_symbol(reader, symbol, file=file)
        wanted = call_target(reader, target)
        direct = find_direct_callers(reader, wanted)
        far = find_far_callers(reader, wanted, max_depth=depth) if depth > 1 else None
        return _callers_answer(call, reader, page, wanted, direct, far, warnings)


def _callers_answer(
    call: Call,
    reader: IndexReader,
    page: Page,
    wanted: CallTarget,
    direct: DirectCallers,
    far: FarWalk | None,
    warnings: tuple[str, ...],
) -> Answer[CallersData]:
    target, counts = wanted.symbol, direct.counts
    references = find_references(reader, target)
    if far:
        behind, pagination = _far_rows(call, reader, page, far)
        places = direct.places[: page.limit]
    else:
        behind = None
        places, pagination = sort_page(call, page, direct.places, sorts=_caller_sorts())
    data = CallersData(
        symbol_row(target),
        CallerCounts(*counts, references=len(references), transitive=len(far.keys) if far else None),
        _flags(reader, target, direct),
        _caller_rows(reader, reader.callers.sites(places)),
        tuple(
            ReferenceRow(one.path, one.line, one.kind, one.reason) for one in references[:_MOST_REFERENCES]
        ),
        behind,
    )
    more = f", {len(far.keys):,} more through others" if far else ""
    notes = (wanted.note,) if wanted.note else ()
    cut = ("There are too many transitive callers to follow all",) if far and far.is_cut else ()
    return Answer(
        f"{plural(counts.callers, 'symbol')} ({counts.product_callers:,} outside tests) call"
        f"{'s' if counts.callers == 1 else ''} {shown_name(target)} in {plural(counts.places, 'place')}{more}",
        data,
        pagination=pagination,
        next=(
            suggest_impact(target, "what a change of it may touch"),
            call.suggest("drift_callees", "what it calls itself", symbol=place_of(target), priority="low"),
        ),
        warnings=(*warnings, *notes, *cut, *silence_warnings(reader, target)),
    )


@tool(
    category="surgical",
    title="Find callees",
    tokens=(150, 900),
    needs=Layer.CALLS,
    examples=({"symbol": "total"}, {"symbol": "shop/pricing.py:85", "transitive": True, "maxDepth": 4}),
)
def drift_callees(
    call: Call,
    symbol: Annotated[str, "Name, Class.method or path:line"],
    file: Annotated[str | None, "Only in this file"] = None,
    transitive: Annotated[bool, "Also through others"] = False,
    max_depth: Annotated[int | None, Range(1, 20), "Steps; transitive 3"] = None,
    page: Page = Page(limit=20, sorts=tuple(_CALLEE_SORTS)),
) -> Answer[CalleesData]:
    """What a symbol calls: in the project with candidates and confidence, outside, or unresolved."""
    depth = _steps(max_depth, transitive=transitive)
    with opened_index(call) as reader:
        target, warnings = choose_symbol(reader, symbol, file=file)
        direct, behind, far = find_calls(reader, target), None, None
        if depth > 1:
            far = find_far_callees(reader, target, max_depth=depth)
            behind, pagination = _far_rows(call, reader, page, far, is_forward=True)
            calls = direct.calls[: page.limit]
        else:
            calls, pagination = sort_page(call, page, direct.calls, sorts=_CALLEE_SORTS)
        callees = find_callees(reader, direct, calls)
    outcomes = direct.outcomes
    data = CalleesData(symbol_row(target), outcomes, tuple(map(_callee_row, callees)), behind)
    unknown = outcomes.get("unknown", 0)
    open_calls = (f"{plural(unknown, 'call')} in it could not be resolved",) if unknown else ()
    return Answer(
        f"{shown_name(target)} makes {plural(len(direct.calls), 'call')}: {_outcomes(outcomes)}"
        + (f"; it reaches {plural(len(far.keys), 'more symbol')} through others" if far else ""),
        data,
        pagination=pagination,
        next=(
            call.suggest("drift_reachability", "all it comes to run", location=place_of(target)),
            call.suggest("drift_callers", "who calls it", symbol=place_of(target), priority="low"),
        ),
        warnings=(*warnings, *open_calls),
    )


def _steps(max_depth: int | None, *, transitive: bool) -> int:
    """How many calls to follow: a depth says so by itself."""
    if max_depth is not None:
        return max_depth
    return _USUAL_STEPS if transitive else 1


def _caller_sorts() -> dict[str, Sort[CallPlace]]:
    orders: tuple[Sort[CallPlace], ...] = (
        Sort(place_key, "desc"),
        Sort(lambda one: (one.path, one.line)),
        Sort(lambda one: (-one.confidence,), "desc"),
    )
    return dict(zip(_CALLER_SORTS, orders, strict=True))


def _flags(reader: IndexReader, target: SymbolRecord, direct: DirectCallers) -> tuple[Flag, ...]:
    flags = []
    if direct.is_widely_used:
        flags.append(Flag("widelyUsed", f"{direct.counts.product_callers:,} symbols outside tests call it"))
    public = public_evidence(reader, target)
    if public:
        flags.append(Flag("publicApi", "; ".join(public)))
    return tuple(flags)


def _caller_rows(reader: IndexReader, sites: Sequence[CallSite]) -> tuple[CallerRow, ...]:
    titles = find_test_titles(reader, [site.caller for site in sites])
    return tuple(
        CallerRow(
            titles.get(site.caller.id) or shown_name(site.caller),
            site.caller.path,
            site.line,
            site.text,
            round(site.confidence, 2),
            site.reason,
            site.candidates if site.candidates > 1 else None,
            True if site.is_test else None,
        )
        for site in sites
    )


def _far_rows(
    call: Call, reader: IndexReader, page: Page, walk: FarWalk, *, is_forward: bool = False
) -> tuple[tuple[FarRow, ...], Pagination]:
    """The wanted page of those behind others. Their ways lead to the target, and forward from it."""
    if page.sort not in {None, *_FAR_SORTS}:
        raise invalid("sort", f"{page.sort} is of direct calls, not of those through others")
    keys, pagination = sort_page(call, page, walk.keys, sorts=_FAR_SORTS)
    far = describe_far(reader, walk, keys)
    titles = find_test_titles(reader, [one.symbol for one in far])
    rows = tuple(
        FarRow(
            titles.get(one.symbol.id) or shown_name(one.symbol),
            one.symbol.path,
            one.symbol.line,
            one.depth,
            name_path(one.path[::-1] if is_forward else one.path),
        )
        for one in far
    )
    return rows, pagination


def _callee_row(one: Callee) -> CalleeRow:
    call = one.call
    if not one.candidates:
        return CalleeRow(call.line, call.text, call.outcome, external=call.external_name)
    rows = tuple(
        CandidateRow(shown_name(each.symbol), place_of(each.symbol), round(each.confidence, 2), each.reason)
        for each in one.candidates[:_MOST_CANDIDATES]
    )
    first = rows[0]
    return CalleeRow(
        call.line,
        call.text,
        call.outcome,
        first.symbol,
        first.at,
        first.confidence,
        first.reason,
        candidates=rows if len(rows) > 1 else None,
    )


def _outcomes(outcomes: dict[str, int]) -> str:
    return ", ".join(f"{count:,} {outcome}" for outcome, count in sorted(outcomes.items())) or "none"
