"""Questions about the graph as a whole: who uses whom, through which places, and what nobody uses."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final, NamedTuple, cast

from drift.index.caller_queries import TEST_CODE
from drift.index.handed_out import users_of_objects
from drift.index.ids import CallId, FileId, SymbolId, is_file
from drift.index.link_words import word_text
from drift.index.selection import Selection, as_list
from drift.index.walk import Closure, walk_levels

_HTTP: Final = "http"
_PATH: Final = "/"
_TO_HANDLER: Final = " -> "  # in the detail of a route, before what answers it elsewhere

_TEXT: Final = word_text("calls.text")
_REASON: Final = word_text("found.reason")
_WRITTEN: Final = """
    SELECT DISTINCT edges.caller_id, words.text FROM json_each(?) AS target
    CROSS JOIN edges ON edges.callee_id = target.value
    JOIN calls ON calls.id = edges.call_id
    JOIN words ON words.id = calls.text
"""
_USES: Final = """
    SELECT edges.callee_id, edges.caller_id FROM json_each(?1) AS frontier
    CROSS JOIN edges ON edges.callee_id = frontier.value
    UNION ALL
    SELECT refs.target_symbol_id, refs.symbol_id FROM json_each(?1) AS frontier
    CROSS JOIN refs ON refs.target_symbol_id = frontier.value
    WHERE refs.kind IN (SELECT words.id FROM words WHERE words.text IN ('value', 'given'))
    UNION ALL
    SELECT inner.id, around.id FROM json_each(?1) AS frontier
    CROSS JOIN symbols AS inner ON inner.id = frontier.value
    CROSS JOIN symbols AS around ON around.id = inner.parent_id
    WHERE inner.kind IN ('function', 'method') AND around.kind IN ('function', 'method', 'constructor', 'property')
        AND instr(inner.modifiers, 'connected') = 0  -- a signal runs it, not what it is written in
    UNION ALL
    SELECT inner.id, around.id FROM json_each(?1) AS frontier
    CROSS JOIN symbols AS inner ON inner.id = frontier.value
    CROSS JOIN symbols AS unnamed ON unnamed.id = inner.parent_id
    CROSS JOIN symbols AS around ON around.id = unnamed.parent_id
    WHERE unnamed.name IN ('<anonymous>', 'class@anonymous')
        AND around.kind IN ('function', 'method', 'constructor', 'property')
    UNION ALL
    SELECT overrides.overrider_id, edges.caller_id FROM json_each(?1) AS frontier
    CROSS JOIN overrides ON overrides.overrider_id = frontier.value
    CROSS JOIN edges ON edges.callee_id = overrides.method_id
    WHERE (SELECT count(*) FROM overrides AS all_of WHERE all_of.method_id = overrides.method_id) > ?2
        AND edges.reason NOT IN (SELECT words.id FROM words WHERE words.text IN ('super', 'own-class'))
"""
# Who names a variable may call what it holds; a command in it is run by its name.
_HOLDING: Final = """
    SELECT inner.id, around.id FROM json_each(?1) AS frontier
    CROSS JOIN symbols AS inner ON inner.id = frontier.value
    CROSS JOIN symbols AS around ON around.id = inner.parent_id
    WHERE inner.kind IN ('function', 'method') AND around.kind IN ('variable', 'constant') AND NOT EXISTS (
        SELECT 1 FROM entry_points WHERE entry_points.symbol_id = inner.id AND entry_points.kind = 'cli')
"""
# Who asks for the method of a parent runs that one, whatever overrides it; so does who has an object of a class beside
# those that do. Where few override it, a call that may run one of them has a link to it.
_SETTLED_CALLS: Final = """
    SELECT edges.callee_id, edges.caller_id FROM (
        SELECT wanted.value AS id, (
            SELECT count(*) FROM overrides AS all_of WHERE all_of.method_id = wanted.value
        ) AS times FROM json_each(?1) AS wanted
    ) AS methods
    CROSS JOIN edges ON edges.callee_id = methods.id
    GROUP BY edges.callee_id, edges.caller_id
    HAVING min(
        edges.reason IN (SELECT words.id FROM words WHERE words.text IN ('super', 'own-class'))
        OR methods.times <= ?3 AND edges.call_id <> 0
            AND edges.reason NOT IN (SELECT words.id FROM words WHERE words.text IN ('callback', 'dispatched'))
            AND NOT EXISTS (SELECT 1 FROM edges AS named INDEXED BY edges_by_caller
                WHERE named.caller_id = edges.caller_id AND named.call_id = edges.call_id
                AND named.callee_id IN (SELECT value FROM json_each(?2)))
    )
