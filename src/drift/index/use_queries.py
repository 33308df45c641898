"""What the files of a run use: other files, and in the order of the text whatever their functions call."""

import json
from typing import Final, NamedTuple, cast

from drift.index.ids import CallId, FileId, SymbolId
from drift.index.link_words import LOADING_REFERENCE, word_text
from drift.index.selection import Selection, as_list
from drift.index.site_queries import Run

_SYMBOLS_IN_RUN: Final = "BETWEEN ?1 << 16 AND (?2 << 16) + 65535"
_CALLS_IN_RUN: Final = "BETWEEN ?1 << 20 AND (?2 << 20) + 1048575"
# Who calls a method through its interface knows nothing of what runs in its place; who names that uses it otherwise, too.
_FILE_USES: Final = f"""
    SELECT source, target, min(line), min(is_type_only) FROM (
        SELECT symbol_id >> 16 AS source, target_file_id AS target, line, is_type_only FROM imports
            WHERE symbol_id {_SYMBOLS_IN_RUN} AND target_file_id IS NOT NULL
        UNION ALL
        SELECT caller_id >> 16, callee_id >> 16, line, 0 FROM edges
            WHERE caller_id {_SYMBOLS_IN_RUN} AND confidence >= ?3 AND call_id <> 0
                AND NOT EXISTS (SELECT 1 FROM overrides WHERE overrider_id = callee_id)
        UNION ALL
        SELECT symbol_id >> 16, target_symbol_id >> 16, line, 0 FROM refs
            WHERE symbol_id {_SYMBOLS_IN_RUN} AND confidence >= ?3 AND {LOADING_REFERENCE}
    ) WHERE source <> target GROUP BY source, target
"""  # noqa: S608 - our own names
_CALLS: Final = f"""
    SELECT calls.id, calls.caller_id, calls.line, {word_text("calls.text")}, {word_text("calls.external_name")},
        coalesce(call_details.traits, 0), call_details.literal
    FROM calls LEFT JOIN call_details ON call_details.id = calls.id
    WHERE calls.id {_CALLS_IN_RUN} ORDER BY calls.id
"""  # noqa: S608 - our own names
_CALLEES: Final = f"""
    SELECT call_id, callee_id FROM edges INDEXED BY edges_by_caller
    WHERE caller_id {_SYMBOLS_IN_RUN} AND confidence >= ?3 AND call_id <> 0
"""  # noqa: S608 - our own names
_PLACES: Final = """
    SELECT symbols.id, symbols.kind, symbols.name, symbols.qualname, symbols.line, symbols.end_line,
        coalesce(symbols.code_lines, 0), parents.name
    FROM json_each(?) AS wanted CROSS JOIN symbols ON symbols.id = wanted.value
    LEFT JOIN symbols AS parents ON parents.id = symbols.parent_id AND parents.kind <> 'module'
"""
# Of the router itself, else of the file that a route is added in.
_MOUNTED: Final = """
    SELECT entry_points.detail, entry_points.path, entry_points.guards FROM routers
    CROSS JOIN entry_points USING (symbol_id, position)
    WHERE routers.router_id = ?1 AND entry_points.kind = 'http'
    UNION ALL
    SELECT detail, path, guards FROM entry_points
    WHERE symbol_id BETWEEN ?2 << 16 AND (?2 << 16) + 65535 AND kind = 'http' LIMIT 1
"""


class FileLink(NamedTuple):
    """A file that imports, calls or names what is in another, and where first."""

    source: FileId
    target: FileId
    line: int
    is_type_only: int


class MadeCall(NamedTuple):
    """A call in the order of the text. `external` is the full name of what is outside the project."""

    id: CallId
    caller: SymbolId
    line: int
    text: str
    external: str | None
    traits: int  # languages.facts.CallTrait
    literal: str | None


class NamedPlace(NamedTuple):
    """A symbol by its name and place; `owner` is the type or function it stands in."""

    id: SymbolId
    kind: str
    name: str
    qualname: str
    line: int
    end_line: int
    code_lines: int
    owner: str | None


class Mounted(NamedTuple):
    """Where a router is mounted: the prefix of its routes, and what stands before them."""

    prefix: str
    guards: tuple[str, ...]


class UseQueries:
    """Questions about what files use, in bulk."""

    def __init__(self, selection: Selection) -> None:
        self._selection = selection

    def links(self, run: Run, *, min_confidence: float) -> list[FileLink]:
        """Which files the run's files use, each pair once."""
        rows = self._selection.rows(_FILE_USES, (*run, int(min_confidence * 10_000)))
        return list(map(FileLink._make, rows))

    def calls(self, run: Run) -> list[MadeCall]:
        """All calls of the run's files, in the order of the text."""
        return list(map(MadeCall._make, self._selection.rows(_CALLS, run)))

    def callees(self, run: Run, *, min_confidence: float) -> list[tuple[CallId, SymbolId]]:
        """What the run's calls lead to, as far as that is sure enough."""
        rows = self._selection.rows(_CALLEES, (*run, int(min_confidence * 10_000)))
        return cast("list[tuple[CallId, SymbolId]]", rows)

    def places(self, symbols: frozenset[SymbolId]) -> dict[SymbolId, NamedPlace]:
        """The symbols of some ids."""
        rows = self._selection.rows(_PLACES, (as_list(sorted(symbols)),))
        return {each.id: each for each in map(NamedPlace._make, rows)}

    def mounted_like(self, router: SymbolId | None, file: FileId) -> Mounted:
        """Where a router is mounted, as a route tells that it has already, or one that is added in the file."""
        row = self._selection.row(_MOUNTED, (router, file))
        if row is None:
            return Mounted("", ())
        whole, path, guards = row[0].partition(" ")[2], row[1] or "", row[2]
        prefix = whole.removesuffix(path) if path and whole.endswith(path) else ""
        return Mounted(prefix.removesuffix("/"), tuple(json.loads(guards or "[]")))
