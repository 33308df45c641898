"""What the code and its history say beside the memories; None and the reason where they cannot be read."""

from dataclasses import dataclass
from typing import NamedTuple

from drift.analyses.explain import explain_file, explain_symbol
from drift.analyses.graph_rows import silence_warnings
from drift.analyses.history import CommitRow
from drift.analyses.lookup import find_symbols
from drift.analyses.targets import require_file
from drift.index import IndexReader, SymbolRecord
from drift.kernel.errors import DriftError, ErrorCode
from drift.memory.lessons.suggestions import HotFile

DAYS = 365


@dataclass(frozen=True, slots=True)
class CodeRow:
    """What the index counts around a file or symbol."""

    kind: str
    name: str
    place: str
    callers: int | None = None
    calling_files: int | None = None
    direct_tests: int | None = None
    doc: str | None = None


class Target(NamedTuple):
    """What a focus means: a file, a symbol in it, or neither; `problem` says why no more is known."""

    file: str | None = None
    functions: tuple[str, ...] = ()
    code: CodeRow | None = None
    problem: str | None = None


class Commits(NamedTuple):
    """The latest commits to a place and how many there were; the reason where they cannot be read."""

    rows: tuple[CommitRow, ...] = ()
    total: int = 0
    days: int = DAYS
    problem: str | None = None


class HotFiles(NamedTuple):
    """Files that change often, or why that is not known."""

    files: tuple[HotFile, ...] = ()
    problem: str | None = None


def find_in_index(reader: IndexReader, asked: str) -> Target:
    if "/" in asked or "." in asked:
        try:
            record = require_file(reader, asked)
        except DriftError as error:
            # Of several files none is meant; the words may still be those of a symbol or a memory.
            if error.code not in {ErrorCode.FILE_NOT_FOUND, ErrorCode.INVALID_ARGUMENT}:
                raise
        else:
            found = explain_file(reader, record, rows=0)
            row = CodeRow("file", found.file, found.file, calling_files=found.using_files, doc=found.doc)
            return Target(found.file, code=row)
    symbols = find_symbols(reader, asked).symbols
    if not symbols:
        return Target()
    symbol = symbols[0]
    around = explain_symbol(reader, symbol, rows=0)
    more = [f"{asked} means {len(symbols)} symbols; the facts are of the first"] * (len(symbols) > 1)
    # Without these, a count of no callers would read as a proof that there are none.
    doubts = [*more, *silence_warnings(reader, symbol)]
    row = CodeRow(
        around.kind,
        around.symbol,
        f"{around.file}:{around.line}",
        around.caller_count,
        around.calling_files,
        around.test_users,
        around.doc,
    )
    return Target(symbol.path, _names(symbol), row, "; ".join(doubts) or None)


def _names(symbol: SymbolRecord) -> tuple[str, ...]:
    """The ways people write a function down."""
    return tuple(dict.fromkeys((symbol.qualname, symbol.name, f"{symbol.path}:{symbol.qualname}")))
