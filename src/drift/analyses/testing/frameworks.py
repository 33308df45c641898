"""Which test frameworks a project uses, and what shows it: imports of test files, manifests, settings, marks."""

import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from drift.analyses.index_cache import PerState
from drift.kernel.reading import list_files, read_beginning

if TYPE_CHECKING:
    from drift.index import IndexReader
    from drift.index.test_queries import CaseRecord

_MOST_SETTINGS_BYTES: Final = 1_000_000
_ANY: Final = "*"  # a word of tests: whatever no other framework has
_MOST_EVIDENCE: Final = 3
# testDir: './e2e', testPathIgnorePatterns: ['<rootDir>/e2e/']; one that is made in another way says nothing.
_GIVEN: Final = (
    r"(?<![\w.]){setting}[\"']?\s{{0,9}}:\s{{0,9}}(\[[^\[\]]{{0,2000}}\]|['\"`][^'\"`\n]{{1,200}}['\"`])"
)
_QUOTED: Final = re.compile(r"['\"`]([^'\"`\n]{1,200})['\"`]")
_PLAIN_FOLDER: Final = re.compile(r"[\w@-][\w.@-]*(?:/[\w@-][\w.@-]*)*")
_CONFIG: Final = ".config."
_SEPARATOR: Final = re.compile(r"[./\\:\s]")
_IMPORTED, _MARKED, _CONFIGURED, _DECLARED, _IMPLIED = 0.95, 0.9, 0.8, 0.7, 0.6
_SET_UP: Final = (_CONFIGURED, _DECLARED)


@dataclass(frozen=True, slots=True)
class Framework:
    """A test framework and its signs, as frameworks.toml says them."""

    name: str
    languages: tuple[str, ...]
    imports: tuple[str, ...] = ()
    not_imports: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    settings: dict[str, str] = field(default_factory=dict)
    marks: tuple[str, ...] = ()
    details: tuple[str, ...] = ()
    cases: tuple[str, ...] = ()
    built_in: bool = False
    runner: str | None = None
    always_imported: bool = False
    folder_setting: str | None = None  # in its files: where it looks for tests, and nowhere else
    ignore_setting: str | None = None  # likewise: where it does not


class FrameworkEvidence(NamedTuple):
    """A place that shows the use of a framework, and how sure it makes it."""

    file: str
    line: int
    reason: str
    confidence: float


class FrameworkUse(NamedTuple):
    """A framework that a project uses for a language; the surest evidence first.

    `test_files` import it; 0 where only manifests or settings name it, which stand in `folders`. Where its settings say so,
    it runs what is `within` some folders alone, and nothing `apart`.
    """

    framework: str
    language: str
    runner: str
    test_files: int
    confidence: float
    evidence: tuple[FrameworkEvidence, ...]
    folders: frozenset[str] = frozenset()
    within: frozenset[str] = frozenset()
    apart: frozenset[str] = frozenset()

    def may_run(self, path: str) -> bool:
        """Whether its settings let it look at a file."""
        is_left_out = any(path.startswith(f"{one}/") for one in self.apart)
        return not is_left_out and (not self.within or self.nearest(path) is not None)

    def nearest(self, path: str) -> str | None:
        """The innermost of the folders it looks at that a file stands in."""
        around = [one for one in self.within if path.startswith(f"{one}/".lstrip("/"))]
        return max(around, key=len, default=None)


_kept: Final = PerState[tuple[FrameworkUse, ...]]()


@cache
def known_frameworks() -> tuple[Framework, ...]:
    """Every framework of frameworks.toml."""
    text = files("drift.analyses.testing").joinpath("frameworks.toml").read_text("utf-8")
    return tuple(map(_framework, tomllib.loads(text)["frameworks"]))


def _framework(table: dict[str, Any]) -> Framework:
    values: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value for key, value in table.items()
    }
    return Framework(**values)


def framework_named(name: str) -> Framework:
    """The framework with this name, which is one of frameworks.toml."""
    return next(one for one in known_frameworks() if one.name == name)


def frameworks_in(reader: "IndexReader", root: Path | None = None) -> tuple[FrameworkUse, ...]:
    """The frameworks a project uses, by language and the surest first.

    Without `root` only the index is asked; with it also manifests and settings, as they were when first asked.
    """
    if root is None:
        return _frameworks_in(reader, None)
    return _kept.get(reader, lambda: _frameworks_in(reader, root))


def runner_at(uses: Iterable[FrameworkUse], language: str, path: str) -> FrameworkUse | None:
    """What runs the tests of a file that says nothing of it: what the nearest folder is set up for, else the project.

    The uses come the surest first.
    """
    # A library of assertions runs nothing.
    running = [use for use in uses if use.language == language and use.framework == use.runner]
    allowed = [use for use in running if use.may_run(path)] or running
    said = [(len(near), use) for use in allowed if (near := use.nearest(path))]
    if said:  # its settings say this very folder
        return max(said, key=lambda pair: pair[0])[1]
    running = [use for use in allowed if not framework_named(use.framework).always_imported] or allowed
    folder = dirname(path)
    while folder:
        for use in running:
            if folder in use.folders:
                return use
        folder = dirname(folder)
    return running[0] if running else None


