"""Questions about pages that are code, and who names them."""

import json
from collections.abc import Collection, Iterable
from typing import Final, NamedTuple, cast

from drift.index.ids import FileId, SymbolId
from drift.index.run_records import PathText
from drift.index.selection import Selection

_PATHS: Final = "SELECT id, path FROM files WHERE language IS NOT NULL AND role = 'source'"
_TEST_PATHS: Final = "SELECT id, path FROM files WHERE language IS NOT NULL AND role = 'test'"
_WITH_CODE: Final = """
    SELECT DISTINCT symbols.file_id FROM json_each(?) AS wanted
    CROSS JOIN symbols ON symbols.id BETWEEN wanted.value << 16 AND (wanted.value << 16) + 65535
    WHERE symbols.kind IN ('class', 'enum', 'interface', 'trait', 'function') AND symbols.name NOT LIKE '<%'
"""
_PUT_TOGETHER: Final = """
    SELECT constructs.symbol_id, constructs.detail, constructs.line, 1 FROM files
    CROSS JOIN constructs ON constructs.symbol_id BETWEEN files.id << 16 AND (files.id << 16) + 65535
    WHERE files.role = 'source' AND files.language IN ('php', 'ruby')
        AND constructs.kind IN ('interpolated', 'concatenated') AND constructs.detail IS NOT NULL
        AND length(constructs.detail) <= ?
"""
_TAKEN: Final = """
    SELECT constants.symbol_id, constants.value, constants.line, constants.times
    FROM files CROSS JOIN constants
        ON constants.symbol_id BETWEEN files.id << 16 AND (files.id << 16) + 65535
    WHERE files.role = 'source' AND constants.kind = 'page'
"""
_TEXTS_EQUAL: Final = """
    SELECT constants.symbol_id, constants.value, constants.line, constants.times
    FROM files CROSS JOIN constants
        ON constants.symbol_id BETWEEN files.id << 16 AND (files.id << 16) + 65535
    WHERE files.role = 'source' AND constants.kind = 'string'
        AND constants.value IN (SELECT value FROM json_each(?))
"""
_METHODS_OF: Final = """
    SELECT id, parent_id, name FROM symbols
    WHERE id BETWEEN ?1 << 16 AND (?1 << 16) + 65535 AND kind = 'method'
"""
_DOCUMENTS: Final = """
    SELECT files.id, files.path FROM documents JOIN files ON files.id = documents.file_id
    WHERE documents.kind = 'html' AND files.role <> 'test'
"""
_SAID: Final = """
    SELECT document_items.file_id, document_items.kind, document_items.name, document_items.owner
    FROM json_each(?) AS wanted CROSS JOIN document_items ON document_items.kind = wanted.value
"""
_MEANT: Final = """
    SELECT symbols.id, symbols.kind, symbols.name, parents.kind, parents.name, coalesce(symbols.parameters, '[]')
    FROM json_each(?) AS wanted
    CROSS JOIN symbols ON symbols.name = wanted.value COLLATE NOCASE AND symbols.name = wanted.value
    JOIN files ON files.id = symbols.id >> 16
    JOIN symbols AS parents ON parents.id = symbols.parent_id
    WHERE files.language = 'python' AND files.role = 'source' AND symbols.kind IN ('function', 'method', 'property')
"""


class PageWord(NamedTuple):
    """What an expression of a page says of code: a page, a tag, a filter, a call, a member of `owner`, or an object."""

    file: FileId
    kind: str
    name: str
    owner: str | None


class PageCode(NamedTuple):
    """A function or a member of a class that a page may mean."""

    id: SymbolId
    kind: str
    name: str
    owner_kind: str
    owner: str
    parameters: str
    """JSON, as in the index."""


_ROUTE_NAMES: Final = """
    SELECT DISTINCT constants.value, files.language, files.id
    FROM (SELECT DISTINCT symbol_id >> 16 AS id FROM entry_points WHERE kind = 'http') AS routed
    CROSS JOIN constants ON constants.symbol_id BETWEEN routed.id << 16 AND (routed.id << 16) + 65535
    CROSS JOIN files ON files.id = routed.id
    WHERE constants.kind = 'route-name' AND files.role <> 'test' ORDER BY 1"""
