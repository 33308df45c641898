"""Questions about the files of one language: what is declared, marked, handled, spawned and called in them."""

import json
from collections.abc import Collection, Iterable
from typing import Final, NamedTuple

from drift.index.ids import FileId, SymbolId, file_of_symbol, symbols_of_file
from drift.index.link_words import word_text
from drift.index.selection import Selection, as_list

_FILES: Final = """
    SELECT id, path, language, role, coalesce(code_lines, 0) FROM files
    WHERE language IN (SELECT value FROM json_each(?)) AND role NOT IN ('generated', 'vendored') ORDER BY id
"""
# By the range of ids of each file, so that files of other languages cost nothing.
_WANTED: Final = "FROM json_each(?1) AS wanted CROSS JOIN"
_IN_FILE: Final = "BETWEEN wanted.value << 16 AND (wanted.value << 16) + 65535"
_CALL_IN_FILE: Final = "BETWEEN wanted.value << 20 AND (wanted.value << 20) + 1048575"
_DECLARED: Final = """
    symbols.id, symbols.parent_id, symbols.kind, symbols.name, symbols.qualname, symbols.line, symbols.end_line,
    symbols.signature, coalesce(symbols.return_text, ''), symbols.visibility, symbols.modifiers
"""
_KINDS: Final = f"""
    SELECT symbols.kind, count(*) {_WANTED} symbols ON symbols.id {_IN_FILE} GROUP BY symbols.kind
"""
_OF_KIND: Final = f"""
    SELECT {_DECLARED} {_WANTED} symbols ON symbols.id {_IN_FILE}
    WHERE symbols.kind IN (SELECT value FROM json_each(?2)) ORDER BY symbols.id
"""  # noqa: S608 - our own names
_WITH_MODIFIER: Final = f"""
    SELECT {_DECLARED} {_WANTED} symbols ON symbols.id {_IN_FILE}
    WHERE instr(' ' || symbols.modifiers || ' ', ' ' || ?2 || ' ') ORDER BY symbols.id
"""
_MARKS: Final = f"""
    SELECT decorators.symbol_id, decorators.name, decorators.text, decorators.line, symbols.kind, symbols.qualname
    {_WANTED} decorators ON decorators.symbol_id {_IN_FILE} JOIN symbols ON symbols.id = decorators.symbol_id
    ORDER BY decorators.symbol_id, decorators.position
"""
_HANDLINGS: Final = f"""
    SELECT handlings.symbol_id, handlings.line, handlings.end_line, handlings.kind, handlings.types, handlings.is_empty, handlings.traits,
        symbols.qualname, symbols.kind = 'module'
    {_WANTED} handlings ON handlings.symbol_id {_IN_FILE} JOIN symbols ON symbols.id = handlings.symbol_id
    ORDER BY handlings.symbol_id, handlings.position
"""
_CONSTRUCTS: Final = f"""
    SELECT constructs.symbol_id, constructs.kind, constructs.line, constructs.end_line, constructs.detail,
        symbols.qualname, symbols.parent_id
    {_WANTED} constructs ON constructs.symbol_id {_IN_FILE} JOIN symbols ON symbols.id = constructs.symbol_id
    WHERE constructs.kind IN (SELECT value FROM json_each(?2)) ORDER BY constructs.symbol_id, constructs.position
"""  # noqa: S608 - our own names
_CALL_COLUMNS: Final = f"""
    calls.id, calls.caller_id, calls.line, {word_text("calls.text")}, coalesce({word_text("calls.external_name")}, ''),
    calls.argument_count, coalesce(call_details.traits, 0)
"""
_NAMES: Final = "SELECT id, text FROM words INDEXED BY words_by_text WHERE text >= ?1 AND text < ?2"
_ENDINGS: Final = "SELECT id FROM words WHERE text GLOB ?1"
_OUTSIDE_CALLS: Final = f"""
    SELECT {_CALL_COLUMNS} FROM json_each(?1) AS wanted CROSS JOIN calls INDEXED BY calls_by_external_name
        ON calls.external_name = wanted.value
    LEFT JOIN call_details ON call_details.id = calls.id ORDER BY calls.id
"""  # noqa: S608 - our own names
_CALLS_WRITTEN: Final = f"""
    SELECT {_CALL_COLUMNS} {_WANTED} calls ON calls.id {_CALL_IN_FILE}
    LEFT JOIN call_details ON call_details.id = calls.id
    WHERE calls.text IN (SELECT value FROM json_each(?2)) ORDER BY calls.id
"""  # noqa: S608 - our own names
_ROUTES: Final = """
    SELECT entry_points.symbol_id, entry_points.position, entry_points.detail, entry_points.line, symbols.id,
        symbols.qualname, symbols.kind
    FROM entry_points INDEXED BY entry_points_by_kind
    LEFT JOIN handlers USING (symbol_id, position)
    CROSS JOIN symbols ON symbols.id = coalesce(handlers.handler_id, entry_points.symbol_id)
    WHERE entry_points.kind = 'http' AND entry_points.detail NOT GLOB 'USE *' -- what stands before routes is none
        AND entry_points.method IS NOT 'PAGE'
    ORDER BY entry_points.symbol_id, entry_points.position
"""
_PACKAGES: Final = f"""
    SELECT DISTINCT wanted.value, coalesce(imports.external_package, imports.module)
    {_WANTED} imports ON imports.symbol_id {_IN_FILE}
"""
_NAMED_AT: Final = f"""
    SELECT wanted.value, calls.line, words.text {_WANTED} calls ON calls.id {_CALL_IN_FILE}
    JOIN words ON words.id = calls.external_name
"""
_BASES: Final = f"""
    SELECT bases.symbol_id, symbols.qualname, symbols.line, bases.text, bases.kind, bases.target_symbol_id
    {_WANTED} bases ON bases.symbol_id {_IN_FILE} JOIN symbols ON symbols.id = bases.symbol_id
    ORDER BY bases.symbol_id, bases.position
"""
_USERS: Final = """
    SELECT target, count(DISTINCT user) FROM (
        SELECT callee_id AS target, caller_id AS user
            FROM json_each(?1) AS wanted CROSS JOIN edges ON edges.callee_id = wanted.value
        UNION SELECT target_symbol_id, symbol_id
            FROM json_each(?1) AS wanted CROSS JOIN refs ON refs.target_symbol_id = wanted.value
    ) GROUP BY target
"""
_OVERRIDDEN: Final = """
    SELECT methods.parent_id, methods.id, overriders.id, overriders.qualname
    FROM json_each(?1) AS wanted
    CROSS JOIN symbols AS methods ON methods.parent_id = wanted.value
    CROSS JOIN overrides ON overrides.method_id = methods.id
    JOIN symbols AS overriders ON overriders.id = overrides.overrider_id
"""
_NAMED_AT_LINES: Final = """
    SELECT refs.line, symbols.name, symbols.id FROM refs JOIN symbols ON symbols.id = refs.target_symbol_id
    WHERE refs.symbol_id BETWEEN ?1 AND ?2
"""
_CLASSES_ENDING: Final = """
    SELECT symbols.name FROM symbols INDEXED BY symbols_by_kind
    WHERE symbols.kind = 'class' AND substr(symbols.name, -length(?1)) = ?1 GROUP BY symbols.name
"""
_AWAITING: Final = """
    SELECT calls.caller_id FROM json_each(?1) AS wanted
    CROSS JOIN calls ON calls.id BETWEEN wanted.value << 20 AND (wanted.value << 20) + 1048575
    CROSS JOIN call_details ON call_details.id = calls.id WHERE call_details.traits & 8
"""
_LEADS: Final = """
    SELECT edges.caller_id, edges.line, symbols.id, symbols.name, symbols.qualname, coalesce(symbols.return_text, '')
    FROM json_each(?1) AS wanted CROSS JOIN edges INDEXED BY edges_by_caller ON edges.caller_id = wanted.value
    JOIN symbols ON symbols.id = edges.callee_id WHERE edges.confidence >= 5000 AND edges.call_id <> 0
"""
_INNER_CALLS: Final = """
    SELECT wanted.value, calls.line, words.text FROM json_each(?1) AS wanted
    CROSS JOIN symbols ON symbols.id = wanted.value
    CROSS JOIN calls ON calls.id BETWEEN symbols.file_id << 20 AND (symbols.file_id << 20) + 1048575
        AND calls.line BETWEEN symbols.line AND symbols.end_line
    JOIN words ON words.id = coalesce(calls.external_name, calls.text)
"""


