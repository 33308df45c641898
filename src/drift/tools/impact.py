"""What a change touches, and what code reaches: walks over the call graph in both directions."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, NamedTuple

from drift.analyses.callables import public_evidence
from drift.analyses.changes import find_changed_symbols, parse_diff, read_diff
from drift.analyses.graph_rows import (
    EntryRow,
    SymbolRow,
    describe_path,
    open_name_warnings,
    outside_warnings,
    place_of,
    shown_name,
    symbol_row,
)
from drift.analyses.impact import Impact, find_impact
from drift.analyses.prominence import order_reached
from drift.analyses.risk import Risk, assess_risk
from drift.analyses.symbol_choice import choose_symbol
from drift.analyses.targets import find_file_meant
from drift.analyses.test_titles import find_test_titles
from drift.analyses.unresolved import find_open_names
from drift.index import IndexReader, Layer
from drift.index.ids import FileId, SymbolId, file_of_symbol
from drift.index.records import SymbolRecord
from drift.index.walk import Reached
from drift.kernel.answer import Answer, NextAction
from drift.kernel.text import plural
from drift.registry import Call, Page, Range, tool
from drift.registry.indexes import opened_index
from drift.tools.listing import REACHED_SORTS, sort_page, sort_reached

_MOST_CHANGED = 20
_MOST_NAMED = 5


@dataclass(frozen=True, slots=True)
class UserRow:
    """A symbol that uses what changes; at depth 1 with the place, the reason and the confidence of the use."""

    symbol: str
    file: str
    line: int
    depth: int
    call: str | None = None
    reason: str | None = None
    confidence: float | None = None
    via: str | None = None


@dataclass(frozen=True, slots=True)
class TestRow:
    """A test that reaches what changes, and through how many calls."""

    test: str
    file: str
    line: int
    depth: int


@dataclass(frozen=True, slots=True)
class RiskReasonRow:
    """One part of the score."""

    points: int
    reason: str


@dataclass(frozen=True, slots=True)
class RiskData:
    """A score of 0 to 100 as the sum of its reasons. What data is touched is not part of it."""

    level: str
    score: int
    reasons: tuple[RiskReasonRow, ...]


@dataclass(frozen=True, slots=True)
class ImpactCounts:
    """All there are, also those not listed. Users are counted without tests."""

    direct: int
    transitive: int
    entry_points: int
    tests: int
    files: int
    packages: int
    max_depth: int


@dataclass(frozen=True, slots=True)
class ImpactData:
    """What a change may touch, nearest first. `deleted` are files of a diff whose users the index no longer knows.

    Pages are of `users`; the lists below it stand on the first page only.
    """

    target: str
    changed: tuple[SymbolRow, ...]
    risk: RiskData
    counts: ImpactCounts
    users: tuple[UserRow, ...]
    entry_points: tuple[EntryRow, ...] | None = None
    tests: tuple[TestRow, ...] | None = None
    test_files: tuple[str, ...] | None = None
    packages: tuple[str, ...] | None = None
    overridden: tuple[SymbolRow, ...] | None = None
    overriding: tuple[SymbolRow, ...] | None = None
    importers: int | None = None
    deleted: tuple[str, ...] | None = None


class _Change(NamedTuple):
    """What is changed, by what it was named, and what is to be said about it."""

    title: str
    symbols: tuple[SymbolRecord, ...]
    warnings: tuple[str, ...] = ()
    importers: int | None = None
    deleted: tuple[str, ...] = ()
    with_members: bool = True


@tool(
    category="detail",
    title="Impact of a change",
    tokens=(300, 1500),
    needs=Layer.CALLS,
    examples=({"target": "total"}, {"target": "shop/pricing.py"}, {"target": "diff", "base": "main"}),
)
def drift_impact_analysis(
    call: Call,
    target: Annotated[str, "Symbol, path:line, file path, or diff"],
    file: Annotated[str | None, "File of the symbol"] = None,
    base: Annotated[str, "For diff: commit or branch to compare with"] = "HEAD",
    max_depth: Annotated[int, Range(1, 20)] = 10,
    page: Page = Page(limit=10, sorts=REACHED_SORTS),
) -> Answer[ImpactData]:
    """What breaks if a function, file or git diff changes: users, entry points, tests to run, risk and why."""
    with opened_index(call) as reader:
        change = _change(call, reader, target, file=file, base=base)
        impact = find_impact(reader, change.symbols, max_depth=max_depth, with_members=change.with_members)
        public = sum(bool(public_evidence(reader, one)) for one in change.symbols[:_MOST_CHANGED])
        risk = assess_risk(impact, public_count=public)
        key = order_reached(reader, impact.product)
        users, pagination = sort_page(call, page, impact.product, sorts=sort_reached(key))
        data = _impact_data(reader, change, impact, risk, users)
        if page.cursor is None:
            data = _with_surroundings(reader, data, impact, page.limit)
        unresolved = open_name_warnings(find_open_names(reader, change.symbols, impact.product))
        if len(change.symbols) == 1:
            unresolved += outside_warnings(reader, change.symbols[0])
    cut = ("There are too many users to follow all",) if impact.is_cut else ()
    return Answer(
        _impact_summary(change, data),
        data,
        pagination=pagination,
        next=_impact_next(call, change),
        warnings=(*change.warnings, *cut, *unresolved),
    )


def _impact_summary(change: _Change, data: ImpactData) -> str:
    if not (change.symbols or change.deleted or change.importers):
        return f"{change.title}: nothing to weigh"
    counts = data.counts
    return (
        f"{change.title}: {data.risk.level} risk ({data.risk.score}/100), {plural(counts.direct, 'direct user')}, "
        f"{counts.transitive:,} through others, {plural(counts.entry_points, 'entry point')}, "
        f"{plural(counts.tests, 'test')}"
    )


def _impact_next(call: Call, change: _Change) -> tuple[NextAction, ...]:
    if len(change.symbols) != 1:
        return ()
    place = place_of(change.symbols[0])
    return (
        call.suggest("drift_callers", "every place that calls it", symbol=place),
        call.suggest("drift_graph", "see it drawn", action="mermaid", source=place, priority="low"),
    )


def _change(call: Call, reader: IndexReader, target: str, *, file: str | None, base: str) -> _Change:
    if target == "diff" and file is None:
        found = find_changed_symbols(reader, parse_diff(read_diff(call.project.root, base)))
        unknown = found.unknown[:_MOST_NAMED]
        return _Change(
            f"The diff against {base} changes {plural(len(found.symbols), 'symbol')}",
            found.symbols,
            tuple(f"{path} is changed, but the index has no symbols of it" for path in unknown),
            deleted=found.deleted,
            with_members=False,
        )
    record = find_file_meant(reader, target) if file is None else None
    if record is not None:
        importers = {one.symbol_id >> 16 for one in reader.facts.importers_of_file(record.id)}
        return _Change(record.path, tuple(reader.symbols.of_file(record.id)), (), len(importers))
    symbol, warnings = choose_symbol(reader, target, file=file)
    return _Change(shown_name(symbol), (symbol,), warnings)


def _impact_data(
    reader: IndexReader, change: _Change, impact: Impact, risk: Risk, users: Iterable[Reached]
) -> ImpactData:
    changed = [one for one in change.symbols if one.kind != "module" or len(change.symbols) == 1]
    return ImpactData(
        target=change.title,
        changed=tuple(map(symbol_row, changed[:_MOST_CHANGED])),
        risk=RiskData(risk.level, risk.score, tuple(RiskReasonRow(*reason) for reason in risk.reasons)),
        counts=ImpactCounts(
            len(impact.direct),
            len(impact.product) - len(impact.direct),
            len(impact.entries),
            len(impact.tests),
            len(impact.files),
            len(impact.packages),
            impact.max_depth,
        ),
        users=_user_rows(reader, users),
        importers=change.importers,
        deleted=change.deleted or None,
    )


def _with_surroundings(reader: IndexReader, data: ImpactData, impact: Impact, limit: int) -> ImpactData:
    """The data with what stands beside the users, up to `limit` of each."""
    return replace(
        data,
        entry_points=_entry_rows(reader, impact, limit),
        tests=_test_rows(reader, impact.tests[:limit]),
        test_files=_test_files(reader, impact, limit),
        packages=impact.packages[:limit],
        overridden=_symbol_rows(reader, impact.overridden[:limit]) or None,
        overriding=_symbol_rows(reader, impact.overriding[:limit]) or None,
    )


def _test_rows(reader: IndexReader, tests: Sequence[Reached]) -> tuple[TestRow, ...]:
    known = {one.id: one for one in reader.symbols.many(one.symbol_id for one in tests)}
    titles = find_test_titles(reader, known.values())
    return tuple(
        TestRow(titles[one.symbol_id], known[one.symbol_id].path, known[one.symbol_id].line, one.depth)
        for one in tests
    )


def _user_rows(reader: IndexReader, reached: Iterable[Reached]) -> tuple[UserRow, ...]:
    wanted = list(reached)
    ids = {each for one in wanted for each in (one.symbol_id, one.via_id)}
    known = {one.id: one for one in reader.symbols.many(ids)}
    rows = []
    for one in wanted:
        symbol, via = known[one.symbol_id], known[one.via_id]
        hop = reader.graph.hop(one.symbol_id, one.via_id)
        rows.append(
            UserRow(
                shown_name(symbol),
                symbol.path,
                hop.line if hop else symbol.line,
                one.depth,
                call=(hop.text or None) if hop else None,
                reason=hop.reason if hop else "named by the call",
                confidence=round(hop.confidence, 2) if hop else None,
                via=shown_name(via) if one.depth > 1 else None,
            )
        )
    return tuple(rows)


def _entry_rows(reader: IndexReader, impact: Impact, limit: int) -> tuple[EntryRow, ...]:
    rows = []
    for one in impact.entries[:limit]:
        symbol = reader.symbols.get(one.entry.symbol_id)
        if symbol is not None:
            path = describe_path(reader, one.path)
            rows.append(
                EntryRow(
                    one.entry.kind,
                    one.entry.detail,
                    shown_name(symbol),
                    symbol.path,
                    one.entry.line,
                    one.depth,
                    path,
                )
            )
    return tuple(rows)


def _test_files(reader: IndexReader, impact: Impact, limit: int) -> tuple[str, ...]:
    """The files of the nearest tests, each once."""
    files: list[FileId] = list(dict.fromkeys(file_of_symbol(one.symbol_id) for one in impact.tests))[:limit]
    paths = {one.id: one.path for one in reader.graph.file_places(files)}
    return tuple(paths[file] for file in files if file in paths)


def _symbol_rows(reader: IndexReader, symbols: Iterable[SymbolId]) -> tuple[SymbolRow, ...]:
    return tuple(map(symbol_row, reader.symbols.many(symbols)))
