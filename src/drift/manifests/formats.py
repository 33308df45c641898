"""Which file is read by what: dependencies and locks, packages, and files that hold packages together."""

from collections.abc import Callable
from fnmatch import fnmatchcase
from typing import Final, NamedTuple

from drift.manifests import cpp, dotnet, go, jvm, node, php, python, ruby, rust
from drift.manifests.contents import Described, Ecosystem, Manager, Membership, Parser


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


# Files that declare or settle dependencies. In this order: a file is read by the first that fits.
DEPENDENCY_FILES: Final[tuple[tuple[str, Ecosystem, Parser], ...]] = (
    ("pyproject.toml", "python", python.parse_pyproject),
    ("setup.cfg", "python", python.parse_setup_cfg),
    ("requirements*.txt", "python", python.parse_requirements),
    ("requirements*.in", "python", python.parse_requirements),
    ("Pipfile", "python", python.parse_pipfile),
    ("Pipfile.lock", "python", python.parse_pipfile_lock),
    ("poetry.lock", "python", python.parse_package_tables),
    ("uv.lock", "python", python.parse_package_tables),
    ("pylock.toml", "python", python.parse_package_tables),
    ("package.json", "node", node.parse_package_json),
    ("deno.json", "node", node.parse_deno_json),
    ("package-lock.json", "node", node.parse_package_lock),
    ("npm-shrinkwrap.json", "node", node.parse_package_lock),
    ("yarn.lock", "node", node.parse_yarn_lock),
    ("pnpm-lock.yaml", "node", node.parse_pnpm_lock),
    ("go.mod", "go", go.parse_go_mod),
    ("go.sum", "go", go.parse_go_sum),
    ("Cargo.toml", "rust", rust.parse_cargo_toml),
    ("Cargo.lock", "rust", rust.parse_cargo_lock),
    ("pom.xml", "jvm", jvm.parse_pom),
    ("build.gradle", "jvm", jvm.parse_gradle),
    ("build.gradle.kts", "jvm", jvm.parse_gradle),
    ("libs.versions.toml", "jvm", jvm.parse_gradle_catalog),
    ("composer.json", "php", php.parse_composer_json),
    ("composer.lock", "php", php.parse_composer_lock),
    ("Gemfile", "ruby", ruby.parse_gemfile),
    ("gems.rb", "ruby", ruby.parse_gemfile),
    ("*.gemspec", "ruby", ruby.parse_gemspec),
    ("Gemfile.lock", "ruby", ruby.parse_gemfile_lock),
    ("*.csproj", "dotnet", dotnet.parse_csproj),
    ("Directory.Packages.props", "dotnet", dotnet.parse_csproj),
    ("Directory.Build.props", "dotnet", dotnet.parse_csproj),
    ("packages.config", "dotnet", dotnet.parse_packages_config),
    ("CMakeLists.txt", "cpp", cpp.parse_cmake),
    ("conanfile.txt", "cpp", cpp.parse_conanfile),
    ("conanfile.py", "cpp", cpp.parse_conanfile),
    ("vcpkg.json", "cpp", cpp.parse_vcpkg),
)
# Of two in one folder and ecosystem the first that says something is believed.
MANIFESTS: Final = (
    ManifestFormat("package.json", "node", node.describe_package_json),
    ManifestFormat("composer.json", "php", php.describe_composer_json),
    ManifestFormat("pyproject.toml", "python", python.describe_pyproject),
    ManifestFormat("setup.cfg", "python", python.describe_setup_cfg),
    ManifestFormat("setup.py", "python", python.describe_setup_py),
    ManifestFormat("Cargo.toml", "rust", rust.describe_cargo),
    ManifestFormat("go.mod", "go", go.describe_go_mod),
    ManifestFormat("pom.xml", "jvm", jvm.describe_pom),
    ManifestFormat("build.gradle", "jvm", jvm.describe_gradle),
    ManifestFormat("build.gradle.kts", "jvm", jvm.describe_gradle),
    ManifestFormat("*.gemspec", "ruby", ruby.describe_gemspec),
    ManifestFormat("*.csproj", "dotnet", dotnet.describe_csproj),
)
WORKSPACES: Final = (
    WorkspaceFormat("pnpm-workspace.yaml", "node", node.members_of_pnpm),
    WorkspaceFormat("package.json", "node", node.members_of_package_json),
    WorkspaceFormat("lerna.json", "node", node.members_of_lerna),
    WorkspaceFormat("pyproject.toml", "python", python.members_of_pyproject),
    WorkspaceFormat("Cargo.toml", "rust", rust.members_of_cargo),
    WorkspaceFormat("go.work", "go", go.members_of_go_work),
    WorkspaceFormat("pom.xml", "jvm", jvm.members_of_pom),
    WorkspaceFormat("settings.gradle", "jvm", jvm.members_of_gradle),
    WorkspaceFormat("settings.gradle.kts", "jvm", jvm.members_of_gradle),
    WorkspaceFormat("composer.json", "php", php.members_of_composer),
    WorkspaceFormat("*.sln", "dotnet", dotnet.members_of_solution),
    WorkspaceFormat("*.slnx", "dotnet", dotnet.members_of_solution_xml),
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
