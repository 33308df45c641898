"""Links that lead into a file from others: taking them away when the file or a symbol of it goes."""

import sqlite3
from collections.abc import Sequence
from typing import Final

from drift.index.ids import FileId
from drift.index.link_words import LinkWords

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