def _frameworks_in(reader: "IndexReader", root: Path | None) -> tuple[FrameworkUse, ...]:
    languages = frozenset(reader.listings.languages())
    found: dict[tuple[str, str], list[tuple[FrameworkEvidence, int]]] = {}
    cases = reader.testing.cases()
    signs = [*_by_import(reader), *_by_mark(cases)]
    if root is not None:
        signs += [*_by_package(reader, root), *_by_file(reader, root)]
    for framework, language, evidence, count in signs:
        if language in languages:
            found.setdefault((framework.name, language), []).append((evidence, count))
    for framework, language, evidence in _implied(cases, {language for _, language in found}):
        found.setdefault((framework.name, language), []).append((evidence, 0))
    limits = _limits(reader, root) if root is not None else {}
    nothing: frozenset[str] = frozenset()
    uses = []
    for key, signs_of in found.items():
        within, apart = limits.get(key[0], (nothing, nothing))
        uses.append(_use(*key, signs_of)._replace(within=within, apart=apart))
    return tuple(
        sorted(uses, key=lambda one: (one.language, -one.confidence, -one.test_files, one.framework))
    )


def framework_of_detail(language: str, detail: str) -> Framework | None:
    """The framework that has a word of its own for such tests, else the one that runs any of the language."""
    fitting = [one for one in known_frameworks() if language in one.languages]
    named = (one for one in fitting if detail in one.details)
    return next(named, None) or next((one for one in fitting if _ANY in one.details), None)


def framework_of_import(language: str | None, module: str, name: str | None) -> Framework | None:
    """The framework that an import belongs to."""
    for framework in known_frameworks():
        if (
            language in framework.languages
            and any(_begins(module, name, each) for each in framework.imports)
            and not any(_begins(module, name, each) for each in framework.not_imports)
        ):
            return framework
    return None


class _Sign(NamedTuple):
    """A sign of a framework in a language, and how many files show it."""

    framework: Framework
    language: str
    evidence: FrameworkEvidence
    file_count: int


def _use(name: str, language: str, signs: list[tuple[FrameworkEvidence, int]]) -> FrameworkUse:
    ordered = sorted(
        (evidence for evidence, _ in signs), key=lambda one: (-one.confidence, one.file, one.line)
    )
    runner = framework_named(name).runner or name
    files_seen = max(count for _, count in signs)
    folders = frozenset(dirname(one.file) for one in ordered if one.confidence in _SET_UP)
    shown = tuple(ordered[:_MOST_EVIDENCE])
    return FrameworkUse(name, language, runner, files_seen, ordered[0].confidence, shown, folders)


def _begins(module: str, name: str | None, wanted: str) -> bool:
    """Whether the import is of the module or something in it."""
    bare = module.strip('"<>').lstrip("\\")
    whole = f"{bare}.{name}" if name and name != "*" else bare
    return (
        any(
            text == wanted or (text.startswith(wanted) and _SEPARATOR.match(text[len(wanted) :]) is not None)
            for text in (bare, whole, whole.replace("/", "."), f"{bare}\\{name}")
        )
        or bare.rpartition("/")[2] == wanted
    )


def _by_import(reader: "IndexReader") -> Iterator[_Sign]:
    totals: dict[tuple[str, str], tuple[Framework, FrameworkEvidence, int]] = {}
    for each in reader.testing.imports():
        framework = framework_of_import(each.language, each.module, each.name)
        if framework is None or each.language is None:
            continue
        key = framework.name, each.language
        evidence = FrameworkEvidence(each.path, each.line, f"imports {each.module}", _IMPORTED)
        if key not in totals or each.files > totals[key][2]:
            totals[key] = (framework, evidence, each.files)
    for (_, language), (framework, evidence, count) in totals.items():
        yield _Sign(framework, language, evidence, count)


def _by_mark(cases: Iterable["CaseRecord"]) -> Iterator[_Sign]:
    """Tests that the index has under a framework's own word; `Test` of JUnit and TestNG says nothing."""
    by_detail = {
        (language, word): framework
        for framework in known_frameworks()
        for language in framework.languages
        for word in framework.details
    }
    seen: dict[tuple[str, str], tuple[CaseRecord, set[int]]] = {}
    for case in cases:
        language = case.language or ""
        named = by_detail.get((language, case.detail), by_detail.get((language, _ANY)))
        framework = named if case.is_case else None
        if framework is not None:
            first, places = seen.setdefault((framework.name, language), (case, set()))
            places.add(case.file_id)
    for (name, language), (first, places) in seen.items():
        evidence = FrameworkEvidence(first.path, first.line, f"{first.name} is a test of it", _MARKED)
        yield _Sign(framework_named(name), language, evidence, len(places))