"""
# Linking names what may run in the place of a method up to so many; of more, calls lead to the method alone.
_MOST_LINKED: Final = 10
_NAMED_AS_TYPES: Final = """
    SELECT DISTINCT refs.target_symbol_id, refs.symbol_id FROM json_each(?1) AS wanted
    CROSS JOIN refs ON refs.target_symbol_id = wanted.value
    WHERE refs.kind = (SELECT words.id FROM words WHERE words.text = 'type')
"""
# What registers a function to be run by something else: it names it, and those who run it run no more than that.
_CONNECTED: Final = """
    SELECT DISTINCT refs.target_symbol_id, refs.symbol_id FROM json_each(?1) AS wanted
    CROSS JOIN refs ON refs.target_symbol_id = wanted.value
    WHERE refs.kind = (SELECT words.id FROM words WHERE words.text = 'connect')
    UNION
    SELECT inner.id, inner.parent_id FROM json_each(?1) AS wanted
    CROSS JOIN symbols AS inner ON inner.id = wanted.value
    WHERE inner.kind = 'function' AND instr(inner.modifiers, 'connected') > 0
"""
_OVERRIDES: Final = """
    SELECT overrides.method_id, overrides.overrider_id FROM json_each(?1) AS wanted
    CROSS JOIN overrides ON overrides.method_id = wanted.value
    UNION
    SELECT overrides.method_id, overrides.overrider_id FROM json_each(?1) AS wanted
    CROSS JOIN overrides ON overrides.overrider_id = wanted.value
"""
_EDGES_OF: Final = f"""
    SELECT found.caller_id, found.callee_id, found.call_id, found.line, found.confidence / 10000.0, {_REASON}
    FROM json_each(?) AS wanted CROSS JOIN edges AS found ON found.caller_id = wanted.value
    ORDER BY found.call_id, found.confidence DESC, found.callee_id
"""  # noqa: S608 - our own names
_HOP: Final = f"""
    SELECT found.line, coalesce({_TEXT}, ''), found.confidence / 10000.0, {_REASON} FROM edges AS found
    LEFT JOIN calls ON calls.id = found.call_id
    WHERE found.callee_id = ?1 AND found.caller_id = ?2 ORDER BY found.confidence DESC, found.line LIMIT 1
"""  # noqa: S608 - our own names
_REFERENCE_HOP: Final = f"""
    SELECT found.line, '', found.confidence / 10000.0, {_REASON} FROM refs AS found
    WHERE found.target_symbol_id = ?1 AND found.symbol_id = ?2 ORDER BY found.line LIMIT 1
"""  # noqa: S608 - our own names
_TESTS: Final = "SELECT symbol_id FROM entry_points WHERE kind = 'test'"
_TITLES: Final = """
    SELECT entry_points.symbol_id, entry_points.detail FROM json_each(?) AS wanted
    CROSS JOIN entry_points ON entry_points.symbol_id = wanted.value WHERE entry_points.kind = 'test'
"""
# An entry point that is a class is entered through its methods, a route through the function it names.
_ENTRIES: Final = """
    SELECT symbols.id, members.id, entry_points.kind, entry_points.detail,
        iif(handlers.handler_id IS NULL, entry_points.line, symbols.line)
    FROM entry_points LEFT JOIN handlers USING (symbol_id, position)
    CROSS JOIN symbols ON symbols.id = coalesce(handlers.handler_id, entry_points.symbol_id)
    JOIN files ON files.id = symbols.file_id
    LEFT JOIN symbols AS members ON members.parent_id = symbols.id AND symbols.kind <> 'module'
        AND members.kind IN ('method', 'constructor', 'property')
    WHERE entry_points.kind IN ('http', 'cli', 'job', 'event', 'main', 'export') AND files.role <> 'test'
    ORDER BY entry_points.symbol_id, entry_points.position
"""
_FILES: Final = """
    SELECT files.id, files.path, files.role, files.package FROM json_each(?) AS wanted
    CROSS JOIN files ON files.id = wanted.value ORDER BY files.path
