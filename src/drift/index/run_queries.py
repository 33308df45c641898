"""Questions about what runs without a call in the text: fixtures, methods that come back from outside, routes."""

import json
import re
from collections.abc import Iterable
from typing import Final, cast

from drift.index.call_queries import WORDS_OF_PARENTS
from drift.index.handed_out import HandedOut, handed_out
from drift.index.ids import FileId, SymbolId
from drift.index.imported_files import IMPORTED
from drift.index.paths_of_tests import (
    BARE_PATHS_IN_TESTS,
    KEYED_PATHS_IN_TESTS,
    PATHS_IN_TESTS,
    PATHS_NAMED_IN_TESTS,
    PATTERNS_IN_TESTS,
    SHORT_PATHS_IN_TESTS,
    STORED_IN_FIELD,
)
from drift.index.route_constants import filled, said_in_tests
from drift.index.run_records import Decorated, Member, NamedFunction, PathText, Registered, Taker
from drift.index.selection import Selection, as_list

# What is called with a text first, such as emit("saved", order).
_CALLS_SAYING: Final = """
    SELECT DISTINCT calls.caller_id, call_details.literal FROM json_each(?1) AS wanted
    CROSS JOIN calls ON calls.id BETWEEN wanted.value << 20 AND (wanted.value << 20) + 1048575
    CROSS JOIN call_details ON call_details.id = calls.id
    WHERE calls.text IN (SELECT value FROM json_each(?2)) AND call_details.literal IN (SELECT value FROM json_each(?3))
"""
_DECORATOR_NAMES: Final = "SELECT DISTINCT name FROM decorators"
_DECORATED: Final = """
    SELECT decorators.symbol_id, decorators.name, decorators.text, symbols.kind, symbols.name, symbols.parent_id
    FROM json_each(?) AS wanted
    CROSS JOIN decorators ON decorators.name = wanted.value
    JOIN symbols ON symbols.id = decorators.symbol_id ORDER BY decorators.symbol_id
"""
_TAKERS: Final = """
    SELECT symbols.id, symbols.parent_id, symbols.name, coalesce(symbols.parameters, '[]')
    FROM files CROSS JOIN symbols ON symbols.id BETWEEN files.id << 16 AND (files.id << 16) + 65535
    WHERE files.language = 'python' AND files.role = 'test' AND symbols.kind IN ('function', 'method')
        AND (symbols.name LIKE 'test%' OR symbols.id IN (SELECT value FROM json_each(?)))
"""
_HOOKS: Final = """
    SELECT DISTINCT calls.caller_id, words.text FROM calls JOIN words ON words.id = calls.text
    WHERE calls.text IN (SELECT id FROM words WHERE text GLOB '*hook.*')
"""
_TEST_PATHS: Final = "SELECT id, path FROM files WHERE role = 'test' AND language = 'python'"
# What the product calls for sure needs no other way in.
_UNCALLED: Final = """
    SELECT symbols.id, symbols.parent_id, symbols.name,
        EXISTS (SELECT 1 FROM overrides WHERE overrides.overrider_id = symbols.id),
        coalesce(symbols.parameters, '[]'), files.language = 'python',
        EXISTS (SELECT 1 FROM edges WHERE edges.callee_id = symbols.id)
    FROM symbols JOIN files ON files.id = symbols.file_id
    WHERE symbols.kind IN ('method', 'property') AND files.language IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM edges JOIN files AS used_in ON used_in.id = edges.caller_id >> 16
            WHERE edges.callee_id = symbols.id AND edges.confidence >= 5000 AND used_in.role <> 'test')
"""
_PARENT_CALLS: Final = f"""
    SELECT DISTINCT calls.caller_id, words.text FROM calls JOIN words ON words.id = calls.text
    WHERE calls.text IN {WORDS_OF_PARENTS}
"""  # noqa: S608 - our own names
_PARENTS: Final = "SELECT symbol_id, target_symbol_id, external_name FROM bases"
_CONSTRUCTORS: Final = (
    "SELECT parent_id, id FROM symbols WHERE kind = 'constructor' AND parent_id IS NOT NULL"
)
_MADE: Final = """
    SELECT DISTINCT CASE made.kind WHEN 'class' THEN made.id ELSE made.parent_id END, files.role = 'test'
    FROM symbols AS made CROSS JOIN edges ON edges.callee_id = made.id
    JOIN files ON files.id = edges.caller_id >> 16
    WHERE made.kind IN ('class', 'constructor')
"""
_HELD: Final = """
    SELECT held.id, edges.callee_id FROM symbols AS held
    JOIN symbols AS holder ON holder.id = held.parent_id
    CROSS JOIN edges ON edges.caller_id = holder.id AND edges.line BETWEEN held.line AND held.end_line
    JOIN symbols AS made ON made.id = edges.callee_id
    WHERE held.kind IN ('variable', 'constant', 'field') AND holder.kind IN ('module', 'class')
        AND made.kind IN ('constructor', 'class')
    UNION ALL
    SELECT held.id, functions.id FROM symbols AS held
    JOIN symbols AS holder ON holder.id = held.parent_id
    CROSS JOIN symbols AS functions ON functions.parent_id = holder.id AND functions.line BETWEEN held.line AND held.end_line
    WHERE held.kind IN ('variable', 'constant') AND holder.kind = 'module'
        AND functions.kind = 'function' AND substr(functions.name, 1, 1) = '<'
        AND EXISTS (SELECT 1 FROM edges WHERE edges.callee_id = held.id)
"""
_OUTSIDE_NAMES: Final = """
    SELECT words.id, words.text FROM (SELECT DISTINCT external_name AS word FROM calls
        WHERE external_name IS NOT NULL) AS used JOIN words ON words.id = used.word
"""
_CALLERS_OUTSIDE: Final = f"""
    SELECT DISTINCT calls.caller_id, calls.external_name, calls.text IN {WORDS_OF_PARENTS}
    FROM json_each(?) AS wanted CROSS JOIN calls ON calls.external_name = wanted.value
"""  # noqa: S608 - our own names
_SITE_PREFIXES: Final = """
    SELECT path FROM documents CROSS JOIN document_items USING (file_id) WHERE documents.kind = 'spring'
        AND document_items.kind = 'setting' AND path IS NOT NULL UNION SELECT prefix FROM mounts WHERE kind = 'site'"""
