"""Coverage and duration reports that test runs leave behind, read as files nobody vouches for.

XML is read event by event, and a file that declares entities is refused: they can grow without end.
"""

import json
import os
import re
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Final, Literal, NamedTuple
from xml.parsers import expat

from drift.kernel.reading import opened
from drift.kernel.text import shorten

Format = Literal["cobertura", "lcov", "jacoco", "go cover", "coverage.py"]

_MOST_BYTES: Final = 60_000_000
_MOST_LINE: Final = 10_000_000
_MOST_JUNIT_FILES: Final = 500
_COVERAGE_PLACES: Final[tuple[tuple[str, Format], ...]] = (
    ("coverage.json", "coverage.py"),
    ("coverage.xml", "cobertura"),
    ("coverage/cobertura-coverage.xml", "cobertura"),
    ("cobertura.xml", "cobertura"),
    ("build/coverage.xml", "cobertura"),
    ("build/logs/cobertura.xml", "cobertura"),
    ("lcov.info", "lcov"),
    ("coverage/lcov.info", "lcov"),
    ("coverage.lcov", "lcov"),
    ("jacoco.xml", "jacoco"),
    ("target/site/jacoco/jacoco.xml", "jacoco"),
    ("build/reports/jacoco/test/jacocoTestReport.xml", "jacoco"),
    ("coverage.out", "go cover"),
    ("cover.out", "go cover"),
    ("c.out", "go cover"),
    ("coverage.txt", "go cover"),
    ("profile.cov", "go cover"),
)
_JUNIT_PLACES: Final = (
    "junit.xml", "report.xml", "test-results.xml", "test-results/*.xml", "reports/junit*.xml", "build/junit.xml",
    "target/surefire-reports/TEST-*.xml", "*/target/surefire-reports/TEST-*.xml", "build/test-results/*/*.xml",
    "TestResults/*.xml", "junit/*.xml",
)  # fmt: skip
_GO_LINE: Final = re.compile(
    r"(?P<path>.+):(?P<first>\d{1,8})\.\d{1,8},(?P<last>\d{1,8})\.\d{1,8} \d{1,8} (?P<times>\d{1,18})"
)


_Start = Callable[[str, dict[str, str]], None]


class UnreadableReportError(ValueError):
    """A report that is not what its name promises."""


class Lines(NamedTuple):
    """Of one file the lines that ran and those that could have."""

    hit: frozenset[int]
    known: frozenset[int]


class CoverageReport(NamedTuple):
    """A report, when it was written, and the lines of each file by the path it names."""

    path: str
    format: Format
    mtime_ns: int
    lines: dict[str, Lines]


class FoundReports(NamedTuple):
    """What was found: the newest report of coverage, seconds by (class, test), and what could not be read."""

    coverage: CoverageReport | None
    durations: dict[tuple[str, str], float]
    problems: tuple[str, ...]


def find_reports(root: Path) -> FoundReports:
    """The reports at the usual places of a project."""
    problems: list[str] = []
    found: list[CoverageReport] = []
    for place, kind in _COVERAGE_PLACES:
        report = _read_coverage(root, place, kind, problems)
        if report is not None and report.lines:
            found.append(report)
    newest = max(found, key=lambda one: one.mtime_ns, default=None)
    return FoundReports(newest, _read_durations(root, problems), tuple(problems))


def _read_coverage(root: Path, place: str, kind: Format, problems: list[str]) -> CoverageReport | None:
    if not (root / place).is_file():
        return None
    try:
        data, mtime_ns = _read(root, place)
        return CoverageReport(place, kind, mtime_ns, _PARSERS[kind](data))
    except (OSError, UnreadableReportError) as error:
        problems.append(f"{place}: {shorten(str(error), 160)}")
        return None


def _read(root: Path, place: str) -> tuple[bytes, int]:
    with opened(root, place) as file:
        content = file.read(_MOST_BYTES + 1)
        if len(content) > _MOST_BYTES:
            raise UnreadableReportError(f"larger than {_MOST_BYTES:,} bytes")
        return content, os.fstat(file.fileno()).st_mtime_ns


class _Gathered:
    """Lines by path while a report is read."""

    def __init__(self) -> None:
        self.hit: dict[str, set[int]] = defaultdict(set)
        self.known: dict[str, set[int]] = defaultdict(set)

    def note(self, path: str, line: int, *, ran: bool) -> None:
        if path and 0 < line <= _MOST_LINE:
            self.known[path].add(line)
            if ran:
                self.hit[path].add(line)

    def lines(self) -> dict[str, Lines]:
        return {
            path: Lines(frozenset(self.hit.get(path, ())), frozenset(known))
            for path, known in self.known.items()
        }


def parse_cobertura(data: bytes) -> dict[str, Lines]:
    """`class filename=` with `line number= hits=`."""
    found, here = _Gathered(), [""]

    def start(name: str, attributes: dict[str, str]) -> None:
        if name == "class":
            here[0] = attributes.get("filename", "")
        elif name == "line":
            found.note(here[0], _number(attributes.get("number")), ran=_number(attributes.get("hits")) > 0)

    _parse_xml(data, start, root_names={"coverage"})
    return found.lines()


