r"""Pages that tests expect to be shown: `page.waitForURL(/\/orders\/[^/]+\/edit/)`, `expect(page).toHaveURL(ORDERS)`.

What it does: reads expressions that the address of a browser has to fit, where they stand, where a constant that is one is
named, and in functions that tests share: of a path with a part from a table the texts that callers give tell which it is.
Why it matters: such a test shows the page by what it clicks, and no path is asked for.
Example: `openTab(page, 'Stats')`, where openTab waits for `/shops/${TABS[tab]}` and TABS has Stats: 'statistics'.
Known limits: a part that a parameter says itself, and tables of other files.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Final

from drift.analyses.running.edges import Run
from drift.index.ids import FileId, SymbolId, file_of_symbol, is_file
from drift.languages.path_patterns import path_of_pattern

if TYPE_CHECKING:
    from drift.analyses.running.routes import Routes
    from drift.index import IndexReader
    from drift.index.run_records import PathText

Asking = Callable[[Collection[FileId]], Mapping[SymbolId, Mapping[int, set[str]]]]
"""The calls of files that open pages or expect them, by symbol and line."""

_LINES_OF_CALL: Final = 4  # a text may stand below the call that it is given to
_MOST_TABLES: Final = 200
_KEYED: Final = re.compile(r"\$\{([A-Za-z_$][\w$]{0,80})\[([^\]'\"`{}]{1,80})\]\}")


def expected_page_runs(reader: "IndexReader", routes: "Routes", asking: Asking) -> Iterator[Run]:
    """Which tests, and functions that they share, show which pages by what they wait for."""
    said = reader.running.patterns_in_tests()
    keyed = [one for one in reader.running.keyed_paths_in_tests() if not is_file(one.symbol_id)]
    if not said and not keyed:
        return
    asked = asking({file_of_symbol(one.symbol_id) for one in (*said, *keyed)})
    scopes = _Scopes(reader, asked)
    for one in said:
        if scopes.expects(one):
            yield from _runs(routes, one.symbol_id, one.value)
    yield from _keyed_runs(reader, routes, [one for one in keyed if scopes.expects(one)])


def _runs(routes: "Routes", user: SymbolId, path: str) -> Iterator[Run]:
    return (Run(user, route.handler, confidence) for route, confidence in routes.shown_at(path))


class _Scopes:
    """Which lines of which functions expect pages, what stands inside of them included."""

    def __init__(self, reader: "IndexReader", asked: Mapping[SymbolId, Mapping[int, set[str]]]) -> None:
        self._reader = reader
        self._lines: dict[FileId, list[int]] = defaultdict(list)
        for symbol, lines in asked.items():
            self._lines[file_of_symbol(symbol)] += lines
        self._ends: dict[SymbolId, int] = {}

    def expects(self, one: "PathText") -> bool:
        """Whether a page is expected where a text stands, or below it in the same function."""
        if is_file(one.symbol_id):
            return any(
                0 <= one.line - line < _LINES_OF_CALL for line in self._lines[file_of_symbol(one.symbol_id)]
            )
        if one.symbol_id not in self._ends:
            record = self._reader.symbols.get(one.symbol_id)
            self._ends[one.symbol_id] = record.end_line if record is not None else 0
        end = self._ends[one.symbol_id]
        return any(
            one.line - _LINES_OF_CALL < line <= end for line in self._lines[file_of_symbol(one.symbol_id)]
        )


def _keyed_runs(reader: "IndexReader", routes: "Routes", keyed: Iterable["PathText"]) -> Iterator[Run]:
    """What those show who call a function whose path has a part from a table, by the key that they give it."""
    paths: dict[SymbolId, dict[str, str]] = defaultdict(dict)
    for one in keyed:
        if len(paths) < _MOST_TABLES:
            paths[one.symbol_id].update(_filled(reader, one))
    users = reader.callers.places([one for one, known in paths.items() if known])
    texts: dict[SymbolId, list[tuple[int, str]]] = defaultdict(list)
    for _, line, value, symbol in reader.starts.texts_of({one.caller_id for one in users}) if users else ():
        texts[symbol].append((line, value))
    for user in users:
        known = paths.get(user.callee_id, {})
        for line, value in texts[user.caller_id]:
            if value in known and 0 <= line - user.line < _LINES_OF_CALL:
                yield from _runs(routes, user.caller_id, known[value])


def _filled(reader: "IndexReader", one: "PathText") -> dict[str, str]:
    """The paths that a text may stand for, by the key of the table that fills it."""
    parts = _KEYED.findall(one.value)
    if len(parts) != 1:
        return {}
    name = parts[0][0]
    tables = [
        each
        for each in reader.symbols.named(name)
        if file_of_symbol(each.id) == file_of_symbol(one.symbol_id) and each.kind == "constant"
    ]
    found: dict[str, str] = {}
    for member in reader.facts.members_of(tables[0].id) if len(tables) == 1 else ():
        whole = _KEYED.sub(member.value.replace("\\", ""), one.value)
        if member.key is not None and (path := path_of_pattern(whole)) is not None:
            found[member.key] = path
    return found