# get :show, params: {}
_NAMED_ACTIONS: Final = """
    SELECT calls.caller_id, words.text, substr(call_details.literal, 2)
    FROM json_each(?1) AS wanted
    CROSS JOIN calls ON calls.id BETWEEN wanted.value << 20 AND (wanted.value << 20) + 1048575
    CROSS JOIN call_details ON call_details.id = calls.id AND call_details.literal GLOB ':*'
    CROSS JOIN words ON words.id = calls.text ORDER BY calls.id
"""


# What a router in the browser shows, and where that is registered.
_SHOWN_PAGES: Final = """
    SELECT DISTINCT entry_points.symbol_id, coalesce(handlers.handler_id, entry_points.symbol_id)
    FROM entry_points LEFT JOIN handlers USING (symbol_id, position)
    JOIN files ON files.id = entry_points.symbol_id >> 16
    WHERE entry_points.kind = 'http' AND entry_points.method = 'PAGE' AND files.role <> 'test'
"""
# What markup ties to events, by its name where it stands; functions written there say in their own names what they are for.
_ON_EVENTS: Final = """
    SELECT refs.symbol_id, refs.target_symbol_id FROM markup_bindings
    CROSS JOIN refs ON refs.symbol_id = markup_bindings.symbol_id
    JOIN symbols ON symbols.id = refs.target_symbol_id AND symbols.name = markup_bindings.path
    WHERE markup_bindings.kind = 'event'
    UNION SELECT edges.caller_id, edges.callee_id FROM markup_bindings
    CROSS JOIN edges ON edges.caller_id = markup_bindings.symbol_id
    JOIN symbols ON symbols.id = edges.callee_id AND symbols.name = markup_bindings.path
    WHERE markup_bindings.kind = 'event'
    UNION SELECT symbols.parent_id, symbols.id FROM symbols
    WHERE symbols.kind = 'function' AND symbols.name GLOB '<on[A-Z]* of *'
"""
# get: getProcedure, of a router: who calls it by its key runs it.
_PROCEDURES: Final = """
    SELECT refs.symbol_id, refs.target_symbol_id FROM symbols INDEXED BY symbols_by_kind
    CROSS JOIN refs ON refs.target_symbol_id = symbols.id
    WHERE symbols.kind = 'function' AND symbols.signature GLOB '*= *[pP]rocedure*'
"""
_HOOKS_OF: Final = """
    SELECT symbols.parent_id, symbols.id FROM json_each(?1) AS wanted
    CROSS JOIN symbols ON symbols.parent_id = wanted.value
    WHERE symbols.kind = 'constructor' OR (symbols.kind = 'method' AND symbols.name GLOB ?2)
"""


class RouteName(NamedTuple):
    """A name of a route with its path as its file says it, and with its methods where the file says them."""

    name: str
    methods: str
    path: str
    language: str
    file: FileId