"""
_EXTERNALS: Final = f"""
    SELECT {word_text("found.external_name")}, found.times, found.caller_id, found.line FROM (
        SELECT calls.external_name, count(*) AS times, calls.caller_id, min(calls.line) AS line
        FROM json_each(?1) AS wanted
        CROSS JOIN calls ON calls.id BETWEEN wanted.value << 20 AND (wanted.value << 20) + 1048575
        WHERE calls.external_name IS NOT NULL
            AND calls.caller_id IN (SELECT chosen.value FROM json_each(?2) AS chosen)
        GROUP BY calls.external_name
    ) AS found ORDER BY found.times DESC, 1
"""  # noqa: S608 - our own names
_OPEN_CALLS: Final = """
    SELECT count(*) FROM json_each(?1) AS wanted
    CROSS JOIN calls ON calls.id BETWEEN wanted.value << 20 AND (wanted.value << 20) + 1048575
    WHERE calls.outcome = (SELECT words.id FROM words WHERE words.text = 'unknown')
        AND calls.caller_id IN (SELECT chosen.value FROM json_each(?2) AS chosen)
"""
_DESCENDANTS: Final = """
    WITH RECURSIVE inside (id) AS (
        SELECT value FROM json_each(?)
        UNION
        SELECT symbols.id FROM inside CROSS JOIN symbols ON symbols.parent_id = inside.id
    )
    SELECT id FROM inside
"""


class OutgoingEdge(NamedTuple):
    """One way a call that stands in a symbol may go."""

    caller_id: SymbolId
    callee_id: SymbolId
    call_id: CallId
    line: int
    confidence: float
    reason: str


class Hop(NamedTuple):
    """The surest place where one symbol uses another; no text where it is no call."""

    line: int
    text: str
    confidence: float
    reason: str


class EntryRow(NamedTuple):
    """A way into the product; where it is a class, once for each member it is entered through."""

    symbol_id: SymbolId
    member_id: SymbolId | None
    kind: str
    detail: str
    line: int

    @property
    def leads_outside(self) -> bool:
        """Whether a file only registers it, and what answers is none of the project's: who uses the file enters nothing."""
        return is_file(self.symbol_id) and _TO_HANDLER in self.detail


class FilePlace(NamedTuple):
    """What tells where a file belongs."""

    id: FileId
    path: str
    role: str
    package: str | None


class ExternalUse(NamedTuple):
    """Something outside the project that is called, how often, and one of the places."""

    name: str
    times: int
    caller_id: SymbolId
    line: int