def _by_package(reader: "IndexReader", root: Path) -> Iterator[_Sign]:
    # Brings readers of many formats, which asking the index alone does not need.
    from drift.manifests.import_names import ECOSYSTEMS
    from drift.manifests.reading import read_manifests

    declared = read_manifests(root, _config_folders(reader)).declared
    wanted = {
        (ECOSYSTEMS[language], package.lower()): framework
        for framework in known_frameworks()
        for language in framework.languages
        for package in framework.packages
    }
    for each in declared:
        framework = wanted.get((each.ecosystem, each.dependency.name.lower()))
        if framework is None:
            continue
        evidence = FrameworkEvidence(each.file, each.line, f"declares {each.dependency.name}", _DECLARED)
        for language in framework.languages:
            yield _Sign(framework, language, evidence, 0)


def _by_file(reader: "IndexReader", root: Path) -> Iterator[_Sign]:
    folders = {"", *_config_folders(reader), *_first_folders(reader)}
    for folder in sorted(folders):
        names = list_files(root, folder)
        for framework in known_frameworks():
            for name in names:
                path = f"{folder}/{name}".lstrip("/")
                evidence = _file_evidence(root, path, framework)
                if evidence is not None:
                    yield from (_Sign(framework, language, evidence, 0) for language in framework.languages)


def _file_evidence(root: Path, path: str, framework: Framework) -> FrameworkEvidence | None:
    name = path.rpartition("/")[2]
    if any(fnmatchcase(name, pattern) for pattern in framework.files):
        return FrameworkEvidence(path, 1, "is a file of it", _CONFIGURED)
    wanted = framework.settings.get(name)
    if wanted is None:
        return None
    try:
        content = read_beginning(root, path, _MOST_SETTINGS_BYTES)
    except OSError:  # gone or forbidden since the scan: it shows nothing
        return None
    lines = content.decode("utf-8", "replace").splitlines()
    line = next((number for number, text in enumerate(lines, 1) if text.strip().startswith(wanted)), None)
    return FrameworkEvidence(path, line, f"has {wanted}", _CONFIGURED) if line is not None else None


def _limits(reader: "IndexReader", root: Path) -> dict[str, tuple[frozenset[str], frozenset[str]]]:
    """The folders that the settings of frameworks say, by framework: where they look for tests, and where not."""
    limited = [one for one in known_frameworks() if one.folder_setting or one.ignore_setting]
    within: dict[str, list[set[str]]] = {}
    apart: dict[str, set[str]] = {}
    for folder in sorted({"", *_config_folders(reader)}):
        for name in list_files(root, folder):
            path = f"{folder}/{name}".lstrip("/")
            for framework in limited if _CONFIG in name else ():
                if any(fnmatchcase(name, one) for one in framework.files):
                    said = _folders_said(root, path, framework.folder_setting)
                    within.setdefault(framework.name, []).append(said or {folder})
                    ignored = _folders_said(root, path, framework.ignore_setting)
                    apart.setdefault(framework.name, set()).update(ignored)
    return {
        name: (frozenset(() if {""} in some else set().union(*some)), frozenset(apart[name]))
        for name, some in within.items()
    }


def _folders_said(root: Path, path: str, setting: str | None) -> set[str]:
    """The folders in the text or the list that a setting of a script is given, as paths from the root."""
    if setting is None:
        return set()
    try:
        text = read_beginning(root, path, _MOST_SETTINGS_BYTES).decode("utf-8", "replace")
    except OSError:
        return set()
    found: set[str] = set()
    for given in re.findall(_GIVEN.format(setting=setting), text):
        for said in _QUOTED.findall(given):
            place = normpath(join(dirname(path), said.replace("<rootDir>", ".").strip("/")))
            if _PLAIN_FOLDER.fullmatch(place):
                found.add(place)
    return found


def _config_folders(reader: "IndexReader") -> set[str]:
    from drift.index.listing_queries import PathFilter  # cheap, but of the index

    return {path.rpartition("/")[0] for path in reader.listings.paths(PathFilter(role="config"))}


def _first_folders(reader: "IndexReader") -> set[str]:
    """The folders that tests stand in at the top, where conftest.py and Pest.php are."""
    from drift.index.listing_queries import PathFilter  # cheap, but of the index

    return {path.partition("/")[0] for path in reader.listings.paths(PathFilter(role="test")) if "/" in path}


def _implied(
    cases: Iterable["CaseRecord"], known: set[str]
) -> Iterator[tuple[Framework, str, FrameworkEvidence]]:
    """The language's own framework, for tests of a language that show no other."""
    first: dict[str, CaseRecord] = {}
    for case in cases:
        if case.language is not None and case.is_case:
            first.setdefault(case.language, case)
    for framework in known_frameworks():
        for language in framework.languages:
            if framework.built_in and language not in known and language in first:
                case = first[language]
                reason = f"{case.name} is a test, and nothing names another framework"
                yield framework, language, FrameworkEvidence(case.path, case.line, reason, _IMPLIED)
