"""The light facts of each language: what its files are called and which files give it away."""

from dataclasses import dataclass
from typing import Literal

Confidence = Literal["high", "medium", "low"]


@dataclass(frozen=True, slots=True)
class Marker:
    """A file whose presence speaks for a language, `low` only beside sources; `*` is any characters."""

    pattern: str
    confidence: Confidence = "high"


@dataclass(frozen=True, slots=True)
class Language:
    """One language as Drift names it."""

    name: str
    title: str
    extensions: tuple[str, ...]
    markers: tuple[Marker, ...] = ()


LANGUAGES: tuple[Language, ...] = (
    Language(
        "cpp",
        "C and C++",
        (".cpp", ".cc", ".cxx", ".hpp", ".hh", ".hxx", ".h", ".c", ".inl", ".ipp", ".tpp"),
        # Projects of every language have a Makefile.
        (Marker("CMakeLists.txt"), Marker("Makefile", "low")),
    ),
    Language("csharp", "C#", (".cs",), (Marker("*.csproj"), Marker("*.sln"), Marker("*.slnx"))),
    Language("go", "Go", (".go",), (Marker("go.mod"), Marker("go.work"))),
    Language(
        "java",
        "Java",
        (".java",),
        # Gradle also builds Kotlin and Groovy; its Kotlin script is the likelier sign of those.
        (Marker("pom.xml"), Marker("build.gradle"), Marker("build.gradle.kts", "medium")),
    ),
    Language(
        "javascript",
        "JavaScript",
        (".js", ".jsx", ".mjs", ".cjs"),
        # TypeScript projects have a package.json too.
        (
            Marker("jsconfig.json"),
            Marker("package.json", "medium"),
            Marker("pnpm-workspace.yaml", "low"),
            Marker("lerna.json", "low"),
        ),
    ),
    Language("php", "PHP", (".php",), (Marker("composer.json"),)),
    Language(
        "python",
        "Python",
        (".py", ".pyi"),
        (
            Marker("pyproject.toml"),
            Marker("setup.py"),
            Marker("setup.cfg"),
            Marker("requirements.txt"),
            Marker("Pipfile"),
        ),
    ),
    Language("rust", "Rust", (".rs",), (Marker("Cargo.toml"),)),
    Language(
        "typescript",
        "TypeScript",
        (".ts", ".tsx", ".mts", ".cts", ".vue", ".svelte", ".astro"),
        (Marker("tsconfig.json"), Marker("tsconfig.*.json"), Marker("deno.json")),
    ),
    Language("wpf", "WPF (XAML)", (".xaml",)),
)
