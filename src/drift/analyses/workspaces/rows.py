"""What is told about packages. Apart from the analysis, which brings readers of many formats."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class WorkspaceRow:
    """Packages that one file holds together."""

    manager: str
    file: str
    members: int


@dataclass(frozen=True, slots=True)
class PackageRow:
    """A package in the list.

    `internalDependencies` are packages of the project that it declares or uses; those in `undeclared` only its code
    names, those in `unseen` only its manifest.
    """

    name: str
    path: str
    manager: str
    language: str | None
    version: str | None
    is_root: bool
    in_workspace: bool
    files: int
    symbols: int
    internal_dependencies: tuple[str, ...]
    undeclared: tuple[str, ...] | None = None
    unseen: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class UndeclaredUseRow:
    """A package whose code uses another that its manifest does not name, with one of the places."""

    package: str
    uses: str
    places: int
    only_in_tests: bool
    file: str
    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class ApiRow:
    """A symbol that other files use: those of other packages and those of its own, in `uses` places."""

    symbol: str
    kind: str
    at: str
    outside_files: int
    inside_files: int
    uses: int
    signature: str | None = None


@dataclass(frozen=True, slots=True)
class EntryRow:
    """A way the outside world calls in."""

    kind: str
    detail: str
    at: str


@dataclass(frozen=True, slots=True)
class KeyFileRow:
    """A file that many others use: of its package, and of other packages."""

    file: str
    used_by_files: int
    from_outside: int


@dataclass(frozen=True, slots=True)
class RelationRow:
    """A package at the other end.

    `standing`: used (declared and seen), unused (declared, not seen in code), undeclared, transitive (declared by
    `via`), contained (a package in the folder of the user). `places` are in product code, `at` is one of all.
    """

    package: str
    standing: str
    places: int
    test_places: int
    scope: str | None = None
    declared_at: str | None = None
    at: str | None = None
    via: str | None = None
    symbols: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class ExternalRow:
    """A package from outside: the version asked for, and how often code imports it."""

    name: str
    scope: str | None
    version: str | None
    imports: int | None


@dataclass(frozen=True, slots=True)
class TestsRow:
    """The tests: files in the package, files elsewhere that use it, and the first of each."""

    files_inside: int
    files_elsewhere: int
    some_inside: tuple[str, ...]
    some_elsewhere: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SectionRow:
    """A remark of another domain: about what, what, and where."""

    about: str
    what: str
    at: str


@dataclass(frozen=True, slots=True)
class PackageContext:
    """A package from all sides. Counts are of all; lists are cut. `apiCount` is of symbols other packages use."""

    name: str
    path: str
    manager: str
    manifests: tuple[str, ...]
    version: str | None
    language: str | None
    is_root: bool
    workspace: str | None
    about: str | None
    about_source: str | None
    files: int
    symbols: int
    code_lines: int
    api_count: int
    public_api: tuple[ApiRow, ...]
    entry_point_counts: dict[str, int]
    entry_points: tuple[EntryRow, ...]
    key_files: tuple[KeyFileRow, ...]
    dependent_count: int
    dependents: tuple[RelationRow, ...]
    dependencies: tuple[RelationRow, ...]
    external_count: int
    externals: tuple[ExternalRow, ...]
    tests: TestsRow
    sections: dict[str, tuple[SectionRow, ...]] = field(default_factory=dict)