_TEXTS_IN_TESTS: Final = """
    SELECT constants.symbol_id, constants.value, constants.line, constants.times
    FROM files CROSS JOIN constants
        ON constants.symbol_id BETWEEN files.id << 16 AND (files.id << 16) + 65535
    WHERE files.role = 'test' AND constants.kind = 'string'
        AND constants.value IN (SELECT value FROM json_each(?))
"""
# The part behind all namespaces counts: shop:admin:orders is orders.
_NAME_TEXTS: Final = """
    FROM files CROSS JOIN constants
        ON constants.symbol_id BETWEEN files.id << 16 AND (files.id << 16) + 65535
    {more}
    WHERE files.role = 'test' AND constants.kind = 'string'
        AND substr(constants.value, length(rtrim(constants.value, replace(constants.value, ':', ''))) + 1)
            IN (SELECT value FROM json_each(?1))
"""
_NAMES_IN_TESTS: Final = f"SELECT constants.symbol_id, constants.value, constants.line, constants.times {_NAME_TEXTS.format(more='')}"
# route('my'), which is too short for a text that is kept by itself.
_SHORT_NAMES_IN_TESTS: Final = """
    SELECT calls.caller_id, call_details.literal, calls.line, 1
    FROM files CROSS JOIN calls ON calls.id BETWEEN files.id << 20 AND (files.id << 20) + 1048575
    CROSS JOIN call_details ON call_details.id = calls.id
    WHERE files.role = 'test' AND call_details.literal IN (SELECT value FROM json_each(?))
"""
_NAMES_IN_FIELDS: Final = f"""
    SELECT constants.symbol_id, constants.line, refs.symbol_id, refs.line {
    _NAME_TEXTS.format(
        more=f'''{STORED_IN_FIELD}
        LEFT JOIN refs ON refs.target_symbol_id = symbols.id AND refs.symbol_id <> constants.symbol_id'''
    )
}
"""
_TEXTS_OF_FILES: Final = """
    SELECT constants.symbol_id, constants.value, constants.line, constants.times
    FROM json_each(?1) AS wanted CROSS JOIN constants
        ON constants.symbol_id BETWEEN wanted.value << 16 AND (wanted.value << 16) + 65535
    WHERE constants.kind = 'string' AND length(constants.value) BETWEEN 2 AND 100
    UNION ALL
    SELECT calls.caller_id, call_details.literal, calls.line, 1 FROM json_each(?1) AS wanted
    CROSS JOIN calls ON calls.id BETWEEN wanted.value << 20 AND (wanted.value << 20) + 1048575
    CROSS JOIN call_details ON call_details.id = calls.id
    WHERE length(call_details.literal) BETWEEN 1 AND ?2
"""
_REGISTERED: Final = """
    SELECT entry_points.symbol_id, entry_points.line, coalesce(handlers.handler_id, entry_points.symbol_id),
        files.language, coalesce(entry_points.method, ''), coalesce(entry_points.path, '')
    FROM entry_points JOIN files ON files.id = entry_points.symbol_id >> 16 LEFT JOIN handlers
        ON handlers.symbol_id = entry_points.symbol_id AND handlers.position = entry_points.position
    WHERE entry_points.kind = 'http'
"""
_THROWN: Final = """
    SELECT handlings.symbol_id, handlings.types FROM handlings
    JOIN files ON files.id = handlings.symbol_id >> 16
    WHERE handlings.kind = 'throw' AND handlings.types IS NOT NULL AND files.language IN ('python', 'ruby')
"""
_CLASSES: Final = """
    SELECT symbols.id, symbols.name FROM symbols JOIN files ON files.id = symbols.file_id
    WHERE symbols.kind = 'class' AND files.role = 'source'
"""
_PRODUCT_FUNCTIONS: Final = """
    SELECT symbols.id, symbols.name, files.language, symbols.parameters,
        symbols.kind = 'property' OR EXISTS (SELECT 1 FROM decorators WHERE decorators.symbol_id = symbols.id),
        symbols.visibility = 'private'
    FROM files
    CROSS JOIN symbols ON symbols.id BETWEEN files.id << 16 AND (files.id << 16) + 65535
    WHERE files.role = 'source' AND symbols.kind IN ('function', 'method', 'property')
        AND length(symbols.name) >= 3 AND symbols.cyclomatic IS NOT NULL
"""
# A call of a member that could not be placed, or that a test was thought to make of something outside.
_OPEN: Final = """
    calls JOIN files ON files.id = calls.id >> 20 JOIN words AS outcomes ON outcomes.id = calls.outcome
    WHERE (outcomes.text = 'unknown' OR (outcomes.text = 'external' AND files.role = 'test'))
"""
_OPEN_TEXTS: Final = f"""
    SELECT words.id, words.text FROM words
    WHERE words.text GLOB '*[.>]*' AND words.id IN (SELECT calls.text FROM {_OPEN})
"""  # noqa: S608 - our own names
_OPEN_CALLERS: Final = f"""
    SELECT DISTINCT calls.caller_id, calls.text, outcomes.text = 'unknown', calls.argument_count FROM {_OPEN}
        AND calls.text IN (SELECT wanted.value FROM json_each(?) AS wanted)
"""  # noqa: S608 - our own names
_OVERRIDING: Final = """
    SELECT DISTINCT overrides.overrider_id FROM json_each(?1) AS wanted
    CROSS JOIN overrides ON overrides.overrider_id = wanted.value
    WHERE overrides.method_id IN (SELECT others.value FROM json_each(?1) AS others)
"""
_DATA: Final = """
    SELECT symbols.id FROM json_each(?) AS wanted CROSS JOIN symbols ON symbols.id = wanted.value
    WHERE symbols.kind IN ('field', 'variable', 'constant', 'interface', 'type')
"""
_TEST_NAMES: Final = """
    SELECT symbols.id, symbols.name FROM entry_points
    CROSS JOIN symbols ON symbols.id = entry_points.symbol_id
    WHERE entry_points.kind = 'test' AND symbols.kind IN ('function', 'method')
"""


