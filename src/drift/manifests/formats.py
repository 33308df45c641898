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


class ApplicationFormat(NamedTuple):
    """A kind of file that makes its folder an application, if there is code with one of the endings in it."""

    pattern: str
    ecosystem: Ecosystem
    describe: Callable[[str], Described | None]
    endings: tuple[str, ...]


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
    ("requirements/*.txt", "python", python.parse_requirements),
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
# Files that ask for packages without being one: the outermost makes its folder an application, where nothing names it.
APPLICATIONS: Final = (
    ApplicationFormat("pyproject.toml", "python", python.describe_groups, (".py",)),
    ApplicationFormat("Pipfile", "python", python.describe_pipfile, (".py",)),
    ApplicationFormat("requirements*.txt", "python", python.describe_requirements, (".py",)),
    ApplicationFormat("requirements/*.txt", "python", python.describe_requirements, (".py",)),
    ApplicationFormat("Gemfile", "ruby", ruby.describe_gemfile, (".rb",)),
    ApplicationFormat("gems.rb", "ruby", ruby.describe_gemfile, (".rb",)),
    ApplicationFormat(
        "CMakeLists.txt", "cpp", cpp.describe_cmake, (".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp")
    ),
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
# Which manager a manifest of its ecosystem is for, where it does not say.
LOCKS: Final[dict[str, tuple[Ecosystem, Manager]]] = {
    "pnpm-lock.yaml": ("node", "pnpm"),
    "yarn.lock": ("node", "yarn"),
    "package-lock.json": ("node", "npm"),
    "npm-shrinkwrap.json": ("node", "npm"),
    "bun.lock": ("node", "bun"),
    "bun.lockb": ("node", "bun"),
    "uv.lock": ("python", "uv"),
    "poetry.lock": ("python", "poetry"),
}
REQUIREMENTS: Final = "requirements"  # a folder of them belongs to the one around it
_PATTERNS: Final = tuple(each.pattern for each in (*MANIFESTS, *APPLICATIONS, *WORKSPACES))
_PLAIN: Final = frozenset(each for each in _PATTERNS if "*" not in each)
_SHAPED: Final = tuple(dict.fromkeys(each for each in _PATTERNS if "*" in each))


def is_read(folder: str, name: str) -> bool:
    """Whether a file of this name, in this folder, says something about packages."""
    return name in _PLAIN or name in LOCKS or any(fits(each, name, folder) for each in _SHAPED)


def fits(pattern: str, name: str, folder: str = "") -> bool:
    """Whether a file of this name is of the kind; a pattern may name the folder, too."""
    around, _, own = pattern.rpartition("/")
    return fnmatchcase(name, own) and around in {"", folder.rpartition("/")[2]}
