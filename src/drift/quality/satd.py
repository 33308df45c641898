"""Debt that comments admit: TODO, FIXME, workarounds and doubts, in every form of comment the languages have.

What it does: reads all comments of the index, trailing, block and doc comments among them, for the words of satd.toml.
Why it matters: what was put off and said so is the cheapest debt to find, and is forgotten all the same.
Example: `# FIXME: not thread-safe` above a cache that two threads share.
Known limits: of a comment the index keeps 500 characters, of a doc comment 2,000; words of other languages than English
are not known.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from drift.analyses.index_cache import PerState
from drift.history import line_origins
from drift.index.path_text import text_to_path
from drift.kernel.reading import read_file
from drift.kernel.text import shorten
from drift.quality.debt_words import SEVERITIES, Admission, admitted_debt
from drift.quality.findings import Finding, finding, in_order
from drift.quality.hours import comment_minutes

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from pathlib import Path

    from drift.index import IndexReader
    from drift.index.measure_queries import WrittenText
    from drift.quality.rules import Severity
    from drift.quality.scope import Scope

Form = Literal["comment", "doc comment"]

_LONGEST_TEXT: Final = 200
_MOST_BYTES: Final = 4_000_000
_SECONDS_A_DAY: Final = 86_400
_GRAVITY: Final[dict[str, Severity]] = {
    "critical": "error",
    "high": "warning",
    "medium": "info",
    "low": "info",
}


@dataclass(frozen=True, slots=True)
class DebtComment:
    """A comment that admits debt. Its age is null where git was not asked or does not know the line."""

    file: str
    line: int
    category: str
    severity: str
    marker: str
    text: str
    form: Form
    age_days: int | None = None


class _Found(NamedTuple):
    admission: Admission
    written: WrittenText


_admissions: Final = PerState["dict[int, list[_Found]]"]()


def admissions_by_file(reader: IndexReader) -> Mapping[int, list[_Found]]:
    """All comments that admit debt, by file; read once for each state of the index."""

    def read() -> dict[int, list[_Found]]:
        found: dict[int, list[_Found]] = {}
        for texts in (reader.measures.comments(), reader.measures.docs()):
            for written in texts:
                admission = admitted_debt(written.text)
                if admission is not None:
                    found.setdefault(written.file_id, []).append(_Found(admission, written))
        return found

    return _admissions.get(reader, read)


def find_debt(reader: IndexReader, root: Path, scope: Scope) -> tuple[DebtComment, ...]:
    """The comments of a scope that admit debt, the gravest first."""
    found = admissions_by_file(reader)
    rows = [
        row
        for file in scope.files
        for row in _rows(root, file.path, found.get(file.id, ()))
    ]  # fmt: skip
    return tuple(
        sorted(rows, key=lambda row: (-SEVERITIES.index(_severity(row)), row.file, row.line, row.text))
    )


def _severity(row: DebtComment) -> Literal["low", "medium", "high", "critical"]:
    return next(each for each in SEVERITIES if each == row.severity)


def _rows(root: Path, path: str, found: Sequence[_Found]) -> Iterator[DebtComment]:
    lines: list[str] | None = None
    for admission, written in found:
        text = written.text.split("\n")[admission.line].strip()
        line = written.line + admission.line
        form: Form = "comment"
        if written.kind is not None:
            form = "doc comment"
            lines = _lines(root, path) if lines is None else lines
            line = _place(lines, written.line, text)
        yield DebtComment(
            path, line, admission.category, admission.severity, admission.marker.lower(),
            shorten(text, _LONGEST_TEXT), form,
        )  # fmt: skip


def _lines(root: Path, path: str) -> list[str]:
    """The lines of a file; none where it is gone or too long, and doc comments stay with what they document."""
    try:
        return read_file(root, text_to_path(path), _MOST_BYTES).decode("utf-8", "replace").split("\n")
    except (OSError, ValueError):
        return []


def _place(lines: Sequence[str], line: int, text: str) -> int:
    """The line of a doc comment's text: the nearest to what it documents that has it."""
    having = [number for number, each in enumerate(lines, 1) if text and text in each]
    return min(having, key=lambda number: (abs(number - line), number), default=line)


def with_ages(rows: Sequence[DebtComment], root: Path, *, most_files: int) -> tuple[DebtComment, ...]:
    """The rows with the age of their lines at HEAD, for the first so many files: one look of git at each."""
    files = list(dict.fromkeys(row.file for row in rows))[:most_files]
    wanted: dict[str, Collection[int]] = {
        text_to_path(file): {row.line for row in rows if row.file == file} for file in files
    }
    origins, head_time = line_origins(root, wanted)
    if head_time is None:
        return tuple(rows)
    return tuple(
        replace(row, age_days=max(0, head_time - origin.time) // _SECONDS_A_DAY)
        if (origin := origins.get((text_to_path(row.file), row.line))) is not None
        else row
        for row in rows
    )


def debt_findings(rows: Sequence[DebtComment]) -> tuple[Finding, ...]:
    """A finding for each comment."""
    return in_order(
        finding(
            "debt/comment",
            f"{row.category}: {row.text}",
            file=row.file,
            lines=(row.line, row.line),
            snippet=row.text,
            severity=_GRAVITY[row.severity],
            evidence={"category": row.category, "marker": row.marker, "minutes": comment_minutes(row.category)},
        )
        for row in rows
    )  # fmt: skip
