"""Questions about measures of the whole project at once: functions, files, comments, handlers."""

from collections import Counter
from collections.abc import Collection, Iterator
from typing import Final, NamedTuple

from drift.index.ids import FileId, SymbolId
from drift.index.selection import Selection

_FUNCTIONS: Final = """
    SELECT id, id >> 16, kind, qualname, signature, line, end_line, cyclomatic, cognitive, max_nesting, code_lines,
        operators, distinct_operators, operands, distinct_operands
    FROM symbols WHERE cyclomatic IS NOT NULL ORDER BY id
"""
_COMMENTS: Final = "SELECT file_id, line, end_line, text FROM comments ORDER BY file_id, position"
_DOCS: Final = "SELECT id >> 16, kind, line, doc FROM symbols WHERE doc <> '' ORDER BY id"
_HANDLERS: Final = """
    SELECT symbol_id >> 16, count(*), sum(is_empty) FROM handlings WHERE kind = 'catch' GROUP BY 1
"""

_KINDS: Final = "SELECT id >> 16, kind, count(*) FROM symbols WHERE kind <> 'module' GROUP BY 1, 2"


class MeasuredRecord(NamedTuple):
    """What was counted in a function, or in a whole file (kind module; its complexity is that of code outside functions)."""

    symbol_id: SymbolId
    file_id: FileId
    kind: str
    qualname: str
    signature: str
    line: int
    end_line: int
    cyclomatic: int
    cognitive: int
    max_nesting: int
    code_lines: int
    operators: int
    distinct_operators: int
    operands: int
    distinct_operands: int


class WrittenText(NamedTuple):
    """A comment, or a doc comment where `kind` says what of; its place is that of what it documents then."""

    file_id: FileId
    line: int
    end_line: int
    text: str
    kind: str | None = None


class HandlerCount(NamedTuple):
    """How many handlers of errors a file has, and how many of them do nothing."""

    file_id: FileId
    handlers: int
    empty: int


class MeasureQueries:
    """Questions that read one table from end to end."""

    def __init__(self, selection: Selection) -> None:
        self._selection = selection

    def functions(self) -> list[MeasuredRecord]:
        """All that has measures, in the order of ids, that is by file."""
        return list(map(MeasuredRecord._make, self._selection.rows(_FUNCTIONS)))

    def comments(self) -> Iterator[WrittenText]:
        """All comments, by file and in the order of the text."""
        return (WrittenText(*row) for row in self._selection.rows(_COMMENTS))

    def docs(self) -> Iterator[WrittenText]:
        """All doc comments, by file."""
        for file, kind, line, text in self._selection.rows(_DOCS):
            yield WrittenText(file, line, line, text, kind)

    def handlers(self) -> list[HandlerCount]:
        """Handlers of errors by file."""
        return list(map(HandlerCount._make, self._selection.rows(_HANDLERS)))

    def kinds(self, files: Collection[int]) -> dict[str, int]:
        """How many symbols of each kind some files have, the most first."""
        found: Counter[str] = Counter()
        for file, kind, count in self._selection.rows(_KINDS):
            if file in files:
                found[kind] += count
        return dict(found.most_common())
