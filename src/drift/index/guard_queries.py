"""Questions about what stands before the handlers of routes."""

import json
from collections.abc import Iterable
from typing import Final, NamedTuple

from drift.index.ids import FileId, SymbolId
from drift.index.selection import Selection, as_list

# Of one route, of a handler or the class around it, and of all routes of a router.
_WRITTEN: Final = """
    WITH routes (handler_id, owner_id, symbol_id, position, guards, language) AS (
        SELECT symbols.id, symbols.parent_id, entry_points.symbol_id, entry_points.position, entry_points.guards,
            files.language
        FROM entry_points LEFT JOIN handlers USING (symbol_id, position)
        CROSS JOIN symbols ON symbols.id = coalesce(handlers.handler_id, entry_points.symbol_id)
        JOIN files ON files.id = symbols.file_id
        WHERE entry_points.kind = 'http' AND files.role <> 'test'
    )
    SELECT routes.handler_id, guards.symbol_id >> 16, guards.how, guards.text, language FROM routes
        CROSS JOIN guards USING (symbol_id) WHERE guards.entry = routes.position
    UNION
    SELECT routes.handler_id, guards.symbol_id >> 16, guards.how, guards.text, language FROM routes
        CROSS JOIN guards ON guards.symbol_id IN (routes.handler_id, routes.owner_id) WHERE guards.entry IS NULL
    UNION
    SELECT routes.handler_id, decorators.symbol_id >> 16, 'decorator', decorators.text, language FROM routes
        CROSS JOIN decorators ON decorators.symbol_id IN (routes.handler_id, routes.owner_id)
    UNION
    SELECT routes.handler_id, NULL, 'mount', value, language FROM routes, json_each(routes.guards)
"""
# What a file has at its top, imports, calls or names.
_KNOWN_IN: Final = """
    WITH known (file_id, symbol_id) AS (
        SELECT wanted.value, symbols.id FROM json_each(?1) AS wanted
            CROSS JOIN symbols ON symbols.parent_id = wanted.value << 16
        UNION SELECT wanted.value, imports.target_symbol_id FROM json_each(?1) AS wanted CROSS JOIN imports
            ON imports.symbol_id BETWEEN wanted.value << 16 AND (wanted.value << 16) + 65535
        UNION SELECT wanted.value, refs.target_symbol_id FROM json_each(?1) AS wanted CROSS JOIN refs
            ON refs.symbol_id BETWEEN wanted.value << 16 AND (wanted.value << 16) + 65535
        UNION SELECT wanted.value, edges.callee_id FROM json_each(?1) AS wanted
            CROSS JOIN edges INDEXED BY edges_by_caller
            ON edges.caller_id BETWEEN wanted.value << 16 AND (wanted.value << 16) + 65535
    )
    SELECT known.file_id, symbols.name, symbols.id, files.path FROM known JOIN symbols ON symbols.id = known.symbol_id
    JOIN files ON files.id = symbols.file_id
    WHERE files.role = 'source' AND symbols.kind IN ('function', 'method', 'class', 'constant', 'variable', 'struct')
"""
# A text and a class on one line: 'signed' => CheckSignature::class.
_ALIASED: Final = """
    SELECT constants.value, refs.target_symbol_id FROM constants
    JOIN files ON files.id = constants.symbol_id >> 16
    CROSS JOIN refs ON refs.symbol_id = constants.symbol_id AND refs.line = constants.line
    JOIN symbols ON symbols.id = refs.target_symbol_id
    WHERE constants.kind = 'string' AND constants.value IN (SELECT value FROM json_each(?1))
        AND files.role <> 'test' AND symbols.kind = 'class'
        AND EXISTS (SELECT 1 FROM symbols AS methods WHERE methods.parent_id = symbols.id AND methods.name = 'handle')
"""
_METHODS: Final = """
    SELECT symbols.parent_id, symbols.id FROM json_each(?1) AS wanted
    CROSS JOIN symbols ON symbols.parent_id = wanted.value
    WHERE symbols.kind IN ('method', 'constructor') AND symbols.visibility <> 'private'
"""
# What the file of a variable hands to it by decorators: @token_auth.verify_token.
_HANDED_TO: Final = """
    SELECT variables.id, decorators.symbol_id FROM json_each(?1) AS wanted
    CROSS JOIN symbols AS variables ON variables.id = wanted.value AND variables.kind IN ('variable', 'constant')
    CROSS JOIN decorators ON decorators.symbol_id BETWEEN variables.id & ~65535 AND variables.id | 65535
    WHERE substr(decorators.name, 1, length(variables.name) + 1) = variables.name || '.'
"""
# What a decorator gives in the place of what it is put on, however deep it stands in it.
_INNER: Final = """
    WITH RECURSIVE inside (outer_id, id) AS (
        SELECT wanted.value, symbols.id FROM json_each(?1) AS wanted
            JOIN symbols AS guards ON guards.id = wanted.value AND guards.kind = 'function'
            CROSS JOIN symbols ON symbols.parent_id = guards.id AND symbols.kind = 'function'
        UNION SELECT inside.outer_id, symbols.id FROM inside
            CROSS JOIN symbols ON symbols.parent_id = inside.id AND symbols.kind = 'function'
    )
    SELECT outer_id, id FROM inside
"""
# Whose full names stand in texts of variables of files with these names: MIDDLEWARE = ["shop.middleware.Limits"], or in
# calls that put them there under no condition: MIDDLEWARE.append("shop.middleware.Limits").
_IN_SETTINGS: Final = """
    SELECT targets.id, files.language FROM words CROSS JOIN refs ON refs.kind = words.id
    JOIN symbols AS targets ON targets.id = refs.target_symbol_id
    JOIN files ON files.id = targets.file_id
    WHERE words.text = 'string' AND files.role = 'source' AND targets.kind IN ('class', 'function') AND (
        EXISTS (SELECT 1 FROM symbols AS variables WHERE variables.parent_id = refs.symbol_id
            AND refs.line BETWEEN variables.line AND variables.end_line
            AND variables.name IN (SELECT value FROM json_each(?1)))
        OR EXISTS (SELECT 1 FROM calls CROSS JOIN words AS called ON called.id = calls.text
            WHERE calls.id BETWEEN refs.symbol_id >> 16 << 20 AND ((refs.symbol_id >> 16) + 1 << 20) - 1
            AND calls.line = refs.line AND calls.column = instr(called.text, '.')
            AND substr(called.text, 1, calls.column - 1) IN (SELECT value FROM json_each(?1))
            AND substr(called.text, calls.column + 1) IN ('append', 'extend', 'insert')))
    GROUP BY targets.id
"""
# What decorators of a router are put on, by the handlers that are added to the same router here or elsewhere.
_HOOKED: Final = """
    WITH marked (function_id, file_id, receiver) AS (
        SELECT decorators.symbol_id, files.id, substr(decorators.name, 1, instr(decorators.name, '.') - 1)
        FROM json_each(?1) AS wanted CROSS JOIN decorators ON decorators.name = wanted.value
        JOIN files ON files.id = decorators.symbol_id >> 16 WHERE files.role <> 'test'
    ), hooked (function_id, router_id) AS (
        SELECT marked.function_id, imports.target_symbol_id FROM marked
        CROSS JOIN imports ON imports.symbol_id BETWEEN marked.file_id << 16 AND (marked.file_id << 16) + 65535
        WHERE imports.target_symbol_id IS NOT NULL AND coalesce(imports.alias, imports.name) = marked.receiver
        UNION SELECT marked.function_id, symbols.id FROM marked
        CROSS JOIN symbols ON symbols.parent_id = marked.file_id << 16 AND symbols.name = marked.receiver
    )
    SELECT DISTINCT coalesce(handlers.handler_id, routers.symbol_id), hooked.function_id,
        EXISTS (SELECT 1 FROM mounts WHERE mounts.into_id = hooked.router_id)
    FROM hooked
    CROSS JOIN routers ON routers.router_id = hooked.router_id
    LEFT JOIN handlers ON handlers.symbol_id = routers.symbol_id AND handlers.position = routers.position
"""
_NAMING: Final = """
    SELECT DISTINCT refs.symbol_id, refs.target_symbol_id FROM json_each(?1) AS wanted
    CROSS JOIN refs ON refs.target_symbol_id = wanted.value
    JOIN files ON files.id = refs.symbol_id >> 16
    WHERE files.role <> 'test' AND NOT EXISTS (SELECT 1 FROM edges
        WHERE edges.callee_id = refs.target_symbol_id AND edges.caller_id = refs.symbol_id)
"""
_REGISTERED: Final = """
    SELECT wanted.value FROM json_each(?1) AS wanted
    WHERE EXISTS (SELECT 1 FROM decorators WHERE decorators.symbol_id = wanted.value)
        OR EXISTS (SELECT 1 FROM refs JOIN files ON files.id = refs.symbol_id >> 16
            WHERE refs.target_symbol_id = wanted.value AND files.role <> 'test')
        OR EXISTS (SELECT 1 FROM edges JOIN files ON files.id = edges.caller_id >> 16
            WHERE edges.callee_id = wanted.value AND files.role <> 'test')
        OR EXISTS (SELECT 1 FROM symbols JOIN edges ON edges.callee_id = symbols.id
            JOIN files ON files.id = edges.caller_id >> 16
            WHERE symbols.parent_id = wanted.value AND symbols.kind = 'constructor' AND files.role <> 'test')
"""
_HANDLERS: Final = """
    SELECT DISTINCT symbols.id, files.language FROM entry_points LEFT JOIN handlers USING (symbol_id, position)
    CROSS JOIN symbols ON symbols.id = coalesce(handlers.handler_id, entry_points.symbol_id)
    JOIN files ON files.id = symbols.file_id
    WHERE entry_points.kind = 'http' AND files.role <> 'test'
"""
# What is called, imported or named in a text outside tests, by the end of what is called and by the whole of the others.
_SAID: Final = """
    WITH ends (end) AS (SELECT value FROM json_each(?1)),
    called (id, text) AS (SELECT words.id, words.text FROM ends CROSS JOIN words
        ON words.text = ends.end OR words.text GLOB '*.' || ends.end OR words.text GLOB '*>' || ends.end)
    SELECT files.path, calls.line, called.text FROM calls JOIN called ON called.id = calls.text
        JOIN files ON files.id = calls.id >> 20 WHERE files.role = 'source'
    UNION
    SELECT files.path, imports.line, imports.name FROM imports JOIN files ON files.id = imports.symbol_id >> 16
        WHERE imports.name IN (SELECT value FROM json_each(?2)) AND files.role = 'source'
    UNION
    SELECT files.path, constants.line, constants.value FROM constants JOIN files ON files.id = constants.symbol_id >> 16
        WHERE constants.value IN (SELECT value FROM json_each(?3)) AND files.role <> 'test'
    ORDER BY 1, 2
"""


