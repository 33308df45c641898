"""Code that is not written yet, checked at the place it is to have.

What it does: reads and links a text or a fragment as if it stood in its file, and runs the checks of texts over it.
Why it matters: what is made up, called wrongly or done otherwise than here is told before anybody reviews it.
Example: `cart.totals()` where Cart has `total`, with the line and the name that is there.
Known limits: what a class outside the project has is known of Python's own library alone; of others only slips are told.
"""

from dataclasses import dataclass
from typing import Final

from drift.conventions.mining import Convention
from drift.conventions.picture import Picture
from drift.guards.constraints.book import read_book
from drift.guards.constraints.verifying import ENFORCED
from drift.guards.fragments import Kind, Placed, place_fragment
from drift.guards.overlay import overlaid, require_code
from drift.guards.text_checks import Subject, check_text
from drift.index import IndexReader
from drift.index.path_text import path_to_text, text_to_path
from drift.kernel.errors import invalid
from drift.kernel.reading import read_text
from drift.kernel.text import plural
from drift.languages.table import language_of
from drift.project import Project
from drift.quality.findings import Finding, in_order

MOST_BYTES: Final = 1_000_000
_COSTS: Final = {"error": 20, "warning": 10, "info": 5}
_MOST_EXPECTED: Final = 12


@dataclass(frozen=True, slots=True)
class ViolationRow:
    """One thing that is wrong: the rule, the line in the given code, what to do, and the numbers behind it."""

    rule: str
    severity: str
    message: str
    line: int
    suggestion: str | None = None
    evidence: dict[str, int | float | str] | None = None


@dataclass(frozen=True, slots=True)
class ExpectedRow:
    """A convention of the place that the code has to do with: `followed` of `sites` places do so; whether it does."""

    id: str
    rule: str
    followed: int
    sites: int
    is_met: bool


@dataclass(frozen=True, slots=True)
class PrevalidationData:
    """Whether the code may stand there. `score` is 100 less 20 for each error, 10 for a warning, 5 for a hint."""

    file: str
    valid: bool
    score: int
    violations: tuple[ViolationRow, ...]
    expected_patterns: tuple[ExpectedRow, ...]
    suggestions: tuple[str, ...]
    missing: tuple[str, ...] = ()
    """What was not looked for, and why."""


def prevalidate(
    reader: IndexReader, project: Project, picture: Picture, *, code: str, target: str, kind: Kind
) -> PrevalidationData:
    """What is wrong with code that is to stand in a file, which need not exist."""
    if len(code.encode("utf-8", "surrogatepass")) > MOST_BYTES:
        raise invalid("code", f"longer than {MOST_BYTES:,} bytes")
    path = text_to_path(target)
    require_code("target_file", path)
    placed = _place(reader, project, code=code, path=path, kind=kind)
    with overlaid(project.root, reader, {path: placed.text}) as overlay:
        subject = Subject(project.root, overlay, overlay.files[path], project, picture, ENFORCED)
        found = in_order(one for one in check_text(subject) if _is_of_code(one, placed))
        sites = subject.sites
    expected = [
        _expected(each.convention, is_met=each.follows is not False or each.is_excused)
        for each in (sites.sites if sites is not None else ())
        if each.convention is not None and placed.holds(each.site.line)
    ]
    return PrevalidationData(
        target,
        not any(one.severity == "error" for one in found),
        max(0, 100 - sum(_COSTS[one.severity] for one in found)),
        tuple(_row(one, placed) for one in found),
        _first_of_each(expected),
        tuple(dict.fromkeys(one.suggestion for one in found if one.suggestion)),
        (*(sites.missing if sites is not None else ()), *read_book(project.state).problems),
    )


def summary_of(data: PrevalidationData) -> str:
    """One line about what was found."""
    if not data.violations:
        return f"Nothing is wrong with it at {data.file}"
    worst = data.violations[0]
    return f"{plural(len(data.violations), 'violation')} at {data.file}, score {data.score}: line {worst.line}, {worst.message}"


def _place(reader: IndexReader, project: Project, *, code: str, path: str, kind: Kind) -> Placed:
    language = language_of(path.rpartition("/")[2])
    if kind == "full-file":
        return place_fragment(code, None, language=language, kind=kind)
    try:
        existing: str | None = read_text(project.root, path, MOST_BYTES, follow_links=False)
    except (OSError, ValueError):
        existing = None
    record = reader.files.at(path_to_text(path))
    symbols = reader.symbols.of_file(record.id) if record is not None and existing is not None else ()
    return place_fragment(code, existing, language=language, kind=kind, symbols=symbols)


def _is_of_code(found: Finding, placed: Placed) -> bool:
    return any(placed.holds(line) for line in (found.line, found.end_line))


def _row(found: Finding, placed: Placed) -> ViolationRow:
    line = max(1, placed.line_of(found.line))
    return ViolationRow(found.rule, found.severity, found.message, line, found.suggestion, found.evidence)


def _expected(convention: Convention, *, is_met: bool) -> ExpectedRow:
    return ExpectedRow(convention.id, convention.rule, convention.followed, len(convention.sites), is_met)


def _first_of_each(rows: list[ExpectedRow]) -> tuple[ExpectedRow, ...]:
    """Each convention once, those that are not met first."""
    kept: dict[str, ExpectedRow] = {}
    for row in sorted(rows, key=lambda each: each.is_met):
        kept.setdefault(row.id, row)
    return tuple(kept.values())[:_MOST_EXPECTED]
