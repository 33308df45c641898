"""What drift_test_topology tells, by action."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FrameworkRow:
    """A framework in use: cases it runs, and the surest sign of it."""

    framework: str
    language: str
    cases: int
    evidence: str
    confidence: float


@dataclass(frozen=True, slots=True)
class CoverageSource:
    """Where numbers come from. `report`: a file of a test run, `stale_files` changed after it and go by the call graph."""

    report: str | None
    format: str | None
    files_by_report: int
    stale_files: int
    reason: str


@dataclass(frozen=True, slots=True)
class TestingStatus:
    """The tests of the project. Null where there is nothing to count."""

    test_files: int
    test_cases: int
    functions: int
    covered_functions: int
    function_coverage_percent: float | None
    files: int
    covered_files: int
    coverage_percent: float | None
    average_quality: float | None
    average_mock_ratio: float | None
    without_assertion: int
    frameworks: tuple[FrameworkRow, ...]
    coverage: CoverageSource


@dataclass(frozen=True, slots=True)
class CoveredRow:
    """A function and its tests. `source` is the format of a report or the call graph; `line_rate` only by report."""

    function: str
    line: int
    covered: bool
    source: str
    confidence: float
    tests: int
    line_rate: float | None = None


@dataclass(frozen=True, slots=True)
class CoveringRow:
    """A test and the functions of the file it runs; `reach` is direct, transitive or mocked."""

    test: str
    file: str
    line: int
    reach: str
    depth: int
    confidence: float
    functions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FileRow:
    """A file and how many of its functions known tests run."""

    file: str
    covered: int
    functions: int
    percent: float | None
    source: str


@dataclass(frozen=True, slots=True)
class UncoveredRow:
    """A function that no known test runs: the reasons of its risk, and why that may be fine."""

    function: str
    file: str
    line: int
    risk: int
    source: str
    reasons: tuple[str, ...]
    may_be_fine: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ChosenRow:
    """A test to run: what it is the first to cover, how it gets there, and its seconds where a report knows them."""

    test: str
    file: str
    line: int
    covers: tuple[str, ...]
    reason: str
    confidence: float
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class AffectedData:
    """The fewest tests that run what changed, each function at least once, or all; `direct_test_files` have all that call it.

    `not_covered` no known test runs; `may_test_them` are files that by name or history may be about them. Of
    `perhaps_covered` tests are known by a name, an import or a parent outside alone, so that they do not count as covered.
    """

    changed_functions: int
    reaching_tests: int
    all_tests: int
    changed_coverage_percent: float | None
    commands: tuple[str, ...]
    direct_test_files: tuple[str, ...]
    not_covered: tuple[str, ...]
    may_test_them: tuple[str, ...]
    only_mocked: tuple[str, ...]
    left_out: tuple[str, ...]
    seconds: float | None
    seconds_of_all_reaching: float | None
    perhaps_covered: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class MockRow:
    """A replacement in a test. `external` is null where the text does not tell what is replaced."""

    target: str | None
    kind: str
    call: str
    file: str
    line: int
    external: bool | None
    has_implementation: bool
    returns_value: bool


@dataclass(frozen=True, slots=True)
class MockCounts:
    """All replacements, and the targets that are replaced most. `doubles` are made to be handed in, for nothing named."""

    mocks: int
    internal: int
    external: int
    doubles: int
    unknown: int
    most_mocked: dict[str, int]


@dataclass(frozen=True, slots=True)
class QualityRow:
    """A test and its score. `helper_assertions` are those of test functions it calls, counted where it has no own."""

    test: str
    file: str
    line: int
    score: int
    assertions: int
    helper_assertions: int
    error_case: bool
    edge_case: bool
    mock_ratio: float | None
    setup_ratio: float


@dataclass(frozen=True, slots=True)
class TestTopologyData:
    """What the action asked for; the other fields are left out."""

    status: TestingStatus | None = None
    files: tuple[FileRow, ...] | None = None
    functions: tuple[CoveredRow, ...] | None = None
    covering: tuple[CoveringRow, ...] | None = None
    uncovered: tuple[UncoveredRow, ...] | None = None
    affected: AffectedData | None = None
    tests: tuple[ChosenRow, ...] | None = None
    mocks: tuple[MockRow, ...] | None = None
    mock_counts: MockCounts | None = None
    quality: tuple[QualityRow, ...] | None = None