class SourceFile(NamedTuple):
    """A file that was read as code."""

    id: FileId
    path: str
    language: str
    role: str
    code_lines: int


class Declared(NamedTuple):
    """A symbol, as far as a listing of its language needs it."""

    id: SymbolId
    parent_id: SymbolId | None
    kind: str
    name: str
    qualname: str
    line: int
    end_line: int
    signature: str
    return_text: str
    visibility: str
    modifiers: str

    def has(self, modifier: str) -> bool:
        return modifier in self.modifiers.split()


class Mark(NamedTuple):
    """A decorator, annotation or attribute, and what it stands at."""

    symbol_id: SymbolId
    name: str
    text: str
    line: int
    kind: str
    qualname: str


class Handled(NamedTuple):
    """A try region, a handler, a throw or a check, and what it stands in."""

    symbol_id: SymbolId
    line: int
    end_line: int
    kind: str
    types: tuple[str, ...]
    is_empty: bool
    traits: int
    qualname: str
    is_outside: bool  # of every function


class Stretch(NamedTuple):
    """A construct, and what it stands in."""

    symbol_id: SymbolId
    kind: str
    line: int
    end_line: int
    detail: str | None
    qualname: str
    parent_id: SymbolId | None


class NamedCall(NamedTuple):
    """A call by what is written or meant."""

    id: int
    caller_id: SymbolId
    line: int
    text: str
    external_name: str
    arguments: int
    traits: int


