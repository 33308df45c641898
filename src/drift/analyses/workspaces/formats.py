"""Which file is read by what: manifests of packages, and files that hold packages together."""

from collections.abc import Callable
from fnmatch import fnmatchcase
from typing import Final, NamedTuple

from drift.analyses.manifests.shapes import Ecosystem
from drift.analyses.workspaces import compiled_packages, project_packages, python_packages, script_packages
from drift.analyses.workspaces.shapes import Described, Manager, Membership


class ManifestFormat(NamedTuple):
    """A kind of file that makes its folder a package."""

    pattern: str
    ecosystem: Ecosystem
    describe: Callable[[str], Described | None]


class WorkspaceFormat(NamedTuple):
    """A kind of file that says which folders are packages of one whole."""

    pattern: str
    ecosystem: Ecosystem
    members: Callable[[str], Membership | None]


# Of two in one folder and ecosystem the first that says something is believed.
MANIFESTS: Final = (
    ManifestFormat("package.json", "node", script_packages.describe_package_json),
    ManifestFormat("composer.json", "php", script_packages.describe_composer_json),
    ManifestFormat("pyproject.toml", "python", python_packages.describe_pyproject),
    ManifestFormat("setup.cfg", "python", python_packages.describe_setup_cfg),
    ManifestFormat("setup.py", "python", python_packages.describe_setup_py),
    ManifestFormat("Cargo.toml", "rust", compiled_packages.describe_cargo),
    ManifestFormat("go.mod", "go", compiled_packages.describe_go_mod),
    ManifestFormat("pom.xml", "jvm", project_packages.describe_pom),
    ManifestFormat("build.gradle", "jvm", project_packages.describe_gradle),
    ManifestFormat("build.gradle.kts", "jvm", project_packages.describe_gradle),
    ManifestFormat("*.csproj", "dotnet", project_packages.describe_csproj),
)
WORKSPACES: Final = (
    WorkspaceFormat("pnpm-workspace.yaml", "node", script_packages.members_of_pnpm),
    WorkspaceFormat("package.json", "node", script_packages.members_of_package_json),
    WorkspaceFormat("lerna.json", "node", script_packages.members_of_lerna),
    WorkspaceFormat("pyproject.toml", "python", python_packages.members_of_pyproject),
    WorkspaceFormat("Cargo.toml", "rust", compiled_packages.members_of_cargo),
    WorkspaceFormat("go.work", "go", compiled_packages.members_of_go_work),
    WorkspaceFormat("pom.xml", "jvm", project_packages.members_of_pom),
    WorkspaceFormat("settings.gradle", "jvm", project_packages.members_of_gradle),
    WorkspaceFormat("settings.gradle.kts", "jvm", project_packages.members_of_gradle),
    WorkspaceFormat("composer.json", "php", script_packages.members_of_composer),
    WorkspaceFormat("*.sln", "dotnet", project_packages.members_of_solution),
    WorkspaceFormat("*.slnx", "dotnet", project_packages.members_of_solution_xml),
)
# Which manager a package.json or pyproject.toml is for, where it does not say.
LOCKS: Final[dict[str, Manager]] = {
    "pnpm-lock.yaml": "pnpm",
    "yarn.lock": "yarn",
    "package-lock.json": "npm",
    "npm-shrinkwrap.json": "npm",
    "bun.lock": "bun",
    "bun.lockb": "bun",
    "uv.lock": "uv",
    "poetry.lock": "poetry",
}
_PLAIN: Final = frozenset(each.pattern for each in (*MANIFESTS, *WORKSPACES) if "*" not in each.pattern)
_ENDINGS: Final = tuple(
    each.pattern.removeprefix("*") for each in (*MANIFESTS, *WORKSPACES) if each.pattern.startswith("*")
)


def is_read(name: str) -> bool:
    """Whether a file of this name says something about packages."""
    return name in _PLAIN or name in LOCKS or name.endswith(_ENDINGS)


def fits(pattern: str, name: str) -> bool:
    """Whether a file of this name is of the kind."""
    return fnmatchcase(name, pattern)