class SaidPlace(NamedTuple):
    """A place where something is called, imported or named by a text."""

    path: str
    line: int
    text: str


class WrittenGuard(NamedTuple):
    """What stands before a handler, as written; the file it is written in, null where a router of any is mounted."""

    handler_id: SymbolId
    file_id: FileId | None
    how: str
    text: str
    language: str | None  # of the handler


class GuardQueries:
    """Guards of routes as one state of the index has them."""

    def __init__(self, selection: Selection) -> None:
        self._selection = selection

    def written(self) -> list[WrittenGuard]:
        """All that stands before handlers of the product."""
        return list(map(WrittenGuard._make, self._selection.rows(_WRITTEN)))

    def known_in(self, files: Iterable[FileId]) -> list[tuple[FileId, str, SymbolId, str]]:
        """The functions, classes and variables of the product that files know: in which, its name, and its path."""
        return [
            (FileId(file), name, SymbolId(symbol), path)
            for file, name, symbol, path in self._selection.rows(_KNOWN_IN, (as_list(files),))
        ]

    def said(self, calls: Iterable[str], imports: Iterable[str], texts: Iterable[str]) -> list[SaidPlace]:
        """Where the product calls, imports or names by a text one of these, in order of the places."""
        asked = tuple(json.dumps(sorted(names)) for names in (calls, imports, texts))
        return list(map(SaidPlace._make, self._selection.rows(_SAID, asked)))

    def aliased(self, names: Iterable[str]) -> list[tuple[str, SymbolId]]:
        """The classes that stand beside these texts outside tests."""
        rows = self._selection.rows(_ALIASED, (json.dumps(sorted(names)),))
        return [(name, SymbolId(symbol)) for name, symbol in rows]

    def methods(self, classes: Iterable[SymbolId]) -> list[tuple[SymbolId, SymbolId]]:
        """The methods of classes that others can call, by class."""
        rows = self._selection.rows(_METHODS, (as_list(classes),))
        return [(SymbolId(owner), SymbolId(method)) for owner, method in rows]

    def handed_to(self, variables: Iterable[SymbolId]) -> list[tuple[SymbolId, SymbolId]]:
        """The functions that decorators hand to those of these that are variables, in their own files."""
        rows = self._selection.rows(_HANDED_TO, (as_list(variables),))
        return [(SymbolId(variable), SymbolId(function)) for variable, function in rows]

    def inner(self, functions: Iterable[SymbolId]) -> list[tuple[SymbolId, SymbolId]]:
        """The functions that stand in these, by those."""
        rows = self._selection.rows(_INNER, (as_list(functions),))
        return [(SymbolId(outer), SymbolId(inner)) for outer, inner in rows]

    def hooked(self, decorators: Iterable[str]) -> list[tuple[SymbolId, SymbolId, bool]]:
        """The handlers of each router that one of these decorators is taken of, what that is put on, and whether others are mounted there."""
        rows = self._selection.rows(_HOOKED, (json.dumps(sorted(decorators)),))
        return [(SymbolId(handler), SymbolId(function), bool(others)) for handler, function, others in rows]

    def in_settings(self, variables: Iterable[str]) -> dict[SymbolId, str]:
        """The classes and functions whose full names variables of files with these names hold, and their languages."""
        rows = self._selection.rows(_IN_SETTINGS, (json.dumps(sorted(variables)),))
        return {SymbolId(symbol): language for symbol, language in rows}

    def naming(self, guards: Iterable[SymbolId]) -> list[tuple[SymbolId, SymbolId]]:
        """Who names these without calling them, outside tests: the user, then what it names."""
        rows = self._selection.rows(_NAMING, (as_list(guards),))
        return [(SymbolId(user), SymbolId(used)) for user, used in rows]

    def registered(self, symbols: Iterable[SymbolId]) -> list[SymbolId]:
        """Those that the product names, makes or marks; what a test makes is its own."""
        return [SymbolId(symbol) for (symbol,) in self._selection.rows(_REGISTERED, (as_list(symbols),))]

    def handlers(self) -> list[tuple[SymbolId, str]]:
        """All handlers of routes of the product, with their language."""
        return [(SymbolId(handler), language) for handler, language in self._selection.rows(_HANDLERS)]
