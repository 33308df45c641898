"""The light facts of each language: what its files are called and which files give it away."""

from dataclasses import dataclass
from typing import Final, Literal

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
    file_names: tuple[str, ...] = ()  # of sources that go by their whole name
    reopens_types: bool = False  # whether a type that is declared again is the same one with more members


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
        (".py", ".pyi", ".ipynb"),
        (
            Marker("pyproject.toml"),
            Marker("setup.py"),
            Marker("setup.cfg"),
            Marker("requirements.txt"),
            Marker("Pipfile"),
        ),
    ),
    Language(
        "ruby",
        "Ruby",
        (".rb", ".rake", ".gemspec", ".ru", ".jbuilder", ".thor", ".erb"),
        # Projects of other languages have a Gemfile for their site, and a Rakefile for their chores.
        (Marker("Gemfile", "medium"), Marker("*.gemspec"), Marker("Rakefile", "low")),
        (
            "Appraisals",
            "Capfile",
            "Dangerfile",
            "Gemfile",
            "Guardfile",
            "Rakefile",
            "Thorfile",
            "Vagrantfile",
        ),
        reopens_types=True,
    ),
    Language("rust", "Rust", (".rs",), (Marker("Cargo.toml"),)),
    Language(
        "typescript",
        "TypeScript",
        (".ts", ".tsx", ".mts", ".cts", ".vue", ".svelte", ".astro", ".component.html", ".page.html"),
        (Marker("tsconfig.json"), Marker("tsconfig.*.json"), Marker("deno.json")),
    ),
    Language("wpf", "XAML (WPF, Avalonia, MAUI)", (".xaml", ".axaml")),
)

_BY_EXTENSION: Final = {ending: each.name for each in LANGUAGES for ending in each.extensions}
_BY_NAME: Final = {name: each.name for each in LANGUAGES for name in each.file_names}


def language_of(name: str) -> str | None:
    """The language of a file, by its name without folders; None where that says nothing."""
    ending = extension_of(name)
    if (
        ending == ".html"
    ):  # which of itself is no language: templates of Angular say in two words what they are
        ending = extension_of(name.removesuffix(ending)) + ending
    return _BY_EXTENSION.get(ending) or _BY_NAME.get(name)


def extension_of(name: str) -> str:
    """What a file's name ends in, `.rb` of `cart.rb`; empty where it has no ending."""
    stem, dot, ending = name.rpartition(".")
    return f".{ending}".lower() if stem and dot else ""
