"""A change of a file, checked: what it is responsible for, and what it breaks elsewhere.

What it does: runs the checks of texts over the file as it was and as it would be, and tells what is new; asks who calls
what is gone or takes other arguments now, and which tests run what changed.
Why it matters: old debts are nobody's news, and callers with the old signature break out of sight.
Known limits: other files are taken as the index has them; what they make of a changed return value is not asked.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from drift.analyses.reaching_tests import find_reaching_tests
from drift.conventions.text_sites import PlacedSite
from drift.guards.constraints.book import read_book
from drift.guards.contracts import BrokenCaller, LostName, broken_callers, lost_names
from drift.guards.diffs import Move, apply_diff, changed_lines, has_hunks, read_move
from drift.guards.gone_files import RULE as MISSING_FILE
from drift.guards.gone_files import importers_of, lost_imports
from drift.guards.lost_safeguards import (
    FormerCalls,
    Guards,
    Safeguards,
    calls_by_function,
    guards_in,
    lost_assertions,
    lost_safeguards,
)
from drift.guards.overlay import OverlaidFile, Overlay, overlaid, require_code
from drift.guards.prevalidation import MOST_BYTES, ViolationRow
from drift.guards.text_checks import Subject, check_text, tell_unawaited
from drift.guards.waiting import lost_awaits
from drift.index.ids import SymbolId
from drift.index.path_text import text_to_path
from drift.kernel.errors import invalid
from drift.kernel.paths import resolve_inside
from drift.kernel.reading import read_text
from drift.kernel.text import plural
from drift.languages.kinds import CODE_KINDS
from drift.quality.findings import Finding, finding, in_order

if TYPE_CHECKING:
    from drift.conventions.picture import Picture
    from drift.index import IndexReader
    from drift.project import Project

_COSTS: Final = {"error": 20, "warning": 10, "info": 5}
_MOST_SYMBOLS: Final = 8  # whose tests are looked for
_MOST_TESTS: Final = 20
_MOST_NAMED: Final = 10


@dataclass(frozen=True, slots=True)
class ComplianceRow:
    """A convention that the change has to do with: compliant, partial or missing, and the share of its places that follow."""

    pattern_id: str
    status: Literal["compliant", "partial", "missing"]
    score: int
    details: str


@dataclass(frozen=True, slots=True)
class CallerRow:
    """A caller that the change breaks; without a problem what it calls is gone."""

    file: str
    line: int
    caller: str
    calls: str
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class SemanticRow:
    """What the change does: functions that came, changed or went, and what it imports that was not imported before."""

    added: tuple[str, ...]
    changed: tuple[str, ...]
    removed: tuple[str, ...]
    imports: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CoveringTest:
    """A test that runs something the change touches, and over how many calls."""

    test: str
    file: str
    line: int
    depth: int


@dataclass(frozen=True, slots=True)
class ValidationData:
    """How a change fares. `overallScore` is 100 less 20 for each error, 10 for a warning, 5 for a hint."""

    file: str
    status: Literal["pass", "warn", "fail"]
    overall_score: int
    violations: tuple[ViolationRow, ...]
    broken_callers: tuple[CallerRow, ...]
    compliance: tuple[ComplianceRow, ...]
    semantic_validation: SemanticRow
    tests: tuple[CoveringTest, ...]
    suggestions: tuple[str, ...]
    missing: tuple[str, ...] = ()


class Change(NamedTuple):
    """A file as it was and as it would be; None for not at all. With `target` it is renamed to that."""

    path: str
    before: str | None
    after: str | None
    target: str | None = None

    @property
    def place(self) -> str:
        """Where the file is after the change."""
        return self.target or self.path

    @property
    def texts(self) -> dict[str, str | None]:
        """What the change makes of the project."""
        moved: dict[str, str | None] = {} if self.target is None else {self.target: self.after}
        return {self.path: self.after if self.target is None else None, **moved}


def read_change(project: "Project", file: str, *, content: str | None, diff: str | None) -> Change:
    """The change that a content or a diff makes of a file on disk."""
    if (content is None) == (diff is None):
        raise invalid("content", "give either content, all of the file after the change, or diff")
    moved = _read_move(project, file, diff or "")
    path = text_to_path(moved.former or file)
    require_code("file", path)
    try:
        before: str | None = read_text(project.root, path, MOST_BYTES, follow_links=False)
    except FileNotFoundError:
        before = None
    except (OSError, ValueError) as error:
        raise invalid("file", f"{file} cannot be read: {error}") from error
    if moved.is_deletion:
        return Change(path, before, None)
    after = content if content is not None else before or ""
    if diff is not None and (moved.target is None or has_hunks(diff)):
        after = apply_diff(before or "", diff)
    if len(after.encode("utf-8", "surrogatepass")) > MOST_BYTES:
        raise invalid("content", f"longer than {MOST_BYTES:,} bytes")
    return Change(path, before, after, text_to_path(moved.target) if moved.target is not None else None)


def _read_move(project: "Project", file: str, diff: str) -> Move:
    """What a diff does to the file itself; refused where that is another file, or one outside."""
    moved = read_move(diff)
    if moved.former is None or moved.target is None:
        return moved
    former, target = (resolve_inside(project.root, each) for each in (moved.former, moved.target))
    if file not in {former, target}:
        raise invalid("diff", f"it renames {former}, not {file}")
    return Move(former, target) if former != target else Move()


class Judged(NamedTuple):
    """What came of a change: new findings, callers it breaks, sites it decides, what it does, tests that run it."""

    findings: tuple[Finding, ...]
    callers: tuple[BrokenCaller, ...]
    sites: tuple[PlacedSite, ...]
    semantic: SemanticRow
    touched: tuple[SymbolId, ...]
    missing: tuple[str, ...] = ()


def judge(reader: "IndexReader", project: "Project", picture: "Picture | None", change: Change) -> Judged:
    """What a change is responsible for."""
    known: list[Finding] = []
    former: OverlaidFile | None = None
    guards: Guards = {}
    calls: dict[str, FormerCalls] = {}
    if change.before is not None:
        with overlaid(project.root, reader, {change.path: change.before}) as overlay:
            former = overlay.files[change.path]
            known = check_text(Subject(project.root, overlay, former, project, picture))
            guards, calls = guards_in(overlay, former), calls_by_function(former)
    elsewhere = _lost_imports(reader, project, change)
    with overlaid(project.root, reader, change.texts) as overlay:
        file = overlay.files.get(change.place)
        callers = tuple(broken_callers(overlay, former, file)) if former is not None else ()
        if file is None:
            gone = (*_told(callers, change.path), *elsewhere)
            return Judged(in_order(gone), callers, (), _semantic(former, None), ())
        if former is not None:
            told = {one.called for one in callers}
            lost = [one for one in lost_names(overlay, former, file) if one.name not in told]
            elsewhere = (*elsewhere, *_told_names(lost, change.place))
            elsewhere += lost_safeguards(overlay, Safeguards(former, guards, calls), file)
        subject = Subject(project.root, overlay, file, project, picture)
        lines = changed_lines(change.before, change.after or "")
        new = _new(check_text(subject), known)
        if former is not None:
            told_lines = {(one.rule, one.line) for one in new}
            awaits = (tell_unawaited(file, one) for one in lost_awaits(overlay, former, file))
            left = (*awaits, *lost_assertions(former, file))
            new += [one for one in left if (one.rule, one.line) not in told_lines]
        sites = subject.sites
        placed = tuple(each for each in sites.sites if each.site.line in lines) if sites is not None else ()
        return Judged(
            in_order([*new, *_told(callers, change.place), *elsewhere]), callers, placed, _semantic(former, file),
            _touched(overlay, file, lines),
            (*(sites.missing if sites is not None else ()), *read_book(project.state).problems),
        )  # fmt: skip


def _lost_imports(reader: "IndexReader", project: "Project", change: Change) -> tuple[Finding, ...]:
    """What is told of those who import a file that the change takes away or renames."""
    if change.before is None or (change.after is not None and change.target is None):
        return ()
    texts = {path: text.encode() if text is not None else None for path, text in change.texts.items()}
    importers = importers_of(reader, change.path)
    before = {change.path: change.before.encode()}
    found = list(lost_imports(project.root, reader, importers, before=before, now=texts))
    if not found:
        return ()
    places = ", ".join(f"{one.path}:{one.line}" for one in found[:_MOST_NAMED])
    return (
        finding(
            MISSING_FILE,
            f"{change.path} is gone and still has {plural(len(found), 'import')}: {places}",
            file=change.place,
            snippet=change.path,
            evidence={"imports": len(found)},
            suggestion=None if change.target is None else f"Import from {change.target}",
        ),
    )


def _told_names(lost: Sequence[LostName], path: str) -> tuple[Finding, ...]:
    """One finding for each name that is gone and still imported."""
    by_name: dict[str, list[LostName]] = {}
    for one in lost:
        by_name.setdefault(one.name, []).append(one)
    return tuple(
        finding(
            "contracts/removed",
            f"{name} is gone and still has {plural(len(found), 'import')}: "
            + ", ".join(f"{one.file}:{one.line}" for one in found[:_MOST_NAMED]),
            file=path,
            symbol=name,
            snippet=name,
            evidence={"imports": len(found)},
        )
        for name, found in by_name.items()
    )


def _new(findings: Sequence[Finding], known: Sequence[Finding]) -> list[Finding]:
    """Those of the findings that were not there before; of several alike as many as there are more."""
    left = Counter(one.id for one in known)
    new = []
    for one in findings:
        if left[one.id] > 0:
            left[one.id] -= 1
        else:
            new.append(one)
    return new


def _told(callers: Sequence[BrokenCaller], path: str) -> tuple[Finding, ...]:
    """One finding for each thing that changed, with how many callers it breaks and the first of them."""
    by_called: dict[str, list[BrokenCaller]] = {}
    for one in callers:
        by_called.setdefault(one.called, []).append(one)
    return tuple(_tell(called, broken, path) for called, broken in by_called.items())


def _tell(called: str, broken: Sequence[BrokenCaller], path: str) -> Finding:
    first = broken[0]
    places = ", ".join(f"{one.file}:{one.caller_line}" for one in broken[:_MOST_NAMED])
    count = plural(len(broken), "caller")
    is_gone = first.problem is None
    told = (
        f"{called} is gone and has {count}"
        if is_gone
        else f"{called} no longer fits {count} ({first.problem})"
    )
    return finding(
        "contracts/removed" if is_gone else "contracts/caller",
        f"{told}: {places}",
        file=path,
        lines=(first.line, first.line),
        symbol=called,
        snippet=f"{called} {first.problem or ''}",
        evidence={"callers": len(broken)},
        suggestion=None
        if is_gone
        else f"Change the callers to {first.signature}, or give what is new a default",
    )


def _semantic(before: OverlaidFile | None, after: OverlaidFile | None) -> SemanticRow:
    then, now = _functions(before), _functions(after)
    imports = [] if after is None else [each.module for each in after.facts.imports]
    known = set() if before is None else {each.module for each in before.facts.imports}
    return SemanticRow(
        tuple(name for name in now if name not in then),
        tuple(name for name in now if name in then and now[name] != then[name]),
        tuple(name for name in then if name not in now),
        tuple(dict.fromkeys(each for each in imports if each not in known)),
    )


def _functions(file: OverlaidFile | None) -> dict[str, str]:
    if file is None:
        return {}
    return {
        file.names[number]: "\n".join(file.lines[symbol.line - 1 : symbol.end_line])
        for number, symbol in enumerate(file.facts.symbols)
        if symbol.kind in CODE_KINDS
    }


def _touched(overlay: Overlay, file: OverlaidFile, lines: frozenset[int]) -> tuple[SymbolId, ...]:
    """The functions of the index that the changed lines are in."""
    found = []
    numbers = file.draft.numbers
    for number, symbol in enumerate(file.facts.symbols):
        if symbol.kind in CODE_KINDS and not lines.isdisjoint(range(symbol.line, symbol.end_line + 1)):
            own = numbers[number] if numbers is not None else number
            id_ = SymbolId(file.draft.rows.file.id << 16 | own)
            record = None if file.draft.is_new else overlay.reader.symbols.get(id_)
            if record is not None and record.qualname == file.names[number]:
                found.append(id_)
    return tuple(found[:_MOST_SYMBOLS])


def validate_change(
    reader: "IndexReader", project: "Project", picture: "Picture", change: Change, *, strict: bool
) -> ValidationData:
    """How a change fares, as an answer. With `strict` a warning fails it, too."""
    judged = judge(reader, project, picture, change)
    severities = {one.severity for one in judged.findings}
    is_failed = "error" in severities or (strict and "warning" in severities)
    return ValidationData(
        change.place,
        "fail" if is_failed else "warn" if "warning" in severities else "pass",
        max(0, 100 - sum(_COSTS[one.severity] for one in judged.findings)),
        tuple(_row(one) for one in judged.findings),
        tuple(
            CallerRow(one.file, one.caller_line, one.caller, one.called, one.problem)
            for one in judged.callers
        ),
        _compliance(judged.sites),
        judged.semantic,
        covering_tests(reader, judged.touched),
        tuple(dict.fromkeys(one.suggestion for one in judged.findings if one.suggestion)),
        judged.missing,
    )


def covering_tests(reader: "IndexReader", symbols: Sequence[SymbolId]) -> tuple[CoveringTest, ...]:
    """The tests that run any of some symbols, the nearest first."""
    found: dict[tuple[str, str], CoveringTest] = {}
    for symbol in symbols:
        for one in find_reaching_tests(reader, symbol):
            key = (one.file, one.test)
            if key not in found or found[key].depth > one.depth:
                found[key] = CoveringTest(one.test, one.file, one.line, one.depth)
    return tuple(sorted(found.values(), key=lambda one: (one.depth, one.file, one.line))[:_MOST_TESTS])


def _row(one: Finding) -> ViolationRow:
    return ViolationRow(one.rule, one.severity, one.message, one.line, one.suggestion, one.evidence)


def _compliance(sites: Sequence[PlacedSite]) -> tuple[ComplianceRow, ...]:
    by_id: dict[str, list[PlacedSite]] = {}
    for each in sites:
        if each.convention is not None:
            by_id.setdefault(each.convention.id, []).append(each)
    rows = []
    for id_, placed in by_id.items():
        kept = sum(1 for each in placed if each.follows or each.is_excused)
        status: Literal["compliant", "partial", "missing"] = (
            "compliant" if kept == len(placed) else "partial" if kept else "missing"
        )
        rows.append(
            ComplianceRow(id_, status, round(100 * kept / len(placed)), f"{kept} of {len(placed)} new places")
        )
    return tuple(sorted(rows, key=lambda row: (row.score, row.pattern_id)))


def validation_summary(data: ValidationData) -> str:
    """One line about a change."""
    tests = f"; {plural(len(data.tests), 'test')} run it" if data.tests else ""
    if not data.violations:
        return f"{data.status}: nothing is wrong with the change of {data.file}{tests}"
    worst = data.violations[0]
    return f"{data.status}, score {data.overall_score}: {plural(len(data.violations), 'violation')}; line {worst.line}, {worst.message}{tests}"