class RunQueries:
    """Questions about what runs without a call in the text."""

    def __init__(self, selection: Selection) -> None:
        self._selection = selection

    def decorator_names(self) -> list[str]:
        """Every decorator of the project by name."""
        return [name for (name,) in self._selection.rows(_DECORATOR_NAMES)]

    def decorated(self, names: Iterable[str]) -> list[Decorated]:
        """What has a decorator of one of these names."""
        rows = self._selection.rows(_DECORATED, (json.dumps(list(names)),))
        return list(map(Decorated._make, rows))

    def calls_of_hooks(self) -> list[tuple[SymbolId, str]]:
        """Who calls a member of something that is named a hook, and the call as written."""
        return cast("list[tuple[SymbolId, str]]", self._selection.rows(_HOOKS))

    def takers(self, fixtures: Iterable[SymbolId]) -> list[Taker]:
        """The tests of Python's test files, and these fixtures, with the names of their parameters."""
        return [
            Taker(number, parent, name, tuple(each[0] for each in json.loads(parameters)))
            for number, parent, name, parameters in self._selection.rows(_TAKERS, (as_list(fixtures),))
        ]

    def python_test_files(self) -> dict[FileId, str]:
        """The paths of Python's test files."""
        return cast("dict[FileId, str]", dict(self._selection.rows(_TEST_PATHS)))

    def handed_out(self) -> list[HandedOut]:
        """Functions inside others that no call leads to, each with what it stands in."""
        return handed_out(self._selection)

    def uncalled_members(self) -> list[Member]:
        """Methods and properties that the product is not seen to call for sure."""
        calling = {
            (caller, re.split(r"[.:]", text)[-1]) for caller, text in self._selection.rows(_PARENT_CALLS)
        }
        return [
            Member(
                number,
                parent,
                name,
                bool(overriding),
                (number, name) in calling,
                parameters,
                *map(bool, seen),
            )
            for number, parent, name, overriding, parameters, *seen in self._selection.rows(_UNCALLED)
        ]

    def parents(self) -> list[tuple[SymbolId, SymbolId | None, str | None]]:
        """Every class with each of its parents, in the project or outside of it."""
        return cast("list[tuple[SymbolId, SymbolId | None, str | None]]", self._selection.rows(_PARENTS))

    def constructors(self) -> dict[SymbolId, list[SymbolId]]:
        """The constructors of each class that has its own."""
        found: dict[SymbolId, list[SymbolId]] = {}
        for owner, constructor in self._selection.rows(_CONSTRUCTORS):
            found.setdefault(owner, []).append(constructor)
        return found

    def made_by_product(self) -> frozenset[SymbolId]:
        """The classes of which the product makes objects and no test does."""
        made: dict[bool, set[SymbolId]] = {False: set(), True: set()}
        for number, is_in_test in self._selection.rows(_MADE):
            made[bool(is_in_test)].add(number)
        return frozenset(made[False] - made[True])

    def held_objects(self) -> list[tuple[SymbolId, SymbolId]]:
        """Variables of files and classes, each with the constructor or class that makes what is in it."""
        return cast("list[tuple[SymbolId, SymbolId]]", self._selection.rows(_HELD))

    def outside_names(self) -> list[tuple[int, str]]:
        """Everything outside the project that is called, by word."""
        return cast("list[tuple[int, str]]", self._selection.rows(_OUTSIDE_NAMES))

    def callers_of_outside(self, words: Iterable[int]) -> list[tuple[SymbolId, int, bool]]:
        """Who calls these things outside the project, by word, and whether as those of a parent."""
        rows = self._selection.rows(_CALLERS_OUTSIDE, (as_list(words),))
        return [(SymbolId(caller), word, bool(is_parent)) for caller, word, is_parent in rows]

    def imported(self) -> list[tuple[SymbolId, FileId]]:
        """Where files of the project are imported, and which."""
        return cast("list[tuple[SymbolId, FileId]]", self._selection.rows(IMPORTED))

    def paths_in_tests(self) -> list[PathText]:
        """The texts of test files that look like paths of requests."""
        rows = self._selection.rows(PATHS_IN_TESTS)
        return filled(self._selection.rows, list(map(PathText._make, rows)))

    def site_prefixes(self) -> list[str]:
        """What applications put before all of their routes."""
        return [one for (one,) in self._selection.rows(_SITE_PREFIXES)]

    def short_paths_in_tests(self, kept_from: int) -> list[PathText]:
        """The same, where calls are given one that is shorter than texts that are kept."""
        rows = self._selection.rows(SHORT_PATHS_IN_TESTS, (kept_from,))
        return list(map(PathText._make, rows))

    def paths_named_in_tests(self) -> list[tuple[PathText, SymbolId]]:
        """The texts of test files that may be paths, at whoever uses what says them, and where they are said."""
        rows = self._selection.rows(PATHS_NAMED_IN_TESTS)
        # The constants that a text begins with are those of where it is said.
        texts = filled(
            self._selection.rows, [PathText(said, value, line, 1) for _, value, line, said in rows]
        )
        return [
            (one._replace(symbol_id=user), one.symbol_id) for one, (user, *_) in zip(texts, rows, strict=True)
        ]

    def patterns_in_tests(self) -> list[PathText]:
        """The paths of expressions that addresses have to fit in test files, at whoever says or names them."""
        return list(map(PathText._make, self._selection.rows(PATTERNS_IN_TESTS)))

    def keyed_paths_in_tests(self) -> list[PathText]:
        """The texts of test files that may be paths with a part that is taken from a table."""
        return list(map(PathText._make, self._selection.rows(KEYED_PATHS_IN_TESTS)))

    def constants_in_tests(self) -> list[PathText]:
        """What the constants say that test files name, wherever they are declared."""
        return [PathText(user, value, line, 1) for user, line, value in said_in_tests(self._selection.rows)]

    def bare_paths_in_tests(self, languages: Iterable[str]) -> list[PathText]:
        """The texts of test files of these languages that may be paths without a slash before them."""
        rows = self._selection.rows(BARE_PATHS_IN_TESTS, (json.dumps(sorted(languages)),))
        return list(map(PathText._make, rows))

    def texts_in_tests(self, values: Iterable[str]) -> list[PathText]:
        """Where these texts stand in test files."""
        rows = self._selection.rows(_TEXTS_IN_TESTS, (json.dumps(sorted(values)),))
        return list(map(PathText._make, rows))

    def names_in_tests(self, names: Iterable[str], kept_from: int = 0) -> list[PathText]:
        """Where these names of routes stand in test files, alone or behind namespaces, whole as they are written.

        Texts are kept by themselves from a length on; shorter ones count where a call is given them first.
        """
        wanted = sorted(names)
        rows = self._selection.rows(_NAMES_IN_TESTS, (json.dumps(wanted),))
        short = [name for name in wanted if 0 < len(name) < kept_from]
        if short:
            rows += self._selection.rows(_SHORT_NAMES_IN_TESTS, (json.dumps(short),))
        return list(map(PathText._make, rows))

    def users_of_named(self, names: Iterable[str]) -> list[tuple[SymbolId, int, SymbolId | None, int | None]]:
        """Who else uses the fields of test classes that these names of routes are said for: where, and the user with its line."""
        rows = self._selection.rows(_NAMES_IN_FIELDS, (json.dumps(sorted(names)),))
        return cast("list[tuple[SymbolId, int, SymbolId | None, int | None]]", rows)

    def texts_of_files(self, files: Iterable[FileId], kept_from: int) -> list[PathText]:
        """The texts of these files that may be names."""
        return list(
            map(PathText._make, self._selection.rows(_TEXTS_OF_FILES, (as_list(files), kept_from - 1)))
        )

    def registered(self) -> list[Registered]:
        """Where each route is registered, and its handler."""
        return list(map(Registered._make, self._selection.rows(_REGISTERED)))

    def thrown(self) -> list[tuple[SymbolId, tuple[str, ...]]]:
        """Who raises which errors, as they are written."""
        return [
            (SymbolId(symbol), tuple(json.loads(types))) for symbol, types in self._selection.rows(_THROWN)
        ]

    def classes(self) -> list[tuple[SymbolId, str]]:
        """The classes of the product by name."""
        return cast("list[tuple[SymbolId, str]]", self._selection.rows(_CLASSES))

    def product_functions(self) -> list[NamedFunction]:
        """The functions of the product that have code and more than a letter or two for a name."""
        return [NamedFunction(*row) for row in self._selection.rows(_PRODUCT_FUNCTIONS)]

    def open_texts(self) -> list[tuple[int, str]]:
        """How calls of members are written that could not be placed, by word."""
        return cast("list[tuple[int, str]]", self._selection.rows(_OPEN_TEXTS))

    def open_callers(self, words: Iterable[int]) -> list[tuple[SymbolId, int, bool, int]]:
        """Who has such calls, by word, whether nothing at all is known of what is called, and how much it is given."""
        rows = self._selection.rows(_OPEN_CALLERS, (as_list(words),))
        return [(caller, word, bool(is_unknown), arguments) for caller, word, is_unknown, arguments in rows]

    def calls_saying(
        self, files: Iterable[FileId], words: Iterable[int], texts: Iterable[str]
    ) -> list[tuple[SymbolId, str]]:
        """Who calls what is written in one of these ways with one of these texts first, in these files."""
        values = (as_list(files), as_list(words), json.dumps(sorted(texts)))
        return cast("list[tuple[SymbolId, str]]", self._selection.rows(_CALLS_SAYING, values))

    def overriding(self, methods: Iterable[SymbolId]) -> frozenset[SymbolId]:
        """Those of the methods that override another of them."""
        rows = self._selection.rows(_OVERRIDING, (as_list(methods),))
        return frozenset(number for (number,) in rows)

    def data_among(self, symbols: Iterable[SymbolId]) -> frozenset[SymbolId]:
        """Those of the symbols that hold or promise something and do not run."""
        return frozenset(number for (number,) in self._selection.rows(_DATA, (as_list(symbols),)))

    def test_names(self) -> list[tuple[SymbolId, str]]:
        """The functions that are tests, by name."""
        return cast("list[tuple[SymbolId, str]]", self._selection.rows(_TEST_NAMES))
