"""What the code and its history say beside the memories; None and the reason where they cannot be read."""

from dataclasses import dataclass
from typing import NamedTuple

from drift.analyses.explain import explain_file, explain_symbol
from drift.analyses.graph_rows import silence_warnings
from drift.analyses.history import (
    ChangedFileRow,
    CommitRow,
    changed_files,
    commit_rows,
    read_history,
    since_day,
)
from drift.analyses.lookup import find_symbols
from drift.analyses.targets import require_file
from drift.index import IndexReader
from drift.index.records import SymbolRecord
from drift.kernel.errors import DriftError, ErrorCode
from drift.kernel.paths import resolve_inside
from drift.kernel.text import plural
from drift.memory.lessons.suggestions import HotFile
from drift.registry import Call
from drift.registry.indexes import opened_index

_DAYS = 365
_HOT_DAYS = 90
_MOST_COMMITS = 5
_MOST_HOT = 40
_FEWEST_COMMITS = 3
_LONGEST_NAME = 500


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
    days: int = _DAYS
    problem: str | None = None


class HotFiles(NamedTuple):
    """Files that change often, or why that is not known."""

    files: tuple[HotFile, ...] = ()
    problem: str | None = None


def find_target(call: Call, focus: str) -> Target:
    """The file or symbol that a focus names; words mean neither."""
    asked = focus.strip().removeprefix("./")
    is_name = bool(asked) and len(asked) <= _LONGEST_NAME and not any(one.isspace() for one in asked)
    if not is_name:
        return Target()
    if not call.runtime.index_state(call.project).is_usable:
        return Target(_file_on_disk(call, asked), problem="there is no index, so callers are not known")
    with opened_index(call) as reader:
        return _in_index(reader, asked)


def _file_on_disk(call: Call, asked: str) -> str | None:
    try:
        return resolve_inside(call.project.root, asked, must_exist=True)
    except DriftError:
        return None  # words that are no path; they are searched for as words


def _in_index(reader: IndexReader, asked: str) -> Target:
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


def read_commits(call: Call, file: str) -> Commits:
    """The latest commits to a file within a year."""
    try:
        rows = commit_rows(
            read_history(call.project.root, area=file, since=since_day(call.runtime.today(), _DAYS))
        )
    except DriftError as error:
        return Commits(problem=error.message)
    return Commits(tuple(rows[:_MOST_COMMITS]), len(rows))


def find_hot_files(call: Call) -> HotFiles:
    """The files that commits touch most; with an index, source files of it alone, tests left out."""
    try:
        history = read_history(call.project.root, area=None, since=since_day(call.runtime.today(), _HOT_DAYS))
    except DriftError as error:
        return HotFiles(problem=f"which files change often is not known: {error.message}")
    often = [
        row for row in changed_files(history) if row.state != "deleted" and row.commits >= _FEWEST_COMMITS
    ]
    users = _users(call, often[: 2 * _MOST_HOT])
    files = [
        HotFile(row.file, float(row.commits), _why_hot(row, users))
        for row in often
        if users is None or row.file in users
    ]
    return HotFiles(tuple(files[:_MOST_HOT]))


def _why_hot(row: ChangedFileRow, users: dict[str, int] | None) -> str:
    changed = f"{plural(row.commits, 'commit')} in {_HOT_DAYS} days"
    return f"{changed}, used by {plural(users[row.file], 'file')}" if users is not None else changed


def _users(call: Call, rows: list[ChangedFileRow]) -> dict[str, int] | None:
    """For each source file in how many others it is used; None without an index."""
    if not call.runtime.index_state(call.project).is_usable:
        return None
    found = {}
    with opened_index(call) as reader:
        for row in rows:
            record = reader.files.at(row.file)
            if record is not None and record.language is not None and record.role == "source":
                found[row.file] = len(
                    {one.symbol_id >> 16 for one in reader.facts.importers_of_file(record.id)}
                )
    return found
