"""What the code and its history say beside the memories; None and the reason where they cannot be read."""

from drift.analyses.history import (
    ChangedFileRow,
    changed_files,
    commit_rows,
    read_lately,
)
from drift.context.code_facts import DAYS, Commits, HotFiles, Target, find_in_index
from drift.kernel.errors import DriftError
from drift.kernel.paths import resolve_inside
from drift.kernel.text import plural
from drift.memory.lessons.suggestions import HotFile
from drift.registry import Call
from drift.registry.indexes import opened_index

_HOT_DAYS = 90
_MOST_COMMITS = 5
_MOST_HOT = 40
_FEWEST_COMMITS = 3
_LONGEST_NAME = 500


def find_target(call: Call, focus: str) -> Target:
    """The file or symbol that a focus names; words mean neither."""
    asked = focus.strip().removeprefix("./")
    is_name = bool(asked) and len(asked) <= _LONGEST_NAME and not any(one.isspace() for one in asked)
    if not is_name:
        return Target()
    if not call.runtime.index_state(call.project).is_usable:
        return Target(_file_on_disk(call, asked), problem="there is no index, so callers are not known")
    with opened_index(call) as reader:
        return find_in_index(reader, asked)


def _file_on_disk(call: Call, asked: str) -> str | None:
    try:
        return resolve_inside(call.project.root, asked, must_exist=True)
    except DriftError:
        return None  # words that are no path; they are searched for as words


def read_commits(call: Call, file: str) -> Commits:
    """The latest commits to a file within a year."""
    try:
        rows = commit_rows(read_lately(call.project.root, area=file, days=DAYS))
    except DriftError as error:
        return Commits(problem=error.message)
    return Commits(tuple(rows[:_MOST_COMMITS]), len(rows))


def find_hot_files(call: Call) -> HotFiles:
    """The files that commits touch most; with an index, source files of it alone, tests left out."""
    try:
        lately = read_lately(call.project.root, area=None, days=_HOT_DAYS)
    except DriftError as error:
        return HotFiles(problem=f"which files change often is not known: {error.message}")
    often = [
        row for row in changed_files(lately) if row.state != "deleted" and row.commits >= _FEWEST_COMMITS
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
