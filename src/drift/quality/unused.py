"""Dead code as findings and by file: what `analyses/dead_code` finds, for gates and reports."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from drift.analyses.dead_code.finding import (
    Asked,
    DeadRow,
    DeadSymbol,
    Level,
    dead_row,
    look_through,
)
from drift.kernel.ranking import Ranked, Sort
from drift.kernel.text import plural
from drift.quality.findings import Finding, finding, in_order
from drift.quality.hours import dead_code_minutes
from drift.quality.reporters import Report, Table

if TYPE_CHECKING:
    from drift.index import IndexReader
    from drift.index.records import FileRecord
    from drift.quality.scope import Scope

_LEVELS: Final[tuple[Level, ...]] = ("high", "medium", "low")

UNUSED_SORTS: Final[Mapping[str, Sort[DeadSymbol]]] = {
    "confidence": Sort(lambda one: (-one.confidence, one.symbol.path, one.symbol.line, one.symbol.qualname), "desc"),
    "lines": Sort(lambda one: (-one.lines,), "desc"),
    "file": Sort(lambda one: (one.symbol.path, one.symbol.line)),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class UnusedFile:
    """A file, its symbols without a known use, and the lines that would go with them."""

    file: str
    symbols: int
    lines: int
    percent: float


@dataclass(frozen=True, slots=True)
class UnusedData:
    """Symbols without a known use. `percent` is of all lines in the scope."""

    total: int
    lines: int
    percent: float
    by_level: dict[str, int]
    top_files: tuple[UnusedFile, ...]
    symbols: tuple[DeadRow, ...] | None = None
    document: str | None = None


def find_unused(
    reader: "IndexReader", root: Path, scope: "Scope", *, min_level: Level, check: Callable[[], None]
) -> tuple[DeadSymbol, ...]:
    """What nobody is seen to use in a scope, down to a confidence; the project is looked through once for each state."""
    every = look_through(reader, root, Asked(), check_cancelled=check)
    paths, levels = scope.paths, _LEVELS[: _LEVELS.index(min_level) + 1]
    return tuple(one for one in every.found if one.symbol.path in paths and one.level in levels)


def unused_lines(found: Sequence[DeadSymbol]) -> dict[str, int]:
    """The lines that would go, by file; of one inside another, the outer's alone."""
    spans: dict[str, set[int]] = defaultdict(set)
    for one in found:
        spans[one.symbol.path].update(range(one.symbol.line, one.symbol.end_line + 1))
    return {path: len(lines) for path, lines in spans.items()}


def unused_percent(found: Sequence[DeadSymbol], scope: "Scope") -> float:
    """How much of all lines of a scope would go."""
    lines = sum(unused_lines(found).values())
    return round(100 * lines / max(1, lines, sum(map(_length, scope.files))), 2)


def _length(file: "FileRecord") -> int:
    return (file.code_lines or 0) + (file.comment_lines or 0) + (file.blank_lines or 0)


def unused_findings(found: Sequence[DeadSymbol]) -> tuple[Finding, ...]:
    return in_order(
        finding(
            "dead-code/unused",
            f"{one.symbol.kind} {one.symbol.qualname} has no known use",
            file=one.symbol.path,
            lines=(one.symbol.line, one.symbol.end_line),
            symbol=one.symbol.qualname,
            snippet=one.symbol.signature,
            severity="warning" if one.level == "high" else "info",
            evidence={"confidence": one.confidence, "lines": one.lines, "minutes": dead_code_minutes()},
        )
        for one in found
    )


def told_unused(
    found: Sequence[DeadSymbol], scope: "Scope", *, top_files: int, write: Callable[[Report], str] | None
) -> Callable[[tuple[DeadSymbol, ...]], UnusedData]:
    """How a page of them is told."""
    files = _by_file(found, scope)
    lines = sum(one.lines for one in files)
    document = write(_report(found, scope)) if write else None

    def data(shown: tuple[DeadSymbol, ...]) -> UnusedData:
        return UnusedData(
            len(found),
            lines,
            unused_percent(found, scope),
            {level: sum(one.level == level for one in found) for level in _LEVELS},
            tuple(files[:top_files]),
            tuple(map(dead_row, shown)) or None,
            document,
        )

    return data


def unused_summary(found: Sequence[DeadSymbol]) -> str:
    high = sum(one.level == "high" for one in found)
    return f"{plural(len(found), 'symbol')} with no known use ({high} high confidence), {plural(sum(unused_lines(found).values()), 'line')}"


def ranked_unused(found: Sequence[DeadSymbol]) -> Ranked[DeadSymbol]:
    return Ranked(found, UNUSED_SORTS)


def _by_file(found: Sequence[DeadSymbol], scope: "Scope") -> list[UnusedFile]:
    length = {one.path: _length(one) for one in scope.files}
    symbols: dict[str, int] = defaultdict(int)
    for one in found:
        symbols[one.symbol.path] += 1
    rows = [
        UnusedFile(path, symbols[path], lines, round(100 * lines / max(lines, length[path]), 1))
        for path, lines in unused_lines(found).items()
    ]
    return sorted(rows, key=lambda row: (-row.lines, row.file))


def _report(found: Sequence[DeadSymbol], scope: "Scope") -> Report:
    rows = tuple(
        (row.file, row.line, row.kind, row.symbol, row.lines, row.level, row.confidence, "; ".join(row.doubts))
        for row in map(dead_row, found)
    )  # fmt: skip
    table = Table(
        "symbols", ("file", "line", "kind", "symbol", "lines", "level", "confidence", "doubts"), rows
    )
    return Report(
        "analyze_dead_code", scope.subject, unused_summary(found), (), (table,), unused_findings(found)
    )
