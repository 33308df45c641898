"""Links that lead into a file from others: who has them, and taking them away when the file goes."""

import sqlite3
from collections.abc import Sequence
from typing import Final

from drift.index.ids import FileId, file_of_symbol, symbols_of_file
from drift.index.link_words import LinkWords

_POINTING_SYMBOLS: Final = (
    "SELECT caller_id FROM edges WHERE callee_id BETWEEN ? AND ?",
    "SELECT symbol_id FROM imports WHERE target_symbol_id BETWEEN ? AND ?",
    "SELECT symbol_id FROM bases WHERE target_symbol_id BETWEEN ? AND ?",
    "SELECT symbol_id FROM refs WHERE target_symbol_id BETWEEN ? AND ?",
    "SELECT overrider_id FROM overrides WHERE method_id BETWEEN ? AND ?",
    "SELECT symbol_id FROM handlers WHERE handler_id BETWEEN ? AND ?",
    "SELECT symbol_id FROM routers WHERE router_id BETWEEN ? AND ?",
    "SELECT symbol_id FROM mounts WHERE router_id BETWEEN ? AND ?",
    "SELECT symbol_id FROM mounts WHERE into_id BETWEEN ? AND ?",
)
_IMPORTING_SYMBOLS: Final = "SELECT symbol_id FROM imports WHERE target_file_id = ?"
_CALLS_INTO: Final = "SELECT DISTINCT call_id FROM edges WHERE callee_id BETWEEN ? AND ?"
_FORGET: Final = (
    "DELETE FROM edges WHERE callee_id BETWEEN ? AND ?",
    "DELETE FROM refs WHERE target_symbol_id BETWEEN ? AND ?",
    "DELETE FROM overrides WHERE method_id BETWEEN ? AND ?",
    "DELETE FROM handlers WHERE handler_id BETWEEN ? AND ?",
    "DELETE FROM routers WHERE router_id BETWEEN ? AND ?",
    "UPDATE mounts SET router_id = NULL WHERE router_id BETWEEN ? AND ?",
    "UPDATE mounts SET into_id = NULL WHERE into_id BETWEEN ? AND ?",
    "UPDATE bases SET target_symbol_id = NULL WHERE target_symbol_id BETWEEN ? AND ?",
    "UPDATE imports SET target_symbol_id = NULL WHERE target_symbol_id BETWEEN ? AND ?",
)
_FORGET_FILE: Final = "UPDATE imports SET target_file_id = NULL WHERE target_file_id = ?"
_JUDGE_AGAIN: Final = """
    UPDATE calls SET outcome = (
        SELECT CASE count(*) WHEN 0 THEN :unknown WHEN 1 THEN :resolved ELSE :ambiguous END
        FROM edges WHERE edges.caller_id = calls.caller_id AND edges.call_id = calls.id
    ) WHERE id = :call
"""


def files_pointing_into(connection: sqlite3.Connection, file: FileId) -> frozenset[FileId]:
    """The other files with an import, call, parent or reference that leads into this one."""
    symbols = symbols_of_file(file)
    found = {
        pointing
        for query in _POINTING_SYMBOLS
        for (symbol,) in connection.execute(query, symbols)
        if (pointing := file_of_symbol(symbol)) != file
    }
    importing = {file_of_symbol(symbol) for (symbol,) in connection.execute(_IMPORTING_SYMBOLS, (file,))}
    return frozenset(found | importing - {file})


def forget_links_into(
    connection: sqlite3.Connection, symbols: Sequence[tuple[int, int]], words: LinkWords
) -> None:
    """Take away what leads to symbols in these ranges, so that nothing points at symbols that are gone."""
    calls = {call for each in symbols for (call,) in connection.execute(_CALLS_INTO, each)}
    for statement in _FORGET:
        connection.executemany(statement, symbols)
    if calls:
        outcomes = {outcome: words[outcome] for outcome in ("unknown", "resolved", "ambiguous")}
        connection.executemany(_JUDGE_AGAIN, ({**outcomes, "call": call} for call in sorted(calls)))


def forget_imports_of(connection: sqlite3.Connection, file: FileId) -> None:
    """Let no import lead to the file any more."""
    connection.execute(_FORGET_FILE, (file,))
