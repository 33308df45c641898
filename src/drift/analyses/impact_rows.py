"""What a change may touch as rows of an answer: users, tests, ways in, files."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from drift.analyses.graph_rows import EntryRow, SymbolRow, describe_path, shown_name, symbol_row
from drift.analyses.impact import Impact
from drift.analyses.impact_sureness import Sureness
from drift.analyses.running.graph import RunGraph, run_graph
from drift.analyses.test_titles import find_test_titles
from drift.index import IndexReader
from drift.index.graph_queries import Hop
from drift.index.ids import FileId, SymbolId, file_of_symbol
from drift.index.records import SymbolRecord
from drift.index.walk import Reached

_SHOWN: Final = "shows the page"


@dataclass(frozen=True, slots=True)
class UserRow:
    """A symbol that uses what changes, with the place and the reason of the use, and the confidence of the whole way."""

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
    """A test that reaches what changes, through how many calls, and how surely, where that is in doubt."""

    test: str
    file: str
    line: int
    depth: int
    confidence: float | None = None


def test_rows(
    reader: IndexReader, tests: Sequence[Reached], sure: Mapping[SymbolId, float]
) -> tuple[TestRow, ...]:
    known = {one.id: one for one in reader.symbols.many(one.symbol_id for one in tests)}
    titles = find_test_titles(reader, known.values())
    return tuple(
        TestRow(
            titles[one.symbol_id],
            known[one.symbol_id].path,
            known[one.symbol_id].line,
            one.depth,
            _in_doubt(sure.get(one.symbol_id, 1.0)),
        )
        for one in tests
    )


def _in_doubt(confidence: float) -> float | None:
    return round(confidence, 2) if confidence < 1 else None


def user_rows(reader: IndexReader, impact: Impact, reached: Iterable[Reached]) -> tuple[UserRow, ...]:
    wanted, sureness = list(reached), impact.sureness
    ids = {each for one in wanted for each in (one.symbol_id, one.via_id)}
    known = {one.id: one for one in reader.symbols.many(ids)}
    rows = []
    graph = run_graph(reader)
    for one in wanted:
        symbol, via = known[one.symbol_id], known.get(one.via_id)
        # A page that is no code has no symbol.
        unseen = _SHOWN if via is None else _reason_of_graph(graph, one) or _unseen_reason(symbol, via)
        hop = reader.graph.hop(one.symbol_id, one.via_id)
        rows.append(
            UserRow(
                shown_name(symbol),
                symbol.path,
                hop.line if hop else symbol.line,
                one.depth,
                call=(hop.text or None) if hop else None,
                reason=_reason(sureness, one.via_id, hop.reason) if hop else unseen,
                confidence=_confidence(sureness, one, hop),
                via=shown_name(via) if via is not None and one.depth > 1 else None,
            )
        )
    return tuple(rows)


def _reason(sureness: Sureness | None, used: SymbolId, said: str) -> str:
    return "override" if sureness is not None and sureness.is_by_override(used) else said


def _confidence(sureness: Sureness | None, user: Reached, hop: Hop | None) -> float | None:
    """Of the whole way; none is told where no link of the index is behind the step, and none before is in doubt."""
    whole = 1.0 if sureness is None else sureness.of(user.symbol_id)
    if hop is None:
        return _in_doubt(whole)
    return round(whole if sureness is not None else hop.confidence, 2)


def _reason_of_graph(graph: RunGraph, user: Reached) -> str | None:
    if user.via_id in graph.pages:
        return _SHOWN
    spelt = graph.spelled.places.get(user.via_id)
    return "by a name put together" if spelt is not None and spelt.caller == user.symbol_id else None


def _unseen_reason(user: SymbolRecord, used: SymbolRecord) -> str:
    if used.parent_id == user.id:
        return "around it"
    if user.kind == "module":
        return "exports it again"
    return "calls what it overrides" if used.kind == "method" else "named by the call"


def entry_rows(reader: IndexReader, impact: Impact, limit: int) -> tuple[EntryRow, ...]:
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
                    None if impact.sureness is None else _in_doubt(impact.sureness.of(one.path[0])),
                )
            )
    return tuple(rows)


def test_files(reader: IndexReader, impact: Impact, limit: int) -> tuple[str, ...]:
    """The files of the nearest tests, each once."""
    files: list[FileId] = list(dict.fromkeys(file_of_symbol(one.symbol_id) for one in impact.tests))[:limit]
    paths = {one.id: one.path for one in reader.graph.file_places(files)}
    return tuple(paths[file] for file in files if file in paths)


def symbol_rows(reader: IndexReader, symbols: Iterable[SymbolId]) -> tuple[SymbolRow, ...]:
    return tuple(map(symbol_row, reader.symbols.many(symbols)))
