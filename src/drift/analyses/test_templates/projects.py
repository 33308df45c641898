"""Languages whose tests are projects of their own: which of them can run a test of a file, and where it stands in it."""

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from drift.analyses.source_text import read_lines
from drift.analyses.test_templates.pairs import is_of_type
from drift.analyses.workspaces.detection import detect_packages
from drift.analyses.workspaces.shapes import Detected, Package
from drift.kernel.words import split_words
from drift.manifests.dotnet import implied_usings

if TYPE_CHECKING:
    from drift.index import IndexReader

APART: Final = frozenset({"csharp"})
_ECOSYSTEM: Final = "dotnet"
# Packages without which no runner of .NET finds a test.
_CENTRAL: Final = "Directory.Packages.props"
_VERSION: Final = re.compile(r'<PackageVersion\s+Include="([\w.]+)"\s+Version="([\w.-]+)"')
_MOST_LINES: Final = 2_000
_RUNNER: Final = re.compile(
    r"microsoft\.net\.test\.sdk|xunit(?:\.v3)?|nunit|mstest(?:\..*)?|tunit", re.IGNORECASE
)


class TestProject(NamedTuple):
    """A project that holds tests, and the project of the file that is tested."""

    folder: str
    name: str
    of_folder: str
    versions: dict[str, str]  # of the packages it declares, by their names in small letters
    is_flat: bool
    implied: tuple[str, ...] = ()  # namespaces that all files of the tested project use without a word

    def path_for(self, target: str, ending: str) -> str:
        """Where the test of a file stands: at the place that the file has in its own project."""
        inner, _, name = target[len(self.of_folder) :].strip("/").rpartition("/")
        stem = name.rpartition(".")[0]
        folder = "" if self.is_flat else inner
        return "/".join(part for part in (self.folder, folder, f"{stem}{ending}") if part)

    def holds(self, path: str) -> bool:
        """Whether a path is in the project."""
        return f"{path}/".startswith(f"{self.folder}/") if self.folder else True


def find_test_projects(
    reader: "IndexReader", root: Path, target: str, tests: Sequence[str], *, kind: str
) -> tuple[TestProject, ...]:
    """The test projects that can use the project of a file, the likeliest first."""
    detected = detect_packages(
        root, (each.path for each in reader.packages.files() if each.role != "vendored")
    )
    own = _owner(detected, target)
    if own is None:
        return ()
    holders = Counter(_owner(detected, path) for path in tests)
    found = []
    for number, package in enumerate(detected.packages):
        if package.ecosystem != _ECOSYSTEM or number == own or not (holders[number] or _runs_tests(package)):
            continue
        steps = _steps_to(detected, number, own)
        if steps is not None:
            found.append((_rank(package, detected.packages[own], steps, kind), number))
    return tuple(_project(root, detected, number, own, tests) for _rank_of_it, number in sorted(found))


def _owner(detected: Detected, path: str) -> int | None:
    """The project of .NET that a file is compiled in: the innermost around it."""
    fitting = [
        (len(each.path), number)
        for number, each in enumerate(detected.packages)
        if each.ecosystem == _ECOSYSTEM and (not each.path or path.startswith(f"{each.path}/"))
    ]
    return max(fitting)[1] if fitting else None


def _runs_tests(package: Package) -> bool:
    return any(_RUNNER.fullmatch(declared.name) for declared, _file in package.declared)


def _steps_to(detected: Detected, source: int, target: int) -> int | None:
    """Over how many references one project comes to another; None where it does not."""
    reached, edge, steps = {source}, {source}, 0
    while edge:
        if target in edge:
            return steps
        edge = {each.target for each in detected.declarations if each.source in edge} - reached
        reached |= edge
        steps += 1
    return None


def _rank(package: Package, own: Package, steps: int, kind: str) -> tuple[bool, int, int, str]:
    """Of the asked kind, named after the project, and near to it come first."""
    more = set(split_words(package.name)) - set(split_words(own.name))
    same = len(set(split_words(package.name)) & set(split_words(own.name)))
    return not is_of_type(package.path, kind), steps, len(more) - 2 * same, package.path


def _versions(root: Path, package: Package) -> dict[str, str]:
    """What the project declares, and what is said for all projects above it."""
    found: dict[str, str] = {}
    folder = package.path
    while True:
        path = f"{folder}/{_CENTRAL}".lstrip("/")
        lines = read_lines(root, path, first=1, count=_MOST_LINES)
        found |= {name.lower(): version for name, version in _VERSION.findall("\n".join(lines))}
        if not folder:
            break
        folder = folder.rpartition("/")[0]
    own = {declared.name.lower(): declared.version for declared, _file in package.declared}
    return found | {name: version for name, version in own.items() if version}


def _project(root: Path, detected: Detected, number: int, own: int, tests: Sequence[str]) -> TestProject:
    package = detected.packages[number]
    versions = _versions(root, package)
    inside = [path for path in tests if path.startswith(f"{package.path}/")]
    is_flat = bool(inside) and all("/" not in path[len(package.path) + 1 :] for path in inside)
    tested = detected.packages[own]
    return TestProject(package.path, package.name, tested.path, versions, is_flat, _implied(root, tested))


def _implied(root: Path, package: Package) -> tuple[str, ...]:
    """The namespaces that go with the kind of a project; its tests may be of another kind."""
    projects = (each for each in package.manifests if each.endswith("proj"))
    texts = ("\n".join(read_lines(root, each, first=1, count=_MOST_LINES)) for each in projects)
    return tuple(dict.fromkeys(name for text in texts for name in implied_usings(text)))
