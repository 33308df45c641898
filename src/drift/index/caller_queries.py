"""Questions about the places that call a symbol: all of them lightly, and a few with what is written there."""

import json
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from drift.index.ids import CallId, SymbolId
from drift.index.link_words import word_text
from drift.index.records import SymbolRecord
from drift.index.selection import Selection, Value, as_list
from drift.index.symbol_queries import COLUMN_COUNT, COLUMNS

_TEXT: Final = word_text("calls.text")


def _in_test(symbol: str) -> str:
    """What stands in a test, such as a closure that it hands out, and in what is compiled for tests alone."""
    return f"""EXISTS (
        WITH RECURSIVE frontier (id) AS (
            SELECT {symbol}
            UNION
            SELECT symbols.parent_id FROM frontier CROSS JOIN symbols ON symbols.id = frontier.id
            WHERE symbols.parent_id IS NOT NULL
        )
        SELECT 1 FROM frontier CROSS JOIN symbols ON symbols.id = frontier.id
        WHERE instr(symbols.modifiers, 'test-only') OR EXISTS (
            SELECT 1 FROM entry_points WHERE entry_points.symbol_id = frontier.id AND entry_points.kind = 'test'
        )
    )"""  # noqa: S608 - our own names


_IN_TEST: Final = _in_test("edges.caller_id")
TEST_CODE: Final = f"""
    SELECT wanted.value FROM json_each(?) AS wanted WHERE {_in_test("wanted.value")}
"""  # noqa: S608 - our own names


def _places(condition: str) -> str:
    # A call may lead to several of the symbols asked for (overloads): it is one place, with what they share.
    return f"""
        SELECT edges.caller_id, edges.call_id, edges.line, min(sum(edges.confidence), 10000) / 10000.0,
            files.role = 'test' OR {_IN_TEST}, files.path, files.role, edges.reason, min(edges.callee_id)
        FROM json_each(:targets) AS target
        CROSS JOIN edges ON edges.callee_id = target.value
        JOIN files ON files.id = edges.caller_id >> 16
        {condition}
        GROUP BY edges.caller_id, edges.call_id
    """  # noqa: S608 - our own names


_PLACES: Final = _places("")
_NAMED_PLACES: Final = _places(
    f"""CROSS JOIN calls ON calls.id = edges.call_id
        WHERE {_TEXT} = :name OR substr({_TEXT}, -length(:name) - 1) IN ('.' || :name, ':' || :name)"""
)
# Linking names what may run in the place of a method up to so many; of more, calls lead to the method alone.
_MOST_LINKED: Final = 10
_OFTEN_OVERRIDDEN: Final = f"""
    SELECT edges.caller_id, edges.call_id, edges.line,
        edges.confidence / 10000.0 * iif(methods.modifiers LIKE '%abstract%', 0.9, 0.3) / many.times,
        files.role = 'test' OR {_IN_TEST}, files.path, files.role, edges.reason, many.overrider_id, many.times
    FROM (
        SELECT overrides.overrider_id, overrides.method_id, (
            SELECT count(*) FROM overrides AS all_of WHERE all_of.method_id = overrides.method_id
        ) AS times
        FROM json_each(?) AS target CROSS JOIN overrides ON overrides.overrider_id = target.value
    ) AS many
    CROSS JOIN symbols AS methods ON methods.id = many.method_id
    CROSS JOIN edges ON edges.callee_id = many.method_id
    JOIN files ON files.id = edges.caller_id >> 16
    WHERE many.times > ? AND edges.reason NOT IN (
        SELECT words.id FROM words WHERE words.text IN ('super', 'override', 'own-class')
    )
    GROUP BY edges.caller_id, edges.call_id
"""  # noqa: S608 - our own names
_SITES: Final = f"""
    SELECT {COLUMNS}, coalesce({_TEXT}, ''), {word_text("wanted.value ->> 2")},
        (SELECT count(*) FROM edges WHERE edges.caller_id = symbols.id AND edges.call_id = wanted.value ->> 1)
    FROM json_each(?) AS wanted
    CROSS JOIN symbols ON symbols.id = wanted.value ->> 0
    JOIN files ON files.id = symbols.file_id
    LEFT JOIN calls ON calls.id = wanted.value ->> 1
    ORDER BY wanted.key
"""  # noqa: S608 - our own names


class CallPlace(NamedTuple):
    """A place that calls a symbol: all that tells its rank among the others."""

    caller_id: SymbolId
    call_id: CallId
    line: int
    confidence: float
    is_test: int  # 1 in a file of tests, and in a test that stands among the product
    path: str
    role: str
    reason_id: int
    callee_id: SymbolId  # of several the first
    overriders: int = 0  # where the call is of a method that so many override, the callee among them


class CallSite(NamedTuple):
    """A place of a call, the symbol it stands in, and among how many candidates its callee was one."""

    caller: SymbolRecord
    call_id: CallId
    line: int
    text: str
    confidence: float
    reason: str
    candidates: int
    is_test: int
    callee_id: SymbolId


class CallerQueries:
    """Questions about who calls a symbol, place by place."""

    def __init__(self, selection: Selection) -> None:
        self._selection = selection

    def places(self, targets: Iterable[SymbolId], *, named: str | None = None) -> list[CallPlace]:
        """Every place that calls any of the targets.

        `named` keeps the calls that are written with this name, which tells the classes apart that
        inherit one constructor.
        """
        values: dict[str, Value] = {"targets": as_list(targets), "name": named}
        rows = self._selection.rows(_PLACES if named is None else _NAMED_PLACES, values)
        return [CallPlace(*row) for row in rows]

    def places_above(self, targets: Iterable[SymbolId], *, named: int = _MOST_LINKED) -> list[CallPlace]:
        """Every place that calls a method which the targets override, and more than are named there."""
        rows = self._selection.rows(_OFTEN_OVERRIDDEN, (as_list(targets), named))
        return [CallPlace(*row) for row in rows]

    def sites(self, places: Sequence[CallPlace]) -> list[CallSite]:
        """The places in the same order, each with its caller and what is written there."""
        wanted = json.dumps([(one.caller_id, one.call_id, one.reason_id) for one in places])
        rows = self._selection.rows(_SITES, (wanted,))
        return [
            CallSite(
                SymbolRecord._make(row[:COLUMN_COUNT]), one.call_id, one.line, text, one.confidence,
                "override" if one.overriders else reason, one.overriders or candidates, one.is_test, one.callee_id,
            )
            for one, row in zip(places, rows, strict=True)
            for text, reason, candidates in (row[COLUMN_COUNT:],)
        ]  # fmt: skip