class PageQueries:
    """Questions about pages that are code, and who names them."""

    def __init__(self, selection: Selection) -> None:
        self._selection = selection

    def ending_in(self, endings: tuple[str, ...]) -> dict[FileId, str]:
        """The paths of the product's pages that are code, by what they end in."""
        return {file: path for file, path in self.paths().items() if path.endswith(endings)}

    def paths(self, files: Collection[FileId] | None = None) -> dict[FileId, str]:
        """The paths of these files of the product that are code, or of all."""
        rows = cast("list[tuple[FileId, str]]", self._selection.rows(_PATHS))
        return {file: path for file, path in rows if files is None or file in files}

    def without_code(self, files: Collection[FileId]) -> set[FileId]:
        """Those of these files that have no class and no function with a name."""
        rows = self._selection.rows(_WITH_CODE, (json.dumps(sorted(files)),))
        return set(files) - {file for (file,) in rows}

    def put_together(self, longest: int) -> list[PathText]:
        """The texts of the product that are put together, as they are written, where pages are named by paths."""
        return list(map(PathText._make, self._selection.rows(_PUT_TOGETHER, (longest,))))

    def taken(self) -> list[PathText]:
        """The names of pages that pages take in, and that code says in other ways than by a text."""
        return list(map(PathText._make, self._selection.rows(_TAKEN)))

    def texts_equal_to(self, values: Iterable[str]) -> list[PathText]:
        """The texts of the product that are one of these."""
        rows = self._selection.rows(_TEXTS_EQUAL, (json.dumps(sorted(values)),))
        return list(map(PathText._make, rows))

    def shown(self) -> list[tuple[SymbolId, SymbolId]]:
        """Where pages of a router in the browser are registered, and what they show."""
        return cast("list[tuple[SymbolId, SymbolId]]", self._selection.rows(_SHOWN_PAGES))

    def on_events(self) -> list[tuple[SymbolId, SymbolId]]:
        """What markup ties to events, each after what the markup stands in."""
        return cast("list[tuple[SymbolId, SymbolId]]", self._selection.rows(_ON_EVENTS))

    def procedures(self) -> list[tuple[SymbolId, SymbolId]]:
        """Functions that routers hold as their procedures, each after who names it."""
        return cast("list[tuple[SymbolId, SymbolId]]", self._selection.rows(_PROCEDURES))

    def hooks_of(self, classes: Iterable[SymbolId], names: str) -> list[tuple[SymbolId, SymbolId]]:
        """The constructors of these classes, and their methods of such names, each after its class."""
        rows = self._selection.rows(_HOOKS_OF, (json.dumps(sorted(classes)), names))
        return cast("list[tuple[SymbolId, SymbolId]]", rows)

    def documents(self) -> dict[FileId, str]:
        """The paths of the pages that are no code but have expressions in them."""
        return dict(cast("list[tuple[FileId, str]]", self._selection.rows(_DOCUMENTS)))

    def said_of_code(self, kinds: Iterable[str]) -> list[PageWord]:
        """What the expressions of these pages say of code."""
        return list(map(PageWord._make, self._selection.rows(_SAID, (json.dumps(sorted(kinds)),))))

    def meant_by(self, names: Iterable[str]) -> list[PageCode]:
        """The functions and members of classes of the product's Python that have one of these names."""
        return list(map(PageCode._make, self._selection.rows(_MEANT, (json.dumps(sorted(names)),))))

    def route_names(self) -> list[RouteName]:
        """The names of routes, as files of routes make them."""
        return [
            RouteName(name, methods, path, language, FileId(file))
            for value, language, file in self._selection.rows(_ROUTE_NAMES)
            for name, _, route in (value.partition(" "),)
            for methods, _, path in (route.partition(" ") if " " in route else ("", "", route),)
        ]

    def test_files_in(self, language: str) -> list[FileId]:
        """The test files in a language."""
        query = "SELECT id FROM files WHERE role = 'test' AND language = ? ORDER BY id"
        return [FileId(file) for (file,) in self._selection.rows(query, (language,))]

    def test_paths(self) -> dict[FileId, str]:
        """The files of tests by their paths."""
        return dict(self._selection.rows(_TEST_PATHS))

    def named_actions(self, files: Iterable[FileId]) -> list[tuple[SymbolId, str, str]]:
        """The calls of files whose first argument is a name: what they stand in, what is called, and the name."""
        rows = self._selection.rows(_NAMED_ACTIONS, (json.dumps(sorted(files)),))
        return [(SymbolId(caller), text, name) for caller, text, name in rows]

    def methods_of(self, file: FileId) -> list[tuple[SymbolId, SymbolId, str]]:
        """The methods of a file, each with what it stands in and its name."""
        return cast("list[tuple[SymbolId, SymbolId, str]]", self._selection.rows(_METHODS_OF, (file,)))
