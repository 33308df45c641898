"""Complexity of functions and files, from what the scan counted.

What it does: cyclomatic and cognitive complexity and nesting of each function as the index has them, Halstead's
measures and the maintainability index computed from its counts of tokens, and the functions over a threshold.
Why it matters: complex functions are where readers lose their way and tests leave paths out.
Example: a function with nine conditions in three loops, where two smaller ones would be read at a glance.
Known limits: closures count for themselves, not for what they stand in; docs/quality.md has the rules by language.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.analyses.index_cache import PerState
from drift.quality.findings import Finding, finding, in_order
from drift.quality.hours import complexity_minutes

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from drift.index import IndexReader
    from drift.index.measure_queries import MeasuredRecord
    from drift.index.records import FileRecord
    from drift.quality.scope import Scope

# The limits that linters of all these languages start with (McCabe's ten, SonarSource's fifteen).
MAX_CYCLOMATIC: Final = 10
MAX_COGNITIVE: Final = 15
MAX_NESTING: Final = 5
_GRAVE: Final = 2  # times the limit makes an error of a warning


class Limits(NamedTuple):
    """The highest values that are still fine."""

    cyclomatic: int = MAX_CYCLOMATIC
    cognitive: int = MAX_COGNITIVE
    nesting: int = MAX_NESTING


@dataclass(frozen=True, slots=True)
class Halstead:
    """Halstead's measures of a piece of code; null where there is nothing to count."""

    volume: float | None
    difficulty: float | None
    effort: float | None


class FunctionMeasures(NamedTuple):
    """A function and its measures."""

    file: str
    counted: MeasuredRecord

    @property
    def function(self) -> str:
        return self.counted.qualname

    @property
    def line(self) -> int:
        return self.counted.line

    @property
    def end_line(self) -> int:
        return self.counted.end_line

    @property
    def cyclomatic(self) -> int:
        return self.counted.cyclomatic

    @property
    def cognitive(self) -> int:
        return self.counted.cognitive

    @property
    def nesting(self) -> int:
        return self.counted.max_nesting

    @property
    def code_lines(self) -> int:
        return self.counted.code_lines

    @property
    def signature(self) -> str:
        return self.counted.signature

    @property
    def halstead(self) -> Halstead:
        return halstead(self.counted)


@dataclass(frozen=True, slots=True)
class FileMeasures:
    """A file and its measures: sums over its functions and the code outside them, Halstead's of the whole file."""

    file: str
    language: str | None
    functions: int
    cyclomatic: int
    max_cyclomatic: int
    cognitive: int
    max_cognitive: int
    average_cognitive: float
    max_nesting: int
    code_lines: int
    halstead: Halstead
    maintainability: float | None


class Measures(NamedTuple):
    """What was measured of a scope."""

    functions: tuple[FunctionMeasures, ...]
    files: tuple[FileMeasures, ...]


def halstead(one: MeasuredRecord) -> Halstead:
    """Volume N·log2 n, difficulty n1/2·N2/n2, effort their product."""
    vocabulary = one.distinct_operators + one.distinct_operands
    length = one.operators + one.operands
    if vocabulary == 0 or one.distinct_operands == 0:
        return Halstead(None, None, None)
    volume = length * math.log2(vocabulary)
    difficulty = one.distinct_operators / 2 * one.operands / one.distinct_operands
    return Halstead(round(volume, 2), round(difficulty, 2), round(volume * difficulty, 2))


def maintainability(
    volume: float | None, cyclomatic: int, *, code_lines: int, comment_percent: float
) -> float | None:
    """The index of Oman and Hagemeister, scaled to 0..100, with the term for comments that later tools added."""
    if not volume or code_lines < 1:
        return None
    comments = 50 * math.sin(math.sqrt(2.46 * math.radians(comment_percent)))
    raw = 171 - 5.2 * math.log(volume) - 0.23 * cyclomatic - 16.2 * math.log(code_lines) + comments
    return round(min(100.0, max(0.0, raw * 100 / 171)), 1)


_measured: Final = PerState["dict[int, list[MeasuredRecord]]"]()


def records_by_file(reader: IndexReader) -> Mapping[int, list[MeasuredRecord]]:
    """All that has measures, by file; read once for each state of the index."""

    def read() -> dict[int, list[MeasuredRecord]]:
        found: dict[int, list[MeasuredRecord]] = defaultdict(list)
        for one in reader.measures.functions():
            found[one.file_id].append(one)
        return dict(found)

    return _measured.get(reader, read)


def measure(reader: IndexReader, scope: Scope) -> Measures:
    """The measures of the functions and files of a scope, by file."""
    records = records_by_file(reader)
    functions: list[FunctionMeasures] = []
    files: list[FileMeasures] = []
    for file in scope.files:
        found = records.get(file.id, [])
        own = [one for one in found if one.kind != "module"]
        functions += [FunctionMeasures(file.path, one) for one in own]
        files.append(_file(file, found, own))
    return Measures(tuple(functions), tuple(files))


def _file(
    file: FileRecord, records: Sequence[MeasuredRecord], functions: Sequence[MeasuredRecord]
) -> FileMeasures:
    outside = next((one for one in records if one.kind == "module"), None)
    cyclomatic = sum(one.cyclomatic for one in functions) + (outside.cyclomatic - 1 if outside else 0)
    cognitive = sum(one.cognitive for one in functions)
    whole = halstead(outside) if outside else Halstead(None, None, None)
    code, comments = file.code_lines or 0, file.comment_lines or 0
    share = 100 * comments / (code + comments) if code + comments else 0.0
    return FileMeasures(
        file.path,
        file.language,
        len(functions),
        cyclomatic,
        max((one.cyclomatic for one in functions), default=0),
        cognitive + (outside.cognitive if outside else 0),
        max((one.cognitive for one in functions), default=0),
        round(cognitive / len(functions), 2) if functions else 0.0,
        max((one.max_nesting for one in functions), default=0),
        code,
        whole,
        maintainability(whole.volume, max(1, cyclomatic), code_lines=code, comment_percent=share),
    )


def complexity_findings(functions: Iterable[FunctionMeasures], limits: Limits) -> tuple[Finding, ...]:
    """A finding for each measure of a function that is over its limit; from twice the limit on, an error."""
    # Nearly all functions are within the limits, so that much is asked of the counts alone.
    suspects = [
        one
        for one in functions
        if one.counted.cyclomatic > limits.cyclomatic
        or one.counted.cognitive > limits.cognitive
        or one.counted.max_nesting > limits.nesting
    ]
    return in_order(found for one in suspects for found in _over(one, limits))


def _over(one: FunctionMeasures, limits: Limits) -> Iterable[Finding]:
    for rule, value, limit in (
        ("complexity/cyclomatic", one.cyclomatic, limits.cyclomatic),
        ("complexity/cognitive", one.cognitive, limits.cognitive),
        ("complexity/nesting", one.nesting, limits.nesting),
    ):
        if value > limit:
            name = rule.partition("/")[2]
            is_grave = value > _GRAVE * limit and rule != "complexity/nesting"
            yield finding(
                rule,
                f"{one.function} has a {name} {'depth' if name == 'nesting' else 'complexity'} of {value}; {limit} is the limit",
                file=one.file,
                lines=(one.line, one.end_line),
                symbol=one.function,
                snippet=one.signature,
                severity="error" if is_grave else None,
                evidence={name: value, "limit": limit, "code_lines": one.code_lines, "minutes": complexity_minutes(value - limit)},
            )  # fmt: skip