def parse_jacoco(data: bytes) -> dict[str, Lines]:
    """`package name=` / `sourcefile name=` with `line nr= ci=`."""
    found, here = _Gathered(), ["", ""]

    def start(name: str, attributes: dict[str, str]) -> None:
        if name == "package":
            here[:] = [attributes.get("name", ""), ""]
        elif name == "sourcefile":
            here[1] = f"{here[0]}/{attributes.get('name', '')}".lstrip("/")
        elif name == "line":
            found.note(here[1], _number(attributes.get("nr")), ran=_number(attributes.get("ci")) > 0)

    _parse_xml(data, start, root_names={"report"})
    return found.lines()


def parse_lcov(data: bytes) -> dict[str, Lines]:
    """`SF:` with `DA:line,hits`."""
    found, here = _Gathered(), ""
    for line in data.decode("utf-8", "replace").splitlines():
        if line.startswith("SF:"):
            here = line[3:].strip()
        elif line.startswith("DA:"):
            number, _, rest = line[3:].partition(",")
            found.note(here, _number(number), ran=_number(rest.partition(",")[0]) > 0)
    return found.lines()


def parse_go_cover(data: bytes) -> dict[str, Lines]:
    """`path:first.column,last.column statements times` after a line `mode:`."""
    text = data.decode("utf-8", "replace")
    if not text.startswith("mode:"):
        raise UnreadableReportError("not a profile of go test: it does not begin with mode:")
    found = _Gathered()
    for row in text.splitlines()[1:]:
        match = _GO_LINE.fullmatch(row)
        if match is None:
            continue
        first, last = int(match["first"]), int(match["last"])
        if last - first > 100_000:  # noqa: PLR2004 - no block of code is so long
            continue
        for line in range(first, last + 1):
            found.note(match["path"], line, ran=int(match["times"]) > 0)
    return found.lines()


def parse_coverage_json(data: bytes) -> dict[str, Lines]:
    """`files` with `executed_lines` and `missing_lines`, as coverage.py writes it."""
    try:
        whole = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise UnreadableReportError(f"not JSON: {error}") from error
    entries = whole.get("files") if isinstance(whole, dict) else None
    if not isinstance(entries, dict):
        raise UnreadableReportError("not a report of coverage.py: it has no files")
    found = _Gathered()
    for path, entry in entries.items():
        for key, ran in (("executed_lines", True), ("missing_lines", False)):
            lines = entry.get(key) if isinstance(entry, dict) else None
            for line in lines if isinstance(lines, list) else ():
                if isinstance(line, int):
                    found.note(str(path), line, ran=ran)
    return found.lines()


_PARSERS: Final = {
    "cobertura": parse_cobertura,
    "jacoco": parse_jacoco,
    "lcov": parse_lcov,
    "go cover": parse_go_cover,
    "coverage.py": parse_coverage_json,
}


def parse_junit(data: bytes) -> dict[tuple[str, str], float]:
    """Seconds by (class, test) of `testcase classname= name= time=`."""
    found: dict[tuple[str, str], float] = {}

    def start(name: str, attributes: dict[str, str]) -> None:
        if name != "testcase":
            return
        try:
            seconds = float(attributes.get("time", ""))
        except ValueError:
            return
        if 0 <= seconds < 1e7:  # noqa: PLR2004 - also keeps nan out
            key = attributes.get("classname", ""), attributes.get("name", "")
            found[key] = found.get(key, 0.0) + seconds

    _parse_xml(data, start, root_names={"testsuites", "testsuite"})
    return found


def _read_durations(root: Path, problems: list[str]) -> dict[tuple[str, str], float]:
    found: dict[tuple[str, str], float] = {}
    places = [path for pattern in _JUNIT_PLACES for path in sorted(root.glob(pattern))[:_MOST_JUNIT_FILES]]
    for path in places[:_MOST_JUNIT_FILES]:
        place = path.relative_to(root).as_posix()
        try:
            found |= parse_junit(_read(root, place)[0])
        except (OSError, UnreadableReportError) as error:
            problems.append(f"{place}: {shorten(str(error), 160)}")
    return found


def _parse_xml(data: bytes, start: _Start, *, root_names: set[str]) -> None:
    parser = expat.ParserCreate()
    depth = [0]

    def open_element(name: str, attributes: dict[str, str]) -> None:
        if depth[0] == 0 and name not in root_names:
            raise UnreadableReportError(f"its root is <{name[:40]}>")
        depth[0] += 1
        start(name, attributes)

    def refuse(*_: object) -> None:
        raise UnreadableReportError("it declares entities")

    parser.StartElementHandler = open_element
    parser.EntityDeclHandler = refuse
    parser.ExternalEntityRefHandler = lambda *_: 0
    try:
        parser.Parse(data, True)  # noqa: FBT003 - expat takes it by place
    except (expat.ExpatError, ValueError) as error:
        if isinstance(error, UnreadableReportError):
            raise
        raise UnreadableReportError(f"not XML: {error}") from error


def _number(text: str | None) -> int:
    """A whole number of a sane size; 0 for anything else."""
    return int(text) if text and len(text) < 19 and text.strip().isascii() and text.strip().isdigit() else 0  # noqa: PLR2004 - what 64 bits hold