class GraphQueries:
    """Questions about who uses whom."""

    def __init__(self, selection: Selection) -> None:
        self._selection = selection

    def callers_by_text(self, targets: Iterable[SymbolId]) -> list[tuple[SymbolId, str]]:
        """Who calls any of the targets, and how the call is written; each pair once."""
        rows = self._selection.rows(_WRITTEN, (as_list(targets),))
        return cast("list[tuple[SymbolId, str]]", rows)

    def users(
        self,
        symbols: Iterable[SymbolId],
        *,
        max_depth: int | None = None,
        max_symbols: int = 100_000,
        also: Mapping[SymbolId, Iterable[SymbolId]] | None = None,
        without: Collection[tuple[SymbolId, SymbolId]] = (),
    ) -> Closure:
        """All that call these or pass them on as values, directly or through others, nearest first.

        Who calls a method that very many override uses each of them.
        What an inner function, a method of an object that is written in a function or a class without a name uses,
        the function around it uses: it calls or hands it out.
        `also` names users that no link shows, by what they use, `without` those of links that do not count, each as
        (what is used, user).
        """
        unseen = also or {}

        def expand(frontier: Iterable[SymbolId]) -> list[tuple[SymbolId, SymbolId]]:
            wanted = list(frontier)
            pairs = self._selection.rows(_USES, (as_list(wanted), _MOST_LINKED))
            added = [(used, user) for used in unseen.keys() & set(wanted) for user in unseen[used]]
            added += self._holding(wanted)
            found = cast("list[tuple[SymbolId, SymbolId]]", pairs) + added
            return [pair for pair in found if pair not in without] if without else found

        return walk_levels(symbols, expand, max_depth=max_depth, max_symbols=max_symbols)

    def _holding(self, symbols: Collection[SymbolId]) -> list[tuple[SymbolId, SymbolId]]:
        """The variables that hold functions, each as (function, variable), but where only others of it are ever read."""
        held = cast("list[tuple[SymbolId, SymbolId]]", self._selection.rows(_HOLDING, (as_list(symbols),)))
        having = users_of_objects(self._selection, {variable for _, variable in held})
        return [(one, variable) for one, variable in held if having.get(variable, (variable,))]

    def type_users(self, symbols: Iterable[SymbolId]) -> list[tuple[SymbolId, SymbolId]]:
        """Every pair (type, symbol that names it as one) of these types."""
        rows = self._selection.rows(_NAMED_AS_TYPES, (as_list(symbols),))
        return cast("list[tuple[SymbolId, SymbolId]]", rows)

    def connectors(self, symbols: Iterable[SymbolId]) -> list[tuple[SymbolId, SymbolId]]:
        """Every pair (function, what registers it for others to run) of these functions."""
        rows = self._selection.rows(_CONNECTED, (as_list(symbols),))
        return cast("list[tuple[SymbolId, SymbolId]]", rows)

    def overrides_of(self, methods: Iterable[SymbolId]) -> list[tuple[SymbolId, SymbolId]]:
        """Every pair (method, overrider) that has one of these methods on either side."""
        rows = self._selection.rows(_OVERRIDES, (as_list(methods),))
        return cast("list[tuple[SymbolId, SymbolId]]", rows)

    def settled_calls(
        self, methods: Iterable[SymbolId], overriders: Iterable[SymbolId]
    ) -> frozenset[tuple[SymbolId, SymbolId]]:
        """Every pair (method, caller) of these methods whose calls all run it itself, and none of these overriders."""
        rows = self._selection.rows(_SETTLED_CALLS, (as_list(methods), as_list(overriders), _MOST_LINKED))
        return frozenset(cast("list[tuple[SymbolId, SymbolId]]", rows))

    def edges_of(self, callers: Iterable[SymbolId]) -> list[OutgoingEdge]:
        """The ways the calls in these symbols may go, by call and the surest first."""
        return list(map(OutgoingEdge._make, self._selection.rows(_EDGES_OF, (as_list(callers),))))

    def hop(self, source: SymbolId, target: SymbolId) -> Hop | None:
        """The surest call from one symbol to another, else a reference; None if there is neither."""
        row = self._selection.row(_HOP, (target, source))
        row = row or self._selection.row(_REFERENCE_HOP, (target, source))
        return Hop._make(row) if row else None

    def tests(self) -> frozenset[SymbolId]:
        """Every test."""
        return frozenset(found for (found,) in self._selection.rows(_TESTS))

    def in_tests(self, symbols: Iterable[SymbolId]) -> frozenset[SymbolId]:
        """Those of the symbols that are tests or stand in one, and code that is compiled for tests alone."""
        return frozenset(found for (found,) in self._selection.rows(TEST_CODE, (as_list(symbols),)))

    def test_titles(self, symbols: Iterable[SymbolId]) -> dict[SymbolId, str]:
        """How those of the symbols that are tests are called by their framework: `Cart > rounds up`."""
        return dict(self._selection.rows(_TITLES, (as_list(symbols),)))

    def product_entries(self) -> list[EntryRow]:
        """Every way into the product: entry points that are no tests and do not stand in one.

        What a decorator says of a view (`@api_view`) is no way of its own beside the route that leads to it.
        """
        entries = list(map(EntryRow._make, self._selection.rows(_ENTRIES)))
        routed = {one.symbol_id for one in entries if one.kind == _HTTP and _PATH in one.detail}
        return [
            one for one in entries if one.kind != _HTTP or _PATH in one.detail or one.symbol_id not in routed
        ]

    def file_places(self, files: Iterable[FileId]) -> list[FilePlace]:
        """Where these files belong, by path."""
        return list(map(FilePlace._make, self._selection.rows(_FILES, (as_list(files),))))

    def external_uses(self, callers: Iterable[SymbolId]) -> list[ExternalUse]:
        """What these symbols call outside the project, most called first."""
        return list(map(ExternalUse._make, self._chosen(_EXTERNALS, callers)))

    def open_calls(self, callers: Iterable[SymbolId]) -> int:
        """How many calls in these symbols lead nobody knows where."""
        rows = self._chosen(_OPEN_CALLS, callers)
        return int(rows[0][0]) if rows else 0

    def inside(self, symbols: Iterable[SymbolId]) -> list[SymbolId]:
        """The symbols and all that stands in them, at any depth."""
        return [found for (found,) in self._selection.rows(_DESCENDANTS, (as_list(symbols),))]

    def _chosen(self, query: str, callers: Iterable[SymbolId]) -> list[tuple[Any, ...]]:
        chosen = list(callers)
        files = sorted({symbol >> 16 for symbol in chosen})
        return self._selection.rows(query, (as_list(files), as_list(chosen)))
