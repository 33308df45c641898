"""What is told about a test to write. Apart from the writing, which brings the writers of all languages."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Convention:
    """What most do: `count` of `total` test files looked at. With no test to learn from `reason` says whose choice it is."""

    value: str
    count: int
    total: int
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class TestConventions:
    """How the tests nearest to the target are written; null where no test shows it."""

    framework: Convention
    style: Convention
    naming: Convention | None
    mock_style: Convention | None
    assertion_style: Convention | None
    file_pattern: Convention


@dataclass(frozen=True, slots=True)
class ExampleTest:
    """A real test near the target, to imitate."""

    file: str
    line: int
    preview: str


@dataclass(frozen=True, slots=True)
class KnownTest:
    """A test there is already; `reason` says why it counts as one of the function."""

    function: str
    test: str
    file: str
    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class TestTemplate:
    """A test file to create, or what to add to the one there is: `template` at `insertAt`, `imports` at its top."""

    test_file: str
    exists: bool
    placement: str
    functions: tuple[str, ...]
    template: str
    conventions: TestConventions
    insert_at: str | None = None
    imports: tuple[str, ...] | None = None
    existing_tests: tuple[KnownTest, ...] | None = None
    existing_test_count: int = 0
    not_written: tuple[str, ...] | None = None
    example_test: ExampleTest | None = None
