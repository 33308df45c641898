"""Calls that a change breaks: of functions whose declaration is new, with arguments that no longer fit, wherever they stand.

What it does: reads the callers of each declaration on new lines as they are now, and the changed files themselves, and holds
their calls against what is declared. Calls on new lines are for the gate of code.
Why it matters: the caller that breaks is mostly in a file that nobody looked at.
Known limits: at most so many files are read, those with most callers first; what was left out is said.
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from drift.guards.changed_lines import Change, text_now
from drift.guards.overlay import OverlaidFile, Overlay, overlaid
from drift.guards.signatures import mismatches
from drift.guards.text_checks import Subject, check_arguments
from drift.index import IndexReader
from drift.index.path_text import text_to_path
from drift.index.records import SymbolRecord
from drift.languages.kinds import CODE_KINDS
from drift.quality import Finding

_MOST_FILES: Final = 20
_MOST_CALLERS: Final = 500
_LEAST_CONFIDENCE: Final = 0.5


class BrokenCalls(NamedTuple):
    """The findings, and how many files with callers were not read."""

    findings: tuple[Finding, ...]
    unread: int


def find_broken_calls(reader: IndexReader, root: Path, change: Change) -> BrokenCalls:
    """The calls on lines that are not new which do not fit what is declared on new lines."""
    declared = list(_declared(reader, change))
    if not declared:
        return BrokenCalls((), 0)
    places = {(each.path, each.line) for each in declared}
    paths = _files_to_read(reader, change, declared)
    texts = {
        path: text for path in paths[:_MOST_FILES] if (text := text_now(root, text_to_path(path))) is not None
    }
    findings: list[Finding] = []
    with overlaid(root, reader, texts) as overlay:
        for file in overlay.files.values():
            findings += _of_file(root, overlay, file, change=change, places=places)
    return BrokenCalls(tuple(findings), max(0, len(paths) - _MOST_FILES))


def _declared(reader: IndexReader, change: Change) -> Iterator[SymbolRecord]:
    """The functions of changed files whose declaration has a new line; each parameter may have one of its own."""
    for path in sorted(change.files):
        record = reader.files.at(path)
        for each in reader.symbols.of_file(record.id) if record is not None else ():
            if each.kind in CODE_KINDS and change.touches(
                path, (each.line, each.line + len(each.parameters))
            ):
                yield each


def _files_to_read(reader: IndexReader, change: Change, declared: list[SymbolRecord]) -> list[str]:
    """The changed files with code, then those that call what is declared anew, the most calls first."""
    own = [
        path
        for path in sorted(change.files)
        if (record := reader.files.at(path)) is not None and record.language is not None
    ]
    calls: Counter[str] = Counter()
    for each in declared:
        for caller in reader.calls.callers(each.id, limit=_MOST_CALLERS):
            if caller.confidence >= _LEAST_CONFIDENCE and caller.symbol.path not in change.files:
                calls[caller.symbol.path] += 1
    return [*own, *(path for path, _ in sorted(calls.items(), key=lambda one: (-one[1], one[0])))]


def _of_file(
    root: Path, overlay: Overlay, file: OverlaidFile, *, change: Change, places: set[tuple[str, int]]
) -> Iterator[Finding]:
    broken = {
        one.line
        for one in mismatches(overlay, file)
        if not change.has_line(file.path, one.line)
        and (one.place.path, overlay.symbol(one.place).line) in places
    }
    if broken:
        yield from (each for each in check_arguments(Subject(root, overlay, file)) if each.line in broken)