class RouteEntry(NamedTuple):
    """A route where it is registered, and its handler."""

    registered_at: SymbolId
    position: int
    detail: str
    line: int
    handler_id: SymbolId
    handler: str
    kind: str


class Parent(NamedTuple):
    """A type and one it descends from."""

    symbol_id: SymbolId
    qualname: str
    line: int
    text: str
    kind: str
    target_id: SymbolId | None


class Lead(NamedTuple):
    """What a call in a function leads to."""

    caller_id: SymbolId
    line: int
    callee_id: SymbolId
    name: str
    qualname: str
    return_text: str


class Overriding(NamedTuple):
    """A method of a type, and one that runs in its place; the latter's name begins with the type it is of."""

    type_id: SymbolId
    method_id: SymbolId
    overrider_id: SymbolId
    qualname: str


class ProfileQueries:
    """What the files of one language hold."""

    def __init__(self, selection: Selection) -> None:
        self._selection = selection

    def files(self, languages: Collection[str]) -> list[SourceFile]:
        """The files of these languages that people write."""
        return list(map(SourceFile._make, self._selection.rows(_FILES, (json.dumps(list(languages)),))))

    def kinds(self, files: Iterable[FileId]) -> dict[str, int]:
        """How many symbols there are of each kind."""
        return dict(self._selection.rows(_KINDS, (as_list(files),)))

    def of_kind(self, files: Iterable[FileId], kinds: Collection[str]) -> list[Declared]:
        """The symbols of these kinds."""
        return list(
            map(Declared._make, self._selection.rows(_OF_KIND, (as_list(files), json.dumps(list(kinds)))))
        )

    def with_modifier(self, files: Iterable[FileId], modifier: str) -> list[Declared]:
        """The symbols with this modifier."""
        return list(map(Declared._make, self._selection.rows(_WITH_MODIFIER, (as_list(files), modifier))))

    def marks(self, files: Iterable[FileId]) -> list[Mark]:
        """Decorators, annotations and attributes."""
        return list(map(Mark._make, self._selection.rows(_MARKS, (as_list(files),))))

    def handlings(self, files: Iterable[FileId]) -> list[Handled]:
        """Where errors are thrown, handled and checked."""
        rows = self._selection.rows(_HANDLINGS, (as_list(files),))
        return [
            Handled(
                symbol,
                line,
                end,
                kind,
                tuple(json.loads(types or "[]")),
                bool(is_empty),
                traits,
                name,
                bool(is_file),
            )
            for symbol, line, end, kind, types, is_empty, traits, name, is_file in rows
        ]

    def constructs(self, files: Iterable[FileId], kinds: Collection[str]) -> list[Stretch]:
        """The constructs of these kinds."""
        values = (as_list(files), json.dumps(list(kinds)))
        return list(map(Stretch._make, self._selection.rows(_CONSTRUCTS, values)))

    def outside_calls(self, names: Iterable[str]) -> list[NamedCall]:
        """Calls of what is outside the project by its full name; a name that ends in a dot means all below it."""
        found: set[int] = set()
        for name in names:
            is_whole = not name.endswith(".")
            rows = self._selection.rows(_NAMES, (name, name + ("\0" if is_whole else "\uffff")))
            found.update(word for word, text in rows if text == name or not is_whole)
        return list(map(NamedCall._make, self._selection.rows(_OUTSIDE_CALLS, (as_list(sorted(found)),))))

    def calls_written(self, files: Iterable[FileId], patterns: Iterable[str]) -> list[NamedCall]:
        """Calls by what is written before their arguments, such as `*.unwrap`."""
        words = {word for pattern in patterns for (word,) in self._selection.rows(_ENDINGS, (pattern,))}
        values = (as_list(files), as_list(sorted(words)))
        return list(map(NamedCall._make, self._selection.rows(_CALLS_WRITTEN, values)))

    def routes(self) -> list[RouteEntry]:
        """All routes, by where they are registered."""
        return list(map(RouteEntry._make, self._selection.rows(_ROUTES)))

    def packages_of(self, files: Iterable[FileId]) -> list[tuple[FileId, str]]:
        """What each of these files imports: packages, and modules of the project as written."""
        return [
            (FileId(file), package) for file, package in self._selection.rows(_PACKAGES, (as_list(files),))
        ]

    def named_at(self, files: Iterable[FileId]) -> list[tuple[FileId, int, str]]:
        """What is called in these files from outside the project, by line."""
        return [
            (FileId(file), line, name)
            for file, line, name in self._selection.rows(_NAMED_AT, (as_list(files),))
        ]

    def parents(self, files: Iterable[FileId]) -> list[Parent]:
        """The types of these files with what they descend from."""
        return list(map(Parent._make, self._selection.rows(_BASES, (as_list(files),))))

    def users(self, symbols: Iterable[SymbolId]) -> dict[SymbolId, int]:
        """How many others call or name each of these."""
        return {SymbolId(one): times for one, times in self._selection.rows(_USERS, (as_list(symbols),))}

    def overridden(self, types: Iterable[SymbolId]) -> list[Overriding]:
        """Which methods run in the place of those of these types."""
        return list(map(Overriding._make, self._selection.rows(_OVERRIDDEN, (as_list(types),))))

    def named_in(self, file: FileId) -> list[tuple[int, str, SymbolId]]:
        """What a file names without calling it, by line."""
        rows = self._selection.rows(_NAMED_AT_LINES, symbols_of_file(file))
        return [(line, name, SymbolId(symbol)) for line, name, symbol in rows]

    def classes_ending(self, ending: str) -> list[str]:
        """The names of classes that end so."""
        return [name for (name,) in self._selection.rows(_CLASSES_ENDING, (ending,))]

    def awaiting(self, functions: Iterable[SymbolId]) -> list[SymbolId]:
        """These functions, each as often as it awaits a call."""
        wanted = set(functions)
        files = sorted({file_of_symbol(one) for one in wanted})
        rows = self._selection.rows(_AWAITING, (as_list(files),))
        return [SymbolId(one) for (one,) in rows if one in wanted]

    def leads(self, callers: Iterable[SymbolId]) -> list[Lead]:
        """What the calls of these functions most likely lead to in the project."""
        return list(map(Lead._make, self._selection.rows(_LEADS, (as_list(callers),))))

    def inner_calls(self, functions: Iterable[SymbolId]) -> list[tuple[SymbolId, int, str]]:
        """What is called between the first and the last line of each function, by its full name where it is known."""
        return [
            (SymbolId(one), line, name)
            for one, line, name in self._selection.rows(_INNER_CALLS, (as_list(functions),))
        ]
